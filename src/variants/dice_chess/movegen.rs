//! Which moves there are: those of chess without check (R4), of which the rule of the most dice (R5) leaves
//! some.

use super::{Decision, State};
use crate::base::{Bits, Color, lines};
use crate::game::{Decisions, GenType};
use crate::variants::chessboard::RIGHTS;
use crate::variants::chessboard::board::Kind;
use crate::variants::chessboard::rays::{KING, KNIGHT, PAWN};

/// By colour: the rank from which a pawn makes its double step.
const HOME: [u64; 2] = [0xff << 8, 0xff << 48];
/// By colour: the rank on which a pawn is promoted.
pub(super) const LAST: [u64; 2] = [0xff << 56, 0xff];
/// By colour: the rank that holds the squares on which that side captures en passant.
pub(super) const PASSED: [u64; 2] = [0xff << 40, 0xff << 16];

/// The squares that a piece of `kind`, other than a pawn, reaches on a board where `occupied` blocks.
#[inline]
pub(super) fn reach(kind: Kind, from: u8, occupied: u64) -> u64 {
    match kind {
        Kind::Knight => KNIGHT[usize::from(from)],
        Kind::Bishop => lines::along_diagonals(from, occupied),
        Kind::Rook => lines::orthogonal(from, occupied),
        Kind::Queen => lines::along_diagonals(from, occupied) | lines::orthogonal(from, occupied),
        Kind::King => KING[usize::from(from)],
        Kind::Pawn => 0,
    }
}

impl State {
    /// The pieces of `kind` of the side to move.
    #[inline]
    fn own(&self, kind: Kind) -> u64 {
        self.board.all(kind) & self.board.of(self.turn)
    }

    /// The squares that the pawn on `from` may go to.
    #[inline]
    fn pawn_targets(&self, from: u8) -> u64 {
        let us = self.turn.index();
        let (pawn, empty) = (1_u64 << from, !self.board.occupied());
        let ahead = |set: u64| if us == 0 { set << 8 } else { set >> 8 };
        let one = ahead(pawn) & empty;
        let two = if HOME[us] & pawn != 0 { ahead(one) & empty } else { 0 };
        let takes = self.board.of(!self.turn) | self.passed & PASSED[us];
        one | two | PAWN[us][usize::from(from)] & takes
    }

    /// The squares that the piece of `kind` on `from` may go to, castling apart.
    #[inline]
    fn targets(&self, kind: Kind, from: u8) -> u64 {
        match kind {
            Kind::Pawn => self.pawn_targets(from),
            _ => reach(kind, from, self.board.occupied()) & !self.board.of(self.turn),
        }
    }

    /// Where the king castles to (R8): nothing stands between king and rook; attacks do not matter.
    fn castling(&self) -> u64 {
        let right = |(index, &(_, color, king, rook)): (usize, &(u8, Color, u8, u8))| {
            let between = if rook > king { 3 << (king + 1) } else { 7_u64 << (rook + 1) };
            let may =
                self.rights >> index & 1 == 1 && color == self.turn && between & self.board.occupied() == 0;
            if may { 1 << if rook > king { king + 2 } else { king - 2 } } else { 0 }
        };
        RIGHTS.iter().enumerate().map(right).fold(0, |all, to| all | to)
    }

    /// All moves for which there are dice, whether or not they use as many as they should.
    pub(super) fn moves(&self, list: &mut Decisions<Decision>) {
        let last = LAST[self.turn.index()] & !self.board.kings();
        for kind in Kind::ALL {
            if !self.dice.shows(kind) {
                continue;
            }
            for from in Bits(self.own(kind)) {
                let targets = self.targets(kind, from);
                if kind != Kind::Pawn {
                    list.extend(Bits(targets).map(|to| Decision::step(from, to)));
                    continue;
                }
                list.extend(Bits(targets & !last).map(|to| Decision::step(from, to)));
                for to in Bits(targets & last) {
                    list.extend(Kind::PROMOTIONS.map(|kind| Decision::promotion(from, to, kind)));
                }
            }
        }
        if self.dice.shows(Kind::King) && self.dice.shows(Kind::Rook) && self.rights != 0 {
            let king = self.board.king(self.turn);
            list.extend(Bits(self.castling()).map(|to| Decision::step(king, to)));
        }
    }

