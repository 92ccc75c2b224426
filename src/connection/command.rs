//! How an engine is started.

use super::wire::{Address, AddressError};
use crate::base::without_controls;
use crossbeam_channel::Sender;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// How long an engine may take to exit after `quit`, by default.
const QUIT_TIMEOUT: Duration = Duration::from_secs(2);

/// How to start an engine.
#[derive(Clone, Debug)]
pub struct EngineCommand {
    /// The program to run, or an address such as `tcp://host:port/TOKEN`: the engine at the far end of a wire. Folder,
    /// environment and standard error are those of a program.
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

    /// A program with arguments.
    pub fn with_arguments(program: impl Into<OsString>, arguments: Vec<OsString>) -> Self {
        Self { arguments, ..Self::new(program) }
    }

    /// The address of an engine at the far end of a wire, if that is what the program is.
    pub(super) fn address(&self) -> io::Result<Option<Address>> {
        let invalid = |why: String| io::Error::new(io::ErrorKind::InvalidInput, why);
        let Some(text) = self.program.to_str().filter(|text| Address::is_meant(text)) else {
            return Ok(None);
        };
        if !self.arguments.is_empty() {
            return Err(invalid(format!("{}: an address takes no arguments", Address::place(text))));
        }
        text.parse().map(Some).map_err(|error: AddressError| invalid(error.to_string()))
    }

    /// The program and its arguments as text; of an address, only where it leads.
    pub fn words(&self) -> impl Iterator<Item = String> + '_ {
        let shown = |word: &OsString| match word.to_string_lossy() {
            text if Address::is_meant(&text) => Address::place(&text).to_owned(),
            text => text.into_owned(),
        };
        std::iter::once(&self.program).chain(&self.arguments).map(shown)
    }
}

/// The command as in a shell, but without quotes.
impl std::fmt::Display for EngineCommand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&without_controls(&self.words().collect::<Vec<_>>().join(" ")))
    }
}
