//! How XBoard is shown a game: its set-up lines, and its way of writing positions.

use super::board::Board;
use crate::base::Color;
use crate::engine::options::is_registered;
use crate::game::Facts;
use crate::notation::{Position, parse_position};
use crate::session::Session;
use crate::session::xboard_spelling::{Ply, ply_of};

/// The arguments of `setup` for a game in its present position; `None` where XBoard knows the game by itself.
pub fn setup(session: &dyn Session) -> Option<String> {
    let table = session.facts().xboard.setup?;
    if !is_registered(session.facts()) {
        // The start position of another program's game is known only as text.
        return Some(format!("{table} {}", session.facts().start));
    }
    let side = session.actor().player().unwrap_or(Color::White).letter();
    let fields = [side.to_string(), "-".into(), "-".into(), "0".into(), "1".into()].to_vec();
    Some(format!("{table} {}", Position { fields, ..session.shown() }))
}

/// The board that a `setboard` shows; `None` if the text is no position.
pub fn board(facts: &Facts, text: &str) -> Option<Board> {
    let position = parse_position(text).ok()?;
    let side = position.turn()?;
    Some(Board::new(facts, &position, side))
}

/// The ply by which XBoard shows the last token.
pub fn last_ply(session: &dyn Session) -> Option<Ply> {
    let before = session.position_after(session.tokens_played().checked_sub(1)?)?;
    ply_of(session.facts(), &before, &session.last_token()?)
}
