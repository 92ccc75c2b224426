//! Steps in text.

use super::decision::{Deed, Step};
use super::field::{FILES, NOWHERE, ROWS, file_of, row_of, square_at};
use super::state::State;
use super::{FACTS, explain, setup};
use crate::game::{Facts, Notation, Rules, SetupError};
use crate::notation::{Cell, Coordinate, Leg, Legs, Position, Suffix};

/// The squares' names in the syntax tree.
static NAMES: [Coordinate; 128] = {
    let mut names = [Coordinate::new(0, 0); 128];
    let mut square = 0;
    while square < 128 {
        names[square as usize] = Coordinate::new(file_of(square), row_of(square) + 1);
        square += 1;
    }
    names
};

/// The square's name in the syntax tree.
pub(super) fn coordinate(square: u8) -> Coordinate {
    NAMES[square as usize & 127]
}

/// The square a name in the syntax tree means, or [`NOWHERE`].
pub(super) fn square(at: Coordinate) -> u8 {
    if at.file >= FILES || at.rank == 0 || at.rank > ROWS {
        return NOWHERE;
    }
    square_at(at.file as i8, at.rank as i8 - 1)
}

impl Notation for State {
    const GAMES: &'static [&'static Facts] = &[&FACTS];

    fn read(position: &Position, rules: &Rules) -> Result<Self, SetupError> {
        setup::read(position, rules)
    }

    fn write(&self) -> Position {
        setup::write(self)
    }

    /// The ball belongs to nobody.
    fn with_colors_exchanged(position: &Position) -> Position {
        let mut twin = position.with_colors_exchanged(false);
        for cell in &mut twin.placement.cells {
            if let Cell::Piece { letter: letter @ b'O', .. } = cell {
                *letter = b'o';
            }
        }
        twin
    }

    fn legs(&self, step: Step) -> Legs {
        let mut legs = Legs::new();
        legs.extend(first_leg(step));
        if let Deed::Shoot { first, to } = step.deed()
            && first != to
        {
            legs.push(ball_to(to));
        }
        legs
    }

    fn reads(&self, step: Step, legs: &[Leg]) -> usize {
        let Some(first) = legs.first() else { return 0 };
        // Most steps begin elsewhere: that is seen before anything is written out.
        if let (Leg::Move { from: said, .. }, Deed::Go { from, .. } | Deed::Leave { from, .. }) =
            (first, step.deed())
            && *said != coordinate(from)
        {
            return 0;
        }
        if first_leg(step).as_ref() != Some(first) {
            return 0;
        }
        let own = self.legs(step);
        if legs.starts_with(&own) { own.len() } else { 0 }
    }

    fn explain(&self, legs: &[Leg]) -> String {
        explain::explain(self, legs)
    }

    fn explain_end(&self, _: Step, _: &[Leg]) -> Option<String> {
        Some(explain::explain_end(self))
    }
}

fn ball_to(at: u8) -> Leg {
    Leg::Put { letter: b'O', at: coordinate(at) }
}

fn first_leg(step: Step) -> Option<Leg> {
    let go = |from, to, suffix| Leg::Move { from: coordinate(from), to: coordinate(to), suffix };
    match step.deed() {
        Deed::Go { from, to } => Some(go(from, to, None)),
        Deed::Leave { from, to } => Some(go(from, to, Some(Suffix::Leave))),
        Deed::Shoot { first, .. } => Some(ball_to(first)),
        Deed::SendOff(at) => Some(Leg::Put { letter: b'X', at: coordinate(at) }),
        Deed::Stop => None,
    }
}
