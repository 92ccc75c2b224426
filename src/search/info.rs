//! What a search tells while it runs.

use crate::base::score::Score;
use std::time::Duration;

/// What kind of statement a score is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The score is exact.
    Exact,
    /// The score is at least this.
    Lower,
    /// The score is at most this.
    Upper,
}

impl Bound {
    /// What a search with this window states by finding `score`.
    pub(super) const fn of(score: Score, (alpha, beta): (Score, Score)) -> Self {
        if score >= beta {
            Self::Lower
        } else if score > alpha {
            Self::Exact
        } else {
            Self::Upper
        }
    }
}

/// One line of thinking.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Report {
    /// Decisions looked ahead in full.
    pub depth: u32,
    /// The furthest any line went.
    pub seldepth: u32,
    /// 1 for the best line, 2 for the second…
    pub rank: usize,
    /// As the player to decide at the root sees it.
    pub score: Score,
    /// What the score states.
    pub bound: Bound,
    /// Positions visited so far, all threads together.
    pub nodes: u64,
    /// Since the search was asked for.
    pub elapsed: Duration,
    /// Table slots filled by this search, in thousandths.
    pub table_full: u32,
}
