//! The field in XBoard's letters: a piece with the Ball has a letter of its own.

use crate::game::StepView;
use crate::notation::{Cell, Position};

/// A step is a ply, and a turn ends with a pass. The Ball belongs to nobody.
pub(super) static STEPS: StepView = StepView { show, read: Some(read), neutral: Some(b'O'), each: true };

/// A piece, and the same piece with the Ball.
const WITH_BALL: [(u8, u8); 4] = [(b'H', b'A'), (b'E', b'C'), (b'L', b'U'), (b'M', b'N')];

fn show(position: &Position) -> Position {
    let mut shown = position.clone();
    for cell in &mut shown.placement.cells {
        if let Cell::Piece { letter, plus } = cell
            && *plus
        {
            let with_ball = WITH_BALL.iter().find(|(plain, _)| *plain == letter.to_ascii_uppercase());
            *letter = with_ball.map_or(*letter, |&(_, with)| cased(with, *letter));
            *plus = false;
        }
    }
    shown
}

/// XBoard says no more than board and side: a turn of four steps begins.
fn read(shown: &Position) -> Option<Position> {
    let mut position = shown.clone();
    for cell in &mut position.placement.cells {
        if let Cell::Piece { letter, plus } = cell
            && let Some(&(plain, _)) = WITH_BALL.iter().find(|(_, with)| *with == letter.to_ascii_uppercase())
        {
            *letter = cased(plain, *letter);
            *plus = true;
        }
    }
    let side = position.fields.first()?.clone();
    // The start is the one position that is known to come before White's first turn (R10).
    let start = crate::notation::parse_position(super::FACTS.start).ok()?;
    let first = side == "w" && unmoved(&position, &start);
    position.hand = None;
    position.fields = vec![side, if first { "2" } else { "4" }.into(), "0".into(), "1".into()];
    Some(position)
}

/// The same board, whatever case the loose Ball is written in.
fn unmoved(position: &Position, start: &Position) -> bool {
    let same = |(one, other): (&Cell, &Cell)| match (one, other) {
        (Cell::Piece { letter: b'O' | b'o', .. }, Cell::Piece { letter: b'O' | b'o', .. }) => true,
        _ => one == other,
    };
    position.placement.cells.len() == start.placement.cells.len()
        && position.placement.cells.iter().zip(&start.placement.cells).all(same)
}

const fn cased(letter: u8, like: u8) -> u8 {
    if like.is_ascii_lowercase() { letter.to_ascii_lowercase() } else { letter }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_position;

    #[test]
    fn a_piece_with_the_ball_has_a_letter_of_its_own() {
        let ours = parse_position("***1m1***/4+l4/9/9/9/9/9/9/9/9/9/9/9/9/***1M1*** b 4 0 1").unwrap();
        let theirs = show(&ours);
        assert_eq!(theirs.to_string(), "***1m1***/4u4/9/9/9/9/9/9/9/9/9/9/9/9/***1M1*** b 4 0 1");
        assert_eq!(read(&theirs).unwrap(), ours);
    }

    #[test]
    fn the_start_allows_two_steps() {
        let start = parse_position(super::super::FACTS.xboard.position).unwrap();
        assert_eq!(read(&start).unwrap().fields, ["w", "2", "0", "1"]);
    }
}
