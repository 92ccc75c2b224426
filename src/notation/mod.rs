//! The text of turns and positions: from bytes to a syntax tree and back.
//!
//! This module knows squares, letters and legs, but no game: each game decides what `e2e4` means. The grammar
//! is documented in `protocol-docs/notation.md`. Its parsers fail as those of
//! `protocol` do (`base::grammar`).

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
pub use position::{Cell, Placement, Position, exchange_castling, mirror_file, mirror_ranks};
pub use token::{Card, Coordinate, Leg, Legs, MAX_FILES, MAX_LEGS, MAX_RANK, Suffix, Suit, Token};
