//! What a search shares with those who may stop it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Time since the search was asked for.
pub trait Clock: Send + Sync {
    /// How long ago that was.
    fn elapsed(&self) -> Duration;
}

/// The real clock, started when the command was read.
#[derive(Clone, Copy, Debug)]
pub struct WallClock(pub Instant);

impl Clock for WallClock {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// The handle by which a running search is stopped, or told that the move it ponders on was played.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    pondering: AtomicBool,
    /// Microseconds from the start of the search to the ponder hit: the player's clock runs from then on.
    clock_began: AtomicU64,
}

impl Control {
    /// For a search that begins now; while it ponders no time limit holds.
    pub fn new(pondering: bool) -> Self {
        Self { pondering: AtomicBool::new(pondering), ..Self::default() }
    }

    /// Asks the search to end as soon as it looks.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// True once it was asked to end.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The flag itself, for whoever needs nothing else.
    pub const fn stop_flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// The expected move was played `elapsed` after the search began: the limits hold from now on.
    pub fn ponder_hit(&self, elapsed: Duration) {
        self.clock_began.store(elapsed.as_micros() as u64, Ordering::Relaxed);
        self.pondering.store(false, Ordering::Release);
    }

    /// True while the opponent's clock runs, not ours.
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Acquire)
    }

    /// When, after the start of the search, our clock began to run.
    pub fn clock_began(&self) -> Duration {
        Duration::from_micros(self.clock_began.load(Ordering::Relaxed))
    }
}
