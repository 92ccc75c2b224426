//! The engine behind every front end: options, the game in progress and searches. Its controller hands lines
//! to a front end, and it alone writes to standard output.

mod backend;
mod bench;
mod controller;
#[allow(clippy::module_inception, reason = "the engine is what the room is named after")]
mod engine;
mod events;
mod handicap;
mod local;
pub mod options;
mod panics;
pub mod query;
mod search_handle;
mod search_thread;
mod stopwatch;
#[cfg(test)]
pub(crate) mod tests;
mod turn_search;

pub use backend::{Abilities, Backend, Profile, SearchContext, check_searchmoves};
pub use bench::{Bench, BenchError, BenchResult};
pub use controller::{Frontend, LONGEST_LINE, Replies, run};
pub use engine::{Engine, best_move};
pub use events::{BestMove, EngineMessage, PerftResult, PvLine, SearchEvent};
pub use handicap::Handicap;
pub use local::Local;
pub use search_handle::{SearchError, SearchHandle};
pub use stopwatch::per_second;
pub use turn_search::{SearchRequest, SearchSettings, Searchable};
