//! Errors in a line: what is wrong, and where.

use std::fmt;

/// A line that begins like a known message and then does not match its grammar.
///
/// All four parsers share this type, because their errors are the same; `parameter` tells them apart.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {parameter}: {}", self.trouble())]
pub struct ParseError {
    /// The protocol's own name for the part that is wrong, such as `wtime`.
    pub parameter: &'static str,
    /// What the grammar allows here.
    pub expected: &'static str,
    /// What stands here instead.
    pub found: Found,
    /// The column where it begins, in bytes from 1; one past the end of a line that ends too early.
    pub column: usize,
}

/// What stands where something else should. Texts are quoted and shortened, unprintable characters escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The end of the line.
    End,
    /// A word of the wrong form.
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
