//! How an engine is started.

use super::wire::Address;
use crate::base::without_controls;
use crossbeam_channel::Sender;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// How long an engine may take to exit after `quit`, by default.
const QUIT_TIMEOUT: Duration = Duration::from_secs(2);

/// How to start an engine.
#[derive(Clone, Debug)]
pub struct EngineCommand {
    /// The program to run.
    pub program: OsString,
    /// The arguments of the program.
    pub arguments: Vec<OsString>,
    /// The folder it runs in; `None` for ours.
    pub folder: Option<PathBuf>,
    /// Environment variables that are set in addition to ours.
    pub environment: Vec<(OsString, OsString)>,
    /// Where its standard error goes.
    pub stderr: Stderr,
    /// How long it may take to exit after `quit`; zero to kill it at once.
    pub quit_timeout: Duration,
}

/// Where an engine's standard error goes.
#[derive(Clone, Debug, Default)]
pub enum Stderr {
    /// To our own standard error.
    #[default]
    Inherit,
    /// It is thrown away.
    Null,
    /// To the end of a file.
    File(PathBuf),
    /// To a channel, line by line. A line that finds no room there is lost.
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

    /// A program with arguments; an address such as `tcp://host:port` stands for the engine at the far end of a
    /// wire, to which this program carries the lines in a process of its own.
    pub fn with_arguments(program: impl Into<OsString>, arguments: Vec<OsString>) -> Self {
        let program = program.into();
        if program.to_str().is_some_and(Address::is_meant)
            && let Ok(own) = std::env::current_exe()
        {
            let words = ["wire".into(), program].into_iter().chain(arguments);
            return Self { arguments: words.collect(), ..Self::new(own) };
        }
        Self { arguments, ..Self::new(program) }
    }

    /// The program and its arguments as text.
    pub fn words(&self) -> impl Iterator<Item = String> + '_ {
        std::iter::once(&self.program).chain(&self.arguments).map(|word| word.to_string_lossy().into_owned())
    }
}

/// The command as in a shell, but without quotes.
impl std::fmt::Display for EngineCommand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&without_controls(&self.words().collect::<Vec<_>>().join(" ")))
    }
}
