//! The legs of decisions: a move is its two squares, a roll the digits of the three dice.

use super::decision::Dice;
use super::{Decision, FACTS, State, setup};
use crate::game::{Facts, Notation, Rules, SetupError};
use crate::notation::{Leg, Legs, Position, Suffix, exchange_castling, mirror_ranks};
use crate::variants::chessboard::coordinate;

fn leg(decision: Decision) -> Leg {
    match decision.rolled() {
        Some(number) => Leg::Roll(number),
        None if decision == Decision::PASS => Leg::Pass,
        None => Leg::Move {
            from: coordinate(decision.from()),
            to: coordinate(decision.to()),
            suffix: decision.promoted().map(|kind| Suffix::Letter(kind.letter())),
        },
    }
}

impl Notation for State {
    const GAMES: &'static [&'static Facts] = &[&FACTS];

    fn read(position: &Position, _: &Rules) -> Result<Self, SetupError> {
        setup::read(position)
    }

    fn write(&self) -> Position {
        setup::write(self)
    }

    fn with_colors_exchanged(position: &Position) -> Position {
        let mut twin = position.with_colors_exchanged(false);
        let is_black = twin.fields.first().is_some_and(|side| side == "b");
        for (index, field) in twin.fields.iter_mut().enumerate() {
            match index {
                1 => *field = exchange_castling(field),
                2 => *field = mirror_ranks(field, 9),
                5 if is_black => field.make_ascii_lowercase(),
                5 => field.make_ascii_uppercase(),
                _ => {}
            }
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

    /// Whose turn has ended has used as many dice as can be used.
    fn explain_end(&self, decision: Decision, _: &[Leg]) -> Option<String> {
        let used_up = decision.rolled().is_none() && self.dice != Dice::default();
        used_up.then(|| "the turn is complete: no more dice can be used".to_owned())
    }
}
