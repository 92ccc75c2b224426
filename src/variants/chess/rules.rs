//! How games of chess end, and the contract of a game.

use super::{Decision, State};
use crate::base::Color;
use crate::game::{Actor, Decisions, Game, Outcome, Repetition, Wanted};

/// The clock counts the moves of both sides: fifty moves each (FIDE 9.3).
const FIFTY_MOVES: u16 = 100;

const LIGHT: u64 = 0x55AA_55AA_55AA_55AA;

impl State {
    /// True when no sequence of legal moves can mate anybody because there is too little left (FIDE 5.2.2): bare kings,
    /// one knight or one bishop, or any number of bishops that all walk on squares of one colour.
    pub fn is_short_of_material(&self) -> bool {
        let board = &self.board;
        if (board.pawns() | board.orthogonal()) != 0 {
            return false;
        }
        let (knights, bishops) = (board.knights(), board.diagonal());
        match knights.count_ones() {
            0 => bishops & LIGHT == 0 || bishops & !LIGHT == 0,
            1 => bishops == 0,
            _ => false,
        }
    }

    /// True when the king of the side to move is attacked.
    #[inline]
    pub fn is_check(&self) -> bool {
        self.checkers(self.turn) != 0
    }
}

impl Game for State {
    type Decision = Decision;

    const ONE_DECISION_A_TURN: bool = true;
    const DRAWS_ARE_CLAIMED: bool = true;

    /// Never `Nobody`: mate and stalemate are a lack of moves, and whatever else ends a game is counted.
    fn actor(&self) -> Actor {
        Actor::Player(self.turn)
    }

    fn decided(&self) -> Option<Outcome> {
        if self.is_short_of_material() {
            Some(Outcome::draw("FIDE 5.2.2", "Insufficient material"))
        } else if self.clock >= FIFTY_MOVES {
            Some(Outcome::draw("FIDE 9.3", "Fifty moves without capture or pawn move"))
        } else {
            None
        }
    }

    fn stuck(&self) -> Outcome {
        match (self.is_check(), self.turn) {
            (true, Color::Black) => Outcome::win(Color::White, "FIDE 5.1.1", "White mates"),
            (true, Color::White) => Outcome::win(Color::Black, "FIDE 5.1.1", "Black mates"),
            (false, _) => Outcome::draw("FIDE 5.2.1", "Stalemate"),
        }
    }

    fn decisions(&self, wanted: Wanted, list: &mut Decisions<Decision>) {
        self.list_moves(wanted, list);
    }

    fn count(&self) -> u64 {
        self.count_moves()
    }

    fn apply(&mut self, decision: Decision) {
        self.play(decision);
    }

    #[inline]
    fn key(&self) -> u64 {
        self.board_key() ^ super::keys::clock(self.clock)
    }

    fn fresh_key(&self) -> u64 {
        self.key_from_nothing() ^ super::keys::clock(self.clock)
    }

    /// Equal when the same side is to move, the same men stand on the same squares and the same moves are possible,
    /// rights to castle and captures in passing included (FIDE 9.2.3).
    fn repetition(&self) -> Option<Repetition> {
        Some(Repetition { key: self.board_key(), span: self.clock.into() })
    }

    fn on_occurrence(&mut self, times: u32) -> Option<Outcome> {
        (times >= 3).then(|| Outcome::draw("FIDE 9.2", "Threefold repetition"))
    }
}
