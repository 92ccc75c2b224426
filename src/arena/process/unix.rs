//! An engine's pipes on Unix: read and written by the thread that plays the game, which `poll`s them. No thread of their
//! own stands between the engine and the clock.

use super::{FLOOD, LONGEST_LINE};
use crate::arena::Fault;
use crate::base::without_controls;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use std::os::fd::AsFd;
use std::process::{ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

/// Both pipes, and what has come but was not asked for yet.
pub struct Pipes {
    input: Option<ChildStdin>,
    output: ChildStdout,
    /// What came; the lines before `begin` are done with, and no line ends before `looked`.
    buffer: Vec<u8>,
    begin: usize,
    looked: usize,
    /// When the last of it came.
    came: Instant,
    ended: bool,
    /// Bytes since our last line.
    unasked: usize,
}

/// What is read at once, and what the pipe should hold while nobody reads (pondering engines talk on).
const READ: usize = 1 << 13;
const PIPE: usize = 1 << 20;

impl Pipes {
    pub fn new(input: ChildStdin, output: ChildStdout) -> std::io::Result<Self> {
        // Only our end: the two ends of a pipe have flags of their own.
        if let Ok(flags) = fcntl_getfl(&input)
            && let Err(error) = fcntl_setfl(&input, flags | OFlags::NONBLOCK)
        {
            log::warn!("a pipe stays blocking: {error}");
        }
        #[cfg(target_os = "linux")]
        let _ = rustix::pipe::fcntl_setpipe_size(&output, PIPE);
        Ok(Self {
            input: Some(input),
            output,
            buffer: Vec::new(),
            begin: 0,
            looked: 0,
            came: Instant::now(),
            ended: false,
            unasked: 0,
        })
    }

    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Writes `text`; what the engine writes meanwhile is kept.
    pub fn write(&mut self, text: &str, deadline: Instant) -> Result<(), Fault> {
        let mut left = text.as_bytes();
        self.unasked = 0;
        while !left.is_empty() {
            let input = self.input.as_ref().ok_or(Fault::Disconnected)?;
            match rustix::io::write(input, left) {
                Ok(written) => left = &left[written..],
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => {
                    let mut ready = [
                        PollFd::new(input, PollFlags::OUT),
                        PollFd::from_borrowed_fd(self.output.as_fd(), PollFlags::IN),
                    ];
                    // Its output is looked at as well: it may be waiting for us to read that first.
                    let watched = if self.ended { 1 } else { 2 };
                    wait(&mut ready[..watched], deadline)?;
                    if !self.ended && !ready[1].revents().is_empty() {
                        self.read()?;
                    }
                }
                Err(_) => return Err(Fault::Disconnected),
            }
        }
        Ok(())
    }

    /// The next line that is not empty. A carriage return ends a line as well.
    pub fn next_line(&mut self, deadline: Instant) -> Result<(String, Instant), Fault> {
        loop {
            let end = self.buffer[self.looked..].iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            if let Some(end) = end.map(|at| self.looked + at) {
                let line = text(&self.buffer[self.begin..end]);
                self.begin = end + 1;
                self.looked = self.begin;
                if self.begin == self.buffer.len() {
                    self.buffer.clear();
                    (self.begin, self.looked) = (0, 0);
                }
                if line.is_empty() {
                    continue;
                }
                return Ok((line, self.came));
            }
            self.looked = self.buffer.len();
            if self.looked - self.begin > LONGEST_LINE {
                return Err(Fault::Flooded);
            }
            if self.ended {
                let rest = text(&self.buffer[self.begin..]);
                self.begin = self.buffer.len();
                return if rest.is_empty() { Err(Fault::Disconnected) } else { Ok((rest, self.came)) };
            }
            let mut ready = [PollFd::from_borrowed_fd(self.output.as_fd(), PollFlags::IN)];
            wait(&mut ready, deadline)?;
            self.read()?;
        }
    }

    /// Reads what is there.
    fn read(&mut self) -> Result<(), Fault> {
        self.buffer.drain(..self.begin);
        self.looked -= self.begin;
        self.begin = 0;
        let filled = self.buffer.len();
        self.buffer.resize(filled + READ, 0);
        let read = rustix::io::read(&self.output, &mut self.buffer[filled..]);
        self.came = Instant::now();
        let read = match read {
            Err(Errno::INTR) => {
                self.buffer.truncate(filled);
                return Ok(());
            }
            other => other.unwrap_or(0),
        };
        self.buffer.truncate(filled + read);
        self.ended |= read == 0;
        self.unasked += read;
        if self.unasked > FLOOD { Err(Fault::Flooded) } else { Ok(()) }
    }
}

/// Waits until one of `ready` is.
fn wait(ready: &mut [PollFd<'_>], deadline: Instant) -> Result<(), Fault> {
    loop {
        let left = deadline.saturating_duration_since(Instant::now()).min(Duration::from_secs(3600));
        let timeout =
            Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) as _ };
        match poll(ready, Some(&timeout)) {
            Ok(0) if Instant::now() >= deadline => return Err(Fault::Stalled),
            Ok(0) | Err(Errno::INTR) => {}
            Ok(_) => return Ok(()),
            Err(_) => return Err(Fault::Disconnected),
        }
    }
}

fn text(line: &[u8]) -> String {
    without_controls(String::from_utf8_lossy(line).trim_end()).into_owned()
}
