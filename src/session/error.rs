//! Why a session refuses something.

use crate::game::SetupError;
use crate::notation::SyntaxError;

/// Why a session refused a position or a token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SessionError {
    /// The text of a position is not in the grammar.
    #[error("position: {0}")]
    PositionText(SyntaxError),
    /// The text of a position is in the grammar, but the position is not legal.
    #[error("position: {0}")]
    Position(#[from] SetupError),
    /// The text of a turn is not in the grammar.
    #[error("{0}")]
    TokenText(SyntaxError),
    /// The text of a turn is in the grammar, but is not legal here.
    #[error("{0}")]
    Illegal(String),
    /// The request is valid, but cannot be carried out.
    #[error("{0}")]
    Unable(String),
    /// One of a list of tokens was refused.
    #[error("Illegal move ({reason}): {token} (number {number} of the list)")]
    InList {
        /// The token, shortened.
        token: String,
        /// Its number in the list, from 1.
        number: usize,
        /// What is wrong with it.
        reason: Box<SessionError>,
    },
}
