//! Lines that come from outside, for a program that waits for them and for an engine at once: our own standard
//! input, or a socket.

use super::line_buffer::{LONGEST_LINE, LineBuffer};
#[cfg(not(unix))]
use crossbeam_channel::{Receiver, bounded};
use std::io;
#[cfg(unix)]
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Instant;

/// What a line of our own input was.
#[derive(Debug, PartialEq, Eq)]
pub enum OwnLine {
    /// A line without its end, and when it came.
    Line(String, Instant),
    /// A line was too long and thrown away; the number is its length in bytes.
    TooLong(usize),
    /// The input has ended.
    End,
}

/// The input, read only while it is waited for.
pub struct OwnInput {
    lines: LineBuffer,
    came: Instant,
    /// The bytes of an overlong line that were thrown away so far.
    lost: usize,
    ended: bool,
    end_reported: bool,
    /// Readable when the source has something.
    #[cfg(unix)]
    file: OwnedFd,
    #[cfg(unix)]
    source: Source,
    /// A thread reads, on systems where an input cannot be waited for together with other files.
    #[cfg(not(unix))]
    chunks: Receiver<Vec<u8>>,
}

/// The most bytes that are read at once.
const READ: usize = 1 << 13;

/// Returns what has come, if only to be asked again, and whether it is the last. An error other than `Interrupted`
/// is the end, too.
type Source = Box<dyn FnMut() -> io::Result<(Vec<u8>, bool)> + Send>;

impl OwnInput {
    /// Standard input, from now on.
    ///
    /// # Errors
    /// When the system gives no thread, or no file number, where one is needed.
    pub fn new() -> io::Result<Self> {
        #[cfg(unix)]
        {
            let (input, file) =
                (io::stdin().as_fd().try_clone_to_owned()?, io::stdin().as_fd().try_clone_to_owned()?);
            let source = move || {
                // On the stack: memory of this size is slow to allocate.
                let mut space = [std::mem::MaybeUninit::uninit(); READ];
                let (bytes, _) = rustix::io::read(&input, &mut space)?;
                Ok((bytes.to_vec(), bytes.is_empty()))
            };
            Self::reading(file, Box::new(source))
        }
        #[cfg(not(unix))]
        Self::reading(Box::new(|| {
            let mut chunk = vec![0; READ];
            let read = io::Read::read(&mut io::stdin(), &mut chunk)?;
            chunk.truncate(read);
            Ok((chunk, read == 0))
        }))
    }

    /// What `source` makes of that which comes from `stream`.
    ///
    /// # Errors
    /// The same as of [`OwnInput::new`].
    #[cfg(feature = "serve")]
    pub(super) fn of(stream: &std::net::TcpStream, source: Source) -> io::Result<Self> {
        #[cfg(unix)]
        return Self::reading(stream.as_fd().try_clone_to_owned()?, source);
        #[cfg(not(unix))]
        {
            let _ = stream;
            Self::reading(source)
        }
    }

    fn reading(
        #[cfg(unix)] file: OwnedFd,
        #[cfg_attr(unix, allow(unused_mut))] mut source: Source,
    ) -> io::Result<Self> {
        #[cfg(not(unix))]
        let chunks = {
            let (sender, chunks) = bounded(64);
            let read = move || {
                loop {
                    match source() {
                        Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                        Ok((bytes, is_last)) => {
                            // To the receiver an empty chunk is the end, and so is the end of this thread.
                            if !bytes.is_empty() && sender.send(bytes).is_err() || is_last {
                                break;
                            }
                        }
                        Err(_) => break,
                    }
                }
            };
            std::thread::Builder::new().name("input".into()).spawn(read)?;
            chunks
        };
        Ok(Self {
            lines: LineBuffer::default(),
            came: Instant::now(),
            lost: 0,
            ended: false,
            end_reported: false,
            #[cfg(unix)]
            file,
            #[cfg(unix)]
            source,
            #[cfg(not(unix))]
            chunks,
        })
    }

    /// The next line that has been read already; `None` also after the end.
    pub(super) fn next_line(&mut self) -> Option<OwnLine> {
        while let Some(line) = self.lines.next_line() {
            match std::mem::take(&mut self.lost) {
                0 if line.is_empty() => {}
                0 => return Some(OwnLine::Line(line, self.came)),
                lost => return Some(OwnLine::TooLong(lost + line.len())),
            }
        }
        if self.lines.unfinished() > LONGEST_LINE {
            self.lost += self.lines.take_unfinished().map_or(0, |text| text.len());
        }
        if !self.ended || self.end_reported {
            return None;
        }
        match self.lines.take_unfinished().filter(|_| self.lost == 0) {
            Some(last) => Some(OwnLine::Line(last, self.came)),
            None => {
                self.end_reported = true;
                Some(OwnLine::End)
            }
        }
    }

    /// Waits for a line; [`OwnLine::End`] when there is none left.
    pub fn wait(&mut self) -> OwnLine {
        loop {
            if let Some(line) = self.next_line() {
                return line;
            }
            if self.ended {
                return OwnLine::End;
            }
            #[cfg(unix)]
            self.read();
            #[cfg(not(unix))]
            {
                let chunk = self.chunks.recv().unwrap_or_default();
                self.take(&chunk, chunk.is_empty());
            }
        }
    }

    /// The file to wait for; `None` after the end.
    #[cfg(unix)]
    pub(super) fn file(&self) -> Option<BorrowedFd<'_>> {
        (!self.ended).then(|| self.file.as_fd())
    }

    /// Reads what has arrived. Blocks unless there is something to read, or the end.
    #[cfg(unix)]
    pub(super) fn read(&mut self) {
        match (self.source)() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => {
                let (bytes, is_last) = read.unwrap_or((Vec::new(), true));
                self.take(&bytes, is_last);
            }
        }
    }

    /// The channel on which input arrives; `None` after the end.
    #[cfg(not(unix))]
    pub(super) fn chunks(&self) -> Option<Receiver<Vec<u8>>> {
        (!self.ended).then(|| self.chunks.clone())
    }

    /// Adds bytes that were read, and notes whether they are the last.
    pub(super) fn take(&mut self, bytes: &[u8], is_last: bool) {
        self.came = Instant::now();
        self.ended = is_last;
        self.lines.push(bytes);
    }
}
