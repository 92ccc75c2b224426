//! What the last turn did, and the pieces of a board, for a picture.

use crate::base::Color;
use crate::game::gui::GuiBoard;
use crate::game::{Deed, Facts, Record, Repetition};
use crate::notation::{Cell, Coordinate, Position};

/// The number of decisions before the last turn, or before the one under way.
fn last_turn<G: GuiBoard + Repetition>(record: &Record<G>) -> usize {
    let begins = |made: &usize| record.state_after(*made).is_some_and(G::between_turns);
    (0..record.len()).rev().find(begins).unwrap_or(0)
}

/// What happened in the last turn, or so far in the one under way.
pub fn deeds_of_last_turn<G: GuiBoard + Repetition>(record: &Record<G>) -> Vec<Deed> {
    let begin = last_turn(record);
    let mut deeds = Vec::new();
    for (made, decision) in (begin..).zip(record.decisions_in(begin..record.len())) {
        if let (Some(before), Some(after)) = (record.state_after(made), record.state_after(made + 1)) {
            deeds.push(before.deed(decision, after, [&before.shown(), &after.shown()]));
        }
    }
    deeds
}

/// The last turn as a single token.
pub fn text_of_last_turn<G: GuiBoard + Repetition>(record: &Record<G>) -> String {
    let begin = last_turn(record);
    let mut legs = Vec::new();
    for (made, decision) in (begin..).zip(record.decisions_in(begin..record.len())) {
        let before = record.state_after(made);
        legs.extend(before.into_iter().flat_map(|before| before.legs(decision)).map(|leg| leg.to_string()));
    }
    legs.join(",")
}

pub(super) const fn color_of(letter: u8) -> Color {
    if letter.is_ascii_uppercase() { Color::White } else { Color::Black }
}

/// All places of the board with their contents.
pub(super) fn squares<'a>(
    facts: &'a Facts,
    position: &'a Position,
) -> impl Iterator<Item = (Coordinate, Cell)> + 'a {
    let files = usize::from(position.placement.files);
    position.placement.cells.iter().enumerate().map(move |(index, &cell)| {
        let rank = (index / files) as u8 + facts.first_rank;
        (Coordinate::new((index % files) as u8, rank), cell)
    })
}
