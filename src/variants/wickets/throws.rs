//! Where a captured ball may be put, where a ball may be thrown, and whether a turn can be completed.

use super::cells::{Cells, NOWHERE, bit, neighbours, one, queen_lines, wicket};
use super::mode::Deciding;
use super::state::{Captured, State};
use crate::base::Bits;

impl State {
    /// The cells where the mover may put the ball of the carrier it has just captured (R25): vacant
    /// neighbours of its own cell, if the turn can be completed from there (R44).
    pub(super) fn placements(&self) -> Cells {
        let (us, them) = self.sides();
        let mut targets = neighbours(self.turn.at) & self.board.vacant();
        if self.no_seal {
            targets &= !one(wicket(them));
        }
        if self.board.is_safe(us) {
            return targets;
        }
        Bits(targets).filter(|&cell| self.saved_by_placing(cell)).fold(0, |all, cell| all | one(cell))
    }

    fn saved_by_placing(&self, cell: u8) -> bool {
        let (us, them) = self.sides();
        let mut placed = *self;
        placed.board.set_ball(them, cell);
        placed.board.is_safe(us) || placed.turn.may_throw && placed.throws() != 0
    }

    /// The cells to which the mover may throw (R12 to R16, R42, R43). Meaningful only when it carries the
    /// ball.
    pub(super) fn throws(&self) -> Cells {
        let (us, them) = self.sides();
        let board = &self.board;
        let occupied = board.occupied();
        let mut reached = queen_lines(self.turn.at, occupied);
        if self.turn.partner != NOWHERE {
            reached |= queen_lines(self.turn.partner, occupied) & !one(self.turn.at);
        }
        let mut vacant = reached & board.vacant();
        if self.no_seal {
            vacant &= !one(wicket(us));
        }
        if !board.is_safe(us) {
            let blocks = |&cell: &u8| bit(cell) != 0 && board.is_safe_with(us, bit(cell), 0);
            return Bits(vacant).filter(blocks).fold(0, |all, cell| all | one(cell));
        }
        let goal = one(wicket(them));
        if vacant & goal != 0 && !self.may_take() {
            vacant &= !goal;
        }
        let mut receivers = reached & board.all_pieces(us);
        if board.defender(us) != NOWHERE {
            receivers &= !one(board.defender(us));
        }
        vacant | receivers
    }

    /// R43: true when the mover's king, safe as things are, stays safe if the wicket is taken and the
    /// Defender lifted off.
    fn may_take(&self) -> bool {
        let (us, them) = self.sides();
        let needs_sacrifice =
            matches!(self.mode.deciding(), Deciding::Sacrifice(_)) && self.board.is_seen(them);
        needs_sacrifice
            || self.ends_with_defender()
            || self.board.is_safe_with(us, 0, bit(self.board.defender(them)))
    }

    /// True when taking the wicket wins the game: the other king is Defender (R53).
    pub(super) fn ends_with_defender(&self) -> bool {
        let (_, them) = self.sides();
        self.board.defender(them) == self.board.king(them)
    }

    /// After a move that is not settled: true when the turn can be completed with the mover's king safe (R42,
    /// R44). The other side's choice of a new Defender does not matter: only a throw into the wicket depends
    /// on it, and that blocks nothing.
    #[inline]
    pub(super) fn can_be_completed(&self) -> bool {
        let (us, _) = self.sides();
        match self.turn.captured {
            Captured::Carrier => self.placements() != 0,
            _ => self.board.is_safe(us) || self.turn.may_throw && self.throws() != 0,
        }
    }
}
