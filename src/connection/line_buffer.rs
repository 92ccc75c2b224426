//! Bytes that were read, cut into lines without control characters.

use crate::base::without_controls;

/// The longest line, in bytes.
pub const LONGEST_LINE: usize = 1 << 20;

/// Bytes that were read, to be cut into lines. A line ends at a line feed, a carriage return, or both.
#[derive(Default)]
pub struct LineBuffer {
    bytes: Vec<u8>,
    /// Where the next line begins.
    begin: usize,
    /// No line ends between `begin` and here.
    searched: usize,
    /// True if the last line ended at a carriage return; a line feed that follows belongs to it.
    after_return: bool,
}

impl LineBuffer {
    /// Adds bytes that were read.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.begin);
        self.searched -= self.begin;
        self.begin = 0;
        self.bytes.extend_from_slice(bytes);
    }

    /// The next line that has an end.
    pub fn next_line(&mut self) -> Option<String> {
        if self.after_return && self.begin < self.bytes.len() {
            self.after_return = false;
            self.begin += usize::from(self.bytes[self.begin] == b'\n');
            self.searched = self.begin;
        }
        let end = self.bytes[self.searched..].iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let Some(end) = end.map(|at| self.searched + at) else {
            self.searched = self.bytes.len();
            return None;
        };
        let line = text(&self.bytes[self.begin..end]);
        self.after_return = self.bytes[end] == b'\r';
        self.begin = end + 1;
        self.searched = self.begin;
        Some(line)
    }

    /// How many bytes have come of a line without an end.
    pub fn unfinished(&self) -> usize {
        self.bytes.len() - self.begin
    }

    /// The line without an end, if it has any bytes.
    pub fn take_unfinished(&mut self) -> Option<String> {
        let rest = text(&self.bytes[self.begin..]);
        self.begin = self.bytes.len();
        self.searched = self.begin;
        Some(rest).filter(|rest| !rest.is_empty())
    }
}

/// The text of a line, with invalid UTF-8 and control characters replaced.
fn text(line: &[u8]) -> String {
    let line = String::from_utf8_lossy(line);
    without_controls(line.trim_end()).into_owned()
}
