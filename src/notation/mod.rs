//! The text of turns and positions: bytes to syntax tree and back.
//!
//! Knows squares, letters and legs, and no game: whether `e2e4` means anything is for the game to say. The grammar is
//! written down in `protocol-docs/notation.md`. Uses nothing else of ours.

mod error;
mod parse;
mod parse_position;
mod parse_token;
mod position;
mod print;
#[cfg(test)]
mod tests;
mod token;

pub use error::SyntaxError;
pub use parse::parse_coordinate;
pub use parse_position::parse_position;
pub use parse_token::parse_token;
pub use position::{Cell, Placement, Position, exchange_castling, mirror_ranks};
pub use token::{Card, Coordinate, Leg, Legs, MAX_FILES, MAX_LEGS, MAX_RANK, Suffix, Suit, Token};
