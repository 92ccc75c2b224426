//! How XBoard writes turns: its plies, and the tokens that it spells differently than we do.

use super::contract::Session;
use crate::base::Color;
use crate::game::Facts;
use crate::game::gui::letter_at;
use crate::notation::{Cell, Coordinate, Leg, Position, Suffix, parse_token};
use std::fmt::{self, Display, Formatter};

/// XBoard's notation for a side that does nothing.
pub const PASS: &str = "@@@@";

/// A ply, as XBoard understands it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ply {
    /// The side does nothing.
    Pass,
    /// A piece moves.
    Move {
        /// The square it leaves.
        from: Coordinate,
        /// A square it captures on before it goes on.
        over: Option<Coordinate>,
        /// The square it reaches.
        to: Coordinate,
        /// The letter of the piece it becomes; `None` if it stays what it is.
        letter: Option<u8>,
    },
    /// A piece is dropped.
    Drop {
        /// The letter of the piece.
        letter: u8,
        /// The square it is dropped on.
        at: Coordinate,
    },
}

impl Ply {
    /// Reads what XBoard sends after `usermove`, and our own notation. `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim_end_matches([';', '=']);
        if matches!(text, "--" | "pass" | "null") {
            return Some(Self::Pass);
        }
        let token = match text.split_once('x').and_then(|(from, rest)| Some((from, rest.split_once('-')?))) {
            Some((from, (over, to))) => parse_token(&format!("{from}{over},{over}{to}")).ok()?,
            None => parse_token(text).ok()?,
        };
        let (from, over, to, suffix) = match *token.legs.as_slice() {
            [Leg::Pass] => return Some(Self::Pass),
            [Leg::Put { letter, at }] => return Some(Self::Drop { letter, at }),
            [Leg::Move { from, to, suffix }] => (from, None, to, suffix),
            [Leg::Move { from, to: over, .. }, Leg::Move { from: again, to, suffix }] if over == again => {
                (from, Some(over), to, suffix)
            }
            _ => return None,
        };
        let letter = match suffix {
            Some(Suffix::Letter(letter)) => Some(letter),
            _ => None,
        };
        Some(Self::Move { from, over, to, letter })
    }
}

impl Display for Ply {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Pass => f.write_str(PASS),
            Self::Drop { letter, at } => write!(f, "{}@{at}", char::from(letter.to_ascii_uppercase())),
            Self::Move { from, over, to, letter } => {
                match over {
                    // A piece that changes where it stands: it captures nothing on an empty square and comes
                    // back.
                    Some(over) if from == to => write!(f, "{from}x{over}-{to}")?,
                    Some(over) => write!(f, "{from}{over},{over}{to}")?,
                    None => write!(f, "{from}{to}")?,
                }
                letter.map_or(Ok(()), |letter| write!(f, "{}", char::from(letter.to_ascii_lowercase())))
            }
        }
    }
}

/// A token in XBoard's notation; `before` is the position in which it is played.
pub fn write_move(facts: &Facts, before: &Position, token: &str) -> String {
    if let Some(words) = castling_words(facts, before, token) {
        return words.to_owned();
    }
    match ply_of(facts, before, token) {
        Some(Ply::Pass) => PASS.into(),
        // Elsewhere it is two steps of one piece, away and back.
        Some(ply @ Ply::Move { from, over: Some(_), to, .. }) if from == to && facts.xboard.removes => {
            ply.to_string()
        }
        _ => token.to_owned(),
    }
}

/// The token `last`, which was played last in `session`, in XBoard's notation.
pub fn write_last(session: &dyn Session, last: &str) -> String {
    let before = session.tokens_played().checked_sub(1).and_then(|earlier| session.position_after(earlier));
    before.map_or_else(|| last.to_owned(), |before| write_move(session.facts(), &before, last))
}

