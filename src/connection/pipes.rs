//! Lines into an engine and out of it.

use super::error::ProcessError;
use super::line_buffer::{LONGEST_LINE, LineBuffer};
use super::own_input::OwnInput;
use std::borrow::Cow;
use std::net::{Shutdown, TcpStream};
use std::process::{Child, ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

/// Carries bytes in and out, for each system in its own way.
pub trait Transport: Sized {
    /// # Errors
    /// When `child` was not given pipes, or the system does not give what else is needed.
    fn new(child: &mut Child) -> std::io::Result<Self>;
    /// Both directions of a socket.
    ///
    /// # Errors
    /// When the system does not give what is needed.
    fn over(socket: &TcpStream) -> std::io::Result<Self>;
    /// Closes the input, so that the process sees its end.
    fn close_input(&mut self);
    /// Writes some bytes and returns how many. With 0 it must be tried again; if `listening`, the output of
    /// the process should be read before that, since the process may be waiting for it.
    fn write(&mut self, bytes: &[u8], listening: bool, deadline: Instant) -> Result<usize, ProcessError>;
    /// The next bytes of output, and when they came. No bytes mean the end, which has come when the process
    /// has ended. On Linux that is noticed even while something it started holds its output open.
    fn read(&mut self, deadline: Instant) -> Result<(Vec<u8>, Instant), ProcessError>;
    /// Does the same, unless something comes into `own` first, which takes it in; then `None`.
    fn read_either(
        &mut self,
        own: &mut OwnInput,
        deadline: Instant,
    ) -> Result<Option<(Vec<u8>, Instant)>, ProcessError>;
}

/// The pipes that `child` was started with.
pub fn take_pipes(child: &mut Child) -> std::io::Result<(ChildStdin, ChildStdout)> {
    child.stdin.take().zip(child.stdout.take()).ok_or_else(|| std::io::Error::other("no pipes"))
}

/// What becomes of lines where they are carried. By default nothing: pipes and TCP carry them as they are.
pub trait Framing: Send {
    /// The bytes that carry these lines; none once no more may be sent.
    fn wrap<'l>(&mut self, lines: &'l str) -> Cow<'l, [u8]> {
        Cow::Borrowed(lines.as_bytes())
    }
    /// The lines, or parts of lines, in bytes that have come, and whether the far end has said that they are the last.
    fn unwrap(&mut self, bytes: Vec<u8>) -> (Vec<u8>, bool) {
        (bytes, false)
    }
    /// Bytes that the far end is owed without a line.
    fn take_owed(&mut self) -> Vec<u8> {
        Vec::new()
    }
    /// The bytes that say that no more lines follow.
    fn goodbye(&mut self) -> Vec<u8> {
        Vec::new()
    }
}

/// Lines as they are.
pub struct Plain;

impl Framing for Plain {}

/// Both pipes, or a socket, with output that was read but not asked for yet.
pub struct Pipes<T: Transport> {
    transport: T,
    framing: Box<dyn Framing>,
    /// What the far end is owed, to be said before it is waited for: never in the middle of a line.
    owed: Vec<u8>,
    /// The socket, if it is no child process.
    socket: Option<TcpStream>,
    lines: LineBuffer,
    /// When the last output came.
    came: Instant,
    ended: bool,
    /// Bytes of output since our last line.
    unasked: usize,
}

/// The most that a process may write between two lines of ours, in bytes. An hour of thinking stays far
/// below.
const FLOOD: usize = 32 << 20;

/// How long a few bytes to the far end of a wire may take.
const PATIENCE: Duration = Duration::from_secs(2);

impl<T: Transport> Pipes<T> {
    pub fn new(child: &mut Child) -> std::io::Result<Self> {
        Ok(Self::of(T::new(child)?, Box::new(Plain), None))
    }

    /// A wire on which both ends have agreed.
    pub fn over(socket: TcpStream, framing: Box<dyn Framing>) -> std::io::Result<Self> {
        let mut pipes = Self::of(T::over(&socket)?, framing, Some(socket));
        // Lines may have come together with the agreement.
        pipes.add(Vec::new());
        Ok(pipes)
    }

