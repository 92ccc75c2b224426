//! From text to syntax trees: the parsers that tokens and positions share.

use super::{Coordinate, MAX_FILES, MAX_RANK, SyntaxError};
use crate::base::grammar::{Grammar, Mismatch, Parse, Problem};
use nom::character::complete::{digit1, satisfy};
use nom::combinator::{eof, map, map_opt};
use nom::sequence::terminated;
use nom::{Err, Parser};

/// The error to report; `text` is the whole text given to the parser.
fn explain(mismatch: Mismatch<'_>, text: &str) -> SyntaxError {
    let found = match mismatch.problem {
        Problem::Width { from_top, files } => format!("{files} in rank {from_top} from the top"),
        _ => quote(mismatch.rest),
    };
    SyntaxError { column: text.len() - mismatch.rest.len() + 1, expected: mismatch.expected, found }
}

/// The most characters that an error message quotes.
const QUOTED: usize = 16;

fn quote(rest: &str) -> String {
    let word: String = rest.chars().take_while(|c| !matches!(c, ' ' | '\t')).take(QUOTED + 1).collect();
    if rest.is_empty() {
        "end of text".to_owned()
    } else if word.is_empty() {
        "a blank".to_owned()
    } else {
        let shown: String = word.chars().take(QUOTED).flat_map(escape).collect();
        let dots = if word.chars().count() > QUOTED { "…" } else { "" };
        format!("`{shown}{dots}`")
    }
}

fn escape(character: char) -> impl Iterator<Item = char> {
    let plain = (!character.is_control()).then_some(character);
    let escaped = character.is_control().then(|| character.escape_default());
    plain.into_iter().chain(escaped.into_iter().flatten())
}

/// Runs `parser` over the whole of `text`; anything left over is an error.
pub(super) fn whole<'a, T>(text: &'a str, parser: impl Grammar<'a, T>) -> Result<T, SyntaxError> {
    match terminated(parser, named("end of text", eof)).parse(text) {
        Ok((_, tree)) => Ok(tree),
        Err(Err::Error(mismatch) | Err::Failure(mismatch)) => Err(explain(mismatch, text)),
        // This cannot happen: all our parsers are complete ones.
        Err(Err::Incomplete(_)) => Err(explain(Mismatch::new("", "more"), text)),
    }
}

/// Runs `parser`; if it fails at its very beginning, the error says that `expected` was expected. An error
/// after a `cut` keeps its own text.
pub(super) fn named<'a, T>(expected: &'static str, mut parser: impl Grammar<'a, T>) -> impl Grammar<'a, T> {
    move |input: &'a str| {
        parser.parse(input).map_err(|error| match error {
            Err::Error(mismatch) if mismatch.rest.len() == input.len() => {
                Err::Error(Mismatch::new(input, expected))
            }
            other => other,
        })
    }
}

/// An ASCII letter, in the case in which it is written.
pub(super) fn letter(input: &str) -> Parse<'_, u8> {
    map(satisfy(|c| c.is_ascii_alphabetic()), |c| c as u8).parse(input)
}

/// A number from `least` to `most` without a leading zero.
pub(super) fn small_number<'a>(least: u8, most: u8) -> impl Grammar<'a, u8> {
    map_opt(digit1, move |digits: &str| {
        let plain = digits.len() == 1 || !digits.starts_with('0');
        digits.parse().ok().filter(|value| plain && (least..=most).contains(value))
    })
}

/// A square such as `e4`, in either case. It looks at bytes, not characters: the text of a game holds
/// thousands of squares.
#[inline]
pub(super) fn coordinate(input: &str) -> Parse<'_, Coordinate> {
    map((file, rank), |(file, rank)| Coordinate::new(file, rank)).parse(input)
}

#[inline]
fn file(input: &str) -> Parse<'_, u8> {
    match input.as_bytes().first() {
        Some(letter @ (b'a'..=b'p' | b'A'..=b'P')) => Ok((&input[1..], (letter | 0x20) - b'a')),
        _ => Err(Err::Error(Mismatch::new(input, "a square"))),
    }
}

/// A rank from 0 to 16; it takes all the digits that stand here.
#[inline]
fn rank(input: &str) -> Parse<'_, u8> {
    let bytes = input.as_bytes();
    let digit = |at: usize| bytes.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|value| *value < 10);
    match (digit(0), digit(1)) {
        (Some(value), None) => Ok((&input[1..], value)),
        (Some(1), Some(more @ 0..=6)) if digit(2).is_none() => Ok((&input[2..], 10 + more)),
        _ => Err(Err::Error(Mismatch::new(input, "a rank from 0 to 16"))),
    }
}

const _: () = assert!(MAX_FILES == 16 && MAX_RANK == 16, "the files a to p, the ranks 0 to 16");

/// Reads one square, such as `e4`.
///
/// # Errors
/// When the text does not match the grammar.
pub fn parse_coordinate(text: &str) -> Result<Coordinate, SyntaxError> {
    whole(text, coordinate)
}
