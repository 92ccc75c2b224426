//! Lines into a process and out of it.

use super::error::ProcessError;
use super::line_buffer::{LONGEST_LINE, LineBuffer};
use super::own_input::OwnInput;
use std::process::{Child, ChildStdin, ChildStdout};
use std::time::Instant;

/// Carries bytes in and out, for each system in its own way.
pub trait Transport: Sized {
    /// # Errors
    /// When `child` was not given pipes, or the system does not give what else is needed.
    fn new(child: &mut Child) -> std::io::Result<Self>;
    /// Closes the input, so that the process sees its end.
    fn close_input(&mut self);
    /// Writes some bytes and returns how many. With 0 it must be tried again; if `listening`, the output of
    /// the process should be read before that, since the process may be waiting for it.
    fn write(&mut self, bytes: &[u8], listening: bool, deadline: Instant) -> Result<usize, ProcessError>;
    /// The next bytes of output, and when they came. No bytes mean the end, which has come when the process
    /// has ended. On Linux that is noticed even while something it started holds its output open.
    fn read(&mut self, deadline: Instant) -> Result<(Vec<u8>, Instant), ProcessError>;
    /// Does the same, unless something comes into `own` first, which takes it in; then `None`.
    fn read_either(
        &mut self,
        own: &mut OwnInput,
        deadline: Instant,
    ) -> Result<Option<(Vec<u8>, Instant)>, ProcessError>;
}

/// The pipes that `child` was started with.
pub fn take_pipes(child: &mut Child) -> std::io::Result<(ChildStdin, ChildStdout)> {
    child.stdin.take().zip(child.stdout.take()).ok_or_else(|| std::io::Error::other("no pipes"))
}

/// Both pipes, with output that was read but not asked for yet.
pub struct Pipes<T> {
    transport: T,
    lines: LineBuffer,
    /// When the last output came.
    came: Instant,
    ended: bool,
    /// Bytes of output since our last line.
    unasked: usize,
}

/// The most that a process may write between two lines of ours, in bytes. An hour of thinking stays far
/// below.
const FLOOD: usize = 32 << 20;

impl<T: Transport> Pipes<T> {
    pub fn new(child: &mut Child) -> std::io::Result<Self> {
        let transport = T::new(child)?;
        Ok(Self { transport, lines: LineBuffer::default(), came: Instant::now(), ended: false, unasked: 0 })
    }

    pub fn close_input(&mut self) {
        self.transport.close_input();
    }

    /// Writes `text`; output that comes meanwhile is kept.
    pub fn write(&mut self, text: &str, deadline: Instant) -> Result<(), ProcessError> {
        let mut left = text.as_bytes();
        self.unasked = 0;
        while !left.is_empty() {
            let written = self.transport.write(left, !self.ended, deadline)?;
            left = &left[written..];
            if written == 0 && !self.ended {
                match self.read(Instant::now()) {
                    Ok(()) | Err(ProcessError::TimedOut) => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(())
    }

    /// The next line, and when it came.
    pub fn next_line(&mut self, deadline: Instant) -> Result<(String, Instant), ProcessError> {
        loop {
            if let Some(line) = self.ready_line()? {
                return Ok(line);
            }
            self.read(deadline)?;
        }
    }

    /// The next line that has been read already, and when it came.
    pub fn ready_line(&mut self) -> Result<Option<(String, Instant)>, ProcessError> {
        if let Some(line) = self.lines.next_line() {
            return Ok(Some((line, self.came)));
        }
        if self.lines.unfinished() > LONGEST_LINE {
            return Err(ProcessError::Flooded);
        }
        if self.ended {
            let last = self.lines.take_unfinished().ok_or(ProcessError::Disconnected)?;
            return Ok(Some((last, self.came)));
        }
        Ok(None)
    }

    /// Reads what comes first, here or in `own`.
    pub fn read_either(&mut self, own: &mut OwnInput, deadline: Instant) -> Result<(), ProcessError> {
        match self.transport.read_either(own, deadline)? {
            Some(read) => self.take(read),
            None => Ok(()),
        }
    }

    /// Reads output into the buffer.
    fn read(&mut self, deadline: Instant) -> Result<(), ProcessError> {
        let read = self.transport.read(deadline)?;
        self.take(read)
    }

    fn take(&mut self, (bytes, came): (Vec<u8>, Instant)) -> Result<(), ProcessError> {
        self.lines.push(&bytes);
        self.came = came;
        self.ended = bytes.is_empty();
        self.unasked += bytes.len();
        if self.unasked > FLOOD { Err(ProcessError::Flooded) } else { Ok(()) }
    }
}
