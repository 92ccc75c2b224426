//! An engine's pipes where they cannot be waited for with a deadline: a thread reads them.

use super::{FLOOD, LONGEST_LINE, read_line};
use crate::arena::Fault;
use crate::base::without_controls;
use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use std::io::{BufReader, Write};
use std::process::{ChildStdin, ChildStdout};
use std::time::Instant;

/// Both pipes.
pub struct Pipes {
    input: Option<ChildStdin>,
    lines: Receiver<(Vec<u8>, Instant)>,
    /// Bytes since our last line.
    unasked: usize,
}

/// Lines that may wait for us; an engine that floods us waits itself.
const WAITING_LINES: usize = 4096;

impl Pipes {
    /// # Errors
    /// When there is no thread to be had.
    pub fn new(input: ChildStdin, output: ChildStdout) -> std::io::Result<Self> {
        let (sender, lines) = bounded(WAITING_LINES);
        // Ends with the engine's output, or when nobody wants its lines any more.
        std::thread::Builder::new().spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(line) = read_line(&mut output, LONGEST_LINE) {
                if sender.send((line, Instant::now())).is_err() {
                    break;
                }
            }
        })?;
        Ok(Self { input: Some(input), lines, unasked: 0 })
    }

    #[cfg_attr(unix, expect(dead_code, reason = "on Unix only tests use these pipes"))]
    pub fn close_input(&mut self) {
        self.input = None;
    }

    pub fn write(&mut self, text: &str, _deadline: Instant) -> Result<(), Fault> {
        let input = self.input.as_mut().ok_or(Fault::Disconnected)?;
        self.unasked = 0;
        let sent = input.write_all(text.as_bytes()).and_then(|()| input.flush());
        sent.map_err(|_| Fault::Disconnected)
    }

    /// The next line that is not empty. A carriage return ends a line as well.
    pub fn next_line(&mut self, deadline: Instant) -> Result<(String, Instant), Fault> {
        loop {
            match self.lines.recv_deadline(deadline) {
                Ok((line, when)) => {
                    self.unasked += line.len();
                    if line.len() > LONGEST_LINE || self.unasked > FLOOD {
                        return Err(Fault::Flooded);
                    }
                    let line = without_controls(String::from_utf8_lossy(&line).trim_end()).into_owned();
                    if !line.is_empty() {
                        return Ok((line, when));
                    }
                }
                Err(RecvTimeoutError::Timeout) => return Err(Fault::Stalled),
                Err(RecvTimeoutError::Disconnected) => return Err(Fault::Disconnected),
            }
        }
    }
}
