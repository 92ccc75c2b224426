//! Lines cut out of bytes that come in pieces.

use crate::base::without_controls;

/// What has come. A line ends at a line feed, a carriage return, or both.
#[derive(Default)]
pub struct LineBuffer {
    bytes: Vec<u8>,
    /// The lines before it are done with.
    begin: usize,
    /// No line ends before it.
    searched: usize,
    /// The last line ended at a carriage return, to which a line feed would belong.
    after_return: bool,
}

impl LineBuffer {
    /// More has come.
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

    /// How many bytes have come of a line without end.
    pub fn unfinished(&self) -> usize {
        self.bytes.len() - self.begin
    }

    /// The line without end, if anything has come of one.
    pub fn take_unfinished(&mut self) -> Option<String> {
        let rest = text(&self.bytes[self.begin..]);
        self.begin = self.bytes.len();
        self.searched = self.begin;
        Some(rest).filter(|rest| !rest.is_empty())
    }
}

/// Invalid UTF-8 and control characters replaced.
fn text(line: &[u8]) -> String {
    without_controls(String::from_utf8_lossy(line).trim_end()).into_owned()
}
