//! The engine behind every front end: options, the game in progress and searches. Its controller hands lines
//! to a front end, and it alone writes to standard output.

mod bench;
mod controller;
#[allow(clippy::module_inception, reason = "the engine is what the room is named after")]
mod engine;
mod events;
mod foreign;
mod handicap;
mod lines;
pub mod options;
mod panics;
pub mod query;
mod search_thread;
mod stopwatch;
#[cfg(test)]
pub(crate) mod tests;
mod turn_search;

pub use bench::{Bench, BenchError, BenchResult};
pub use controller::{Frontend, Replies, run};
pub use engine::{Engine, SearchError, SearchHandle, best_move};
pub use events::{BestMove, EngineMessage, PerftResult, PvLine, SearchEvent};
pub use foreign::{EngineRequest, ForeignEngine, ForeignSearch};
pub use handicap::Handicap;
pub use lines::LONGEST_LINE;
pub use stopwatch::per_second;
pub use turn_search::SearchRequest;
