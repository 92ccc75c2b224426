//! What long work says while it goes on: one line on standard error, where that is a terminal, and at Ctrl-C
//! what was done.

use super::complain;
use super::matches::{Size, clock};
use crate::base::columns::cut;
use anyhow::Context;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often the line is written anew.
const FRAME: Duration = Duration::from_millis(250);

/// How far work has come, shown until it is dropped.
pub struct Progress {
    state: Arc<State>,
    /// Hanging up ends the thread that writes the line.
    ticker: Option<(Sender<()>, JoinHandle<()>)>,
}

struct State {
    /// What is counted: `games`.
    unit: &'static str,
    begun: Instant,
    done: AtomicU64,
    /// 0 when it is not known.
    total: AtomicU64,
    /// What is being done now.
    now: Mutex<String>,
    /// Whether the line stands on the terminal.
    shown: Mutex<bool>,
    /// Whether the user has pressed Ctrl-C.
    stopped: AtomicBool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    fn line(&self) -> String {
        let (done, total) = (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed));
        text(self.unit, done, total, &lock(&self.now), self.begun.elapsed())
    }

    /// Takes the line away, if it is there.
    fn hide(shown: &mut bool) {
        if std::mem::take(shown) {
            // Nothing can be done when standard error is gone.
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }

    fn draw(&self) {
        let mut shown = lock(&self.shown);
        let line = cut(&self.line(), Size::now().columns.saturating_sub(1));
        *shown = write!(io::stderr(), "\r{line}\x1b[K").is_ok();
    }
}

/// `12 of 100 games, 3400 positions, 0:00:05, 0:00:37 left`.
fn text(unit: &str, done: u64, total: u64, now: &str, time: Duration) -> String {
    let mut parts = Vec::new();
    match total {
        0 if done == 0 => {}
        0 => parts.push(format!("{done} {unit}")),
        _ => parts.push(format!("{done} of {total} {unit}")),
    }
    parts.extend(Some(now).filter(|now| !now.is_empty()).map(str::to_owned));
    parts.push(clock(time));
    if done > 0
        && total > done
        && let Ok(left) =
            Duration::try_from_secs_f64(time.as_secs_f64() / done as f64 * (total - done) as f64)
    {
        parts.push(format!("about {} left", clock(left)));
    }
    parts.join(", ")
}

impl Progress {
    /// Begins to show how many of `total` (0 when it is not known) are done.
    pub fn begin(unit: &'static str, total: u64) -> io::Result<Self> {
        let state = Arc::new(State {
            unit,
            begun: Instant::now(),
            done: AtomicU64::new(0),
            total: AtomicU64::new(total),
            now: Mutex::default(),
            shown: Mutex::new(false),
            stopped: AtomicBool::new(false),
        });
        let ticker = io::stderr().is_terminal().then(|| {
            let (sender, receiver) = channel::<()>();
            let state = Arc::clone(&state);
            let tick = move || {
                use std::sync::mpsc::RecvTimeoutError::Timeout;
                while receiver.recv_timeout(FRAME) == Err(Timeout) {
                    state.draw();
                }
            };
            let thread = std::thread::Builder::new().name("progress".into()).spawn(tick);
            thread.map(|thread| (sender, thread))
        });
        Ok(Self { state, ticker: ticker.transpose()? })
    }

    /// From now on Ctrl-C ends the program, and says how far it was.
    pub fn ends_at_interrupt(&self) -> anyhow::Result<()> {
        self.listen(true)
    }

    /// From now on the first Ctrl-C only sets [`Progress::stopped`]; the second ends the program.
    pub fn stops_at_interrupt(&self) -> anyhow::Result<()> {
        self.listen(false)
    }

    fn listen(&self, at_once: bool) -> anyhow::Result<()> {
        let state = Arc::clone(&self.state);
        let handler = move || {
            let again = state.stopped.swap(true, Ordering::Relaxed);
            let mut shown = lock(&state.shown);
            State::hide(&mut shown);
            if at_once || again {
                complain(&format!("stopped: {}", state.line()));
                std::process::exit(130);
            }
            complain("what has begun is finished first; Ctrl-C once more ends at once");
        };
        ctrlc::set_handler(handler).context("cannot listen to interrupts")
    }

    /// Whether the user has asked for the end.
    pub fn stopped(&self) -> bool {
        self.state.stopped.load(Ordering::Relaxed)
    }

    /// So many more are done.
    pub fn add(&self, more: u64) {
        self.state.done.fetch_add(more, Ordering::Relaxed);
    }

    /// So many of `total` are done.
    pub fn set(&self, done: u64, total: u64) {
        self.state.done.store(done, Ordering::Relaxed);
        self.state.total.store(total, Ordering::Relaxed);
    }

    /// What is being done now.
    pub fn now(&self, text: impl Into<String>) {
        *lock(&self.state.now) = text.into();
    }

    /// Writes to another output that may be the same terminal.
    pub fn write<T>(&self, write: impl FnOnce() -> T) -> T {
        let mut shown = lock(&self.state.shown);
        State::hide(&mut shown);
        write()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.ticker.take() {
            drop(sender);
            // It holds nothing, and cannot fail.
            let _ = thread.join();
        }
        State::hide(&mut lock(&self.state.shown));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_what_how_far_and_how_long_yet() {
        let seconds = Duration::from_secs;
        assert_eq!(text("games", 0, 100, "", seconds(1)), "0 of 100 games, 0:00:01");
        assert_eq!(
            text("games", 20, 100, "3400 positions", seconds(10)),
            "20 of 100 games, 3400 positions, 0:00:10, about 0:00:40 left"
        );
        assert_eq!(text("games", 100, 100, "", seconds(10)), "100 of 100 games, 0:00:10");
        assert_eq!(text("games", 0, 0, "asking cat", seconds(2)), "asking cat, 0:00:02");
        assert_eq!(text("games", 1, u64::MAX, "", seconds(u64::MAX / 2)).matches("left").count(), 0);
    }
}
