//! Talking to an engine under examination: every line is kept, every wait has an end.

use super::check::{Checked, failed};
use crate::base::is_control;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How to start the engine.
#[derive(Clone, Debug)]
pub struct EngineCommand {
    /// The program.
    pub program: OsString,
    /// Its arguments.
    pub arguments: Vec<OsString>,
}

/// A line of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
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

/// What a process can do.
enum Heard {
    Line(String, Instant),
    Complaint(String),
    End,
}

/// A running engine and what was said since its evidence was last taken.
pub(super) struct Conversation {
    child: Child,
    input: Option<ChildStdin>,
    heard: Receiver<Heard>,
    readers: Vec<JoinHandle<()>>,
    ended: bool,
    evidence: Vec<Said>,
    left_out: usize,
}

/// Lines that may wait for us; an engine that floods us waits itself.
const WAITING_LINES: usize = 4096;
/// Of a long conversation so many lines are kept from the beginning and from the end.
const KEPT: usize = 60;

impl Conversation {
    pub fn start(command: &EngineCommand) -> std::io::Result<Self> {
        let mut process = Command::new(&command.program);
        process.args(&command.arguments);
        process.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Of its own, so that all it starts can be ended with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut process, 0);
        let mut child = process.spawn()?;
        let (sender, heard) = bounded(WAITING_LINES);
        let mut readers = Vec::new();
        if let Some(output) = child.stdout.take() {
            let sender = sender.clone();
            readers.push(std::thread::spawn(move || {
                read(output, &sender, |line| Heard::Line(line, Instant::now()));
                let _ = sender.send(Heard::End);
            }));
        }
        if let Some(output) = child.stderr.take() {
            readers.push(std::thread::spawn(move || read(output, &sender, Heard::Complaint)));
        }
        let input = child.stdin.take();
        Ok(Self { child, input, heard, readers, ended: false, evidence: Vec::new(), left_out: 0 })
    }

    fn note(&mut self, by: Speaker, line: impl Into<String>) {
        if self.evidence.len() > 3 * KEPT {
            self.evidence.drain(KEPT..2 * KEPT);
            self.left_out += KEPT;
        }
        self.evidence.push(Said { by, line: line.into() });
    }

    /// What was said since this was last asked.
    pub fn take_evidence(&mut self) -> Vec<Said> {
        let mut evidence = std::mem::take(&mut self.evidence);
        let left_out = std::mem::take(&mut self.left_out);
        if left_out > 0 {
            let line = format!("{left_out} lines left out");
            evidence.insert(KEPT.min(evidence.len()), Said { by: Speaker::Remark, line });
        }
        evidence
    }

    /// Sends a line, as it is: with whatever end of line `line` has already, and a line feed.
    pub fn send(&mut self, line: &str) -> Checked<Instant> {
        self.note(Speaker::Client, line.escape_debug().to_string().replace("\\\"", "\"").replace("\\'", "'"));
        let bytes = format!("{line}\n");
        let sent = self
            .input
            .as_mut()
            .is_some_and(|i| i.write_all(bytes.as_bytes()).and_then(|()| i.flush()).is_ok());
        if sent {
            Ok(Instant::now())
        } else {
            failed(format!("the engine is gone when `{}` is sent", line.trim()))
        }
    }

    /// The next line; `None` when none comes until `deadline`.
    pub fn receive(&mut self, deadline: Instant) -> Checked<Option<(String, Instant)>> {
        loop {
            if self.ended {
                return failed("the engine has closed its output");
            }
            match self.heard.recv_deadline(deadline) {
                Ok(Heard::Line(line, when)) => {
                    self.note(Speaker::Engine, line.clone());
                    return Ok(Some((line, when)));
                }
                Ok(Heard::Complaint(line)) => self.note(Speaker::StandardError, line),
                Err(RecvTimeoutError::Timeout) => return Ok(None),
                Ok(Heard::End) | Err(RecvTimeoutError::Disconnected) => {
                    self.ended = true;
                    self.note(Speaker::Remark, "the engine's output ends");
                }
            }
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
        self.input = None;
    }

    /// Waits until the process has ended; `None` when it does not.
    pub fn wait_for_end(&mut self, patience: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + patience;
        while let Ok(Some(_)) = self.receive(deadline) {}
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => {
                    self.note(Speaker::Remark, format!("the engine has ended: {status}"));
                    return Some(status);
                }
                // Its output is closed; the end of the process follows in no time.
                Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(1)),
                _ => return None,
            }
        }
    }

    /// Ends the process and all it started.
    fn kill(&mut self) {
        #[cfg(unix)]
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw) {
            // An error means that nothing is left of it.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        /// How long an engine may take to leave.
        const FAREWELL: Duration = Duration::from_millis(500);
        if !matches!(self.child.try_wait(), Ok(Some(_))) {
            let _ = self.send("quit");
            self.input = None;
            if self.wait_for_end(FAREWELL).is_none() {
                self.kill();
            }
        }
        let _ = self.child.wait();
        // A reader that waits for room must see that nobody reads any more.
        self.heard = crossbeam_channel::never();
        for reader in self.readers.drain(..) {
            let _ = reader.join();
        }
    }
}

/// Hands every line of `output` on until it ends or nobody listens.
fn read(output: impl Read, sender: &Sender<Heard>, wrap: impl Fn(String) -> Heard) {
    /// Of a longer line only the beginning is kept.
    const LONGEST_LINE: u64 = 1 << 20;
    let mut output = BufReader::new(output);
    let mut bytes = Vec::new();
    while matches!((&mut output).take(LONGEST_LINE).read_until(b'\n', &mut bytes), Ok(read) if read > 0) {
        // Reports show what was said: nothing in them may do something to a terminal. A tab is the XBoard protocol's own.
        let line = String::from_utf8_lossy(&bytes)
            .trim_end_matches(['\n', '\r'])
            .replace(|c| is_control(c) && c != '\t', "\u{FFFD}");
        bytes.clear();
        if sender.send(wrap(line)).is_err() {
            break;
        }
    }
}
