//! From lines to replies: sessions, options, the state machine of each protocol, and the controller that alone writes to
//! standard output.

mod bench;
pub mod chance;
mod controller;
#[cfg(test)]
mod faulty;
mod handicap;
mod host;
mod lines;
pub mod options;
mod panics;
mod progress;
mod search_thread;
mod session;
mod stopwatch;
mod uci;
mod xboard;

pub use crate::search::Horizon;
pub use bench::{Bench, BenchError, Bout};
pub use controller::run;
pub use handicap::{Handicap, LEAST_ELO, MOST_ELO};
pub use lines::LONGEST_LINE;
pub use search_thread::{Choice, Count, Event, Line, News, Think, turn_text};
pub use session::{Look, MOST_TOKENS, Prospect, Session, SessionError, Tally, continuations, open, tokens};
pub use xboard::{xboard_reading, xboard_writing};
