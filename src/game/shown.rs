//! What stands on the squares of a position.

use super::{Facts, Piece};
use crate::notation::{Cell, Coordinate, Position};

/// What is on a square; `None` beside the board.
pub fn cell_at(facts: &Facts, position: &Position, at: Coordinate) -> Option<Cell> {
    let board = &position.placement;
    let row = at.rank.checked_sub(facts.first_rank)?;
    (at.file < board.files && row < board.ranks).then(|| board.at(at.file, row))
}

/// The name of the piece shown by a letter, as people say it: `Lion with the ball`.
pub fn name_of(facts: &Facts, letter: u8) -> Option<String> {
    facts.piece(letter).map(Piece::title)
}

/// The upper-case letter on a square; `None` where no piece stands.
pub fn letter_at(facts: &Facts, position: &Position, at: Coordinate) -> Option<u8> {
    match cell_at(facts, position, at)? {
        Cell::Piece { letter, .. } => Some(letter.to_ascii_uppercase()),
        Cell::Empty | Cell::Hole => None,
    }
}

/// The upper-case letter on the second square, if it differs from the one on the first.
pub fn change(facts: &Facts, before: (&Position, Coordinate), after: (&Position, Coordinate)) -> Option<u8> {
    let now = letter_at(facts, before.0, before.1);
    letter_at(facts, after.0, after.1).filter(|letter| now != Some(*letter))
}

/// The holes of the board, where something may be drawn and clicked all the same.
pub fn holes(facts: &Facts, position: &Position) -> Vec<Coordinate> {
    let holes = position.placement.places().filter(|&(.., cell)| cell == Cell::Hole);
    holes.map(|(file, row, _)| Coordinate::new(file, row + facts.first_rank)).collect()
}
