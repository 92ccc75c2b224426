//! Talking to the real binary: lines in, lines out, a watchdog instead of waiting times.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Far beyond what anything here takes: reaching it means that something hangs.
const WATCHDOG: Duration = Duration::from_secs(120);

/// A running Carom.
pub struct Conversation {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    heard: Vec<String>,
}

impl Conversation {
    /// Starts Carom with `arguments` and a first line.
    pub fn begin(arguments: &[&str], first: &str) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_carom"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let output = child.stdout.take().unwrap();
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        let mut conversation = Self { child, input, lines, heard: Vec::new() };
        conversation.say(first);
        conversation
    }

    /// Sends a line.
    pub fn say(&mut self, line: &str) {
        self.send(format!("{line}\n").as_bytes());
    }

    /// Sends bytes as they are.
    pub fn send(&mut self, bytes: &[u8]) {
        self.input.as_mut().unwrap().write_all(bytes).unwrap();
    }

    /// The next line that `fits`; those before it are passed over (and kept for [`Conversation::heard`]).
    pub fn hear(&mut self, what: &str, fits: impl Fn(&str) -> bool) -> String {
        loop {
            let Ok(line) = self.lines.recv_timeout(WATCHDOG) else {
                panic!("waited in vain for {what}; heard:\n{}", self.heard.join("\n"));
            };
            self.heard.push(line.clone());
            if fits(&line) {
                return line;
            }
        }
    }

    /// The next line that begins with `start`.
    #[allow(dead_code, reason = "not every test file asks")]
    pub fn hear_start(&mut self, start: &str) -> String {
        self.hear(start, |line| line.starts_with(start))
    }

    /// The number the system knows it by.
    #[allow(dead_code, reason = "not every test file asks")]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// All lines heard so far.
    #[allow(dead_code, reason = "not every test file asks")]
    pub fn heard(&self) -> &[String] {
        &self.heard
    }

    /// Ends the input and waits for the end; the rest of the output and the exit status.
    pub fn end(mut self) -> (Vec<String>, ExitStatus) {
        self.input = None;
        self.ended()
    }

    /// Waits for the end, which comes by something else than the end of the input.
    pub fn ended(mut self) -> (Vec<String>, ExitStatus) {
        loop {
            match self.lines.recv_timeout(WATCHDOG) {
                Ok(line) => self.heard.push(line),
                Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => break,
                Err(std::sync::mpsc::RecvTimeoutError::Timeout) => panic!("Carom does not end"),
            }
        }
        let status = self.child.wait().unwrap();
        (std::mem::take(&mut self.heard), status)
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        // Only after a failed test: `end` has waited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
