//! Who has the ball, for people who look at a picture of the board. (On it a `+` stands before that piece.)

use super::board::Kind;
use crate::base::Color;
use crate::game::Roles;
use crate::notation::{Cell, Coordinate, Position};

pub(super) fn roles(position: &Position) -> Roles {
    let board = &position.placement;
    let mut roles = Roles::default();
    for (row, file) in (0..board.ranks).flat_map(|row| (0..board.files).map(move |file| (row, file))) {
        let at = Coordinate::new(file, row + 1);
        let line = match board.at(file, row) {
            Cell::Piece { letter, plus: true } => {
                let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
                let kind = Kind::from_letter(letter.to_ascii_uppercase()).map_or("piece", Kind::name);
                format!("{color}'s {kind} on {at} has the ball")
            }
            Cell::Piece { letter: b'o' | b'O', plus: false } => format!("the ball lies on {at}"),
            _ => continue,
        };
        roles.lines.push(line);
    }
    roles
}
