//! The board in XBoard's letters: `PNBRQK` plain, `ACDEFG` the same with the ball, `HIJLMS` the same as Defender, `O` a
//! ball lying loose.

use crate::base::Color;
use crate::game::StepView;
use crate::notation::{Cell, Coordinate, Position, parse_coordinate};

/// A player's word is shown as a whole; a throw is told from none by the letter of the piece that moved.
pub static STEPS: StepView = StepView { show, read: Some(read), neutral: None, each: false };

const PLAIN: &[u8; 6] = b"PNBRQK";
const HAVER: &[u8; 6] = b"ACDEFG";
const DEFENDER: &[u8; 6] = b"HIJLMS";
/// The field of the roles: side, castling, en passant come before it.
pub(super) const ROLES: usize = 3;

fn show(position: &Position) -> Position {
    let mut shown = position.clone();
    let Some(roles) = position.fields.get(ROLES) else { return shown };
    for side in roles.split('/') {
        for (square, letters) in side.split(':').zip([HAVER, DEFENDER]) {
            let Some(index) = parse_coordinate(square).ok().and_then(|at| index(&shown, at)) else {
                continue;
            };
            if let Cell::Piece { letter, .. } = &mut shown.placement.cells[index] {
                *letter = renamed(*letter, PLAIN, letters).unwrap_or(*letter);
            }
        }
    }
    shown
}

fn read(shown: &Position) -> Option<Position> {
    let mut position = shown.clone();
    let mut roles = [["-".to_owned(), "-".to_owned()], ["-".to_owned(), "-".to_owned()]];
    let files = usize::from(position.placement.files);
    for (index, cell) in position.placement.cells.iter_mut().enumerate() {
        let Cell::Piece { letter, .. } = cell else { continue };
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        for (role, letters) in [HAVER, DEFENDER].into_iter().enumerate() {
            if let Some(plain) = renamed(*letter, letters, PLAIN) {
                *letter = plain;
                roles[color.index()][role] =
                    Coordinate::new((index % files) as u8, (index / files) as u8).to_string();
            }
        }
    }
    let at = |square: &str| {
        let index = index(&position, parse_coordinate(square).ok()?)?;
        Some(position.placement.cells[index])
    };
    // XBoard does not say who has moved: whoever stands at home has not.
    let castling: String = [("K", "e1", "h1"), ("Q", "e1", "a1"), ("k", "e8", "h8"), ("q", "e8", "a8")]
        .into_iter()
        .filter(|(right, king, rook)| {
            let stands = |square, plain: &[u8; 2]| {
                let letter = if right.as_bytes()[0].is_ascii_uppercase() { plain[0] } else { plain[1] };
                at(square) == Some(Cell::Piece { letter, plus: false })
            };
            stands(king, b"Kk") && stands(rook, b"Rr")
        })
        .map(|(right, ..)| right)
        .collect();
    let side = position.fields.first()?.clone();
    let castling = if castling.is_empty() { "-".to_owned() } else { castling };
    let roles = roles.map(|side| side.join(":")).join("/");
    position.hand = None;
    position.fields = vec![side, castling, "-".into(), roles, "0".into(), "1".into()];
    Some(position)
}

pub(super) fn index(position: &Position, at: Coordinate) -> Option<usize> {
    let board = &position.placement;
    (at.file < board.files && at.rank < board.ranks)
        .then(|| usize::from(at.rank) * usize::from(board.files) + usize::from(at.file))
}

/// The letter of `to` in the place that `letter` has in `from`.
fn renamed(letter: u8, from: &[u8; 6], to: &[u8; 6]) -> Option<u8> {
    let place = from.iter().position(|&own| own == letter.to_ascii_uppercase())?;
    Some(if letter.is_ascii_lowercase() { to[place].to_ascii_lowercase() } else { to[place] })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_position;

    #[test]
    fn roles_are_letters() {
        let start = parse_position(super::super::facts::START).unwrap();
        let shown = show(&start);
        assert!(
            shown.to_string().starts_with("****1***/rnbmgbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBMGBNR/****1*** w")
        );
        assert_eq!(read(&shown).unwrap(), start);
        let text = "****o***/8/3k1h2/8/8/8/8/2C5/3SB3/****1*** b - - c2:d1/-:f7 3 9";
        let ours = parse_position("****o***/8/3k1p2/8/8/8/8/2N5/3KB3/****1*** b - - c2:d1/-:f7 0 1").unwrap();
        assert_eq!(read(&parse_position(text).unwrap()).unwrap(), ours);
    }
}
