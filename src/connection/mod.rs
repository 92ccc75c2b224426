//! Child processes: engines, with lines in and lines out.
//!
//! Each engine leads a process group of its own, and on Windows also a job. So Ctrl-C reaches only the
//! runner, and everything an engine has started ends with it; on Linux and Windows that includes processes
//! that have left the group. Nothing here waits forever: every wait has a deadline, and an engine that
//! neither reads nor stops writing is a [`ProcessError`].
//!
//! This is where engine output is made safe: a line received here has no control characters.

mod command;
#[cfg(target_os = "linux")]
mod descendants;
mod error;
mod line_buffer;
mod own_input;
mod pipes;
mod stderr;
#[cfg(all(test, unix))]
mod tests;
#[cfg(any(not(unix), test))]
mod threaded;
#[cfg(unix)]
mod unix;
pub mod wire;

use crate::base::without_controls;
pub use command::{EngineCommand, Stderr};
use crossbeam_channel::Receiver;
pub use error::ProcessError;
pub use own_input::{OwnInput, OwnLine};
use pipes::Pipes;
use std::borrow::Cow;
use std::fs::OpenOptions;
use std::io::Write;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
#[cfg(not(unix))]
use threaded::Threaded as Own;
#[cfg(unix)]
use unix::Polled as Own;

/// A line from one of two sources.
#[derive(Debug)]
pub enum Either {
    /// A line of our own input.
    Own(OwnLine),
    /// A line of the engine, and when it came.
    Engine(String, Instant),
}

/// A running engine. Dropping it asks it to quit, then kills it if it has not exited, and everything it
/// has started.
pub struct Process {
    child: Child,
    pipes: Pipes<Own>,
    quit_timeout: Duration,
    /// True once its exit status was read.
    reaped: bool,
    /// Gets every line of the conversation.
    hook: Option<LineHook>,
    /// Changes every line on its way.
    interpreter: Option<Box<dyn Interpreter>>,
    /// The conversation must not be written down where others might read it.
    secret: bool,
    /// Disconnected once all of its standard error was passed on.
    stderr: Option<Receiver<()>>,
    /// Closing the job kills all processes that belong to it.
    #[cfg(windows)]
    _job: Option<win32job::Job>,
}

/// Changes lines on their way to a process and back. An empty text is no line, and line breaks make several of one.
pub trait Interpreter: Send {
    /// A line to the process.
    fn say(&mut self, line: &str) -> String;
    /// A line from the process.
    fn hear(&mut self, line: &str) -> String;
}

/// Gets each line that is sent to a process (`true`) or comes from it (`false`).
pub type LineHook = Box<dyn FnMut(bool, &str) + Send>;

/// How long an engine may leave its input unread.
const WRITE_TIMEOUT: Duration = Duration::from_secs(10);
/// How long to wait for the rest of an engine's standard error once it has ended.
const STDERR_TIMEOUT: Duration = Duration::from_millis(500);

/// The flag that Windows calls CREATE_NEW_PROCESS_GROUP.
#[cfg(windows)]
const NEW_PROCESS_GROUP: u32 = 0x200;

/// The process groups that are alive, for [`kill_all`].
static ALIVE: Mutex<Vec<u32>> = Mutex::new(Vec::new());

fn alive() -> MutexGuard<'static, Vec<u32>> {
    ALIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// True once [`kill_all`] was called.
static ENDING: AtomicBool = AtomicBool::new(false);

/// Kills every running engine and all they started, for a program that must end at once. On Windows the end
/// of the program does that.
pub fn kill_all() {
    ENDING.store(true, Ordering::SeqCst);
    for id in alive().iter() {
        kill_group(*id);
    }
    #[cfg(target_os = "linux")]
    descendants::end_all();
}

/// True once [`kill_all`] was called. That an engine disconnects then is no fault of its own.
pub fn ending() -> bool {
    ENDING.load(Ordering::SeqCst)
}

