//! The clocks that searches run by: real time that can be paused, and processor time.

use crate::search::Clock;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Nodes per second. Shorter times than a microsecond count as one.
pub fn per_second(nodes: u64, elapsed: Duration) -> u64 {
    (u128::from(nodes) * 1_000_000 / elapsed.as_micros().max(1)) as u64
}

/// Real time since the search was asked for, less the time it was paused.
#[derive(Debug)]
pub struct Stopwatch(Mutex<Hands>);

#[derive(Debug)]
struct Hands {
    since: Instant,
    stopped: Option<Instant>,
}

impl Stopwatch {
    /// A clock that has been running since `since`.
    pub const fn new(since: Instant) -> Self {
        Self(Mutex::new(Hands { since, stopped: None }))
    }

    /// Stops the clock at `now`; does nothing if it is stopped already.
    pub fn pause(&self, now: Instant) {
        self.hands().stopped.get_or_insert(now);
    }

    /// Lets the clock run again from `now` on.
    pub fn resume(&self, now: Instant) {
        let mut hands = self.hands();
        if let Some(stopped) = hands.stopped.take() {
            hands.since += now.saturating_duration_since(stopped);
        }
    }

    fn hands(&self) -> MutexGuard<'_, Hands> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clock for Stopwatch {
    fn elapsed(&self) -> Duration {
        let hands = self.hands();
        hands.stopped.unwrap_or_else(Instant::now).saturating_duration_since(hands.since)
    }
}

/// Processor time of all threads since the search was asked for; it needs no pausing. On systems that do not
/// report it, real time.
#[derive(Clone, Copy, Debug)]
pub struct ProcessorTime(Duration);

impl ProcessorTime {
    /// A clock that runs from now on.
    pub fn new() -> Self {
        Self(used())
    }
}

impl Clock for ProcessorTime {
    fn elapsed(&self) -> Duration {
        used().saturating_sub(self.0)
    }
}

#[cfg(unix)]
fn used() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.max(0) as u64, time.tv_nsec.clamp(0, 999_999_999) as u32)
}

#[cfg(windows)]
fn used() -> Duration {
    cpu_time::ProcessTime::now().as_duration()
}

#[cfg(not(any(unix, windows)))]
fn used() -> Duration {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    START.elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paused_stopwatch_shows_the_time_it_was_paused_at() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let watch = Stopwatch::new(start);
        watch.pause(at(5));
        watch.pause(at(7));
        assert_eq!(watch.elapsed(), Duration::from_secs(5));
        watch.resume(at(100));
        watch.pause(at(103));
        assert_eq!(watch.elapsed(), Duration::from_secs(8));
    }

    #[test]
    fn processor_time_grows_with_work() {
        let clock = ProcessorTime::new();
        let mut sum = 0_u64;
        while clock.elapsed() < Duration::from_millis(2) {
            sum = std::hint::black_box(sum.wrapping_mul(31) + 1);
        }
        assert!(clock.elapsed() >= Duration::from_millis(2));
    }
}
