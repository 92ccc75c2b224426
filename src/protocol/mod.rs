//! The two protocols of chess programs, UCI and XBoard's (CECP), as typed messages.
//!
//! Each protocol has two message types: [`uci::Command`] and [`xboard::Command`] go from the GUI to the
//! engine, [`uci::Reply`] and [`xboard::Reply`] come back. All four are read and written in the same way:
//!
//! * `parse(line)` returns `Ok(None)` for a blank line, an error that names the parameter and the column, or
//!   a [`Parsed`] message together with the words that were skipped, so that nothing is dropped silently;
//! * `Display` writes the message as one line without the newline. Reading it again gives an equal message as
//!   long as free text is what a line can hold: no blanks at its ends, no line breaks (those are written as
//!   spaces), and none of the words or quotes to which the protocol itself gives a meaning.
//!
//! Messages borrow from the line. Moves, squares and positions stay text: only a game can read them. A line
//! may be any `&str`; no input panics.
//!
//! ```
//! use carom::protocol::uci::{Command, Go};
//! let parsed = Command::parse("go depth 5 quickly").unwrap().unwrap();
//! assert_eq!(parsed.message, Command::Go(Go { depth: Some(5), ..Go::default() }));
//! assert_eq!((parsed.skipped[0].text, parsed.skipped[0].column), ("quickly", 12));
//! ```
//!
//! This module uses no other module of this crate.

mod engine_option;
mod error;
mod line;
#[cfg(test)]
mod tests;
pub mod uci;
mod words;
pub mod xboard;

pub use engine_option::{EngineOption, OptionType, OptionValueError, TextPath};
pub use error::{Found, ParseError};
pub use line::{Parsed, Skipped};
pub use words::{Moves, same_words};

/// Whether a score is exact or a bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// The exact score.
    #[default]
    Exact,
    /// The true score is at least this (the search failed high).
    Lower,
    /// The true score is at most this (the search failed low).
    Upper,
}