    fn of(transport: T, framing: Box<dyn Framing>, socket: Option<TcpStream>) -> Self {
        let (lines, came) = (LineBuffer::default(), Instant::now());
        Self { transport, framing, owed: Vec::new(), socket, lines, came, ended: false, unasked: 0 }
    }

    pub fn close_input(&mut self) {
        let goodbye = self.framing.goodbye();
        let _ = self.put(&goodbye, Instant::now() + PATIENCE);
        if let Some(socket) = &self.socket {
            let _ = socket.shutdown(Shutdown::Write);
        }
        self.transport.close_input();
    }

    /// Whether its output has ended.
    pub const fn has_ended(&self) -> bool {
        self.ended
    }

    /// Writes `text`; output that comes meanwhile is kept.
    pub fn write(&mut self, text: &str, deadline: Instant) -> Result<(), ProcessError> {
        self.unasked = 0;
        let bytes = self.framing.wrap(text);
        if bytes.is_empty() && !text.is_empty() {
            return Err(ProcessError::Disconnected);
        }
        self.put(&bytes, deadline)
    }

    /// Writes bytes; output that comes meanwhile is kept.
    fn put(&mut self, mut left: &[u8], deadline: Instant) -> Result<(), ProcessError> {
        while !left.is_empty() {
            let written = self.transport.write(left, !self.ended, deadline)?;
            left = &left[written..];
            if written == 0 && !self.ended {
                match self.read(Instant::now()) {
                    Ok(()) | Err(ProcessError::TimedOut) => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(())
    }

    /// Says what the far end is owed.
    fn answer(&mut self) {
        if !self.owed.is_empty() {
            let owed = std::mem::take(&mut self.owed);
            // If that fails, reading will tell.
            let _ = self.put(&owed, Instant::now() + PATIENCE);
        }
    }

    /// The next line, and when it came.
    pub fn next_line(&mut self, deadline: Instant) -> Result<(String, Instant), ProcessError> {
        loop {
            if let Some(line) = self.ready_line()? {
                return Ok(line);
            }
            self.answer();
            self.read(deadline)?;
        }
    }

    /// The next line that has been read already, and when it came.
    pub fn ready_line(&mut self) -> Result<Option<(String, Instant)>, ProcessError> {
        if let Some(line) = self.lines.next_line() {
            return Ok(Some((line, self.came)));
        }
        if self.lines.unfinished() > LONGEST_LINE {
            return Err(ProcessError::Flooded);
        }
        if self.ended {
            let last = self.lines.take_unfinished().ok_or(ProcessError::Disconnected)?;
            return Ok(Some((last, self.came)));
        }
        Ok(None)
    }

    /// Reads what comes first, here or in `own`.
    pub fn read_either(&mut self, own: &mut OwnInput, deadline: Instant) -> Result<(), ProcessError> {
        self.answer();
        match self.transport.read_either(own, deadline)? {
            Some(read) => self.take(read),
            None => Ok(()),
        }
    }

    /// Reads output into the buffer.
    fn read(&mut self, deadline: Instant) -> Result<(), ProcessError> {
        let read = self.transport.read(deadline)?;
        self.take(read)
    }

    fn take(&mut self, (bytes, came): (Vec<u8>, Instant)) -> Result<(), ProcessError> {
        self.came = came;
        self.ended = bytes.is_empty();
        self.unasked += bytes.len();
        self.add(bytes);
        if self.unasked > FLOOD { Err(ProcessError::Flooded) } else { Ok(()) }
    }

    fn add(&mut self, bytes: Vec<u8>) {
        let (lines, is_last) = self.framing.unwrap(bytes);
        self.lines.push(&lines);
        self.ended |= is_last;
        self.owed.extend(self.framing.take_owed());
    }
}

impl<T: Transport> Drop for Pipes<T> {
    fn drop(&mut self) {
        if let Some(socket) = &self.socket {
            // A thread may be reading from it.
            let _ = socket.shutdown(Shutdown::Both);
        }
    }
}
