//! How XBoard is shown a game: its letters, its set-up lines, its way to write turns. See `protocol-docs/xboard.md`.

use crate::base::Color;
use crate::game::{Actor, Facts};
use crate::notation::{Cell, Coordinate, Leg, Placement, Position, Suffix, parse_position, parse_token};
use crate::session::Session;

/// The letter XBoard knows a piece by.
fn to_xboard(facts: &Facts, letter: u8) -> u8 {
    swap(letter, facts.xboard.letters.iter().copied())
}

/// Our letter for a piece XBoard knows by `letter`.
pub fn from_xboard(facts: &Facts, letter: u8) -> u8 {
    swap(letter, facts.xboard.letters.iter().map(|&(ours, theirs)| (theirs, ours)))
}

fn swap(letter: u8, pairs: impl Iterator<Item = (u8, u8)>) -> u8 {
    let upper = letter.to_ascii_uppercase();
    let other = pairs.into_iter().find(|&(one, _)| one == upper).map_or(upper, |(_, other)| other);
    if letter.is_ascii_lowercase() { other.to_ascii_lowercase() } else { other }
}

/// The arguments of `setup` for a game in its present position; `None` where XBoard knows the game by itself.
pub fn setup(session: &dyn Session) -> Option<String> {
    let facts = session.facts();
    let table = facts.xboard.setup?;
    Some(format!("{table} {}", position(facts, &session.position(), session.actor())))
}

/// A position in XBoard's letters, with the fields every position has there.
fn position(facts: &Facts, position: &Position, actor: Actor) -> String {
    let mut board = facts.xboard.steps.map_or_else(|| position.clone(), |view| (view.show)(position));
    for cell in &mut board.placement.cells {
        if let Cell::Piece { letter, .. } = cell {
            *letter = to_xboard(facts, *letter);
        }
    }
    for (letter, _) in board.hand.iter_mut().flatten() {
        *letter = to_xboard(facts, *letter);
    }
    let side = actor.player().unwrap_or(Color::White).letter();
    board.fields = vec![side.to_string(), "-".into(), "-".into(), "0".into(), "1".into()];
    board.to_string()
}

/// What a `setboard` says in our terms: the whole text if it is a position of ours, else its board, hand and side, and
/// the fields that the start position has for the rest.
pub fn read_position(facts: &Facts, text: &str) -> Option<String> {
    let mut position = parse_position(text).ok()?;
    if let Some(read) = facts.xboard.steps.and_then(|view| view.read) {
        return Some(read(&position)?.to_string());
    }
    for cell in &mut position.placement.cells {
        if let Cell::Piece { letter, .. } = cell {
            *letter = from_xboard(facts, *letter);
        }
    }
    for (letter, _) in position.hand.iter_mut().flatten() {
        *letter = from_xboard(facts, *letter);
    }
    if facts.hand == 0 {
        position.hand = None;
    }
    let start = parse_position(facts.start).ok()?;
    let side = position.fields.first()?.clone();
    position.fields = std::iter::once(side).chain(start.fields.into_iter().skip(1)).collect();
    Some(position.to_string())
}

/// True when XBoard's `text` shows the board and the side to move of the present position.
pub fn shows(session: &dyn Session, text: &str) -> bool {
    let facts = session.facts();
    let ours = position(facts, &session.position(), session.actor());
    let words = |text: &str| text.split_whitespace().take(2).map(str::to_owned).collect::<Vec<_>>();
    // An empty hand may be written or not.
    let plain = |text: &str| text.replace("[-]", "").replace("[]", "");
    words(&plain(text)) == words(&plain(&ours))
}

/// True when XBoard's `text` shows the board of the present position, but for the man on `square`, which our board has
/// no more. Whoever is to move there.
pub fn shows_but_for(session: &dyn Session, text: &str, square: Option<Coordinate>) -> bool {
    let facts = session.facts();
    let ours = position(facts, &session.position(), session.actor());
    let (Ok(mut theirs), Ok(ours)) = (parse_position(text), parse_position(&ours)) else { return false };
    if let Some(square) = square {
        match cell(facts, &theirs.placement, square) {
            Some(Cell::Piece { .. }) => {}
            _ => return false,
        }
        theirs.placement.set(square.file, square.rank - facts.first_rank, Cell::Empty);
    }
    theirs.placement == ours.placement
}

