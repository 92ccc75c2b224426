//! Child processes: engines, with lines in and lines out.
//!
//! Each leads a process group of its own, on Windows a job as well, so that Ctrl-C reaches only the runner and so
//! that whatever an engine started ends with it; on Linux and Windows that holds for those as well that left the group.
//! Nothing here waits for ever: every wait has a deadline, and an engine that neither reads nor stops writing is a
//! [`ProcessError`].
//!
//! This is the door: what an engine says has no control character any more once it is a line here.

#[cfg(target_os = "linux")]
mod descendants;
mod own_input;
mod pipes;
mod stderr;
#[cfg(all(test, unix))]
mod tests;
#[cfg(any(not(unix), test))]
mod threaded;
#[cfg(unix)]
mod unix;

use crate::base::without_controls;
use crossbeam_channel::{Receiver, Sender};
pub use own_input::{OwnInput, OwnLine};
use pipes::{Pipes, Transport};
use std::borrow::Cow;
use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
#[cfg(not(unix))]
use threaded::Threaded as Own;
#[cfg(unix)]
use unix::Polled as Own;

/// How to start an engine.
#[derive(Clone, Debug)]
pub struct EngineCommand {
    /// The program.
    pub program: OsString,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// The folder it runs in; `None` for ours.
    pub folder: Option<PathBuf>,
    /// Variables of its environment, besides ours.
    pub environment: Vec<(OsString, OsString)>,
    /// Where its standard error goes.
    pub stderr: Stderr,
    /// How long it may take to leave after `quit`.
    pub quit_timeout: Duration,
}

/// Where an engine's standard error goes.
#[derive(Clone, Debug, Default)]
pub enum Stderr {
    /// To our own.
    #[default]
    Inherit,
    /// Nowhere.
    Null,
    /// To the end of a file.
    File(PathBuf),
    /// To somebody who reads its lines; what finds no room there is lost.
    Lines(Sender<String>),
}

impl EngineCommand {
    /// A program without arguments, in our folder and environment.
    pub fn new(program: impl Into<OsString>) -> Self {
        Self {
            program: program.into(),
            arguments: Vec::new(),
            folder: None,
            environment: Vec::new(),
            stderr: Stderr::Inherit,
            quit_timeout: QUIT_TIMEOUT,
        }
    }

    /// The program and its arguments as text.
    pub fn words(&self) -> impl Iterator<Item = String> + '_ {
        std::iter::once(&self.program).chain(&self.arguments).map(|word| word.to_string_lossy().into_owned())
    }
}

/// As a shell would have it, without what is put in quotes there.
impl std::fmt::Display for EngineCommand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&without_controls(&self.words().collect::<Vec<_>>().join(" ")))
    }
}

/// A line of one of two.
#[derive(Debug)]
pub enum Either {
    /// Of our own input.
    Own(OwnLine),
    /// Of the engine, and when it came.
    Engine(String, Instant),
}

/// Why nothing can be said to a process, or nothing comes from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProcessError {
    /// It ended or closed its output.
    #[error("disconnects")]
    Disconnected,
    /// No line came, or none was read, in time.
    #[error("stalls")]
    TimedOut,
    /// It writes without end.
    #[error("floods its output")]
    Flooded,
}

/// A running engine. Dropping it asks it to quit and, if it does not listen, kills it and all it started.
pub struct Process {
    child: Child,
    pipes: Pipes<Own>,
    quit_timeout: Duration,
    /// Its end was seen, and the system told of it.
    reaped: bool,
    /// Hears what is said.
    tap: Option<Tap>,
    /// What is said must not be written down where others might read it.
    secret: bool,
    /// Disconnected when all of its standard error was handed on.
    stderr: Option<Receiver<()>>,
    /// Closing it ends all that belong to it.
    #[cfg(windows)]
    _job: Option<win32job::Job>,
}

/// Hears each line that is said to a process (`true`) or by it.
pub type Tap = Box<dyn FnMut(bool, &str) + Send>;

/// How long an engine may take to leave after `quit`, unless told otherwise.
const QUIT_TIMEOUT: Duration = Duration::from_secs(2);
/// How long an engine may leave its input unread.
const WRITE_TIMEOUT: Duration = Duration::from_secs(10);
/// How long the rest of an engine's standard error is waited for when it has ended.
const STDERR_TIMEOUT: Duration = Duration::from_millis(500);

