//! Explains in text why a move is not legal.

use super::State;
use super::movegen::LAST;
use crate::game::explain::{NOT_LEGAL, own_piece};
use crate::notation::{Coordinate, Leg, Suffix};
use crate::variants::chessboard::board::Kind;
use crate::variants::chessboard::square;

impl State {
    /// Says why no legal decision begins with `legs`.
    pub(super) fn why_not(&self, legs: &[Leg]) -> String {
        match legs.first() {
            Some(&Leg::Move { from, to, suffix }) => self.why_not_move(from, to, suffix),
            Some(Leg::Roll(_)) => "the dice are rolled already".to_owned(),
            Some(Leg::Pass) => "a turn passes only where no die can be used".to_owned(),
            _ => "a move is two squares, as in b1c3".to_owned(),
        }
    }

    fn why_not_move(&self, from: Coordinate, to: Coordinate, suffix: Option<Suffix>) -> String {
        let (Some(start), Some(goal)) = (square(from), square(to)) else { return NOT_LEGAL.to_owned() };
        let Some((color, kind)) = self.board.piece(start) else { return NOT_LEGAL.to_owned() };
        let castles = kind == Kind::King && start.abs_diff(goal) == 2 && start >> 3 == goal >> 3;
        if self.board.of(color) >> goal & 1 == 1 {
            return own_piece(self, to);
        }
        if !self.dice.shows(kind) {
            return format!("no die is left for a {}", kind.name());
        }
        if castles && !self.dice.shows(Kind::Rook) {
            return "castling needs a die for the king and one for the rook".to_owned();
        }
        if !self.reaches(kind, start, goal) {
            return format!("the {} cannot go there", kind.name());
        }
        let promotes = kind == Kind::Pawn && LAST[color.index()] >> goal & 1 == 1;
        let takes_king = self.board.kings() >> goal & 1 == 1;
        match suffix {
            Some(_) if !promotes || takes_king => "there is no promotion in this move".to_owned(),
            Some(Suffix::Letter(letter))
                if !Kind::PROMOTIONS.into_iter().any(|kind| kind.letter() == letter) =>
            {
                format!("a pawn cannot become `{}`, only q, r, b or n", char::from(letter))
            }
            None if promotes && !takes_king => "promotion piece missing".to_owned(),
            _ => "the turn can use more dice than it could after this move".to_owned(),
        }
    }
}