/// A token as XBoard writes it, `before` being the position it is said in.
pub fn write_move(facts: &Facts, before: &Position, token: &str) -> String {
    let Ok(parsed) = parse_token(token) else { return token.to_owned() };
    match parsed.legs.as_slice() {
        [Leg::Move { from, to, suffix: Some(Suffix::Letter(letter)) }] => {
            format!("{from}{to}{}", char::from(to_xboard(facts, *letter).to_ascii_lowercase()))
        }
        [Leg::Put { letter, at }] => {
            let letter = char::from(to_xboard(facts, *letter));
            match empty_square(facts, &before.placement) {
                // A man that changes where it stands: it captures nothing on an empty square and comes back.
                Some(empty)
                    if facts.xboard.removes && cell(facts, &before.placement, *at) != Some(Cell::Empty) =>
                {
                    format!("{at}x{empty}-{at}{}", letter.to_ascii_lowercase())
                }
                _ => format!("{letter}@{at}"),
            }
        }
        [Leg::Pass] => super::PASS.into(),
        _ => token.to_owned(),
    }
}

/// What XBoard's text says in our terms, as far as it differs from our own way of writing.
pub fn read_move(session: &dyn Session, text: &str) -> String {
    let facts = session.facts();
    // After a reload XBoard may leave a stray semicolon behind.
    let text = text.trim_end_matches(';');
    let Ok(parsed) = parse_token(text) else { return text.to_owned() };
    match parsed.legs.as_slice() {
        [Leg::Move { from, to, suffix: Some(Suffix::Letter(letter)) }] => {
            format!("{from}{to}{}", char::from(from_xboard(facts, *letter)))
        }
        [Leg::Put { letter, at }] => format!("{}@{at}", char::from(from_xboard(facts, *letter))),
        // Out and back, or (as XBoard relays it for Black) on the spot: the man changes where it stands.
        [Leg::Move { from, to: out, .. }, Leg::Move { from: back, to, .. }]
            if from == to && out == back || from == out =>
        {
            change_on(session, *from).unwrap_or_else(|| text.to_owned())
        }
        _ => text.to_owned(),
    }
}

/// The token by which the man on `square` changes where it stands, if there is one.
pub fn change_on(session: &dyn Session, square: Coordinate) -> Option<String> {
    let changes = |token: &String| {
        parse_token(token).is_ok_and(|t| matches!(t.legs.as_slice(), [Leg::Put { at, .. }] if *at == square))
    };
    let occupied = session.facts().xboard.removes
        && !matches!(cell(session.facts(), &session.position().placement, square), Some(Cell::Empty) | None);
    session.continuations().into_iter().find(|token| occupied && changes(token))
}

/// The plies that make XBoard's board agree with ours after a turn that changed more than XBoard knows: men that were
/// taken off (Alapo's removal). The opponent's ply comes first, then the mover's; each takes one man off, or passes.
///
/// `token` is the turn in our writing. Games that XBoard knows by itself need none: it moves the rook in castling and
/// takes off the pawn in en passant.
pub fn corrections(
    facts: &Facts,
    before: &Position,
    after: &Position,
    token: &str,
    mover: Color,
) -> Vec<String> {
    if !facts.xboard.removes {
        return Vec::new();
    }
    let Some(shown) = shown_after(facts, before, token) else { return Vec::new() };
    let mut gone: [Option<Coordinate>; 2] = [None; 2];
    for row in 0..after.placement.ranks {
        for file in 0..after.placement.files {
            if let (Cell::Piece { letter, .. }, Cell::Empty) =
                (shown.at(file, row), after.placement.at(file, row))
            {
                let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
                gone[color.index()] = Some(Coordinate::new(file, row + facts.first_rank));
            }
        }
    }
    if gone == [None; 2] {
        return Vec::new();
    }
    // A letter that is no piece makes the man vanish on its way to an empty square.
    let Some(empty) = empty_square(facts, &shown) else { return Vec::new() };
    let ply =
        |color: Color| gone[color.index()].map_or(super::PASS.into(), |square| format!("{square}{empty}z"));
    vec![ply(!mover), ply(mover)]
}

