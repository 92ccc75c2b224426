//! The piece that has the ball, for people who look at a picture of the board. (On the picture a `+` stands
//! before that piece.)

use super::board::Kind;
use crate::base::Color;
use crate::game::Roles;
use crate::notation::{Cell, Coordinate, Position};

pub(super) fn roles(position: &Position) -> Roles {
    let mut roles = Roles::default();
    for (file, row, cell) in position.placement.places() {
        let at = Coordinate::new(file, row + 1);
        let line = match cell {
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
