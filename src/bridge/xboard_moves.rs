//! Moves and principal variations as engines of the XBoard protocol write them.

use crate::arena::coordinate_move;
use crate::session::Session;
use crate::variants::chess::san;

/// Reads a move of the engine, also in short algebraic notation or with castling as `O-O`.
pub fn read_move(session: &dyn Session, text: &str) -> String {
    let text = text.trim_end_matches(['+', '#', '!', '?']);
    let token = coordinate_move(session, text);
    if session.facts().is_chess()
        && session.check(&token).is_err()
        && let Some(long) = san::token(&session.position(), text)
    {
        return long;
    }
    token
}

/// The move in a token of a principal variation; `None` for a move number.
pub fn turn_of(word: &str) -> Option<&str> {
    let word = word.trim_start_matches('(').trim_end_matches(')');
    let number = word.trim_end_matches('.');
    let is_number =
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) && number != "0000";
    if is_number || number.is_empty() {
        return None;
    }
    // A number and a move together, as in `1.e4`.
    let behind = word.split_once('.').filter(|(number, _)| number.bytes().all(|byte| byte.is_ascii_digit()));
    Some(behind.map_or(word, |(_, rest)| rest.trim_start_matches('.')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn best_lines_are_read_however_they_are_numbered() {
        let read = |text: &str| text.split_whitespace().filter_map(turn_of).collect::<Vec<_>>().join(" ");
        assert_eq!(read("1. ...  d6 2.  e4 Nc6"), "d6 e4 Nc6");
        assert_eq!(read("1.e4 e5 2.Nf3 12...Kd7"), "e4 e5 Nf3 Kd7");
        assert_eq!(read("(e7e5) e2e4 0000 P@e4"), "e7e5 e2e4 0000 P@e4");
    }
}
