//! A process's pipes where they cannot be waited for with a deadline, or are waited for together with something else: one
//! thread reads, one writes.

use super::{Chunk, ProcessError, Transport};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use std::io::{ErrorKind, Read, Write};
use std::process::{ChildStdin, ChildStdout};
use std::time::Instant;

/// Both pipes.
pub struct Threaded {
    /// To the thread that writes; it ends when this does.
    input: Option<Sender<Vec<u8>>>,
    /// That thread has written what it was given.
    written: Receiver<()>,
    /// It has not said so yet.
    writing: bool,
    /// What the other has read; disconnected after the end.
    pub(super) output: Receiver<Chunk>,
}

/// What is read at once, and how often before somebody has asked for it; a process that floods us waits then.
const READ: usize = 1 << 13;
const WAITING: usize = 1 << 13;

impl Transport for Threaded {
    fn new(mut input: ChildStdin, mut output: ChildStdout) -> std::io::Result<Self> {
        let (to_write, texts) = bounded::<Vec<u8>>(0);
        let (done, written) = bounded(1);
        // Ends with the process, which ends the pipe, or when nothing is to be written any more.
        std::thread::Builder::new().spawn(move || {
            for text in texts {
                if input.write_all(&text).is_err() || done.send(()).is_err() {
                    break;
                }
            }
        })?;
        let (sender, receiver) = bounded(WAITING);
        // Ends with the output, or when nobody wants it any more.
        std::thread::Builder::new().spawn(move || {
            let mut chunk = [0; READ];
            loop {
                match output.read(&mut chunk) {
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Ok(read) if read > 0 && sender.send((chunk[..read].to_vec(), Instant::now())).is_ok() => {
                    }
                    _ => break,
                }
            }
        })?;
        Ok(Self { input: Some(to_write), written, writing: false, output: receiver })
    }

    fn close_input(&mut self) {
        self.input = None;
    }

    fn write(&mut self, bytes: &[u8], _: bool, deadline: Instant) -> Result<usize, ProcessError> {
        self.wait_until_written(deadline)?;
        let input = self.input.as_ref().ok_or(ProcessError::Disconnected)?;
        input.send(bytes.to_vec()).map_err(|_| ProcessError::Disconnected)?;
        self.writing = true;
        self.wait_until_written(deadline)?;
        Ok(bytes.len())
    }

    fn read(&mut self, deadline: Instant) -> Result<Chunk, ProcessError> {
        match self.output.recv_deadline(deadline) {
            Ok(read) => Ok(read),
            Err(RecvTimeoutError::Timeout) => Err(ProcessError::TimedOut),
            Err(RecvTimeoutError::Disconnected) => Ok((Vec::new(), Instant::now())),
        }
    }
}

impl Threaded {
    fn wait_until_written(&mut self, deadline: Instant) -> Result<(), ProcessError> {
        if self.writing {
            self.written.recv_deadline(deadline).map_err(|error| match error {
                RecvTimeoutError::Timeout => ProcessError::TimedOut,
                RecvTimeoutError::Disconnected => ProcessError::Disconnected,
            })?;
            self.writing = false;
        }
        Ok(())
    }
}
