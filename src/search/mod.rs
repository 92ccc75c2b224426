//! Finding good decisions: iterative deepening alpha-beta over decisions, for any game that fulfils the
//! contract.
//!
//! The sign of a value follows the actor, not the ply: when the same player decides again, nothing is
//! negated; when chance decides, expected points are averaged by weight. Nothing here prints, reads options
//! or looks at the real clock: the clock is handed in, what is found is handed to a listener.

mod baseline;
mod beam;
mod chance;
mod control;
mod correction;
mod history;
mod info;
mod lazy_smp;
mod limits;
mod movepick;
pub mod proof;
mod pvs;
mod qsearch;
mod reductions;
mod root;
mod searcher;
mod stability;
#[cfg(test)]
mod tests;
mod tt;
mod wdl;

pub use crate::base::threads::STACK;
pub use baseline::{Player, play};
pub use control::{Clock, Control, WallClock};
pub use info::{Bound, Report};
pub use lazy_smp::search;
pub use limits::{Budget, Deadlines, LEAST_ELO, Limits, MOST_ELO};
pub use root::{MAX_DEPTH, SearchResult, SearchTask};
pub use tt::{TableError, TranspositionTable};
pub use wdl::Wdl;
