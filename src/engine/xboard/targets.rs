//! Guiding the user's mouse: which squares a piece may go to, and what it may become there.

use super::view;
use crate::game::Facts;
use crate::notation::{Cell, Coordinate, Leg, Suffix, parse_coordinate, parse_token};
use crate::session::Session;

/// The colours of XBoard's `highlight` that are used here.
pub mod paint {
    /// A capture.
    pub const CAPTURE: u8 = b'R';
    /// A quiet move.
    pub const QUIET: u8 = b'Y';
    /// The user chooses what the piece becomes.
    pub const CHOICE: u8 = b'M';
    /// A gesture: not a move of the piece, but a sign to the engine.
    pub const GESTURE: u8 = b'W';
    /// A man that will be taken; not a square to go to.
    pub const VICTIM: u8 = b'g';
}

/// The colour of every square for the piece on `from`, bottom rank first; 0 where it cannot go. A square beside the
/// board is a place in hand.
pub fn marks(session: &dyn Session, from: Coordinate) -> Vec<u8> {
    let facts = session.facts();
    let board = session.position().placement;
    let mut colors = vec![0; board.cells.len()];
    let index = |at: Coordinate| {
        let row = at.rank.checked_sub(facts.first_rank)?;
        (at.file < facts.files && row < facts.ranks)
            .then(|| usize::from(row) * usize::from(facts.files) + usize::from(at.file))
    };
    for token in session.continuations() {
        let Ok(token) = parse_token(&token) else { continue };
        if let Some(Leg::Put { at: to, .. }) = token.legs.first()
            && from.file >= facts.files
            && let Some(at) = index(*to)
            && board.cells[at] == Cell::Empty
        {
            colors[at] = paint::QUIET;
        }
        if let Some(Leg::Move { from: start, to, suffix }) = token.legs.first()
            && *start == from
            && let Some(at) = index(*to)
        {
            colors[at] = match (suffix, board.cells[at]) {
                (Some(_), _) => paint::CHOICE,
                (None, Cell::Piece { .. }) => paint::CAPTURE,
                (None, _) => paint::QUIET,
            };
        }
    }
    if let Some(to) = gesture(session, from)
        && let Some(at) = index(to)
    {
        // Where the piece may also go, the user says what is meant by choosing the shape.
        colors[at] = if colors[at] == 0 { paint::GESTURE } else { paint::CHOICE };
    }
    colors
}

/// The letters to choose from when the piece lifted from `from` is put on `to`; `None` when there is no choice.
pub fn choice(session: &dyn Session, from: &str, to: &str) -> Option<String> {
    let facts = session.facts();
    let (from, to) = (parse_coordinate(from).ok()?, parse_coordinate(to).ok()?);
    let mut letters = String::new();
    let mut moves = false;
    for token in session.continuations() {
        let text = view::write_move(facts, &session.position(), &token);
        match parse_token(&text).ok()?.legs.first() {
            Some(Leg::Move { from: start, to: end, suffix }) if *start == from && *end == to => {
                moves = true;
                if let Some(Suffix::Letter(letter)) = suffix {
                    letters.push(char::from(letter.to_ascii_uppercase()));
                }
            }
            _ => {}
        }
    }
    if moves && gesture(session, from) == Some(to) {
        let change = view::change_on(session, from)?;
        let row = from.rank.checked_sub(facts.first_rank)?;
        if let Cell::Piece { letter, .. } = session.position().placement.at(from.file, row) {
            letters.push(char::from(letter.to_ascii_uppercase()));
        }
        letters.extend(change.chars().next());
    }
    // Best first: queen before knight, as the game lists them by worth, not by alphabet.
    let mut sorted: Vec<char> = letters.chars().collect();
    sorted.sort_by_key(|letter| "QRBN".find(*letter).unwrap_or(4));
    (!sorted.is_empty()).then(|| sorted.into_iter().collect())
}

/// Where the user puts the man on `square` to say "change where you stand" (demotion): the other of its two home rows.
pub fn gesture(session: &dyn Session, square: Coordinate) -> Option<Coordinate> {
    view::change_on(session, square)?;
    let facts = session.facts();
    let last = facts.first_rank + facts.ranks - 1;
    let rank = match square.rank {
        rank if rank == facts.first_rank => rank + 1,
        rank if rank == facts.first_rank + 1 => rank - 1,
        rank if rank == last => rank - 1,
        rank => rank + 1,
    };
    Some(Coordinate::new(square.file, rank))
}

/// A board of colours as XBoard's `highlight` wants it; 0 for none.
pub(super) fn as_fen(colors: &[u8], facts: &Facts) -> String {
    let mut text = String::new();
    for (number, row) in colors.chunks(usize::from(facts.files)).rev().enumerate() {
        if number > 0 {
            text.push('/');
        }
        let mut empty = 0;
        for &color in row {
            if color == 0 {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text.push_str(&empty.to_string());
                empty = 0;
            }
            text.push(char::from(color));
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
    }
    text
}
