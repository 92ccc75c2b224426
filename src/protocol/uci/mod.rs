//! UCI as specified in April 2006, and two dialects: Stockfish's and UGI.
//!
//! What we accept and send, and where and why we deviate, is documented in `protocol-docs/uci.md`. In short:
//!
//! * Commands: unknown words before a command are skipped (`joho debug on` is `debug on`), and so are unknown
//!   words among its arguments; both are reported. A line without any command is [`Command::Unknown`]. The
//!   commands of the dialects (`d`, `eval`, `bench`, `flip`, `help`; UGI's `ugi`, `uginewgame`, `query`)
//!   count only at the start of a line.
//! * Replies must begin with their keyword: engines print banners, and a banner is not a message.
//! * If a parameter is given twice, the first counts and the second is reported as skipped.
//! * Words are case-sensitive.
//!
//! Times are milliseconds; scores are centipawns or moves to mate, both from the engine's point of view.

mod command;
mod option;
mod reply;
mod squares;
#[cfg(test)]
mod tests;
mod translation;

pub use command::{Command, Dialect, Go, Position, Register, Start};
pub use reply::{Clearance, CurrentLine, Info, Reply, Score, Wdl};
pub use translation::Translator;
