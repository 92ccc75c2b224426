//! A process's pipes, and sockets, on Unix. The thread that needs them reads and writes them itself, after `poll`.
//! No other thread stands between an engine and its clock.

use super::error::ProcessError;
use super::own_input::OwnInput;
use super::pipes::{Transport, take_pipes};
use arrayvec::ArrayVec;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use std::mem::MaybeUninit;
use std::net::TcpStream;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::Child;
use std::time::{Duration, Instant};

/// The two pipes of a child process, or both directions of a socket, read and written without waiting.
pub struct Polled {
    input: Option<OwnedFd>,
    output: OwnedFd,
    /// Becomes readable when the process ends. Its output may be held open for longer by processes it
    /// started.
    end: Option<OwnedFd>,
}

/// A deadline as far off as this counts as none.
const A_YEAR: Duration = Duration::from_secs(365 * 24 * 3600);
/// How long we wait for output before the end of the process is polled, too.
const SOON: Duration = Duration::from_millis(10);
/// The most bytes that are read at once, and the size of the pipe. The pipe must hold what a pondering engine
/// writes while it is not read.
const READ: usize = 1 << 13;
#[cfg(target_os = "linux")]
const PIPE: usize = 1 << 20;

impl Transport for Polled {
    fn new(child: &mut Child) -> std::io::Result<Self> {
        let (input, output) = take_pipes(child)?;
        // This sets the flag for our end only: each end of a pipe has its own flags.
        if let Ok(flags) = fcntl_getfl(&input)
            && let Err(error) = fcntl_setfl(&input, flags | OFlags::NONBLOCK)
        {
            log::warn!("a pipe stays blocking: {error}");
        }
        #[cfg(target_os = "linux")]
        let _ = rustix::pipe::fcntl_setpipe_size(&output, PIPE);
        Ok(Self { input: Some(input.into()), output: output.into(), end: end_of(child) })
    }

    fn over(socket: &TcpStream) -> std::io::Result<Self> {
        socket.set_nonblocking(true)?;
        let end = || socket.try_clone().map(OwnedFd::from);
        Ok(Self { input: Some(end()?), output: end()?, end: None })
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
                let mut ready = ArrayVec::<_, 3>::new();
                ready.push(PollFd::new(input, PollFlags::OUT));
                ready.extend(listening.then(|| self.output()));
                let others = ready.len();
                wait(&mut ready, self.end(), deadline)?;
                let ended = ready[..others].iter().all(|one| one.revents().is_empty());
                if ended { Err(ProcessError::Disconnected) } else { Ok(0) }
            }
            Err(_) => Err(ProcessError::Disconnected),
        }
    }

    fn read(&mut self, deadline: Instant) -> Result<(Vec<u8>, Instant), ProcessError> {
        loop {
            let mut ready = ArrayVec::<_, 2>::new();
            ready.push(self.output());
            wait(&mut ready, self.end(), deadline)?;
            if let Some(read) = self.read_now(!ready[0].revents().is_empty()) {
                return Ok(read);
            }
        }
    }

    fn read_either(
        &mut self,
        own: &mut OwnInput,
        deadline: Instant,
    ) -> Result<Option<(Vec<u8>, Instant)>, ProcessError> {
        let Some(own_file) = own.file() else { return self.read(deadline).map(Some) };
        let came: ArrayVec<bool, 3> = {
            let mut ready = ArrayVec::<_, 3>::from_iter([readable(own_file), self.output()]);
            wait(&mut ready, self.end(), deadline)?;
            ready.iter().map(|one| !one.revents().is_empty()).collect()
        };
        if came[0] {
            own.read();
        }
        Ok(if came[1..].contains(&true) { self.read_now(came[1]) } else { None })
    }
}

impl Polled {
    fn output(&self) -> PollFd<'_> {
        readable(self.output.as_fd())
    }

    fn end(&self) -> Option<PollFd<'_>> {
        self.end.as_ref().map(|end| readable(end.as_fd()))
    }

    /// Reads what is there, once the output is `ready` or the process has ended; `None` where it must be
    /// tried again.
    fn read_now(&self, ready: bool) -> Option<(Vec<u8>, Instant)> {
        // The process may have written its last between the checks of its output and of its end.
        if !ready && wait(&mut ArrayVec::from([self.output()]), None, Instant::now()).is_err() {
            return Some((Vec::new(), Instant::now()));
        }
        // On the stack: memory of this size is slow to allocate.
        let mut space = [MaybeUninit::uninit(); READ];
        match rustix::io::read(&self.output, &mut space) {
            Ok((bytes, _)) => Some((bytes.to_vec(), Instant::now())),
            Err(Errno::INTR | Errno::AGAIN) => None,
            // No bytes mean the end, and so does any other error.
            Err(_) => Some((Vec::new(), Instant::now())),
        }
    }
}

/// Becomes readable when the process has ended, where the system offers that.
#[cfg(target_os = "linux")]
fn end_of(child: &Child) -> Option<OwnedFd> {
    use rustix::process::{Pid, PidfdFlags, pidfd_open};
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw)?;
    pidfd_open(pid, PidfdFlags::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
fn end_of(_: &Child) -> Option<OwnedFd> {
    None
}

fn readable(file: BorrowedFd<'_>) -> PollFd<'_> {
    PollFd::from_borrowed_fd(file, PollFlags::IN)
}

/// Waits until one of `ready` is. Where that takes longer than [`SOON`], the `end` of a process counts, too, and
/// becomes the last of them: polling it each time adds 3 % to a ply of an engine that answers at once. Without a
/// deadline it counts from the start, because a timeout costs more.
fn wait<'a, const N: usize>(
    ready: &mut ArrayVec<PollFd<'a>, N>,
    mut end: Option<PollFd<'a>>,
    deadline: Instant,
) -> Result<(), ProcessError> {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let endless = left >= A_YEAR;
        if endless {
            ready.extend(end.take());
        }
        let later = end.take_if(|_| left > SOON);
        let left = if later.is_some() { SOON } else { left };
        let timeout = (!endless).then(|| Timespec {
            tv_sec: left.as_secs() as i64,
            tv_nsec: i64::from(left.subsec_nanos()) as _,
        });
        match poll(ready, timeout.as_ref()) {
            Ok(0) if later.is_some() => ready.extend(later),
            Ok(0) if Instant::now() >= deadline => return Err(ProcessError::TimedOut),
            Ok(0) => {}
            Err(Errno::INTR) => end = later.or(end),
            Ok(_) => return Ok(()),
            Err(_) => return Err(ProcessError::Disconnected),
        }
    }
}
