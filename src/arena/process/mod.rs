//! An engine as a child process: lines in, lines out.
//!
//! Each engine leads a process group of its own (on Unix), so that Ctrl-C reaches only the runner and so that whatever an
//! engine started ends with it; on Linux that holds for those as well that left the group. Nothing here waits for ever:
//! every wait has a deadline, and an engine that neither reads nor stops writing is a [`Fault`].
//!
//! This is the door: what an engine says has no control character any more once it is a line here.

#[cfg(target_os = "linux")]
mod descendants;
mod errors;
#[cfg(any(not(unix), test))]
mod threaded;
#[cfg(unix)]
mod unix;

use super::Fault;
use crate::base::without_controls;
use crossbeam_channel::Receiver;
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::BufRead;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
#[cfg(not(unix))]
use threaded::Pipes;
#[cfg(unix)]
use unix::Pipes;

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
    pub errors: Errors,
    /// How long it may take to leave after `quit`.
    pub farewell: Duration,
}

/// Where an engine's standard error goes.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Errors {
    /// To our own.
    #[default]
    Ours,
    /// Nowhere.
    Nowhere,
    /// To the end of a file.
    File(PathBuf),
}

impl EngineCommand {
    /// A program without arguments, in our folder and environment.
    pub fn new(program: impl Into<OsString>) -> Self {
        Self {
            program: program.into(),
            arguments: Vec::new(),
            folder: None,
            environment: Vec::new(),
            errors: Errors::Ours,
            farewell: FAREWELL,
        }
    }
}

/// As a shell would have it, without what is put in quotes there.
impl std::fmt::Display for EngineCommand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", without_controls(&self.program.to_string_lossy()))?;
        self.arguments
            .iter()
            .try_for_each(|argument| write!(f, " {}", without_controls(&argument.to_string_lossy())))
    }
}

/// A running engine. Dropping it asks it to quit and, if it does not listen, kills it and all it started.
pub struct Process {
    child: Child,
    pipes: Pipes,
    farewell: Duration,
    /// Disconnected when all of its standard error was handed on.
    errors: Option<Receiver<()>>,
}

/// How long an engine may take to leave after `quit`, unless told otherwise.
const FAREWELL: Duration = Duration::from_secs(2);
/// How long an engine may leave its input unread.
const UNREAD: Duration = Duration::from_secs(10);
/// Longest line of an engine, in bytes.
const LONGEST_LINE: usize = 1 << 20;
/// What an engine may write between two lines of ours, in bytes. An hour of thinking stays far below.
const FLOOD: usize = 32 << 20;

/// How long the rest of an engine's standard error is waited for when it has ended.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// The process groups that live now, for [`kill_all`].
static ALIVE: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// Kills every engine that runs, and all they started: for a program that must end at once.
pub fn kill_all() {
    for id in ALIVE.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        kill_group(*id);
    }
    #[cfg(target_os = "linux")]
    descendants::end_all();
}

/// From now on what an engine leaves behind when it ends can be found by [`kill_all`]. For a program of which all child
/// processes are engines, on Linux.
pub fn adopt_orphans() {
    #[cfg(target_os = "linux")]
    descendants::adopt_orphans();
}

/// The next line with what ended it (a line feed or a carriage return), or of a longer one its first `most` bytes and a
/// few more; `None` at the end.
fn read_line(input: &mut impl BufRead, most: usize) -> Option<Vec<u8>> {
    let mut line = Vec::new();
    while line.len() <= most {
        let there = match input.fill_buf() {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            there => there.ok()?,
        };
        if there.is_empty() {
            return Some(line).filter(|line| !line.is_empty());
        }
        let end = there.iter().position(|byte| matches!(byte, b'\n' | b'\r')).map(|at| at + 1);
        let taken = end.unwrap_or(there.len()).min(most + 1);
        line.extend_from_slice(&there[..taken]);
        input.consume(taken);
        if end == Some(taken) {
            break;
        }
    }
    Some(line)
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

/// The pipes of a process that was just started, its standard error going to `file` or to our own.
fn listen(child: &mut Child, file: Option<File>) -> std::io::Result<(Pipes, Option<Receiver<()>>)> {
    let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(std::io::Error::other("no pipes"));
    };
    let errors = child.stderr.take().map(|errors| match file {
        Some(file) => errors::hand_on(errors, file),
        None => errors::hand_on(errors, std::io::stderr()),
    });
    Ok((Pipes::new(input, output)?, errors.transpose()?))
}

