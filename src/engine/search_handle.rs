//! The handle of a search, and why there may be none.

use super::stopwatch::Stopwatch;
use crate::search::{Clock, Control, Deadlines};
use crate::session::SessionError;
use crate::variants::UnknownGame;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A search that is running, or has ended and is yet to be reported.
pub struct SearchHandle {
    /// The number that its events carry.
    pub id: u64,
    pub(super) control: Arc<Control>,
    pub(super) clock: Arc<dyn Clock>,
    /// The same clock, if it can be paused.
    pub(super) watch: Option<Arc<Stopwatch>>,
}

impl SearchHandle {
    /// The handle of a search that another program carries out.
    pub fn new(id: u64, control: Arc<Control>, clock: Arc<dyn Clock>) -> Self {
        Self { id, control, clock, watch: None }
    }

    /// Asks the search to end; its last event follows soon.
    pub fn stop(&self) {
        self.control.stop();
    }

    /// Suspends the search and its clock from `now` on.
    pub fn pause(&self, now: Instant) {
        self.control.pause();
        if let Some(watch) = &self.watch {
            watch.pause(now);
        }
    }

    /// Continues a suspended search, and lets its clock run again from `now` on.
    pub fn resume(&self, now: Instant) {
        if let Some(watch) = &self.watch {
            watch.resume(now);
        }
        self.control.resume();
    }

    /// True once the search was asked to end.
    pub fn is_stopped(&self) -> bool {
        self.control.is_stopped()
    }

    /// The time since the search was asked for.
    pub fn elapsed(&self) -> Duration {
        self.clock.elapsed()
    }

    /// Reports that the move it ponders on was played. `deadlines` come from the present clock, if it is
    /// known.
    pub fn ponder_hit(&self, deadlines: Option<Deadlines>) {
        self.control.ponder_hit(self.clock.elapsed(), deadlines);
    }
}

/// Why a search could not be started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// There is no game of that name here.
    #[error("{0}")]
    Game(#[from] UnknownGame),
    /// The position or a move to be searched is not legal.
    #[error("{0}")]
    Illegal(#[from] SessionError),
    /// The request is in order but cannot be met, for the reason given.
    #[error("{0}")]
    Unable(String),
}
