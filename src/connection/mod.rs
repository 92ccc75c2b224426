//! Engines, with lines in and lines out: child processes, or engines at the far end of a wire.
//!
//! Each child leads a process group of its own, and on Windows also a job. So Ctrl-C reaches only the
//! runner, and everything an engine has started ends with it; on Linux and Windows that includes processes
//! that have left the group. Nothing here waits forever: every wait has a deadline, and an engine that
//! neither reads nor stops writing is a [`ProcessError`].
//!
//! This is where engine output is made safe: a line received here has no control characters.

mod child;
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
use child::{ChildProcess, kill_groups};
pub use command::{EngineCommand, Stderr};
pub use error::ProcessError;
pub use own_input::{OwnInput, OwnLine};
use pipes::Pipes;
use std::borrow::Cow;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, Ordering};
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
/// has started; at the far end of a wire, where the wire is cut then, the listener does that.
pub struct Process {
    /// The process, unless it runs at the far end of a wire.
    child: Option<ChildProcess>,
    /// Tells it from others in the log: the number of its process, or of the port on our end of the wire.
    id: u32,
    pipes: Pipes<Own>,
    quit_timeout: Duration,
    /// Gets every line of the conversation.
    hook: Option<LineHook>,
    /// Changes every line on its way.
    interpreter: Option<Box<dyn Interpreter>>,
    /// The conversation must not be written down where others might read it.
    secret: bool,
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

/// True once [`kill_all`] was called.
static ENDING: AtomicBool = AtomicBool::new(false);

/// Kills every running engine and all they started, for a program that must end at once. On Windows the end
/// of the program does that, and everywhere it cuts the wires.
pub fn kill_all() {
    ENDING.store(true, Ordering::SeqCst);
    kill_groups();
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

impl Process {
    /// Starts the engine, or calls the one at the far end of a wire if the program is an address.
    ///
    /// # Errors
    /// When the program cannot be started, the file for its standard error cannot be opened, or nobody answers the
    /// call.
    pub fn start(command: &EngineCommand) -> std::io::Result<Self> {
        let (child, id, pipes) = match command.address()? {
            None => {
                let (child, pipes) = ChildProcess::start(command)?;
                let id = child.id();
                (Some(child), id, pipes)
            }
            Some(address) => {
                let (socket, framing) = wire::call(&address)?;
                (None, socket.local_addr()?.port().into(), Pipes::over(socket, framing)?)
            }
        };
        let quit_timeout = command.quit_timeout;
        Ok(Self { child, id, pipes, quit_timeout, hook: None, interpreter: None, secret: false })
    }

    /// The process number that the system gave it, or the number of the port on our end of the wire.
    pub const fn id(&self) -> u32 {
        self.id
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
        log::debug!("{} > {}", self.id, self.logged(line));
        self.hook.iter_mut().for_each(|hook| hook(true, line));
        text.push_str(line);
        text.push('\n');
    }

    /// A line of the engine as it is taken; `None` when nothing is left of it.
    fn taken(&mut self, line: String) -> Option<String> {
        log::debug!("{} < {}", self.id, self.logged(&line));
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

    /// A line that was read already, and is asked for behind one that was received.
    #[cfg(feature = "serve")]
    fn at_hand(&mut self) -> Option<String> {
        loop {
            let (line, _) = self.pipes.ready_line().ok()??;
            if let Some(line) = self.taken(line) {
                return Some(line);
            }
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

    /// Waits for its exit status, after the end of its output; `None` when it has not ended by `deadline`. A wire
    /// tells no status: that it was closed counts as success.
    pub fn wait(&mut self, deadline: Instant) -> Option<ExitStatus> {
        match &mut self.child {
            Some(child) => child.wait(deadline),
            None => self.pipes.has_ended().then(ExitStatus::default),
        }
    }

    /// Makes dropping it kill it at once.
    pub fn kill(&mut self) {
        self.quit_timeout = Duration::ZERO;
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let mut ask = || {
            if self.quit_timeout > Duration::ZERO {
                let deadline = Instant::now() + self.quit_timeout;
                let _ = self.pipes.write("quit\n", deadline);
                self.pipes.close_input();
                // Its output ends when it does.
                while self.pipes.next_line(deadline).is_ok() {}
            }
        };
        match &mut self.child {
            Some(child) => child.end(ask),
            None => ask(),
        }
    }
}
