//! How XBoard is told a game: its set-up lines, its way to write positions and tokens.

use super::PASS;
use super::board::{Board, Ply};
use crate::base::Color;
use crate::engine::options::is_registered;
use crate::game::Facts;
use crate::game::gui::letter_at;
use crate::notation::{Cell, Coordinate, Leg, Position, parse_position, parse_token};
use crate::session::Session;

/// The arguments of `setup` for a game in its present position; `None` where XBoard knows the game by itself.
pub fn setup(session: &dyn Session) -> Option<String> {
    let table = session.facts().xboard.setup?;
    if !is_registered(session.facts()) {
        // Of another program's game we have only the text.
        return Some(format!("{table} {}", session.facts().start));
    }
    let side = session.actor().player().unwrap_or(Color::White).letter();
    let fields = [side.to_string(), "-".into(), "-".into(), "0".into(), "1".into()].to_vec();
    Some(format!("{table} {}", Position { fields, ..session.shown() }))
}

/// The board that a `setboard` shows.
pub fn board(facts: &Facts, text: &str) -> Option<Board> {
    let position = parse_position(text).ok()?;
    let side = match position.fields.first()?.as_str() {
        "w" => Color::White,
        "b" => Color::Black,
        _ => return None,
    };
    Some(Board::new(facts, &position, side))
}

/// A token as XBoard writes it, `before` being the position it is said in.
pub fn write_move(facts: &Facts, before: &Position, token: &str) -> String {
    if let Some(words) = castling_words(facts, before, token) {
        return words.to_owned();
    }
    match ply_of(facts, before, token) {
        Some(Ply::Pass) => PASS.into(),
        Some(ply @ Ply::Move { from, over: Some(_), to, .. }) if from == to => ply.to_string(),
        _ => token.to_owned(),
    }
}

/// The ply by which XBoard shows the last token.
pub fn last_ply(session: &dyn Session) -> Option<Ply> {
    let before = session.position_after(session.tokens_played().checked_sub(1)?)?;
    ply_of(session.facts(), &before, &session.last_token()?)
}

fn ply_of(facts: &Facts, before: &Position, token: &str) -> Option<Ply> {
    match Ply::parse(token)? {
        // A man that changes where it stands.
        Ply::Drop { letter, at } if facts.xboard.removes && letter_at(facts, before, at).is_some() => {
            let over = Board::new(facts, before, Color::White).empty_square();
            Some(Ply::Move { from: at, over, to: at, letter: Some(letter) })
        }
        ply => Some(ply),
    }
}

/// What XBoard's text says in our terms, as far as it differs from our own way of writing.
pub fn read_move(session: &dyn Session, text: &str) -> String {
    // After a reload XBoard may leave a stray semicolon behind.
    let text = text.trim_end_matches(';');
    if let Some(token) = castling_token(session, text) {
        return token;
    }
    let token = parse_token(text);
    let change = match (Ply::parse(text), token.as_ref().map(|token| token.legs.as_slice())) {
        // Out and back: the man changes where it stands.
        (Some(Ply::Move { from, over: Some(_), to, .. }), _) if from == to => change_on(session, from),
        // The same as XBoard relays it for Black: on the spot, and then from anywhere to anywhere.
        (_, Ok(&[Leg::Move { from, to: out, .. }, Leg::Move { .. }])) if from == out => {
            change_on(session, from)
        }
        _ => None,
    };
    change.unwrap_or_else(|| text.to_owned())
}

/// Castling in Chess960, the king's move onto his rook, in XBoard's words.
fn castling_words(facts: &Facts, before: &Position, token: &str) -> Option<&'static str> {
    if !facts.answers_to("normal") {
        return None;
    }
    let token = parse_token(token).ok()?;
    let &[Leg::Move { from, to, suffix: None }] = token.legs.as_slice() else { return None };
    let man = |at: Coordinate| match before.placement.at(at.file, at.rank.checked_sub(1)?) {
        Cell::Piece { letter, .. } => Some(letter),
        Cell::Empty | Cell::Hole => None,
    };
    let own_rook = matches!((man(from)?, man(to)?), (b'K', b'R') | (b'k', b'r'));
    own_rook.then_some(if to.file > from.file { "O-O" } else { "O-O-O" })
}

/// What castling in words means: the king's move of two squares, or in Chess960 onto his rook.
fn castling_token(session: &dyn Session, text: &str) -> Option<String> {
    let words = match text {
        "O-O" | "0-0" | "o-o" => "O-O",
        "O-O-O" | "0-0-0" | "o-o-o" => "O-O-O",
        _ => return None,
    };
    let facts = session.facts();
    if !facts.answers_to("normal") {
        return None;
    }
    let rank = if session.actor().player()? == Color::White { '1' } else { '8' };
    let orthodox = if words == "O-O" { format!("e{rank}g{rank}") } else { format!("e{rank}c{rank}") };
    let before = session.position();
    let legal = session.continuations();
    let onto_rook = legal.iter().find(|token| castling_words(facts, &before, token) == Some(words));
    Some(onto_rook.cloned().unwrap_or(orthodox))
}

/// The token by which the man on `square` changes where it stands, if there is one.
fn change_on(session: &dyn Session, square: Coordinate) -> Option<String> {
    let facts = session.facts();
    let changes = |token: &String| {
        parse_token(token).is_ok_and(|t| matches!(t.legs.as_slice(), [Leg::Put { at, .. }] if *at == square))
    };
    let stands = facts.xboard.removes && letter_at(facts, &session.position(), square).is_some();
    session.continuations().into_iter().find(|token| stands && changes(token))
}
