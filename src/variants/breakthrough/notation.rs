//! Moves in text.

use super::state::State;
use super::{FACTS, setup};
use crate::game::{Facts, Notation, Rules, SetupError};
use crate::notation::{Leg, Legs, Position};
use crate::variants::chessboard::{Move, coordinate, square};

impl Notation for State {
    const GAMES: &'static [&'static Facts] = &[&FACTS];

    fn read(position: &Position, _: &Rules) -> Result<Self, SetupError> {
        setup::read(position)
    }

    fn write(&self) -> Position {
        setup::write(self)
    }

    fn legs(&self, decision: Move) -> Legs {
        Legs::from_iter([Leg::step(coordinate(decision.from()), coordinate(decision.to()))])
    }

    fn explain(&self, legs: &[Leg]) -> String {
        let Some(&Leg::Move { from, to, suffix: None }) = legs.first() else {
            return "a move is two squares, as in c2b3".into();
        };
        let on = |men: u64, at| square(at).is_some_and(|square| men >> square & 1 == 1);
        let (own, enemies) = (self.men[self.turn.index()], self.men[(!self.turn).index()]);
        if !on(own, from) {
            format!("{} has no man on {from}", self.turn)
        } else if on(own, to) {
            format!("your own man stands on {to}")
        } else if on(enemies, to) && from.file == to.file {
            "a man takes diagonally, not straight ahead".into()
        } else {
            "a man goes one step forward, straight or diagonally".into()
        }
    }
}
