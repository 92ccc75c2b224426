//! The XBoard protocol, also called CECP: version 2 of the specification by Tim Mann and H. G. Muller, as
//! XBoard 4.9 implements it.
//!
//! What we accept and send, and where and why we deviate, is documented in `protocol-docs/xboard.md`. In
//! short:
//!
//! * The first word of a line decides; commands are not looked for after unknown words. A line that does not
//!   begin with a command is a [`Command::BareMove`] if it is a single word that looks like a move in
//!   coordinates, otherwise [`Command::Unknown`], to be answered with `Error (unknown command): …`.
//! * Words after the arguments of a known message are reported as skipped.
//! * In edit mode, lines have another meaning: read them with [`EditLine::parse`].
//!
//! Units are the protocol's own where they are whole numbers (clocks and search times in centiseconds, memory
//! in megabytes, scores in centipawns), milliseconds in [`Level`], and a duration for `st`.

mod command;
mod edit;
mod feature;
mod option;
mod outcome;
mod plain_move;
mod reply;
#[cfg(test)]
mod tests;
mod thinking;

pub use command::{Command, Level, Selection};
pub use edit::EditLine;
pub use feature::{Feature, FeatureValue};
pub use outcome::{Outcome, Verdict};
pub use plain_move::plain_move;
pub use reply::{Audience, Geometry, Reply, Setup, Status};
pub use thinking::{Counts, Score, Thinking};
