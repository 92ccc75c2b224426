//! Chess moves in short algebraic notation (FIDE Appendix C, PGN's SAN), for programs that read nothing else.

use super::{CHESS960, FACTS, Kind, State};
use crate::game::{Decisions, Evaluation, Game, GenType, Notation, Rules, read_token, write_token};
use crate::notation::{Cell, Coordinate, Leg, Position, Suffix, parse_position, parse_token};

/// The moves of a chess game from the position `start`, in SAN; `None` when the position or a move is not
/// valid.
pub fn write_line<'a>(start: &str, turns: impl IntoIterator<Item = &'a str>) -> Option<Vec<String>> {
    let mut state = read(&parse_position(start).ok()?)?;
    let mut written = Vec::new();
    for token in turns {
        let decision = *read_token(&state, &parse_token(token).ok()?).ok()?.decisions.first()?;
        let mut after = state;
        after.apply(decision);
        let mut text = turn(&state, token)?;
        if after.in_check() {
            text.push(if after.count() == 0 { '#' } else { '+' });
        }
        written.push(text);
        state = after;
    }
    Some(written)
}

/// Reads a position of chess or Chess960.
fn read(position: &Position) -> Option<State> {
    let mut chess960 = Rules::of(&FACTS);
    chess960.set(&FACTS, CHESS960, "true").ok()?;
    State::read(position, &Rules::of(&FACTS)).or_else(|_| State::read(position, &chess960)).ok()
}

fn ends(token: &str) -> Option<(Coordinate, Coordinate, Option<u8>)> {
    match parse_token(token).ok()?.legs.as_slice() {
        [Leg::Move { from, to, suffix }] => {
            let letter = match suffix {
                Some(Suffix::Letter(letter)) => Some(letter.to_ascii_uppercase()),
                _ => None,
            };
            Some((*from, *to, letter))
        }
        _ => None,
    }
}

/// The coordinate form of the SAN move `word` in `position`; `None` when it names no legal move.
pub fn token(position: &Position, word: &str) -> Option<String> {
    token_in(&read(position)?, word)
}

/// The coordinate form of the SAN move `word` in `state`; `None` when it names no legal move. Check marks and
/// annotations (`+`, `#`, `!`, `?`) are ignored.
pub fn token_in(state: &State, word: &str) -> Option<String> {
    let plain = |text: &str| text.trim_end_matches(['+', '#', '!', '?']).replace('0', "O").replace('=', "");
    let mut list = Decisions::new();
    state.decisions(GenType::All, &mut list);
    let tokens = list.iter().map(|&decision| write_token(state, &[decision]).to_string());
    let wanted = plain(word);
    tokens.into_iter().find(|token| turn(state, token).is_some_and(|text| plain(&text) == wanted))
}

/// The move in SAN, without a check mark.
fn turn(state: &State, token: &str) -> Option<String> {
    let (from, to, promotion) = ends(token)?;
    let board = state.write().placement;
    let letter = |square: Coordinate| match board.at(square.file, square.rank.checked_sub(1)?) {
        Cell::Piece { letter, .. } => Some(letter.to_ascii_uppercase()),
        _ => None,
    };
    let piece = letter(from)?;
    let kind_at =
        |square: Coordinate| state.board().piece((square.rank.checked_sub(1)? << 3 | square.file) & 63);
    let own_rook = from.rank == to.rank
        && kind_at(from)
            .zip(kind_at(to))
            .is_some_and(|(king, rook)| (king.0, rook.1) == (rook.0, Kind::Rook));
    if piece == b'K' && (from.file.abs_diff(to.file) == 2 || own_rook) {
        return Some(if to.file > from.file { "O-O" } else { "O-O-O" }.to_owned());
    }
    let takes = letter(to).is_some() || piece == b'P' && from.file != to.file;
    let mut text = String::new();
    let file_of = |square: Coordinate| char::from(b'a' + square.file);
    if piece == b'P' {
        if takes {
            text.push(file_of(from));
        }
    } else {
        text.push(char::from(piece));
        let mut list = Decisions::new();
        state.decisions(GenType::All, &mut list);
        let others: Vec<Coordinate> = list
            .iter()
            .filter_map(|&decision| ends(&write_token(state, &[decision]).to_string()))
            .filter(|(other, target, _)| *target == to && *other != from && letter(*other) == Some(piece))
            .map(|(other, ..)| other)
            .collect();
        let same_file = others.iter().any(|other| other.file == from.file);
        let same_rank = others.iter().any(|other| other.rank == from.rank);
        if !others.is_empty() && (!same_file || same_rank) {
            text.push(file_of(from));
        }
        if same_file {
            text.push_str(&from.rank.to_string());
        }
    }
    if takes {
        text.push('x');
    }
    text.push_str(&to.to_string());
    if let Some(promotion) = promotion {
        text.push('=');
        text.push(char::from(promotion));
    }
    Some(text)
}

