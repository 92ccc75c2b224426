//! Lines that come from outside, for a program that waits for them and for an engine at once: our own standard
//! input, or a pipe.

use super::line_buffer::{LONGEST_LINE, LineBuffer};
#[cfg(not(unix))]
use crossbeam_channel::{Receiver, bounded};
#[cfg(unix)]
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Instant;

/// What a line of our own input was.
#[derive(Debug, PartialEq, Eq)]
pub enum OwnLine {
    /// A line without its end, and when it came.
    Line(String, Instant),
    /// A line was too long and thrown away; the number is its length in bytes.
    TooLong(usize),
    /// The input has ended.
    End,
}

/// The input, read only while it is waited for.
pub struct OwnInput {
    lines: LineBuffer,
    came: Instant,
    /// The bytes of an overlong line that were thrown away so far.
    lost: usize,
    ended: bool,
    end_reported: bool,
    #[cfg(unix)]
    input: OwnedFd,
    /// A thread reads, on systems where an input cannot be waited for together with other files.
    #[cfg(not(unix))]
    chunks: Receiver<Vec<u8>>,
}

/// The most bytes that are read at once.
const READ: usize = 1 << 13;

impl OwnInput {
    /// Standard input, from now on.
    ///
    /// # Errors
    /// When the system gives no thread, or no file number, where one is needed.
    pub fn new() -> std::io::Result<Self> {
        #[cfg(unix)]
        return Ok(Self::reading(std::io::stdin().as_fd().try_clone_to_owned()?));
        #[cfg(not(unix))]
        Self::reading(std::io::stdin())
    }

    /// What comes through a pipe.
    ///
    /// # Errors
    /// When the system gives no thread where one is needed.
    #[cfg(feature = "serve")]
    pub fn of(pipe: std::io::PipeReader) -> std::io::Result<Self> {
        #[cfg(unix)]
        return Ok(Self::reading(pipe.into()));
        #[cfg(not(unix))]
        Self::reading(pipe)
    }

    #[cfg(unix)]
    fn reading(input: OwnedFd) -> Self {
        Self {
            lines: LineBuffer::default(),
            came: Instant::now(),
            lost: 0,
            ended: false,
            end_reported: false,
            input,
        }
    }

    #[cfg(not(unix))]
    fn reading(mut input: impl std::io::Read + Send + 'static) -> std::io::Result<Self> {
        let (sender, chunks) = bounded(64);
        std::thread::Builder::new().name("input".into()).spawn(move || {
            let mut chunk = [0; READ];
            loop {
                match input.read(&mut chunk) {
                    Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                    Ok(read) if read > 0 && sender.send(chunk[..read].to_vec()).is_ok() => {}
                    _ => break,
                }
            }
        })?;
        Ok(Self {
            lines: LineBuffer::default(),
            came: Instant::now(),
            lost: 0,
            ended: false,
            end_reported: false,
            chunks,
        })
    }

    /// The next line that has been read already; `None` also after the end.
    pub(super) fn next_line(&mut self) -> Option<OwnLine> {
        while let Some(line) = self.lines.next_line() {
            match std::mem::take(&mut self.lost) {
                0 if line.is_empty() => {}
                0 => return Some(OwnLine::Line(line, self.came)),
                lost => return Some(OwnLine::TooLong(lost + line.len())),
            }
        }
        if self.lines.unfinished() > LONGEST_LINE {
            self.lost += self.lines.take_unfinished().map_or(0, |text| text.len());
        }
        if !self.ended || self.end_reported {
            return None;
        }
        match self.lines.take_unfinished().filter(|_| self.lost == 0) {
            Some(last) => Some(OwnLine::Line(last, self.came)),
            None => {
                self.end_reported = true;
                Some(OwnLine::End)
            }
        }
    }

    /// Waits for a line; [`OwnLine::End`] when there is none left.
    pub fn wait(&mut self) -> OwnLine {
        loop {
            if let Some(line) = self.next_line() {
                return line;
            }
            if self.ended {
                return OwnLine::End;
            }
            #[cfg(unix)]
            self.read();
            #[cfg(not(unix))]
            {
                let chunk = self.chunks.recv().unwrap_or_default();
                self.take(chunk);
            }
        }
    }

    /// The file to wait for; `None` after the end.
    #[cfg(unix)]
    pub(super) fn file(&self) -> Option<BorrowedFd<'_>> {
        (!self.ended).then(|| self.input.as_fd())
    }

    /// Reads what has arrived. Blocks unless there is something to read, or the end.
    #[cfg(unix)]
    pub(super) fn read(&mut self) {
        let mut chunk = Vec::with_capacity(READ);
        match rustix::io::read(&self.input, rustix::buffer::spare_capacity(&mut chunk)) {
            Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => {}
            _ => self.take(chunk),
        }
    }

    /// The channel on which input arrives; `None` after the end.
    #[cfg(not(unix))]
    pub(super) fn chunks(&self) -> Option<Receiver<Vec<u8>>> {
        (!self.ended).then(|| self.chunks.clone())
    }

    /// Adds bytes that were read; none mean the end.
    pub(super) fn take(&mut self, bytes: impl AsRef<[u8]>) {
        let bytes = bytes.as_ref();
        self.came = Instant::now();
        self.ended = bytes.is_empty();
        self.lines.push(bytes);
    }
}