/// From now on, processes that an engine leaves behind are killed: by [`kill_all`], and when the last running
/// engine is dropped, since only then can they not belong to another. For a program all of whose children are
/// engines; has an effect on Linux only.
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
fn listen(
    child: &mut Child,
    stderr: impl FnMut(String) + Send + 'static,
) -> std::io::Result<(Pipes<Own>, Option<Receiver<()>>)> {
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

impl Process {
    /// Starts the engine.
    ///
    /// # Errors
    /// When the program cannot be started, or the file for its standard error cannot be opened.
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
        // The list is locked: until the process is in it, it could be taken for one that another engine has
        // left behind.
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
                    hook: None,
                    interpreter: None,
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

    /// The process number that the system gave it.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// From now on `hook` gets every line of the conversation.
    pub fn set_hook(&mut self, hook: LineHook) {
        self.hook = Some(hook);
    }

    /// From now on `interpreter` changes every line.
    pub fn set_interpreter(&mut self, interpreter: Box<dyn Interpreter>) {
        self.interpreter = Some(interpreter);
    }

    /// From now on only the commands of lines are logged, or whole lines again.
    pub fn set_secret(&mut self, secret: bool) {
        self.secret = secret;
    }

    /// A line of the conversation as it may be logged.
    pub fn logged<'l>(&self, line: &'l str) -> Cow<'l, str> {
        if !self.secret {
            return line.into();
        }
        // A move has digits or signs in it, a command has only letters.
        let command = line.split_whitespace().next().unwrap_or_default();
        let command = if command.bytes().all(|byte| byte.is_ascii_alphabetic()) { command } else { "" };
        format!("{command}…").into()
    }

    /// Sends one line, and returns when it was handed over.
    ///
    /// # Errors
    /// When the engine is gone or does not read.
    pub fn send(&mut self, line: &str) -> Result<Instant, ProcessError> {
        self.send_all(&[line])
    }

    /// Sends several lines at once, and returns when they were handed over. Control characters in a line are
    /// replaced, so that each stays one line.
    ///
    /// # Errors
    /// When the engine is gone or does not read.
    pub fn send_all(&mut self, lines: &[impl AsRef<str>]) -> Result<Instant, ProcessError> {
        let mut text = String::new();
        for line in lines {
            let line = without_controls(line.as_ref());
            match self.interpreter.as_mut().map(|interpreter| interpreter.say(&line)) {
                None => self.add_line(&mut text, &line),
                Some(translated) => translated.lines().for_each(|line| self.add_line(&mut text, line)),
            }
        }
        self.send_text(&text)
    }

    fn add_line(&mut self, text: &mut String, line: &str) {
        log::debug!("{} > {}", self.child.id(), self.logged(line));
        self.hook.iter_mut().for_each(|hook| hook(true, line));
        text.push_str(line);
        text.push('\n');
    }

    /// A line of the engine as it is taken; `None` when nothing is left of it.
    fn taken(&mut self, line: String) -> Option<String> {
        log::debug!("{} < {}", self.child.id(), self.logged(&line));
        self.hook.iter_mut().for_each(|hook| hook(false, &line));
        match &mut self.interpreter {
            None => Some(line),
            Some(interpreter) => Some(interpreter.hear(&line)).filter(|line| !line.is_empty()),
        }
    }

    /// Sends `text` as it is, and returns when it was handed over.
    ///
    /// # Errors
    /// When the engine is gone or does not read.
    pub fn send_text(&mut self, text: &str) -> Result<Instant, ProcessError> {
        self.pipes.write(text, Instant::now() + WRITE_TIMEOUT)?;
        Ok(Instant::now())
    }

    /// The next line, without blanks at its end, and when it came. If `deadline` has passed, only a line that
    /// is there already.
    ///
    /// # Errors
    /// When no line comes before `deadline`, the engine is gone, or it writes without end.
    pub fn receive(&mut self, deadline: Instant) -> Result<(String, Instant), ProcessError> {
        loop {
            let (line, when) = self.pipes.next_line(deadline)?;
            if let Some(line) = self.taken(line) {
                return Ok((line, when));
            }
        }
    }

    /// The next line of the engine or of our own input, whichever comes first. If both are there already, our
    /// own.
    ///
    /// # Errors
    /// The same as of [`Process::receive`]; no line of the input is lost then.
    pub fn receive_either(&mut self, own: &mut OwnInput, deadline: Instant) -> Result<Either, ProcessError> {
        loop {
            if let Some(line) = own.next_line() {
                return Ok(Either::Own(line));
            }
            if let Some((line, when)) = self.pipes.ready_line()? {
                match self.taken(line) {
                    Some(line) => return Ok(Either::Engine(line, when)),
                    None => continue,
                }
            }
            self.pipes.read_either(own, deadline)?;
        }
    }

    /// A line that is there already.
    pub fn pending(&mut self) -> Option<String> {
        self.receive(Instant::now()).ok().map(|(line, _)| line)
    }

    /// Waits for the first line for which `find` returns something.
    ///
    /// # Errors
    /// When no such line comes in time, or the engine is gone.
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

    /// Closes the input, so that the engine sees its end.
    pub fn close_input(&mut self) {
        self.pipes.close_input();
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

    /// Makes dropping it kill it at once.
    pub fn kill(&mut self) {
        self.quit_timeout = Duration::ZERO;
    }

    /// Asks it to quit, then kills it and all it started.
    fn end(&mut self) {
        // Later on it can no longer be found out which processes it started.
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

impl Drop for Process {
    fn drop(&mut self) {
        if !self.reaped {
            self.end();
        }
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
