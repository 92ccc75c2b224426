//! What the grammars of notation and protocols share: nom's parsers of text, and failures that say what was
//! expected and where.

use nom::error::{ErrorKind, ParseError};
use nom::{IResult, Parser};

/// The result of a parser: the rest of the text and the value read, or where it failed.
pub type Parse<'a, T> = IResult<&'a str, T, Mismatch<'a>>;

/// A parser of text.
pub trait Grammar<'a, T>: Parser<&'a str, Output = T, Error = Mismatch<'a>> {}

impl<'a, T, P: Parser<&'a str, Output = T, Error = Mismatch<'a>>> Grammar<'a, T> for P {}

/// Where a text and its grammar part. It holds no text of its own, so that a failed alternative costs
/// nothing.
#[derive(Clone, Copy, Debug)]
pub struct Mismatch<'a> {
    /// The part of the text that was not read.
    pub rest: &'a str,
    /// What the part that is wrong is called; may be empty.
    pub parameter: &'static str,
    /// What the grammar allows here.
    pub expected: &'static str,
    /// What is wrong with what stands here.
    pub problem: Problem,
}

/// What is wrong with a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// It ends here, or has another form.
    Form,
    /// A number is too large or too small.
    Range,
    /// A rank of a board has the wrong width.
    Width {
        /// The rank, counted from 1 for the one written first.
        from_top: usize,
        /// The width of that rank.
        files: usize,
    },
}

impl<'a> Mismatch<'a> {
    /// At `rest` the grammar allows only what is `expected`.
    #[must_use]
    pub const fn new(rest: &'a str, expected: &'static str) -> Self {
        Self { rest, parameter: "", expected, problem: Problem::Form }
    }
}

impl<'a> ParseError<&'a str> for Mismatch<'a> {
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
