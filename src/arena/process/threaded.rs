//! An engine's pipes where they cannot be waited for with a deadline: a thread reads them.

use super::{FLOOD, LONGEST_LINE};
use crate::arena::Fault;
use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use std::io::{BufRead, BufReader, Read, Write};
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
    pub fn new(input: ChildStdin, output: ChildStdout) -> Self {
        let (sender, lines) = bounded(WAITING_LINES);
        // Ends with the engine's output, or when nobody wants its lines any more.
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            loop {
                let mut line = Vec::new();
                let most = LONGEST_LINE as u64 + 1;
                let read = output.by_ref().take(most).read_until(b'\n', &mut line);
                if !matches!(read, Ok(read) if read > 0) || sender.send((line, Instant::now())).is_err() {
                    break;
                }
            }
        });
        Self { input: Some(input), lines, unasked: 0 }
    }

    #[cfg_attr(unix, expect(dead_code, reason = "on Unix only tests use these pipes"))]
    pub fn close_input(&mut self) {
        self.input = None;
    }

    pub fn write_line(&mut self, line: &str, _deadline: Instant) -> Result<(), Fault> {
        let input = self.input.as_mut().ok_or(Fault::Disconnected)?;
        self.unasked = 0;
        let sent = input.write_all(format!("{line}\n").as_bytes()).and_then(|()| input.flush());
        sent.map_err(|_| Fault::Disconnected)
    }

    pub fn next_line(&mut self, deadline: Instant) -> Result<(String, Instant), Fault> {
        match self.lines.recv_deadline(deadline) {
            Ok((line, when)) => {
                self.unasked += line.len();
                if line.len() > LONGEST_LINE || self.unasked > FLOOD {
                    return Err(Fault::Flooded);
                }
                Ok((String::from_utf8_lossy(&line).trim_end().to_owned(), when))
            }
            Err(RecvTimeoutError::Timeout) => Err(Fault::Stalled),
            Err(RecvTimeoutError::Disconnected) => Err(Fault::Disconnected),
        }
    }
}
