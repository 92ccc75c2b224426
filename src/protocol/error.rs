//! What went wrong in a line, and where.

use std::fmt;

/// A line that begins like a known message and then says something its grammar does not allow.
///
/// One type for all four parsers, because the faults are the same; `parameter` tells them apart.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {parameter}: {}", self.trouble())]
pub struct ParseError {
    /// The protocol's own word for what is wrong, such as `wtime`.
    pub parameter: &'static str,
    /// What would have been right here.
    pub expected: &'static str,
    /// What stands there.
    pub found: Found,
    /// Where it begins, in bytes from 1; one past the end of a line that ends too early.
    pub column: usize,
}

/// What stands where something else should. Texts are quoted and shortened, unprintable characters escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The end of the line.
    End,
    /// A word that cannot be what is wanted.
    Malformed(String),
    /// A number that is too large or too small.
    OutOfRange(String),
}

impl ParseError {
    fn trouble(&self) -> impl fmt::Display {
        let expected = self.expected;
        match &self.found {
            Found::End => format!("expected {expected}, found the end of the line"),
            Found::Malformed(found) => format!("expected {expected}, found {found}"),
            Found::OutOfRange(found) => format!("{found} is out of range, expected {expected}"),
        }
    }
}