impl Process {
    /// Starts the engine.
    ///
    /// # Errors
    /// When the program cannot be started, or the file for its standard error not be opened.
    pub fn start(command: &EngineCommand) -> std::io::Result<Self> {
        let file = match &command.errors {
            Errors::File(path) => Some(OpenOptions::new().create(true).append(true).open(path)?),
            Errors::Ours | Errors::Nowhere => None,
        };
        let errors = if command.errors == Errors::Nowhere { Stdio::null() } else { Stdio::piped() };
        let mut start = Command::new(&command.program);
        start
            .args(&command.arguments)
            .envs(command.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(errors);
        if let Some(folder) = &command.folder {
            start.current_dir(folder);
        }
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut start, 0);
        let mut child = start.spawn()?;
        match listen(&mut child, file) {
            Ok((pipes, errors)) => {
                ALIVE.lock().unwrap_or_else(PoisonError::into_inner).push(child.id());
                Ok(Self { child, pipes, farewell: command.farewell, errors })
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

    /// Sends one line; returns when it was handed over.
    ///
    /// # Errors
    /// When the engine is gone or does not read.
    pub fn send(&mut self, line: &str) -> Result<Instant, Fault> {
        self.send_all(&[line])
    }

    /// Sends lines at once; returns when they were handed over. Each stays one line, whatever is in it.
    ///
    /// # Errors
    /// When the engine is gone or does not read.
    pub fn send_all(&mut self, lines: &[impl AsRef<str>]) -> Result<Instant, Fault> {
        let mut text = String::new();
        for line in lines {
            let line = without_controls(line.as_ref());
            log::debug!("{} > {line}", self.child.id());
            text.push_str(&line);
            text.push('\n');
        }
        self.pipes.write(&text, Instant::now() + UNREAD)?;
        Ok(Instant::now())
    }

    /// The next line and when it came. With a `deadline` that has passed, what is there already.
    ///
    /// # Errors
    /// When none comes until `deadline`, the engine is gone, or it writes without end.
    pub fn receive(&mut self, deadline: Instant) -> Result<(String, Instant), Fault> {
        let got = self.pipes.next_line(deadline)?;
        log::debug!("{} < {}", self.child.id(), got.0);
        Ok(got)
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
        patience: Duration,
        mut find: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, Fault> {
        let deadline = Instant::now() + patience;
        loop {
            let (line, _) = self.receive(deadline)?;
            if let Some(found) = find(&line) {
                return Ok(found);
            }
        }
    }

    /// What it has started, and what that has.
    #[cfg(target_os = "linux")]
    fn descendants(&self) -> descendants::Descendants {
        let own = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw);
        own.map(descendants::Descendants::of).unwrap_or_default()
    }

    /// Kills it at once; dropping it then takes no time.
    pub fn kill(&mut self) {
        self.farewell = Duration::ZERO;
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // While it lives: later nobody knows whom it started.
        #[cfg(target_os = "linux")]
        let started = self.descendants();
        if self.farewell > Duration::ZERO {
            let _ = self.pipes.write("quit\n", Instant::now() + self.farewell);
            self.pipes.close_input();
            // Its output ends when it does.
            let deadline = Instant::now() + self.farewell;
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
        if let Some(errors) = &self.errors {
            // What it said last; but whoever may still hold its standard error is not waited for.
            let _ = errors.recv_timeout(LAST_WORDS);
        }
        ALIVE.lock().unwrap_or_else(PoisonError::into_inner).retain(|id| *id != self.child.id());
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> EngineCommand {
        let mut command = EngineCommand::new("sh");
        command.arguments = vec!["-c".into(), script.into()];
        command.farewell = Duration::from_millis(50);
        command
    }

    /// What both kinds of pipes must do.
    macro_rules! pipes_behave {
        ($pipes:ty) => {
            let start = |script: &str| {
                let mut child = Command::new("sh")
                    .args(["-c", script])
                    .stdin(Stdio::piped())
                    .stdout(Stdio::piped())
                    .spawn()
                    .unwrap();
                let pipes = <$pipes>::new(child.stdin.take().unwrap(), child.stdout.take().unwrap()).unwrap();
                (child, pipes)
            };
            let later = || Instant::now() + Duration::from_secs(20);
            let (mut child, mut pipes) =
                start("read a; echo \"$a\"; printf 'b\\r\\n\\n\\tc\\033[2J\\0d\\re\\t\\nlast'");
            assert_eq!(pipes.next_line(Instant::now()), Err(Fault::Stalled));
            pipes.write("hello\n", later()).unwrap();
            for line in ["hello", "b", " c\u{fffd}[2J\u{fffd}d", "e", "last"] {
                assert_eq!(pipes.next_line(later()).unwrap().0, line);
            }
            assert_eq!(pipes.next_line(later()), Err(Fault::Disconnected));
            child.wait().unwrap();
            assert_eq!(pipes.write("anybody?\n", later()), Err(Fault::Disconnected));
            let (mut child, mut pipes) = start("yes 'info string flood'");
            let fault = loop {
                if let Err(fault) = pipes.next_line(later()) {
                    break fault;
                }
            };
            assert_eq!(fault, Fault::Flooded);
            child.kill().unwrap();
            child.wait().unwrap();
            let (mut child, mut pipes) = start("tr '\\0' x </dev/zero");
            assert_eq!(pipes.next_line(later()), Err(Fault::Flooded), "a line without end");
            child.kill().unwrap();
            child.wait().unwrap();
        };
    }

    #[test]
    fn pipes_carry_lines_and_see_ends_and_floods() {
        pipes_behave!(Pipes);
    }

    #[test]
    fn threaded_pipes_do_the_same() {
        pipes_behave!(threaded::Pipes);
    }

    #[test]
    fn an_engine_that_does_not_read_is_a_fault_and_not_a_hang() {
        let (mut child, mut pipes) = {
            let mut child = Command::new("sleep")
                .arg("100")
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            let pipes = Pipes::new(child.stdin.take().unwrap(), child.stdout.take().unwrap()).unwrap();
            (child, pipes)
        };
        let long = "x".repeat(1 << 20);
        let soon = Instant::now() + Duration::from_millis(20);
        assert_eq!(pipes.write(&long, soon), Err(Fault::Stalled));
        child.kill().unwrap();
        child.wait().unwrap();
    }

    #[test]
    fn the_whole_group_ends_and_nothing_is_left() {
        // The grandchild neither reads nor writes; it says its number and would sleep on.
        let mut process = Process::start(&shell("sleep 1000 & echo $!; wait")).unwrap();
        let grandchild = process.receive(Instant::now() + Duration::from_secs(20)).unwrap().0;
        let ids = [process.id().to_string(), grandchild];
        drop(process);
        assert_gone(&ids);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn who_left_the_group_ends_as_well() {
        let script = "setsid sh -c 'sleep 1000 & echo $!; wait' & echo $!; wait";
        let mut process = Process::start(&shell(script)).unwrap();
        let later = Instant::now() + Duration::from_secs(20);
        let ids = [(); 2].map(|()| process.receive(later).unwrap().0);
        drop(process);
        assert_gone(&ids);
    }

    #[test]
    fn a_line_stays_one_line_whatever_is_in_it() {
        let mut process = Process::start(&shell("head -n 3 | tr '\\r\\033' 'RE'; cat")).unwrap();
        process.send_all(&["one\rquit\n\x1b[2J", "two\tthree", "four"]).unwrap();
        let later = Instant::now() + Duration::from_secs(20);
        let lines = [(); 3].map(|()| process.receive(later).unwrap().0);
        assert_eq!(lines, ["one\u{fffd}quit\u{fffd}\u{fffd}[2J", "two three", "four"]);
    }

    fn assert_gone(ids: &[String]) {
        // Killed is not yet gone: the system does the rest in its own time.
        for id in ids {
            // Orphans are reaped by whoever adopted them: a killed one may still be listed as a zombie.
            let is_gone = || {
                let state = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
                let state = state.rsplit(") ").next().unwrap_or_default();
                state.is_empty() || state.starts_with(['Z', 'X'])
            };
            let gone = (0..1_000_000).any(|_| {
                std::thread::yield_now();
                is_gone()
            });
            assert!(gone, "{id} lives on");
        }
    }

    #[test]
    fn folder_environment_and_error_file_are_used() {
        let folder = std::env::temp_dir().join(format!("carom-process-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut command = shell("pwd; echo $WHO; printf 'oops\\r\\033[2J\\n\\na\\tb' >&2");
        command.folder = Some(folder.clone());
        command.environment = vec![("WHO".into(), "me".into())];
        command.errors = Errors::File(folder.join("errors"));
        let mut process = Process::start(&command).unwrap();
        let later = Instant::now() + Duration::from_secs(20);
        assert!(process.receive(later).unwrap().0.ends_with(folder.file_name().unwrap().to_str().unwrap()));
        assert_eq!(process.receive(later).unwrap().0, "me");
        assert_eq!(process.receive(later), Err(Fault::Disconnected));
        drop(process);
        assert_eq!(std::fs::read_to_string(folder.join("errors")).unwrap(), "oops\n\u{fffd}[2J\na b\n");
        std::fs::remove_dir_all(folder).unwrap();
        assert!(Process::start(&EngineCommand::new("/no/such/program")).is_err());
    }
}
