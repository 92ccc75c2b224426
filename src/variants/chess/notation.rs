//! Chess in text: FEN, and moves from square to square.

use super::{Decision, FACTS, State, setup};
use crate::game::{Facts, Notation, Rules, SetupError};
use crate::notation::{Leg, Legs, Position, Suffix, exchange_castling, mirror_ranks};
use crate::variants::chessboard::coordinate;

const fn leg(decision: Decision) -> Leg {
    let suffix = match decision.promoted() {
        Some(kind) => Some(Suffix::Letter(kind.letter())),
        None => None,
    };
    Leg::Move { from: coordinate(decision.from()), to: coordinate(decision.to()), suffix }
}

impl Notation for State {
    const GAMES: &'static [&'static Facts] = &[&FACTS];

    fn read(position: &Position, rules: &Rules) -> Result<Self, SetupError> {
        setup::read(position, rules.is_on(super::CHESS960))
    }

    fn write(&self) -> Position {
        setup::write(self)
    }

    fn with_colors_exchanged(position: &Position) -> Position {
        let mut twin = position.with_colors_exchanged(false);
        if let Some(rights) = twin.fields.get_mut(1) {
            *rights = exchange_castling(rights);
        }
        if let Some(passed) = twin.fields.get_mut(2) {
            *passed = mirror_ranks(passed, 9);
        }
        twin
    }

    fn legs(&self, decision: Decision) -> Legs {
        Legs::from_iter([leg(decision)])
    }

    fn reads(&self, decision: Decision, legs: &[Leg]) -> usize {
        usize::from(legs.first() == Some(&leg(decision)))
    }

    fn explain(&self, legs: &[Leg]) -> String {
        self.why_not(legs)
    }
}