/// A turn in standard algebraic notation with the square that its piece comes from: `Ng1f3` for `Nf3` and
/// `g1f3`.
pub fn with_squares(short: &str, token: &str) -> String {
    // Castling has no squares to add.
    let squares = token.get(..2).zip(token.get(2..4)).filter(|_| !short.starts_with('O'));
    let Some((from, to)) = squares else { return short.to_owned() };
    let Some(end) = short.rfind(to).map(|at| &short[at + to.len()..]) else { return short.to_owned() };
    let piece = short.chars().next().filter(char::is_ascii_uppercase).map_or(String::new(), String::from);
    let takes = if short.contains('x') { "x" } else { "" };
    format!("{piece}{from}{takes}{to}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_short_and_never_ambiguous() {
        let game =
            |start: &str, tokens: &str| write_line(start, tokens.split(' ')).map(|words| words.join(" "));
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        // As in any chess book.
        let played = "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1g1 f6e4 d2d4 e5d4 f1e1 d7d5 c4d5 d8d5 b1c3";
        let wanted = "e4 e5 Nf3 Nc6 Bc4 Nf6 O-O Nxe4 d4 exd4 Re1 d5 Bxd5 Qxd5 Nc3";
        assert_eq!(game(start, played).as_deref(), Some(wanted));
        assert_eq!(game(start, "f2f3 e7e5 g2g4 d8h4").as_deref(), Some("f3 e5 g4 Qh4#"));
        assert_eq!(game(start, "e2e5"), None);
        // Two rooks on a rank, two on a file, three queens.
        let rooks = "4k3/8/8/8/R6R/8/8/4K3 w - - 0 1";
        assert_eq!(game(rooks, "a4d4").as_deref(), Some("Rad4"));
        let rooks = "4k3/R7/8/8/8/8/R7/4K3 w - - 0 1";
        assert_eq!(game(rooks, "a2a4").as_deref(), Some("R2a4"));
        let queens = "7k/8/8/8/8/4Q3/8/K1Q1Q3 w - - 0 1";
        assert_eq!(game(queens, "e1c3").as_deref(), Some("Qe1c3+"));
        let passing = "4k3/8/8/3pP3/8/8/6p1/4K3 w - d6 0 1";
        assert_eq!(game(passing, "e5d6 g2g1q").as_deref(), Some("exd6 g1=Q+"));
        let Ok(state) =
            State::read(&parse_position("r3k3/1P6/8/8/8/8/8/R3K2R w KQq - 0 1").unwrap(), &Rules::default())
        else {
            panic!("legal")
        };
        for (short, token) in
            [("O-O", "e1g1"), ("0-0-0", "e1c1"), ("bxa8=N", "b7a8n"), ("b8Q+", "b7b8q"), ("Rxa8+!?", "a1a8")]
        {
            assert_eq!(token_in(&state, short).as_deref(), Some(token));
        }
        assert_eq!(token_in(&state, "Nf3"), None);
        for (short, token, long) in [
            ("Nf3", "g1f3", "Ng1f3"),
            ("Qe1c3+", "e1c3", "Qe1c3+"),
            ("exd6", "e5d6", "e5xd6"),
            ("bxa8=N#", "b7a8n", "b7xa8=N#"),
            ("O-O", "e1g1", "O-O"),
        ] {
            assert_eq!(with_squares(short, token), long);
        }
    }
}
