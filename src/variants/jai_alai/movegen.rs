//! Where each piece can go and what it can capture (R20-R44, R50-R54), and which of these actions leave its
//! King safe (R71).

use super::board::Board;
use super::decision::Action;
use super::geometry::{
    ADJACENT, BESIDE, BOY_STEPS, BOY_TAKES, CORNERS, DIRECTION, DOUBLE_STEP, FORWARD, FULL, LAST_RANK, LINES,
    OFF, back, bit, next, outward, slide, turns,
};
use super::piece::Kind;
use super::safety::{Outlook, attacked, outlook};
use super::state::State;
use crate::base::{Bits, BoardBits, Color};

/// The actions open to one piece.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Reach {
    /// The empty squares it can go to.
    pub quiet: u128,
    /// The pieces it can capture by going to their squares.
    pub takes: u128,
    /// The quiet squares from which a Deer may also capture the piece ahead (R27, R28).
    pub approach: u128,
}

/// The actions of the piece of `color` and `kind` on `from` in its present state: `reduced` or not (R52).
/// `at_once` is the switch that lets a first leg have no length.
#[inline]
pub fn reach(board: &Board, color: Color, kind: Kind, from: u8, reduced: bool, at_once: bool) -> Reach {
    let square = usize::from(from);
    let occupied = board.occupied();
    let empty = FULL & !occupied;
    let friends = board.pieces(color);
    let enemies = board.pieces(!color);
    // R54: only few kinds may capture these.
    let reducers = board.kind(Kind::Reducer);
    match kind {
        Kind::King => Reach {
            quiet: ADJACENT[square] & empty,
            // R40, R41: own pieces too, own Statues among them, but no enemy Statue.
            takes: ADJACENT[square] & occupied & !(enemies & board.kind(Kind::Statue)),
            approach: 0,
        },
        Kind::Guard => Reach {
            quiet: ADJACENT[square] & empty,
            takes: ADJACENT[square] & occupied & !(friends & board.kind(Kind::King)),
            approach: 0,
        },
        Kind::Superball => {
            let (quiet, ends) = rebounds(from, 0, occupied, occupied, at_once);
            Reach { quiet: quiet | CORNERS[square] & empty, takes: ends & enemies, approach: 0 }
        }
        Kind::Ball if reduced => Reach { quiet: BESIDE[square] & empty, ..Reach::default() },
        Kind::Ball => {
            let (quiet, ends) = rebounds(from, 0, occupied, friends, at_once);
            Reach { quiet, takes: ends & enemies & !reducers, approach: 0 }
        }
        Kind::Diagball if reduced => Reach { quiet: ADJACENT[square] & empty, ..Reach::default() },
        Kind::Diagball => {
            let (quiet, ends) = rebounds(from, 4, occupied, friends, at_once);
            Reach { quiet: quiet | BESIDE[square] & empty, takes: ends & enemies & !reducers, approach: 0 }
        }
        Kind::Deer => {
            let quiet = if reduced { ADJACENT[square] & empty } else { queen_slide(from, occupied) & empty };
            let victims = enemies & !reducers & LINES[square];
            Reach { quiet, takes: 0, approach: approach(from, quiet, victims) }
        }
        Kind::Mage => mage(from, occupied, enemies, reducers, reduced),
        Kind::Reducer => {
            let quiet = if reduced { ADJACENT[square] & empty } else { queen_slide(from, occupied) & empty };
            Reach { quiet, ..Reach::default() }
        }
        Kind::Boy => {
            let side = color.index();
            let mut quiet = BOY_STEPS[side][square] & empty;
            // R22: straight ahead, both squares empty, not when reduced.
            if !reduced && DOUBLE_STEP[side] & bit(from) != 0 {
                let first = next(from, FORWARD[side]);
                if empty & bit(first) != 0 {
                    quiet |= bit(next(first, FORWARD[side])) & empty;
                }
            }
            Reach { quiet, takes: BOY_TAKES[side][square] & enemies & !reducers, approach: 0 }
        }
        Kind::Statue => Reach::default(),
    }
}

