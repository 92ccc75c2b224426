//! A process's pipes, and sockets, on systems where they cannot be waited for with a deadline: one thread reads,
//! one writes.

use super::error::ProcessError;
use super::own_input::OwnInput;
use super::pipes::{Transport, take_pipes};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::Child;
use std::time::Instant;

/// Both directions, each with its thread.
pub struct Threaded {
    /// To the thread that writes. It ends when this is dropped.
    input: Option<Sender<Vec<u8>>>,
    /// Receives something when that thread has written a text.
    written: Receiver<()>,
    /// True until that has come.
    writing: bool,
    output: Receiver<(Vec<u8>, Instant)>,
}

/// The most bytes that are read at once, and how many reads may wait to be taken. Beyond that the process has
/// to wait.
const READ: usize = 1 << 13;
const WAITING: usize = 1 << 13;

impl Transport for Threaded {
    fn new(child: &mut Child) -> std::io::Result<Self> {
        let (input, output) = take_pipes(child)?;
        Self::of(input, output)
    }

    fn over(socket: &TcpStream) -> std::io::Result<Self> {
        Self::of(socket.try_clone()?, socket.try_clone()?)
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

    fn read(&mut self, deadline: Instant) -> Result<(Vec<u8>, Instant), ProcessError> {
        match self.output.recv_deadline(deadline) {
            Ok(read) => Ok(read),
            Err(RecvTimeoutError::Timeout) => Err(ProcessError::TimedOut),
            Err(RecvTimeoutError::Disconnected) => Ok((Vec::new(), Instant::now())),
        }
    }

    #[cfg(not(unix))]
    fn read_either(
        &mut self,
        own: &mut OwnInput,
        deadline: Instant,
    ) -> Result<Option<(Vec<u8>, Instant)>, ProcessError> {
        // On Unix only a test gets here, and it has no input of its own.
        #[cfg(unix)]
        let chunks: Option<Receiver<Vec<u8>>> = None;
        #[cfg(not(unix))]
        let chunks = own.chunks();
        let Some(chunks) = chunks else { return self.read(deadline).map(Some) };
        crossbeam_channel::select! {
            recv(chunks) -> chunk => {
                let chunk = chunk.unwrap_or_default();
                own.take(&chunk, chunk.is_empty());
                Ok(None)
            }
            recv(self.output) -> read => Ok(Some(read.unwrap_or_else(|_| (Vec::new(), Instant::now())))),
            default(deadline.saturating_duration_since(Instant::now())) => Err(ProcessError::TimedOut),
        }
    }

    /// On Unix only tests use these pipes, without an input of their own.
    #[cfg(unix)]
    fn read_either(
        &mut self,
        _: &mut OwnInput,
        deadline: Instant,
    ) -> Result<Option<(Vec<u8>, Instant)>, ProcessError> {
        self.read(deadline).map(Some)
    }
}

impl Threaded {
    fn of(
        mut input: impl Write + Send + 'static,
        mut output: impl Read + Send + 'static,
    ) -> std::io::Result<Self> {
        let (to_write, texts) = bounded::<Vec<u8>>(0);
        let (done, written) = bounded(1);
        // This thread ends with the far end, which closes the pipe or socket, or when there is nothing more to write.
        std::thread::Builder::new().spawn(move || {
            for text in texts {
                if input.write_all(&text).is_err() || done.send(()).is_err() {
                    break;
                }
            }
        })?;
        let (sender, receiver) = bounded(WAITING);
        // This thread ends with the output, or when the receiver is gone.
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
