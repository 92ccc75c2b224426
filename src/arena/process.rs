//! An engine as a child process: lines in, lines out.

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::Fault;

/// How to start an engine.
#[derive(Clone, Debug)]
pub struct EngineCommand {
    /// The program.
    pub program: OsString,
    /// Its arguments.
    pub arguments: Vec<OsString>,
}

/// A running engine. Dropping it asks it to quit and, if it does not listen, kills it.
pub struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<(String, Instant)>,
    reader: Option<JoinHandle<()>>,
}

/// How long an engine may take to leave after `quit`.
const FAREWELL: Duration = Duration::from_secs(2);
/// Lines that may wait for us; an engine that floods us waits itself.
const WAITING_LINES: usize = 4096;

impl Process {
    /// Starts the engine.
    ///
    /// # Errors
    /// When the program cannot be started.
    pub fn start(command: &EngineCommand) -> std::io::Result<Self> {
        let mut child = Command::new(&command.program)
            .args(&command.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take();
        let (sender, lines) = bounded(WAITING_LINES);
        let reader = child.stdout.take().map(|output| {
            std::thread::spawn(move || {
                let mut output = BufReader::new(output);
                let mut bytes = Vec::new();
                while matches!(output.read_until(b'\n', &mut bytes), Ok(read) if read > 0) {
                    let line = String::from_utf8_lossy(&bytes).trim_end().to_owned();
                    bytes.clear();
                    if sender.send((line, Instant::now())).is_err() {
                        break;
                    }
                }
            })
        });
        Ok(Self { child, input, lines, reader })
    }

    /// Sends one line; returns when it was handed over.
    ///
    /// # Errors
    /// When the engine is gone.
    pub fn send(&mut self, line: &str) -> Result<Instant, Fault> {
        log::debug!("> {line}");
        let input = self.input.as_mut().ok_or(Fault::Disconnected)?;
        let sent = input.write_all(format!("{line}\n").as_bytes()).and_then(|()| input.flush());
        sent.map(|()| Instant::now()).map_err(|_| Fault::Disconnected)
    }

    /// The next line and when it came.
    ///
    /// # Errors
    /// When none comes until `deadline`, or the engine is gone.
    pub fn receive(&mut self, deadline: Instant) -> Result<(String, Instant), Fault> {
        match self.lines.recv_deadline(deadline) {
            Ok((line, when)) => {
                log::debug!("< {line}");
                Ok((line, when))
            }
            Err(RecvTimeoutError::Timeout) => Err(Fault::Stalled),
            Err(RecvTimeoutError::Disconnected) => Err(Fault::Disconnected),
        }
    }

    /// The first line for which `find` gives something.
    ///
    /// # Errors
    /// When none comes in time, or the engine is gone.
    pub fn wait_for<T>(
        &mut self,
        patience: Duration,
        mut find: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, Fault> {
        let deadline = Instant::now() + patience;
        loop {
            let (line, _) = self.receive(deadline)?;
            if let Some(found) = find(&line) {
                return Ok(found);
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.send("quit");
        self.input = None;
        // Its output ends when it does.
        let deadline = Instant::now() + FAREWELL;
        while self.receive(deadline).is_ok() {}
        if !matches!(self.child.try_wait(), Ok(Some(_))) {
            let ended = self.lines.recv_deadline(deadline) == Err(RecvTimeoutError::Disconnected);
            if !ended && let Err(error) = self.child.kill() {
                log::warn!("an engine could not be killed: {error}");
            }
        }
        let _ = self.child.wait();
        if let Some(reader) = self.reader.take() {
            let _ = reader.join();
        }
    }
}