/// The ply that shows XBoard a token played in the position `before`; `None` where it takes several.
pub fn ply_of(facts: &Facts, before: &Position, token: &str) -> Option<Ply> {
    match Ply::parse(token)? {
        // A piece that changes where it stands.
        Ply::Drop { letter, at } if facts.xboard.removes && letter_at(facts, before, at).is_some() => {
            let over = empty_square(facts, before);
            Some(Ply::Move { from: at, over, to: at, letter: Some(letter) })
        }
        ply => Some(ply),
    }
}

/// The first empty square, starting at the bottom rank; `None` on a full board.
fn empty_square(facts: &Facts, position: &Position) -> Option<Coordinate> {
    let placement = &position.placement;
    let at = placement.cells.iter().position(|cell| *cell == Cell::Empty)?;
    let files = usize::from(placement.files);
    Some(Coordinate::new((at % files) as u8, (at / files) as u8 + facts.first_rank))
}

/// Translates a move from XBoard's notation to ours; where they do not differ, the text stays as it is.
pub fn read_move(session: &dyn Session, text: &str) -> String {
    // After a reload XBoard may leave a stray semicolon at the end.
    let text = text.trim_end_matches(';');
    if let Some(token) = castling_token(session, text) {
        return token;
    }
    let change = match Ply::parse(text) {
        // Out and back: the piece changes where it stands.
        Some(Ply::Move { from, over: Some(_), to, .. }) if from == to => change_on(session, from),
        // The same as XBoard relays it for Black: a move on the spot, and then one that need not even end on the
        // board (with a backquote for the file left of a).
        _ => match text.split_once(',').and_then(|(on_the_spot, _)| Ply::parse(on_the_spot)) {
            Some(Ply::Move { from, over: None, to, .. }) if from == to => change_on(session, from),
            _ => None,
        },
    };
    change.unwrap_or_else(|| text.to_owned())
}

/// Castling in Chess960, the king's move onto its rook, in XBoard's notation (`O-O`).
fn castling_words(facts: &Facts, before: &Position, token: &str) -> Option<&'static str> {
    if !facts.is_chess() {
        return None;
    }
    let token = parse_token(token).ok()?;
    let &[Leg::Move { from, to, suffix: None }] = token.legs.as_slice() else { return None };
    // No other move ends on an own piece.
    let is_white = |at: Coordinate| match before.placement.at(at.file, at.rank.checked_sub(1)?) {
        Cell::Piece { letter, .. } => Some(letter.is_ascii_uppercase()),
        Cell::Empty | Cell::Hole => None,
    };
    (is_white(from)? == is_white(to)?).then_some(if to.file > from.file { "O-O" } else { "O-O-O" })
}

/// The token for castling written as `O-O`: the king's move of two squares, or in Chess960 onto its rook.
fn castling_token(session: &dyn Session, text: &str) -> Option<String> {
    let words = match text {
        "O-O" | "0-0" | "o-o" => "O-O",
        "O-O-O" | "0-0-0" | "o-o-o" => "O-O-O",
        _ => return None,
    };
    let facts = session.facts();
    if !facts.is_chess() {
        return None;
    }
    let rank = if session.actor().player()? == Color::White { '1' } else { '8' };
    let orthodox = if words == "O-O" { format!("e{rank}g{rank}") } else { format!("e{rank}c{rank}") };
    let before = session.position();
    let legal = session.continuations();
    let onto_rook = legal.iter().find(|token| castling_words(facts, &before, token) == Some(words));
    Some(onto_rook.cloned().unwrap_or(orthodox))
}

/// The token by which the piece on `square` changes where it stands, if there is one.
fn change_on(session: &dyn Session, square: Coordinate) -> Option<String> {
    let facts = session.facts();
    let changes = |token: &String| {
        parse_token(token).is_ok_and(|t| matches!(t.legs.as_slice(), [Leg::Put { at, .. }] if *at == square))
    };
    let stands = facts.xboard.removes && letter_at(facts, &session.position(), square).is_some();
    session.continuations().into_iter().find(|token| stands && changes(token))
}
