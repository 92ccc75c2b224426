//! Talking to an engine under examination: every line is kept, every wait has an end.

use super::check::{Checked, failed};
use crate::process::{EngineCommand, Process, ProcessError, Stderr};
use crossbeam_channel::{Receiver, bounded};
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// A line of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// By whom.
    pub by: Speaker,
    /// What, without the end of the line.
    pub line: String,
}

/// Who said it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// We, in the part of the user's program.
    Client,
    /// The engine, on its standard output.
    Engine,
    /// The engine, on its standard error.
    StandardError,
    /// Nobody: a remark about what happened.
    Remark,
}

/// A running engine and what was said since its evidence was last taken.
pub(super) struct Conversation {
    /// Its standard error.
    stderr: Receiver<String>,
    process: Process,
    ended: bool,
    evidence: Vec<LogLine>,
    left_out: usize,
}

/// Lines of the standard error that may wait for us; an engine that writes more has said enough.
const WAITING_LINES: usize = 4096;
/// Of a long conversation so many lines are kept from the beginning and from the end.
const KEPT: usize = 60;

impl Conversation {
    pub fn start(command: &EngineCommand) -> std::io::Result<Self> {
        /// How long an engine may take to leave.
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

    /// What was said since this was last asked.
    pub fn take_evidence(&mut self) -> Vec<LogLine> {
        let mut evidence = std::mem::take(&mut self.evidence);
        let left_out = std::mem::take(&mut self.left_out);
        if left_out > 0 {
            let line = format!("{left_out} lines left out");
            evidence.insert(KEPT.min(evidence.len()), LogLine { by: Speaker::Remark, line });
        }
        evidence
    }

    /// Sends a line, as it is: with whatever end of line `line` has already, and a line feed.
    pub fn send(&mut self, line: &str) -> Checked<Instant> {
        self.note(Speaker::Client, line.escape_debug().to_string().replace("\\\"", "\"").replace("\\'", "'"));
        let sent = self.process.send_text(&format!("{line}\n"));
        sent.or_else(|_| failed(format!("the engine is gone when `{}` is sent", line.trim())))
    }

    /// The next line; `None` when none comes until `deadline`.
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

    /// The first line for which `find` gives something, and when it came.
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

    /// Everything said in the next `span`.
    pub fn listen(&mut self, span: Duration) -> Checked<Vec<String>> {
        let deadline = Instant::now() + span;
        let mut lines = Vec::new();
        while let Some((line, _)) = self.receive(deadline)? {
            lines.push(line);
        }
        Ok(lines)
    }

    /// True once the engine can say no more.
    pub const fn is_over(&self) -> bool {
        self.ended
    }

    /// No more is said to the engine.
    pub fn close_input(&mut self) {
        self.note(Speaker::Remark, "end of input");
        self.process.close_input();
    }

    /// Waits until the process has ended; `None` when it does not.
    pub fn wait_for_end(&mut self, patience: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + patience;
        while let Ok(Some(_)) = self.receive(deadline) {}
        let status = self.process.wait(deadline)?;
        self.note(Speaker::Remark, format!("the engine has ended: {status}"));
        Some(status)
    }
}