#[inline]
fn queen_slide(from: u8, occupied: u128) -> u128 {
    (0..8).fold(0, |reached, direction| reached | slide(from, direction, occupied))
}

/// R27: the squares of `quiet` behind which, seen from `from`, one of `victims` stands.
#[inline]
fn approach(from: u8, quiet: u128, victims: u128) -> u128 {
    let mut stops = 0;
    for victim in Bits(victims) {
        // The last square before the victim on the line. It must be in `quiet`, so it is not the Deer's own
        // square.
        let towards = usize::from(DIRECTION[usize::from(victim)][usize::from(from)]);
        stops |= bit(next(victim, towards));
    }
    stops & quiet
}

/// R16, R17: the squares reached by sliding and by rebounding off one of `walls`, and the pieces that end a
/// second leg. The lines are orthogonal when `family` is 0, diagonal when it is 4.
#[inline]
fn rebounds(from: u8, family: usize, occupied: u128, walls: u128, at_once: bool) -> (u128, u128) {
    let mut reached = 0;
    let mut second_legs = 0;
    for direction in family..family + 4 {
        let line = slide(from, direction, occupied);
        reached |= line;
        let wall = line & occupied & walls;
        // The edge is never a wall.
        if wall == 0 {
            continue;
        }
        let turning = back(wall.lowest(), direction);
        if turning == from && !at_once {
            continue;
        }
        for second in turns(direction) {
            second_legs |= slide(turning, second, occupied);
        }
    }
    ((reached | second_legs) & !occupied, second_legs & occupied)
}

/// The square where a ball of `color` that goes from `from` to `to` rebounds; `None` when it goes straight or
/// is no ball.
pub fn turning_square(
    board: &Board,
    (color, kind): (Color, Kind),
    from: u8,
    to: u8,
    at_once: bool,
) -> Option<u8> {
    let occupied = board.occupied();
    let (family, walls) = match kind {
        Kind::Superball => (0, occupied),
        Kind::Ball => (0, board.pieces(color)),
        Kind::Diagball => (4, board.pieces(color)),
        _ => return None,
    };
    let quiet = bit(to) & !occupied;
    let steps = if family == 0 { CORNERS } else { BESIDE };
    let straight =
        (family..family + 4).fold(steps[usize::from(from)], |set, way| set | slide(from, way, occupied));
    if quiet & straight != 0 {
        return None;
    }
    (family..family + 4).find_map(|direction| {
        let wall = slide(from, direction, occupied) & occupied & walls;
        let turning = (wall != 0).then(|| back(wall.lowest(), direction))?;
        let reached = turns(direction).into_iter().any(|way| slide(turning, way, occupied) & bit(to) != 0);
        (reached && (turning != from || at_once)).then_some(turning)
    })
}

/// R30-R32: the actions of a Mage-Apprentice.
#[inline]
fn mage(from: u8, occupied: u128, enemies: u128, reducers: u128, reduced: bool) -> Reach {
    let mut area = CORNERS[usize::from(from)];
    let near = area;
    if !reduced {
        for diagonal in 4..8 {
            let corner = next(from, diagonal);
            if corner == OFF || occupied & bit(corner) != 0 {
                continue;
            }
            for direction in outward(diagonal) {
                let first = next(corner, direction);
                area |= bit(first);
                if occupied & bit(first) == 0 {
                    area |= bit(next(first, direction));
                }
            }
        }
    }
    Reach { quiet: area & !occupied, takes: area & enemies & !(near & reducers), approach: 0 }
}

impl State {
    /// The actions of the piece of the side to move on `from`, with the safety of its King ignored; nothing
    /// for other squares.
    pub fn reach(&self, from: u8) -> Reach {
        match self.board.kind_at(from) {
            Some(kind) if self.board.pieces(self.side) & bit(from) != 0 => {
                let reduced = self.board.reduced(self.side) & bit(from) != 0;
                reach(&self.board, self.side, kind, from, reduced, self.at_once)
            }
            _ => Reach::default(),
        }
    }

