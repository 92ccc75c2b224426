//! From text to syntax trees: the parsers that tokens and positions share.

use super::{Coordinate, MAX_FILES, MAX_RANK, SyntaxError};
use nom::character::complete::{digit1, satisfy};
use nom::combinator::{eof, map, map_opt};
use nom::error::{ErrorKind, ParseError};
use nom::sequence::terminated;
use nom::{Err, IResult, Parser};

/// The result of a parser: the rest of the text and the value read, or where it got stuck.
pub(super) type Parsed<'a, T> = IResult<&'a str, T, Stuck<'a>>;

/// Where a parser got stuck. It holds no text of its own, so that a failed alternative costs nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stuck<'a> {
    /// The part of the text that was not read.
    pub rest: &'a str,
    /// What the grammar allows here.
    pub expected: &'static str,
    /// What stands here instead.
    pub found: Found,
}

/// What stands where a parser got stuck.
#[derive(Clone, Copy, Debug)]
pub(super) enum Found {
    /// Text, which the error message quotes.
    Word,
    /// A rank of the wrong width.
    Rank {
        /// The rank, counted from 1 for the one written first.
        from_top: usize,
        /// The width of that rank.
        files: usize,
    },
}

impl<'a> Stuck<'a> {
    pub(super) const fn new(rest: &'a str, expected: &'static str) -> Self {
        Self { rest, expected, found: Found::Word }
    }

    /// The error to report; `text` is the whole text given to the parser.
    fn explain(self, text: &str) -> SyntaxError {
        let found = match self.found {
            Found::Word => quote(self.rest),
            Found::Rank { from_top, files } => format!("{files} in rank {from_top} from the top"),
        };
        SyntaxError { column: text.len() - self.rest.len() + 1, expected: self.expected, found }
    }
}

impl<'a> ParseError<&'a str> for Stuck<'a> {
    fn from_error_kind(rest: &'a str, _: ErrorKind) -> Self {
        Self::new(rest, "something else")
    }

    fn append(_: &'a str, _: ErrorKind, other: Self) -> Self {
        other
    }

    /// The alternative that got furthest is the one that was meant.
    fn or(self, other: Self) -> Self {
        if other.rest.len() < self.rest.len() { other } else { self }
    }
}

/// The most characters that an error message quotes.
const QUOTED: usize = 16;

fn quote(rest: &str) -> String {
    let word: String = rest.chars().take_while(|c| !is_blank(*c)).take(QUOTED + 1).collect();
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

pub(super) const fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t')
}

/// Runs `parser` over the whole of `text`; anything left over is an error.
pub(super) fn whole<'a, T>(
    text: &'a str,
    parser: impl Parser<&'a str, Output = T, Error = Stuck<'a>>,
) -> Result<T, SyntaxError> {
    match terminated(parser, named("end of text", eof)).parse(text) {
        Ok((_, tree)) => Ok(tree),
        Err(Err::Error(stuck) | Err::Failure(stuck)) => Err(stuck.explain(text)),
        // This cannot happen: all our parsers are complete ones.
        Err(Err::Incomplete(_)) => Err(Stuck::new("", "more").explain(text)),
    }
}

/// Runs `parser`; if it fails at its very beginning, the error says that `expected` was expected. An error
/// after a `cut` keeps its own text.
pub(super) fn named<'a, T>(
    expected: &'static str,
    mut parser: impl Parser<&'a str, Output = T, Error = Stuck<'a>>,
) -> impl Parser<&'a str, Output = T, Error = Stuck<'a>> {
    move |input: &'a str| {
        parser.parse(input).map_err(|error| match error {
            Err::Error(stuck) if stuck.rest.len() == input.len() => Err::Error(Stuck::new(input, expected)),
            other => other,
        })
    }
}

/// An ASCII letter, in the case in which it is written.
pub(super) fn letter(input: &str) -> Parsed<'_, u8> {
    map(satisfy(|c| c.is_ascii_alphabetic()), |c| c as u8).parse(input)
}

/// A number from `least` to `most` without a leading zero.
pub(super) fn number<'a>(least: u8, most: u8) -> impl Parser<&'a str, Output = u8, Error = Stuck<'a>> {
    map_opt(digit1, move |digits: &str| {
        let plain = digits.len() == 1 || !digits.starts_with('0');
        digits.parse().ok().filter(|value| plain && (least..=most).contains(value))
    })
}

/// A square such as `e4`, in either case. It looks at bytes, not characters: the text of a game holds
/// thousands of squares.
#[inline]
pub(super) fn coordinate(input: &str) -> Parsed<'_, Coordinate> {
    map((file, rank), |(file, rank)| Coordinate::new(file, rank)).parse(input)
}

#[inline]
fn file(input: &str) -> Parsed<'_, u8> {
    match input.as_bytes().first() {
        Some(letter @ (b'a'..=b'p' | b'A'..=b'P')) => Ok((&input[1..], (letter | 0x20) - b'a')),
        _ => Err(Err::Error(Stuck::new(input, "a square"))),
    }
}

/// A rank from 0 to 16; it takes all the digits that stand here.
#[inline]
fn rank(input: &str) -> Parsed<'_, u8> {
    let bytes = input.as_bytes();
    let digit = |at: usize| bytes.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|value| *value < 10);
    match (digit(0), digit(1)) {
        (Some(value), None) => Ok((&input[1..], value)),
        (Some(1), Some(more @ 0..=6)) if digit(2).is_none() => Ok((&input[2..], 10 + more)),
        _ => Err(Err::Error(Stuck::new(input, "a rank from 0 to 16"))),
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