/// What Windows calls CREATE_NEW_PROCESS_GROUP.
#[cfg(windows)]
const NEW_PROCESS_GROUP: u32 = 0x200;

/// The process groups that live now, for [`kill_all`].
static ALIVE: Mutex<Vec<u32>> = Mutex::new(Vec::new());

fn alive() -> MutexGuard<'static, Vec<u32>> {
    ALIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// [`kill_all`] was called.
static ENDING: AtomicBool = AtomicBool::new(false);

/// Kills every engine that runs, and all they started: for a program that must end at once. (On Windows its end does
/// that.)
pub fn kill_all() {
    ENDING.store(true, Ordering::SeqCst);
    for id in alive().iter() {
        kill_group(*id);
    }
    #[cfg(target_os = "linux")]
    descendants::end_all();
}

/// True once [`kill_all`] was called: that an engine disconnects then is no fault of its own.
pub fn ending() -> bool {
    ENDING.load(Ordering::SeqCst)
}

/// From now on what an engine leaves behind is ended: when the last one that runs is dropped, as only then it cannot belong
/// to another, and by [`kill_all`]. For a program of which all child processes are engines, on Linux.
pub fn adopt_orphans() {
    #[cfg(target_os = "linux")]
    descendants::adopt_orphans();
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

/// A job for the process and all it will start: they end when it is closed.
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

/// The pipes of a process that was just started, each line of its standard error going where `stderr` says.
fn listen(
    child: &mut Child,
    stderr: impl FnMut(String) + Send + 'static,
) -> std::io::Result<(Pipes<Own>, Option<Receiver<()>>)> {
    let stderr = child.stderr.take().map(|from| stderr::forward(from, stderr)).transpose()?;
    Ok((Pipes::new(child)?, stderr))
}

/// Writes the lines that are not empty. Whether anybody reads them or not, the engine must be able to write.
fn write_lines(mut to: impl Write + Send + 'static) -> Box<dyn FnMut(String) + Send> {
    Box::new(move |line| {
        if !line.is_empty() {
            let _ = to.write_all(format!("{}\n", without_controls(&line)).as_bytes());
        }
    })
}

impl Process {
    /// Starts the engine.
    ///
    /// # Errors
    /// When the program cannot be started, or the file for its standard error not be opened.
    pub fn start(command: &EngineCommand) -> std::io::Result<Self> {
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
        // Until it is in the list, it could be taken for something that another engine has left behind.
        let mut alive = alive();
        let mut child = start.spawn()?;
        #[cfg(windows)]
        let _job = job(&child);
        match listen(&mut child, lines) {
            Ok((pipes, stderr)) => {
                alive.push(child.id());
                Ok(Self {
                    child,
                    pipes,
                    quit_timeout: command.quit_timeout,
                    reaped: false,
                    tap: None,
                    secret: false,
                    stderr,
                    #[cfg(windows)]
                    _job,
                })
            }
            Err(error) => {
                kill_group(child.id());
                let _ = child.kill().and_then(|()| child.wait());
                Err(error)
            }
        }
    }

    /// The number the system knows it by.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// From now on `tap` hears what is said.
    pub fn tap(&mut self, tap: Tap) {
        self.tap = Some(tap);
    }

    /// Of what is said from now on only the first words are logged, or whole lines again.
    pub fn set_secret(&mut self, secret: bool) {
        self.secret = secret;
    }

    /// A line of the conversation as it may be logged.
    pub fn logged<'l>(&self, line: &'l str) -> Cow<'l, str> {
        if !self.secret {
            return line.into();
        }
        // A turn is a word with digits or signs in it.
        let command = line.split_whitespace().next().unwrap_or_default();
        let command = if command.bytes().all(|byte| byte.is_ascii_alphabetic()) { command } else { "" };
        format!("{command}…").into()
    }

    /// Sends one line; returns when it was handed over.
    ///
    /// # Errors
    /// When the engine is gone or does not read.
    pub fn send(&mut self, line: &str) -> Result<Instant, ProcessError> {
        self.send_all(&[line])
    }

    /// Sends lines at once; returns when they were handed over. Each stays one line, whatever is in it.
    ///
    /// # Errors
    /// When the engine is gone or does not read.
    pub fn send_all(&mut self, lines: &[impl AsRef<str>]) -> Result<Instant, ProcessError> {
        let mut text = String::new();
        for line in lines {
            let line = without_controls(line.as_ref());
            log::debug!("{} > {}", self.child.id(), self.logged(&line));
            self.tap.iter_mut().for_each(|tap| tap(true, &line));
            text.push_str(&line);
            text.push('\n');
        }
        self.send_text(&text)
    }

    /// Sends `text` as it is; returns when it was handed over.
    ///
    /// # Errors
    /// When the engine is gone or does not read.
    pub fn send_text(&mut self, text: &str) -> Result<Instant, ProcessError> {
        self.pipes.write(text, Instant::now() + WRITE_TIMEOUT)?;
        Ok(Instant::now())
    }

    /// The next line, without blanks at its end, and when it came. With a `deadline` that has passed, what is there
    /// already.
    ///
    /// # Errors
    /// When none comes until `deadline`, the engine is gone, or it writes without end.
    pub fn receive(&mut self, deadline: Instant) -> Result<(String, Instant), ProcessError> {
        let got = self.pipes.next_line(deadline)?;
        log::debug!("{} < {}", self.child.id(), self.logged(&got.0));
        self.tap.iter_mut().for_each(|tap| tap(false, &got.0));
        Ok(got)
    }

    /// The next line of the engine or of our own input, whichever comes first; of what is there already, our own.
    ///
    /// # Errors
    /// As [`Process::receive`]; the input keeps what it has then.
    pub fn receive_either(&mut self, own: &mut OwnInput, deadline: Instant) -> Result<Either, ProcessError> {
        loop {
            if let Some(line) = own.next_line() {
                return Ok(Either::Own(line));
            }
            if let Some(line) = self.pipes.ready_line()? {
                log::debug!("{} < {}", self.child.id(), self.logged(&line.0));
                self.tap.iter_mut().for_each(|tap| tap(false, &line.0));
                return Ok(Either::Engine(line.0, line.1));
            }
            self.pipes.read_either(own, deadline)?;
        }
    }

    /// A line that is there already.
    pub fn pending(&mut self) -> Option<String> {
        self.receive(Instant::now()).ok().map(|(line, _)| line)
    }

    /// The first line for which `find` gives something.
    ///
    /// # Errors
    /// When none comes in time, or the engine is gone.
    pub fn wait_for<T>(
        &mut self,
        timeout: Duration,
        mut find: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, ProcessError> {
        let deadline = Instant::now() + timeout;
        loop {
            let (line, _) = self.receive(deadline)?;
            if let Some(found) = find(&line) {
                return Ok(found);
            }
        }
    }

    /// The engine sees the end of its input.
    pub fn close_input(&mut self) {
        self.pipes.close_input();
    }

    /// How it ended, after the end of its output; `None` when it has not by `deadline`.
    pub fn wait(&mut self, deadline: Instant) -> Option<ExitStatus> {
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => {
                    if !std::mem::replace(&mut self.reaped, true) {
                        // At once, while its number still means this group and no other.
                        kill_group(self.child.id());
                    }
                    return Some(status);
                }
                // Its output is closed; the end of the process follows in no time.
                Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(1)),
                _ => return None,
            }
        }
    }

    /// Kills it at once; dropping it then takes no time.
    pub fn kill(&mut self) {
        self.quit_timeout = Duration::ZERO;
    }

    /// Asks it to leave, then ends it and all it started.
    fn end(&mut self) {
        // While it lives: later nobody knows whom it started.
        #[cfg(target_os = "linux")]
        let started = {
            let own = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw);
            own.map(descendants::Descendants::of).unwrap_or_default()
        };
        if self.quit_timeout > Duration::ZERO {
            let deadline = Instant::now() + self.quit_timeout;
            let _ = self.pipes.write("quit\n", deadline);
            self.pipes.close_input();
            // Its output ends when it does.
            while self.pipes.next_line(deadline).is_ok() {}
        }
        // Before the leader is waited for, so that its number still means this group and no other.
        kill_group(self.child.id());
        if let Err(error) = self.child.kill() {
            log::warn!("an engine could not be killed: {error}");
        }
        #[cfg(target_os = "linux")]
        started.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.reaped {
            self.end();
        }
        if let Some(stderr) = &self.stderr {
            // What it said last; but whoever may still hold its standard error is not waited for.
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