/// XBoard's board after a turn, as far as it shows where men stand; what a man turns into does not matter here.
fn shown_after(facts: &Facts, before: &Position, token: &str) -> Option<Placement> {
    let token = parse_token(token).ok()?;
    let mut board = before.placement.clone();
    for leg in &token.legs {
        if let Leg::Move { from, to, .. } = leg {
            let moved = cell(facts, &board, *from)?;
            cell(facts, &board, *to)?;
            board.set(from.file, from.rank - facts.first_rank, Cell::Empty);
            board.set(to.file, to.rank - facts.first_rank, moved);
        }
    }
    Some(board)
}

fn cell(facts: &Facts, board: &Placement, square: Coordinate) -> Option<Cell> {
    let row = square.rank.checked_sub(facts.first_rank)?;
    (square.file < board.files && row < board.ranks).then(|| board.at(square.file, row))
}

fn empty_square(facts: &Facts, board: &Placement) -> Option<Coordinate> {
    let squares = (0..board.ranks).flat_map(|row| (0..board.files).map(move |file| (file, row)));
    let mut empty = squares.filter(|&(file, row)| board.at(file, row) == Cell::Empty);
    empty.next().map(|(file, row)| Coordinate::new(file, row + facts.first_rank))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants;

    fn parsed(text: &str) -> Position {
        parse_position(text).unwrap()
    }

    #[test]
    fn demotion_is_a_capture_on_an_empty_square_and_back() {
        let facts = variants::find("alapo-demotion").unwrap();
        let start = parsed(facts.start);
        assert_eq!(write_move(facts, &start, "W@a1"), "a1xa3-a1w");
        assert_eq!(write_move(facts, &start, "c2b3"), "c2b3");
    }

    #[test]
    fn removed_men_vanish_in_the_opponents_ply_and_the_movers() {
        let facts = variants::find("alapo").unwrap();
        let before = parsed("8/8/8/3k4/3r4/8/7R/K7 b h2 d5 99 60");
        let after = parsed("8/8/8/8/3r4/8/8/K7 w - - 0 61");
        assert_eq!(corrections(facts, &before, &after, "d5e5", Color::Black), ["h2b1z", "e5b1z"]);
        let demotion = parsed("7r/w7/8/8/8/8/8/W3K3 b e1 a7 99 60");
        let after = parsed("8/w7/8/8/8/8/8/W7 w - - 0 61");
        assert_eq!(corrections(facts, &demotion, &after, "W@h8", Color::Black), ["e1b1z", "h8b1z"]);
        let quiet = parsed("8/8/8/4k3/3r4/8/7R/K7 w h2 e5 9 60");
        assert!(corrections(facts, &before, &quiet, "d5e5", Color::Black).is_empty());
    }

    #[test]
    fn what_xboard_knows_by_itself_is_not_corrected() {
        let facts = variants::find("chess").unwrap();
        let castling = ("4k2r/8/8/8/8/8/8/4K3 b k - 0 1", "5rk1/8/8/8/8/8/8/4K3 w - - 1 2", "e8g8");
        let en_passant = ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/8/4p3/8/4K3 w - - 0 2", "d4e3");
        for (before, after, text) in [castling, en_passant] {
            let plies = corrections(facts, &parsed(before), &parsed(after), text, Color::Black);
            assert!(plies.is_empty(), "{text}: {plies:?}");
        }
    }

    #[test]
    fn positions_from_xboard_take_the_missing_fields_from_the_start() {
        let facts = variants::find("rollerball").unwrap();
        let text = read_position(facts, "2rbp2/2rkp2/2***2/2***2/2***2/2PKR2/2PBR2 b - - 0 1").unwrap();
        assert_eq!(text, "2rbp2/2rkp2/2***2/2***2/2***2/2PKR2/2PBR2 b - 0 1");
    }
}
