//! From lines to replies: options, searches, the state machine of each protocol, and the controller that alone writes to
//! standard output.

mod bench;
mod controller;
#[allow(clippy::module_inception, reason = "the engine is what the room is named after")]
mod engine;
mod events;
#[cfg(test)]
mod faulty;
mod foreign;
mod handicap;
mod lines;
pub mod options;
mod panics;
pub mod query;
mod search_thread;
mod stopwatch;
mod turn_search;
mod uci;
mod xboard;

pub use bench::{Bench, BenchError, BenchResult};
pub use controller::run;
pub use engine::{Engine, SearchError, SearchHandle, best_move};
pub use events::{BestMove, EngineMessage, PerftResult, PvLine, SearchEvent};
pub use foreign::{EngineRequest, ForeignEngine, ForeignSearch, Outside, Relay};
pub use handicap::{Handicap, LEAST_ELO, MOST_ELO};
pub use lines::LONGEST_LINE;
pub use turn_search::SearchRequest;
pub use xboard::{xboard_reading, xboard_writing};
