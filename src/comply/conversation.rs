//! The conversation with an engine under examination: every line is kept, and every wait has an end.

use super::check::{Checked, failed};
use crate::connection::{EngineCommand, Process, ProcessError, Stderr};
use crossbeam_channel::{Receiver, bounded};
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// A line of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// Where the line comes from.
    pub by: Speaker,
    /// The text, without the end of the line.
    pub line: String,
}

/// Where a line of a conversation comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// From us, in the role of the user's program.
    Client,
    /// From the engine, on its standard output.
    Engine,
    /// From the engine, on its standard error.
    StandardError,
    /// From neither side: a remark about what happened.
    Remark,
}

/// A running engine, and the lines since its evidence was last taken.
pub(super) struct Conversation {
    /// The lines of its standard error.
    stderr: Receiver<String>,
    process: Process,
    ended: bool,
    evidence: Vec<LogLine>,
    left_out: usize,
}

/// Lines of standard error that may wait to be read. Further lines are lost.
const WAITING_LINES: usize = 4096;
/// The number of lines that are kept from the beginning of a long conversation. At least as many are kept
/// from the end.
const KEPT: usize = 60;

impl Conversation {
    pub fn start(command: &EngineCommand) -> std::io::Result<Self> {
        /// How long an engine may take to exit.
        const QUIT_TIMEOUT: Duration = Duration::from_millis(500);
        let (sender, stderr) = bounded(WAITING_LINES);
        let command =
            EngineCommand { stderr: Stderr::Lines(sender), quit_timeout: QUIT_TIMEOUT, ..command.clone() };
        let process = Process::start(&command)?;
        Ok(Self { stderr, process, ended: false, evidence: Vec::new(), left_out: 0 })
    }

    fn note(&mut self, by: Speaker, line: impl Into<String>) {
        if self.evidence.len() > 3 * KEPT {
            self.evidence.drain(KEPT..2 * KEPT);
            self.left_out += KEPT;
        }
        self.evidence.push(LogLine { by, line: line.into() });
    }

    /// The lines since this was last called.
    pub fn take_evidence(&mut self) -> Vec<LogLine> {
        let mut evidence = std::mem::take(&mut self.evidence);
        let left_out = std::mem::take(&mut self.left_out);
        if left_out > 0 {
            let line = format!("{left_out} lines left out");
            evidence.insert(KEPT.min(evidence.len()), LogLine { by: Speaker::Remark, line });
        }
        evidence
    }

    /// Sends a line as it is, with a line feed behind any end of line that `line` may already have.
    pub fn send(&mut self, line: &str) -> Checked<Instant> {
        self.note(Speaker::Client, line.escape_debug().to_string().replace("\\\"", "\"").replace("\\'", "'"));
        let sent = self.process.send_text(&format!("{line}\n"));
        sent.or_else(|_| failed(format!("the engine is gone when `{}` is sent", line.trim())))
    }

    /// The next line; `None` when none comes before `deadline`.
    pub fn receive(&mut self, deadline: Instant) -> Checked<Option<(String, Instant)>> {
        if self.ended {
            return failed("the engine has closed its output");
        }
        let received = self.process.receive(deadline);
        while let Ok(line) = self.stderr.try_recv() {
            self.note(Speaker::StandardError, line);
        }
        match received {
            Ok((line, when)) => {
                self.note(Speaker::Engine, line.clone());
                Ok(Some((line, when)))
            }
            Err(ProcessError::TimedOut) => Ok(None),
            Err(ProcessError::Disconnected) => {
                self.ended = true;
                self.note(Speaker::Remark, "the engine's output ends");
                failed("the engine has closed its output")
            }
            Err(ProcessError::Flooded) => failed("the engine floods its output"),
        }
    }

    /// Waits for the first line for which `find` returns something; returns that, and when the line came.
    pub fn wait_for<T>(
        &mut self,
        what: &str,
        patience: Duration,
        mut find: impl FnMut(&str) -> Option<T>,
    ) -> Checked<(T, Instant)> {
        let deadline = Instant::now() + patience;
        loop {
            let heard = self
                .receive(deadline)
                .or_else(|_| failed(format!("the engine ends where it should say {what}")))?;
            match heard {
                None => return failed(format!("no {what} within {:.1} s", patience.as_secs_f64())),
                Some((line, when)) => {
                    if let Some(found) = find(&line) {
                        return Ok((found, when));
                    }
                }
            }
        }
    }

    /// All lines of the engine within the next `span`.
    pub fn listen(&mut self, span: Duration) -> Checked<Vec<String>> {
        let deadline = Instant::now() + span;
        let mut lines = Vec::new();
        while let Some((line, _)) = self.receive(deadline)? {
            lines.push(line);
        }
        Ok(lines)
    }

    /// True once the engine has closed its output.
    pub const fn is_over(&self) -> bool {
        self.ended
    }

    /// Closes the engine's input.
    pub fn close_input(&mut self) {
        self.note(Speaker::Remark, "end of input");
        self.process.close_input();
    }

    /// Waits until the process has ended; `None` when it has not within `patience`.
    pub fn wait_for_end(&mut self, patience: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + patience;
        while let Ok(Some(_)) = self.receive(deadline) {}
        let status = self.process.wait(deadline)?;
        self.note(Speaker::Remark, format!("the engine has ended: {status}"));
        Some(status)
    }
}
