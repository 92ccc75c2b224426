//! Moves and principal variations as engines write them, read by the rules of the game.

use super::xboard::coordinate_move;
use crate::session::{Session, SessionError};
use crate::variants::chess::san;

/// Reads a move of an engine of the XBoard protocol, also in short algebraic notation or with castling as
/// `O-O`.
pub fn read_move(session: &dyn Session, text: &str) -> String {
    let text = text.trim_end_matches(['!', '?']);
    let token = coordinate_move(session, text);
    let text = text.trim_end_matches(['+', '#']);
    if session.facts().is_chess()
        && session.check(&token).is_err()
        && let Some(long) = san::token(&session.position(), text)
    {
        return long;
    }
    token
}

/// The move in a token of a principal variation; `None` for a move number.
pub fn turn_of(token: &str) -> Option<&str> {
    let token = token.trim_start_matches('(').trim_end_matches(')');
    let number = token.trim_end_matches('.');
    let is_number =
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) && number != "0000";
    if is_number || number.is_empty() {
        return None;
    }
    // A number and a move together, as in `1.e4`.
    let behind = token.split_once('.').filter(|(number, _)| number.bytes().all(|byte| byte.is_ascii_digit()));
    Some(behind.map_or(token, |(_, rest)| rest.trim_start_matches('.')))
}

/// Checks a move of the engine, and returns it as our rules read it.
///
/// # Errors
/// When it is not legal; the error says why.
pub fn check(session: &dyn Session, token: &str) -> Result<String, SessionError> {
    match session.check(token) {
        Ok(()) => Ok(token.to_owned()),
        Err(error) => {
            // Some engines write the piece of a promotion in upper case.
            let lower = token.to_ascii_lowercase();
            if lower != token && session.check(&lower).is_ok() { Ok(lower) } else { Err(error) }
        }
    }
}

/// Writes a legal move the way our rules write it.
pub fn canonical(session: &mut dyn Session, token: &str) -> String {
    let played = session.tokens_played();
    let written = if session.play(token).is_ok() { session.last_token() } else { None };
    session.rewind(played);
    written.unwrap_or_else(|| token.to_owned())
}

/// Plays the engine's moves one after the other, as far as they are legal, and takes them back. `read` gets
/// the game before each of them and makes a token of it. Returns the tokens that were played.
pub fn play_through<'a>(
    session: &mut dyn Session,
    texts: impl Iterator<Item = &'a str>,
    read: impl Fn(&dyn Session, &str) -> String,
) -> Vec<String> {
    let before = session.tokens_played();
    let mut played = Vec::new();
    for text in texts {
        let token = read(session, text);
        if session.play(&token).is_err() {
            break;
        }
        played.push(token);
    }
    session.rewind(before);
    played
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
