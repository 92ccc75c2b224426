//! UCI, the text of April 2006, and the dialects around it: Stockfish's family's, and UGI.
//!
//! What we accept and send, and why we deviate where we do, is told in `protocol-docs/uci.md`. In short:
//!
//! * Commands: unknown words in front of a command are skipped (`joho debug on` is `debug on`), so are unknown words
//!   among its arguments; both are reported. A line without any command is [`Command::Unknown`]. The words of the
//!   dialect (`d`, `eval`, `bench`, `flip`, `help`) and of UGI (`ugi`, `uginewgame`, `query`) count only at the start of
//!   a line.
//! * Replies must begin with their keyword: engines print banners, and a banner is not a message.
//! * A parameter given twice: the first counts, the second is reported as skipped.
//! * Words are compared exactly, capitals and all.
//!
//! Times are milliseconds, scores centipawns or moves to mate, both seen from the engine's side.

mod command;
mod command_parse;
mod declaration;
mod reply;
#[cfg(test)]
mod tests;

pub use command::{Command, Dialect, Go, Position, Register, Start};
pub use declaration::{Declaration, OptionKind};
pub use reply::{Clearance, CurrentLine, Info, Reply, Score, Wdl};
