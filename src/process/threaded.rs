//! A process's pipes where they cannot be waited for with a deadline: a thread reads them.

use super::{OwnInput, ProcessError, Transport};
use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use std::io::{ErrorKind, Read, Write};
use std::process::{ChildStdin, ChildStdout};
use std::time::Instant;

/// Both pipes.
pub struct Threaded {
    input: Option<ChildStdin>,
    output: Receiver<(Vec<u8>, Instant)>,
}

/// What is read at once, and how often before somebody has asked for it; a process that floods us waits then.
const READ: usize = 1 << 13;
const WAITING: usize = 1 << 13;

impl Transport for Threaded {
    fn new(input: ChildStdin, mut output: ChildStdout) -> std::io::Result<Self> {
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
        Ok(Self { input: Some(input), output: receiver })
    }

    fn close_input(&mut self) {
        self.input = None;
    }

    fn write(&mut self, bytes: &[u8], _: bool, _: Instant) -> Result<usize, ProcessError> {
        let input = self.input.as_mut().ok_or(ProcessError::Disconnected)?;
        let sent = input.write_all(bytes).and_then(|()| input.flush());
        sent.map(|()| bytes.len()).map_err(|_| ProcessError::Disconnected)
    }

    fn read(&mut self, deadline: Instant) -> Result<(Vec<u8>, Instant), ProcessError> {
        match self.output.recv_deadline(deadline) {
            Ok(read) => Ok(read),
            Err(RecvTimeoutError::Timeout) => Err(ProcessError::TimedOut),
            Err(RecvTimeoutError::Disconnected) => Ok((Vec::new(), Instant::now())),
        }
    }

    fn read_either(
        &mut self,
        own: &mut OwnInput,
        deadline: Instant,
    ) -> Result<Option<(Vec<u8>, Instant)>, ProcessError> {
        // On Unix only a test comes here, and it has no input of its own.
        #[cfg(unix)]
        let chunks: Option<Receiver<Vec<u8>>> = None;
        #[cfg(not(unix))]
        let chunks = own.chunks();
        let Some(chunks) = chunks else { return self.read(deadline).map(Some) };
        crossbeam_channel::select! {
            recv(chunks) -> chunk => {
                own.take(chunk.unwrap_or_default());
                Ok(None)
            }
            recv(self.output) -> read => Ok(Some(read.unwrap_or_else(|_| (Vec::new(), Instant::now())))),
            default(deadline.saturating_duration_since(Instant::now())) => Err(ProcessError::TimedOut),
        }
    }
}
