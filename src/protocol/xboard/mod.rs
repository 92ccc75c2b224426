//! The XBoard protocol, also called CECP: Tim Mann's and H. G. Muller's text, version 2, as XBoard 4.9 speaks it.
//!
//! What we accept and send, and why we deviate where we do, is told in `protocol-docs/xboard.md`. In short:
//!
//! * The first word of a line decides; there is no looking for commands behind unknown words. A line that begins with
//!   none is a [`Command::BareMove`] if it is one word that looks like a move in coordinates, else
//!   [`Command::Unknown`], to be answered `Error (unknown command): …`.
//! * Words behind the arguments of a known message are reported as skipped.
//! * In edit mode lines mean something else: read them with [`EditLine::parse`].
//!
//! Units are the protocol's own where they are whole numbers (clocks and search times in centiseconds, memory in
//! megabytes, scores in centipawns) and milliseconds where the protocol allows fractions ([`Level`], `st`).

mod command;
mod command_parse;
mod declaration;
mod edit;
mod feature;
mod outcome;
mod reply;
mod reply_parse;
#[cfg(test)]
mod tests;
mod thinking;

pub use command::{Command, Level, Selection};
pub use declaration::{Declaration, OptionKind, Span};
pub use edit::EditLine;
pub use feature::{Feature, FeatureValue};
pub use outcome::{Outcome, Verdict};
pub use reply::{Audience, Geometry, Reply, Setup, Status};
pub use thinking::{Counts, Score, Thinking};
