//! Moves as text.

use super::decision::Move;
use super::state::State;
use super::{FACTS, setup};
use crate::game::{Facts, Notation, Rules, SetupError};
use crate::notation::{Leg, Legs, Position, Suffix};

impl Notation for State {
    const GAMES: &'static [&'static Facts] = &[&FACTS];

    fn read(position: &Position, rules: &Rules) -> Result<Self, SetupError> {
        setup::read(position, rules)
    }

    fn write(&self) -> Position {
        setup::write(self)
    }

    /// The ring runs one way round, so Black's view is half a turn away (R7), not a mirror image.
    fn with_colors_exchanged(position: &Position) -> Position {
        let mut twin = position.with_colors_exchanged(true);
        if let Some(marks) = twin.fields.get_mut(1) {
            match marks.as_str() {
                "K" => "k".clone_into(marks),
                "k" => "K".clone_into(marks),
                _ => {}
            }
        }
        twin
    }

    fn legs(&self, decision: Move) -> Legs {
        Legs::from_iter([leg(decision)])
    }

    fn reads(&self, decision: Move, legs: &[Leg]) -> usize {
        usize::from(legs.first() == Some(&leg(decision)))
    }

    fn explain(&self, legs: &[Leg]) -> String {
        legs.first().map_or_else(String::new, |leg| self.why_not(leg))
    }
}

fn leg(decision: Move) -> Leg {
    let suffix = decision.promotion().map(|promotion| Suffix::Letter(promotion.letter()));
    Leg::Move { from: decision.from().name(), to: decision.to().name(), suffix }
}
