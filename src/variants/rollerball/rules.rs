//! The contract: whose turn it is, what is legal, how it ends.

use super::decision::Move;
use super::state::State;
use crate::base::Color;
use crate::game::{Actor, Decisions, Game, Outcome, Repetition, Wanted};

impl Game for State {
    type Decision = Move;

    const ONE_DECISION_A_TURN: bool = true;

    #[inline]
    fn actor(&self) -> Actor {
        if self.finished() { Actor::Nobody } else { Actor::Player(self.turn) }
    }

    /// R36. Never both kings: the second cannot get there in play, and the reader refuses it.
    fn decided(&self) -> Option<Outcome> {
        if !self.finished() {
            return None;
        }
        Some(if self.on_throne(Color::White) {
            Outcome::win(Color::White, "R36", "White king reached d6")
        } else {
            Outcome::win(Color::Black, "R36", "Black king reached d2")
        })
    }

    /// R35.
    fn stuck(&self) -> Outcome {
        match (self.king_attacked(self.turn), self.turn) {
            (false, _) => Outcome::draw("R35", "Stalemate"),
            (true, Color::Black) => Outcome::win(Color::White, "R35", "White mates"),
            (true, Color::White) => Outcome::win(Color::Black, "R35", "Black mates"),
        }
    }

    fn decisions(&self, wanted: Wanted, list: &mut Decisions<Move>) {
        self.list_moves(wanted, list);
    }

    fn count(&self) -> u64 {
        self.count_moves()
    }

    #[inline]
    fn apply(&mut self, decision: Move) {
        self.make(decision);
    }

    #[inline]
    fn key(&self) -> u64 {
        self.present_key()
    }

    fn fresh_key(&self) -> u64 {
        self.key_from_nothing()
    }

    /// R39: men, side to move and both marks, which is all the key holds. Neither a capture nor a pawn's step can be
    /// undone.
    fn repetition(&self) -> Option<Repetition> {
        Some(Repetition { key: self.present_key(), span: u32::from(self.quiet) })
    }

    /// R39, OQ7.
    fn on_occurrence(&mut self, times: u32) -> Option<Outcome> {
        (times >= 3).then_some(Outcome::draw("R39", "Threefold repetition"))
    }
}
