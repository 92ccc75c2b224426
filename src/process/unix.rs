//! A process's pipes on Unix: read and written by the thread that wants something of it, which `poll`s them. No thread
//! of their own stands between an engine and its clock.

use super::{OwnInput, ProcessError, Transport};
use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use std::os::fd::AsFd;
use std::process::{ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

/// Both pipes.
pub struct Polled {
    input: Option<ChildStdin>,
    output: ChildStdout,
}

/// A deadline so far off is none.
const A_YEAR: Duration = Duration::from_secs(365 * 24 * 3600);
/// What is read at once, and what the pipe should hold while nobody reads (pondering engines talk on).
const READ: usize = 1 << 13;
#[cfg(target_os = "linux")]
const PIPE: usize = 1 << 20;

impl Transport for Polled {
    fn new(input: ChildStdin, output: ChildStdout) -> std::io::Result<Self> {
        // Only our end: the two ends of a pipe have flags of their own.
        if let Ok(flags) = fcntl_getfl(&input)
            && let Err(error) = fcntl_setfl(&input, flags | OFlags::NONBLOCK)
        {
            log::warn!("a pipe stays blocking: {error}");
        }
        #[cfg(target_os = "linux")]
        let _ = rustix::pipe::fcntl_setpipe_size(&output, PIPE);
        Ok(Self { input: Some(input), output })
    }

    fn close_input(&mut self) {
        self.input = None;
    }

    fn write(&mut self, bytes: &[u8], listening: bool, deadline: Instant) -> Result<usize, ProcessError> {
        let input = self.input.as_ref().ok_or(ProcessError::Disconnected)?;
        match rustix::io::write(input, bytes) {
            Ok(written) => Ok(written),
            Err(Errno::INTR) => Ok(0),
            Err(Errno::AGAIN) => {
                let mut ready = [
                    PollFd::new(input, PollFlags::OUT),
                    PollFd::from_borrowed_fd(self.output.as_fd(), PollFlags::IN),
                ];
                wait(&mut ready[..1 + usize::from(listening)], deadline).map(|()| 0)
            }
            Err(_) => Err(ProcessError::Disconnected),
        }
    }

    fn read(&mut self, deadline: Instant) -> Result<(Vec<u8>, Instant), ProcessError> {
        loop {
            wait(&mut [PollFd::from_borrowed_fd(self.output.as_fd(), PollFlags::IN)], deadline)?;
            if let Some(read) = self.read_now() {
                return Ok(read);
            }
        }
    }

    fn read_either(
        &mut self,
        own: &mut OwnInput,
        deadline: Instant,
    ) -> Result<Option<(Vec<u8>, Instant)>, ProcessError> {
        let engine = PollFd::from_borrowed_fd(self.output.as_fd(), PollFlags::IN);
        let Some(own_file) = own.file() else { return self.read(deadline).map(Some) };
        let mut ready = [PollFd::from_borrowed_fd(own_file, PollFlags::IN), engine];
        wait(&mut ready, deadline)?;
        let came = ready.each_ref().map(|one| !one.revents().is_empty());
        if came[0] {
            own.read();
        }
        Ok(if came[1] { self.read_now() } else { None })
    }
}

impl Polled {
    /// What is there, when there is something or the end; `None` where it must be tried again.
    fn read_now(&self) -> Option<(Vec<u8>, Instant)> {
        let mut bytes = Vec::with_capacity(READ);
        match rustix::io::read(&self.output, spare_capacity(&mut bytes)) {
            Err(Errno::INTR) => None,
            // Nothing is the end, and so is whatever else goes wrong.
            _ => Some((bytes, Instant::now())),
        }
    }
}

/// Waits until one of `ready` is.
fn wait(ready: &mut [PollFd<'_>], deadline: Instant) -> Result<(), ProcessError> {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        // To wait without an end is cheaper.
        let timeout = (left < A_YEAR).then(|| Timespec {
            tv_sec: left.as_secs() as i64,
            tv_nsec: i64::from(left.subsec_nanos()) as _,
        });
        match poll(ready, timeout.as_ref()) {
            Ok(0) if Instant::now() >= deadline => return Err(ProcessError::TimedOut),
            Ok(0) | Err(Errno::INTR) => {}
            Ok(_) => return Ok(()),
            Err(_) => return Err(ProcessError::Disconnected),
        }
    }
}
