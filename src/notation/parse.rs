//! From text to syntax trees.

use super::{Position, SyntaxError, Token};

/// Reads one token.
///
/// # Errors
/// Where the text leaves the grammar.
pub fn parse_token(_text: &str) -> Result<Token, SyntaxError> {
    unimplemented!()
}

/// Reads a position: the board, an optional hand, the fields behind.
///
/// # Errors
/// Where the text leaves the grammar.
pub fn parse_position(_text: &str) -> Result<Position, SyntaxError> {
    unimplemented!()
}
