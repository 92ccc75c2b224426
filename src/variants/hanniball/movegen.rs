//! Where pieces go and where the Ball can be sent (R13 to R24), and all possible steps.

use super::board::{Board, Kind};
use super::decision::Step;
use super::field::{ALL, FLIGHT, GOALS, HOME, LEAPS, LEAPS_BETWEEN, NEIGHBOURS, Squares, bit, look};
use crate::base::{Bits, Color};

/// The knight's moves from `from` that are not blocked when pieces stand on `occupied` (R13).
#[inline]
pub(super) fn open_leaps(from: u8, occupied: Squares) -> Squares {
    let close = look(&NEIGHBOURS, from) & occupied;
    let mut targets = look(&LEAPS, from);
    if close.count_ones() >= 2 {
        for leap in &LEAPS_BETWEEN[usize::from(from & 127)] {
            if close & leap.between == leap.between {
                targets &= !leap.target;
            }
        }
    }
    targets
}

/// The squares where a piece of this kind and colour on `from` might go if all squares could be entered (R13
/// to R17).
#[inline]
pub(super) fn reach(color: Color, kind: Kind, from: u8, occupied: Squares) -> Squares {
    match kind {
        Kind::Horse => open_leaps(from, occupied),
        Kind::Elephant => look(&NEIGHBOURS, from),
        Kind::Lion => look(&NEIGHBOURS, from) | open_leaps(from, occupied),
        Kind::Monkey => (look(&NEIGHBOURS, from) | open_leaps(from, occupied)) & HOME[color.index()],
    }
}

/// The squares to which a piece of this kind and colour on `from` can shoot the Ball (R21, R22; nothing
/// blocks, O3).
#[inline]
pub(super) fn range(color: Color, kind: Kind, from: u8) -> Squares {
    match kind {
        Kind::Horse => look(&NEIGHBOURS, from),
        Kind::Elephant => look(&LEAPS, from),
        Kind::Lion => look(&NEIGHBOURS, from) | look(&LEAPS, from),
        // The other goal area is out of its range.
        Kind::Monkey => look(&FLIGHT, from) & !HOME[color.index()],
    }
}

/// Which steps to list.
#[derive(Clone, Copy)]
pub(super) enum Which {
    /// All steps.
    All,
    /// Captures, penalties and every step that brings the Ball into a goal.
    Sharp,
}

/// A type of step, with the square it begins on.
#[derive(Clone, Copy)]
enum Way {
    Go(u8),
    Leave(u8),
    Shoot,
    Ricochet(u8),
    SendOff,
}

impl Way {
    /// The step that ends on `square`, or sends off the piece there.
    #[inline]
    const fn to(self, square: u8) -> Step {
        match self {
            Self::Go(from) => Step::go(from, square),
            Self::Leave(from) => Step::leave(from, square),
            Self::Shoot => Step::shoot(square, square),
            Self::Ricochet(monkey) => Step::shoot(monkey, square),
            Self::SendOff => Step::send_off(square),
        }
    }
}

impl Board {
    /// The squares that `color` may enter (R18): empty ones, and that of an enemy piece that has the Ball.
    #[inline]
    pub(super) fn enterable(&self, color: Color) -> Squares {
        let free = ALL & !self.occupied();
        if self.controls(!color) { free | bit(self.ball()) } else { free }
    }

    /// Calls `found` with the steps of `color` (R12). `penalty` says whether the right of R33 is open.
    /// Whether the turn can still be ended legally (R11) is not checked.
    #[inline]
    pub(super) fn each_step(&self, color: Color, penalty: bool, which: Which, mut found: impl FnMut(Step)) {
        self.each_way(color, penalty, which, |way, targets| Bits(targets).for_each(|to| found(way.to(to))));
    }

    /// The number of steps that [`Board::each_step`] finds.
    #[inline]
    pub(super) fn count_steps(&self, color: Color, penalty: bool) -> u64 {
        let mut count = 0;
        self.each_way(color, penalty, Which::All, |_, targets| count += u64::from(targets.count_ones()));
        count
    }

    /// Calls `found` with the steps by type and origin, and the squares they may end on.
    #[inline]
    fn each_way(&self, color: Color, penalty: bool, which: Which, mut found: impl FnMut(Way, Squares)) {
        let occupied = self.occupied();
        let enterable = match which {
            Which::All => self.enterable(color),
            Which::Sharp => self.pieces(!color) & bit(self.ball()),
        };
        if enterable != 0 {
            for kind in Kind::ALL {
                for from in Bits(self.of_kind(color, kind)) {
                    found(Way::Go(from), reach(color, kind, from, occupied) & enterable);
                }
            }
        }
        if self.controls(color) {
            self.each_way_of_ball(color, which, &mut found);
        }
        if penalty {
            found(Way::SendOff, self.pieces(!color) & !self.monkeys());
        }
    }

    /// Finds the steps that only the piece of `color` with the Ball can make; for `Which::Sharp` also its
    /// carries into a goal.
    fn each_way_of_ball(&self, color: Color, which: Which, found: &mut impl FnMut(Way, Squares)) {
        let ball = self.ball();
        let kind = self.kind_of(color, ball);
        let range = range(color, kind, ball);
        let targets = reach(color, kind, ball, self.occupied()) & ALL & !self.occupied();
        if matches!(which, Which::Sharp) {
            found(Way::Go(ball), targets & GOALS);
            found(Way::Shoot, range & GOALS & !self.monkeys());
            return;
        }
        // R17: a Monkey may not leave the Ball.
        if kind != Kind::Monkey {
            found(Way::Leave(ball), targets);
        }
        found(Way::Shoot, range & !self.monkeys());
        // R24. The other Monkey is out of reach (R25). The Ball may land on the shooter's own square.
        for monkey in Bits(range & self.monkeys()) {
            found(Way::Ricochet(monkey), look(&FLIGHT, monkey));
        }
    }

    /// True when the pieces of `color` have two moves or more.
    #[inline]
    pub(super) fn has_two_moves(&self, color: Color) -> bool {
        let (occupied, enterable) = (self.occupied(), self.enterable(color));
        let mut found = 0;
        Kind::ALL.into_iter().any(|kind| {
            Bits(self.of_kind(color, kind)).any(|from| {
                found += (reach(color, kind, from, occupied) & enterable).count_ones();
                found >= 2
            })
        })
    }
}
