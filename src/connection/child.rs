//! Child processes, their process groups, and what they leave behind.

use super::command::{EngineCommand, Stderr};
#[cfg(target_os = "linux")]
use super::descendants;
use super::pipes::{Pipes, Transport};
use super::stderr;
use crate::base::without_controls;
use crossbeam_channel::Receiver;
use std::fs::OpenOptions;
use std::io::Write;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A child process, the leader of a process group. Dropping it waits for the rest of its standard error, and does not
/// end it: that is what [`ChildProcess::end`] is for.
pub(super) struct ChildProcess {
    child: Child,
    /// True once its exit status was read.
    reaped: bool,
    /// Disconnected once all of its standard error was passed on.
    stderr: Option<Receiver<()>>,
    /// Closing the job kills all processes that belong to it.
    #[cfg(windows)]
    _job: Option<win32job::Job>,
}

/// How long to wait for the rest of an engine's standard error once it has ended.
const STDERR_TIMEOUT: Duration = Duration::from_millis(500);

/// The flag that Windows calls CREATE_NEW_PROCESS_GROUP.
#[cfg(windows)]
const NEW_PROCESS_GROUP: u32 = 0x200;

/// The process groups that are alive, for [`kill_groups`].
static ALIVE: Mutex<Vec<u32>> = Mutex::new(Vec::new());

fn alive() -> MutexGuard<'static, Vec<u32>> {
    ALIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills the groups of all processes that were started here.
pub(super) fn kill_groups() {
    for id in alive().iter() {
        kill_group(*id);
    }
}

#[cfg(unix)]
fn kill_group(leader: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = i32::try_from(leader).ok().and_then(Pid::from_raw)
        && let Err(error) = kill_process_group(group, Signal::KILL)
        && error != rustix::io::Errno::SRCH
    {
        log::warn!("process group {leader} could not be killed: {error}");
    }
}

#[cfg(not(unix))]
fn kill_group(_leader: u32) {}

/// A job for the process and all it will start. They end when it is closed.
#[cfg(windows)]
fn job(child: &Child) -> Option<win32job::Job> {
    use std::os::windows::io::AsRawHandle;
    let mut limits = win32job::ExtendedLimitInfo::new();
    limits.limit_kill_on_job_close();
    let job = win32job::Job::create_with_limit_info(&limits);
    job.and_then(|job| job.assign_process(child.as_raw_handle() as isize).map(|()| job))
        .inspect_err(|error| log::warn!("what an engine starts will not end with it: {error}"))
        .ok()
}

/// The pipes of a process that was just started. Each line of its standard error goes to `stderr`.
fn listen<T: Transport>(
    child: &mut Child,
    stderr: impl FnMut(String) + Send + 'static,
) -> std::io::Result<(Pipes<T>, Option<Receiver<()>>)> {
    let stderr = child.stderr.take().map(|from| stderr::forward(from, stderr)).transpose()?;
    Ok((Pipes::new(child)?, stderr))
}

/// Writes the lines that are not empty. Errors are ignored, since the engine must be able to write in any
/// case.
fn write_lines(mut to: impl Write + Send + 'static) -> Box<dyn FnMut(String) + Send> {
    Box::new(move |line| {
        if !line.is_empty() {
            let _ = to.write_all(format!("{}\n", without_controls(&line)).as_bytes());
        }
    })
}

impl ChildProcess {
    /// Starts a program.
    pub fn start<T: Transport>(command: &EngineCommand) -> std::io::Result<(Self, Pipes<T>)> {
        let lines: Box<dyn FnMut(String) + Send> = match &command.stderr {
            Stderr::File(path) => write_lines(OpenOptions::new().create(true).append(true).open(path)?),
            Stderr::Inherit => write_lines(std::io::stderr()),
            Stderr::Lines(reader) => {
                let reader = reader.clone();
                Box::new(move |line| drop(reader.try_send(line)))
            }
            Stderr::Null => Box::new(drop),
        };
        let mut start = Command::new(&command.program);
        start
            .args(&command.arguments)
            .envs(command.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(if matches!(command.stderr, Stderr::Null) { Stdio::null() } else { Stdio::piped() });
        if let Some(folder) = &command.folder {
            start.current_dir(folder);
        }
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut start, 0);
        #[cfg(windows)]
        std::os::windows::process::CommandExt::creation_flags(&mut start, NEW_PROCESS_GROUP);
        // The list is locked: until the process is in it, it could be taken for one that another engine has
        // left behind.
        let mut alive = alive();
        let mut child = start.spawn()?;
        #[cfg(windows)]
        let _job = job(&child);
        match listen(&mut child, lines) {
            Ok((pipes, stderr)) => {
                alive.push(child.id());
                let started = Self {
                    child,
                    reaped: false,
                    stderr,
                    #[cfg(windows)]
                    _job,
                };
                Ok((started, pipes))
            }
            Err(error) => {
                kill_group(child.id());
                let _ = child.kill().and_then(|()| child.wait());
                Err(error)
            }
        }
    }

    /// The number that the system gave it.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for its exit status, after the end of its output; `None` when it has not ended by `deadline`.
    pub fn wait(&mut self, deadline: Instant) -> Option<ExitStatus> {
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => {
                    if !std::mem::replace(&mut self.reaped, true) {
                        // Now its number still means this group and no other.
                        kill_group(self.child.id());
                    }
                    return Some(status);
                }
                // Its output is closed, so the process will end very soon.
                Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(1)),
                _ => return None,
            }
        }
    }

    /// Lets `ask` ask it to end, unless it has; then kills it and all it started.
    pub fn end(&mut self, ask: impl FnOnce()) {
        if self.reaped {
            return;
        }
        // Later on it can no longer be found out which processes it started.
        #[cfg(target_os = "linux")]
        let started = {
            let own = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw);
            own.map(descendants::Descendants::of).unwrap_or_default()
        };
        ask();
        // As long as the leader was not waited for, its number still means this group and no other.
        kill_group(self.child.id());
        if let Err(error) = self.child.kill() {
            log::warn!("an engine could not be killed: {error}");
        }
        #[cfg(target_os = "linux")]
        started.kill();
        let _ = self.child.wait();
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        if let Some(stderr) = &self.stderr {
            // Wait for the last lines, but not for other processes that may hold its standard error open.
            let _ = stderr.recv_timeout(STDERR_TIMEOUT);
        }
        let mut alive = alive();
        alive.retain(|id| *id != self.child.id());
        #[cfg(target_os = "linux")]
        if alive.is_empty() {
            descendants::end_all();
        }
    }
}