    /// The squares of `targets` where the action by the piece of `kind` on `from` leaves the own King safe.
    #[inline]
    fn safe(&self, action: impl Fn(u8, u8) -> Action, kind: Kind, from: u8, targets: u128) -> u128 {
        let safe = Bits(targets).filter(|&to| self.is_safe(action(from, to), kind));
        safe.fold(0, |set, to| set | bit(to))
    }

    /// R71: true when the action by a piece of `kind` leaves the own King safe.
    #[inline]
    fn is_safe(&self, action: Action, kind: Kind) -> bool {
        let to = action.to();
        let board = self.board.shadow(self.side, kind, action.from(), to, action.victim_ahead());
        let king = if kind == Kind::King { to } else { self.board.king(self.side) };
        !attacked(&board, self.side, king, self.at_once)
    }

    /// Calls `found` with every legal action: the constructor, the origin, the target squares. The King comes
    /// first and the drops (from [`OFF`]) last; each kind goes from a1 on.
    #[inline]
    pub(super) fn each_legal(&self, noisy: bool, mut found: impl FnMut(fn(u8, u8) -> Action, u8, u128)) {
        if self.loser.is_some() {
            return;
        }
        let outlook = outlook(&self.board, self.side, self.at_once);
        // An attacked side must see every answer.
        let noisy = noisy && !outlook.attacked;
        let own = self.board.pieces(self.side);
        let reduced = self.board.reduced(self.side);
        for kind in Kind::ALL.into_iter().filter(|&kind| kind != Kind::Statue) {
            for from in Bits(own & self.board.kind(kind)) {
                let is_reduced = reduced & bit(from) != 0;
                let mut reach = reach(&self.board, self.side, kind, from, is_reduced, self.at_once);
                if noisy {
                    reach = self.noisy_part(reach, kind);
                }
                self.legal_part(reach, kind, from, &outlook, &mut found);
            }
        }
        if !noisy && self.hands[self.side.index()] > 0 {
            self.legal_drops(&outlook, &mut found);
        }
    }

    /// The part of `reach` that captures enemies or promotes.
    #[inline]
    fn noisy_part(&self, reach: Reach, kind: Kind) -> Reach {
        let promotes = if kind == Kind::Boy { LAST_RANK[self.side.index()] } else { 0 };
        Reach {
            quiet: reach.quiet & promotes,
            takes: reach.takes & self.board.pieces(!self.side),
            approach: reach.approach,
        }
    }

    #[inline]
    fn legal_part(
        &self,
        reach: Reach,
        kind: Kind,
        from: u8,
        outlook: &Outlook,
        found: &mut impl FnMut(fn(u8, u8) -> Action, u8, u128),
    ) {
        let targets = reach.quiet | reach.takes;
        let reducers = self.board.kind(Kind::Reducer);
        // The targets that must be tried out. The others are all legal, or all illegal when the King is
        // attacked.
        let tried = if kind == Kind::King || outlook.blockers & bit(from) != 0 {
            targets
        } else if outlook.attacked {
            let touches = kind == Kind::Reducer || outlook.answers & bit(from) != 0;
            if touches { targets } else { targets & (outlook.answers | reducers) }
        } else if outlook.restrains && kind == Kind::Reducer {
            targets
        } else {
            targets & outlook.missing_walls | if outlook.restrains { targets & reducers } else { 0 }
        };
        if !outlook.attacked {
            found(Action::step, from, targets & !tried);
        }
        found(Action::step, from, self.safe(Action::step, kind, from, tried));
        found(Action::approach, from, self.safe(Action::approach, kind, from, reach.approach));
    }

    #[inline]
    fn legal_drops(&self, outlook: &Outlook, found: &mut impl FnMut(fn(u8, u8) -> Action, u8, u128)) {
        let empty = FULL & !self.board.occupied();
        let tried = empty & if outlook.attacked { outlook.answers } else { outlook.missing_walls };
        if !outlook.attacked {
            found(Action::step, OFF, empty & !tried);
        }
        found(Action::step, OFF, self.safe(Action::step, Kind::Statue, OFF, tried));
    }
}
