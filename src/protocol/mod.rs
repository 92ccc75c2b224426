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

mod bound;
mod engine_option;
mod error;
mod field;
mod line;
mod table;
#[cfg(test)]
mod tests;
pub mod uci;
mod words;
pub mod xboard;

use std::fmt;
use uci::Dialect;

pub use bound::Bound;
pub use engine_option::{EngineOption, OptionType, OptionValueError, TextPath};
pub use error::{Found, ParseError};
pub use line::{Parsed, Skipped};
pub use words::{Moves, same_words};

/// A protocol that an engine and the program that uses it speak with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The Universal Chess Interface, in one of its dialects.
    Uci(Dialect),
    /// The XBoard protocol, also called CECP.
    Xboard,
}

impl Protocol {
    /// The protocols that are tried, in this order, with an engine of which nothing is known.
    pub const ALL: [Self; 3] = [Self::Uci(Dialect::Uci), Self::Xboard, Self::Uci(Dialect::Ugi)];

    /// The protocol of this name: `uci`, `ugi`, `usi`, `ucci`, `xboard` or `cecp`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "uci" => Some(Self::Uci(Dialect::Uci)),
            "ugi" => Some(Self::Uci(Dialect::Ugi)),
            "usi" => Some(Self::Uci(Dialect::Usi)),
            "ucci" => Some(Self::Uci(Dialect::Ucci)),
            "xboard" | "cecp" => Some(Self::Xboard),
            _ => None,
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(match self {
            Self::Uci(Dialect::Uci) => "UCI",
            Self::Uci(Dialect::Ugi) => "UGI",
            Self::Uci(Dialect::Usi) => "USI",
            Self::Uci(Dialect::Ucci) => "UCCI",
            Self::Xboard => "XBoard",
        })
    }
}
