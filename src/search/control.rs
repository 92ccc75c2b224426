//! What a search shares with those who may stop it.

use super::limits::Deadlines;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, OnceLock, PoisonError};
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
    /// What the clock showed at the ponder hit, if that was told, made into deadlines.
    deadlines: OnceLock<Deadlines>,
    paused: AtomicBool,
    /// Where threads wait while the search is paused.
    gate: Mutex<()>,
    opened: Condvar,
}

impl Control {
    /// For a search that begins now; while it ponders no time limit holds.
    pub fn new(pondering: bool) -> Self {
        Self { pondering: AtomicBool::new(pondering), ..Self::default() }
    }

    /// Asks the search to end as soon as it looks, also when it is paused.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.open();
    }

    /// Asks the search to stand still where it is; it uses no processor until [`Control::resume`] or
    /// [`Control::stop`]. The caller pauses the clock.
    pub fn pause(&self) {
        self.paused.store(true, Ordering::Relaxed);
    }

    /// Lets a paused search go on where it stood.
    pub fn resume(&self) {
        self.paused.store(false, Ordering::Relaxed);
        self.open();
    }

    /// Wakes who waits. The lock is taken so that nobody who has just seen the old flags falls asleep behind
    /// us.
    fn open(&self) {
        drop(self.gate.lock().unwrap_or_else(PoisonError::into_inner));
        self.opened.notify_all();
    }

    /// Returns at once, or when the pause is over.
    pub fn wait_while_paused(&self) {
        if !self.paused.load(Ordering::Relaxed) {
            return;
        }
        let waits = |_: &mut ()| self.paused.load(Ordering::Relaxed) && !self.is_stopped();
        let gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.opened.wait_while(gate, waits));
    }

    /// True once it was asked to end.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The flag itself, for callers that need nothing else.
    pub const fn stop_flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// The expected move was played `elapsed` after the search began: the limits hold from now on.
    /// `deadlines` replace those the search began with, where the clock has been read since.
    pub fn ponder_hit(&self, elapsed: Duration, deadlines: Option<Deadlines>) {
        if let Some(deadlines) = deadlines {
            // A second hit changes nothing.
            let _ = self.deadlines.set(deadlines);
        }
        self.clock_began.store(elapsed.as_micros() as u64, Ordering::Relaxed);
        self.pondering.store(false, Ordering::Release);
    }

    /// True while the opponent's clock runs, not ours.
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Acquire)
    }

    /// The deadlines that the ponder hit brought.
    pub fn deadlines(&self) -> Option<&Deadlines> {
        self.deadlines.get()
    }

    /// When, after the start of the search, our clock began to run.
    pub fn clock_began(&self) -> Duration {
        Duration::from_micros(self.clock_began.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::mpsc::{TryRecvError, channel};

    /// A thread that waits at the gate, and says when it is through.
    fn waiting(control: &Arc<Control>) -> (std::thread::JoinHandle<()>, std::sync::mpsc::Receiver<()>) {
        let (through, heard) = channel();
        let control = control.clone();
        let thread = std::thread::spawn(move || {
            control.wait_while_paused();
            through.send(()).unwrap();
        });
        (thread, heard)
    }

    #[test]
    fn a_paused_search_waits_for_resume_or_stop() {
        for end in [Control::resume, Control::stop] {
            let control = Arc::new(Control::new(false));
            control.wait_while_paused();
            control.pause();
            let (thread, heard) = waiting(&control);
            assert_eq!(heard.try_recv(), Err(TryRecvError::Empty));
            end(&control);
            heard.recv().unwrap();
            thread.join().unwrap();
        }
    }
}