    /// True when a piece of this kind can move.
    #[inline]
    fn can_move(&self, kind: Kind) -> bool {
        Bits(self.own(kind)).any(|from| self.targets(kind, from) != 0)
    }

    /// How many dice `step` uses (R8).
    #[inline]
    pub(super) fn cost(&self, step: Decision) -> u8 {
        let castles = step.from().abs_diff(step.to()) == 2 && self.board.kings() >> step.from() & 1 == 1;
        1 + u8::from(castles)
    }

    #[inline]
    pub(super) fn takes_king(&self, step: Decision) -> bool {
        (self.board.kings() & self.board.of(!self.turn)) >> step.to() & 1 == 1
    }

    /// True when some way uses at least `wanted` of the dice that are left.
    fn can_use(&self, wanted: u8) -> bool {
        if wanted <= 1 {
            return wanted == 0
                || Kind::ALL.into_iter().any(|kind| self.dice.shows(kind) && self.can_move(kind));
        }
        if wanted > self.dice.total() {
            return false;
        }
        let mut list = Decisions::new();
        self.moves(&mut list);
        list.into_iter().any(|step| self.leads_to(step, wanted))
    }

    /// True when `step`, with what may follow it, uses at least `wanted` dice. After the king is taken,
    /// nothing follows.
    fn leads_to(&self, step: Decision, wanted: u8) -> bool {
        let cost = self.cost(step);
        cost >= wanted
            || !self.takes_king(step) && {
                let mut after = *self;
                after.carry_out(step);
                after.can_use(wanted - cost)
            }
    }

    /// The most dice that can be used (R5).
    pub(super) fn most_usable(&self) -> u8 {
        (1..=self.dice.total()).rev().find(|&wanted| self.can_use(wanted)).unwrap_or(0)
    }

    /// The kinds, of those that dice show, of which a piece attacks the enemy king.
    #[inline]
    pub(super) fn takes_king_at_once(&self) -> bool {
        let king = self.board.king(!self.turn);
        let occupied = self.board.occupied();
        let from_king = |kind: Kind| match kind {
            Kind::Pawn => PAWN[(!self.turn).index()][usize::from(king)],
            _ => reach(kind, king, occupied),
        };
        Kind::ALL.into_iter().any(|kind| self.dice.shows(kind) && from_king(kind) & self.own(kind) != 0)
    }

    /// True when the king can be taken with the dice that are left, in `steps` moves at the most.
    pub(super) fn takes_king_within(&self, steps: u8) -> bool {
        if self.takes_king_at_once() {
            return true;
        }
        if steps < 2 || self.dice.total() < 2 {
            return false;
        }
        let mut list = Decisions::new();
        self.moves(&mut list);
        list.into_iter().any(|step| {
            let mut after = *self;
            after.carry_out(step);
            after.takes_king_within(steps - 1)
        })
    }

    /// R5, R6: a move is legal when the turn can still use as many dice as it must, or take the king.
    fn is_legal(&self, step: Decision) -> bool {
        self.leads_to(step, self.need) || self.takes_king(step) || {
            let mut after = *self;
            after.carry_out(step);
            after.takes_king_within(after.dice.total())
        }
    }

    pub(super) fn legal_moves(&self, wanted: GenType, list: &mut Decisions<Decision>) {
        self.moves(list);
        if wanted == GenType::Noisy {
            let taken = self.board.of(!self.turn);
            list.retain(|step| taken >> step.to() & 1 == 1 || step.promoted().is_some());
        }
        if self.need > 1 {
            list.retain(|step| self.is_legal(*step));
        }
    }

    /// True when, dice and the rule of the most dice apart, the piece on `from` may go to `to`.
    pub(super) fn reaches(&self, kind: Kind, from: u8, to: u8) -> bool {
        (self.targets(kind, from) | if kind == Kind::King { self.castling() } else { 0 }) >> to & 1 == 1
    }
}
