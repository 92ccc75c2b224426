//! What an engine may say of itself before it plays: a total of time, bytes and options that nothing it says extends.

use super::Fault;
use crate::process::Process;
use std::time::{Duration, Instant};

/// A handshake that has begun.
pub(super) struct Handshake {
    deadline: Instant,
    bytes: usize,
    options: usize,
}

/// The most bytes of a handshake. Engines with hundreds of games and options stay below a hundredth of it.
const MOST_BYTES: usize = 1 << 20;
/// The most options an engine may declare.
const MOST_OPTIONS: usize = 1000;

impl Handshake {
    /// One that may take so long.
    pub fn new(timeout: Duration) -> Self {
        Self { deadline: Instant::now() + timeout, bytes: 0, options: 0 }
    }

    /// When its time is over.
    pub fn deadline(&self) -> Instant {
        self.deadline
    }

    /// The next line; with an earlier deadline of its own if that is wanted.
    ///
    /// # Errors
    /// As [`Process::receive`], and when it was too much.
    pub fn receive(&mut self, process: &mut Process, until: Instant) -> Result<String, Fault> {
        let (line, _) = process.receive(until.min(self.deadline))?;
        self.bytes += line.len() + 1;
        if self.bytes > MOST_BYTES {
            return Err(Fault::Unfit(format!("its handshake is longer than {MOST_BYTES} bytes")));
        }
        Ok(line)
    }

    /// It has declared one more option.
    ///
    /// # Errors
    /// When it was one too many.
    pub fn count_option(&mut self) -> Result<(), Fault> {
        self.options += 1;
        if self.options > MOST_OPTIONS {
            return Err(Fault::Unfit(format!("it declares more than {MOST_OPTIONS} options")));
        }
        Ok(())
    }
}
