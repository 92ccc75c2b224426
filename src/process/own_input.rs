//! Our own standard input, for a program that waits for it and for an engine at once.

use super::pipes::LineBuffer;
#[cfg(not(unix))]
use crossbeam_channel::{Receiver, bounded};
#[cfg(unix)]
use std::os::fd::{AsFd, BorrowedFd};
use std::time::Instant;

/// What came in.
#[derive(Debug, PartialEq, Eq)]
pub enum OwnLine {
    /// A line without its end, and when it came.
    Line(String, Instant),
    /// A line of so many bytes was longer than lines may be, and thrown away.
    TooLong(usize),
    /// There will be no more.
    End,
}

/// Standard input, read when it is waited for.
pub struct OwnInput {
    lines: LineBuffer,
    came: Instant,
    /// So many bytes of a line were thrown away.
    lost: usize,
    ended: bool,
    told: bool,
    #[cfg(unix)]
    input: std::io::Stdin,
    /// Where a file cannot be waited for together with another: a thread reads it.
    #[cfg(not(unix))]
    chunks: Receiver<Vec<u8>>,
}

/// What is read at once.
const READ: usize = 1 << 13;
/// Longest line, in bytes.
const LONGEST_LINE: usize = 1 << 20;

impl OwnInput {
    /// From what comes in now on.
    ///
    /// # Errors
    /// When the system gives no thread where one is needed.
    pub fn new() -> std::io::Result<Self> {
        #[cfg(not(unix))]
        let chunks = {
            let (sender, receiver) = bounded(64);
            std::thread::Builder::new().name("input".into()).spawn(move || {
                use std::io::Read;
                let mut chunk = [0; READ];
                loop {
                    match std::io::stdin().read(&mut chunk) {
                        Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                        Ok(read) if read > 0 && sender.send(chunk[..read].to_vec()).is_ok() => {}
                        _ => break,
                    }
                }
            })?;
            receiver
        };
        Ok(Self {
            lines: LineBuffer::default(),
            came: Instant::now(),
            lost: 0,
            ended: false,
            told: false,
            #[cfg(unix)]
            input: std::io::stdin(),
            #[cfg(not(unix))]
            chunks,
        })
    }

    /// A line that is there already. After the end there is nothing.
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
        if !self.ended || self.told {
            return None;
        }
        match self.lines.take_unfinished().filter(|_| self.lost == 0) {
            Some(last) => Some(OwnLine::Line(last, self.came)),
            None => {
                self.told = true;
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

    /// What is to be waited for; nothing after the end.
    #[cfg(unix)]
    pub(super) fn file(&self) -> Option<BorrowedFd<'_>> {
        (!self.ended).then(|| self.input.as_fd())
    }

    /// Takes up what is there; there must be something, or the end.
    #[cfg(unix)]
    pub(super) fn read(&mut self) {
        let mut chunk = Vec::with_capacity(READ);
        match rustix::io::read(&self.input, rustix::buffer::spare_capacity(&mut chunk)) {
            Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => {}
            _ => self.take(chunk),
        }
    }

    /// Where what comes arrives; nothing after the end.
    #[cfg(not(unix))]
    pub(super) fn chunks(&self) -> Option<Receiver<Vec<u8>>> {
        (!self.ended).then(|| self.chunks.clone())
    }

    /// More has come; nothing: the end.
    pub(super) fn take(&mut self, bytes: impl AsRef<[u8]>) {
        let bytes = bytes.as_ref();
        self.came = Instant::now();
        self.ended = bytes.is_empty();
        self.lines.push(bytes);
    }
}
