//! Running the checks one after the other.

use super::check::{Check, Checked, Protocol, Stop};
use super::conversation::{Conversation, EngineCommand, Said};
use super::report::{Finding, Report, Verdict};
use super::scenes::{Scenes, scenes};
use super::{checks, uci, xboard};
use crate::game::{Facts, Rules};
use std::time::{Duration, Instant};

/// What to examine, and how patiently.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The language; `None`: find out.
    pub protocol: Option<Protocol>,
    /// The game.
    pub facts: &'static Facts,
    /// Its rules.
    pub rules: Rules,
    /// Numbers of the checks to run; empty for all.
    pub only: Vec<String>,
    /// How long the engine may take to answer.
    pub timeout: Duration,
    /// How much longer than it was told an engine may think.
    pub margin: Duration,
    /// How long to listen where the engine should be silent.
    pub silence: Duration,
}

/// Why an engine cannot be examined.
#[derive(Debug, thiserror::Error)]
pub enum ComplyError {
    /// It cannot be started.
    #[error("{program} cannot be started: {error}")]
    Start {
        /// The program.
        program: String,
        /// Why not.
        error: std::io::Error,
    },
    /// It answers neither `uci` nor `xboard`.
    #[error("{0} speaks neither UCI nor the XBoard protocol (say --protocol to see where it fails)")]
    Language(String),
    /// There is no such check.
    #[error("there is no check {0} here; `carom comply --list` shows them all")]
    Number(String),
}

/// What the checks of both protocols share.
pub(super) struct Examination<'a> {
    pub command: &'a EngineCommand,
    pub settings: &'a Settings,
    pub scenes: Scenes,
    /// What was said to earlier processes in this check.
    before: Vec<Said>,
    /// The engine that runs now, if one does.
    pub talk: Option<Conversation>,
    /// It has been told of the game.
    pub ready: bool,
    /// The name it gave itself.
    pub name: Option<String>,
}

/// Runs all checks that `settings` asks for; `watch` sees each finding as it comes.
///
/// # Errors
/// When the engine cannot be started or speaks neither language, and when a number in `only` is no check.
pub fn examine(
    command: &EngineCommand,
    settings: &Settings,
    watch: &mut dyn FnMut(&Finding),
) -> Result<Report, ComplyError> {
    let program = command.program.to_string_lossy().into_owned();
    let start = || {
        Conversation::start(command).map_err(|error| ComplyError::Start { program: program.clone(), error })
    };
    let protocol = match settings.protocol {
        Some(protocol) => {
            // Better now than in every check.
            drop(start()?);
            protocol
        }
        None if speaks(&mut start()?, "uci", settings.timeout, |line| line == "uciok") => Protocol::Uci,
        None if speaks(&mut start()?, "xboard\nprotover 2", settings.timeout, |line| {
            line.starts_with("feature") && line.contains("done=1")
        }) =>
        {
            Protocol::Xboard
        }
        None => return Err(ComplyError::Language(program)),
    };
    for number in &settings.only {
        if !checks(protocol).iter().any(|check| check.number.eq_ignore_ascii_case(number)) {
            return Err(ComplyError::Number(number.clone()));
        }
    }
    let examination = Examination {
        command,
        settings,
        scenes: scenes(settings.facts, &settings.rules),
        before: Vec::new(),
        talk: None,
        ready: false,
        name: None,
    };
    let (findings, name) = match protocol {
        Protocol::Uci => run(uci::table(), uci::Examiner::new(examination), watch),
        Protocol::Xboard => run(xboard::table(), xboard::Examiner::new(examination), watch),
    };
    let words = std::iter::once(&command.program).chain(&command.arguments);
    Ok(Report {
        engine: name.unwrap_or(program),
        command: words.map(|word| word.to_string_lossy().into_owned()).collect(),
        protocol,
        game: settings.facts.name,
        findings,
    })
}

/// An examiner of one protocol.
pub(super) trait Examiner<'a> {
    fn shared(&mut self) -> &mut Examination<'a>;
}

fn run<'a, E: Examiner<'a>, F: Fn(&mut E) -> Checked>(
    table: impl Iterator<Item = (Check, F)>,
    mut examiner: E,
    watch: &mut dyn FnMut(&Finding),
) -> (Vec<Finding>, Option<String>) {
    let only = &examiner.shared().settings.only;
    let mut findings = Vec::new();
    let mut speechless = None;
    for (index, (check, function)) in table.enumerate() {
        if !only.is_empty() && !only.iter().any(|number| check.number.eq_ignore_ascii_case(number)) {
            continue;
        }
        let begun = Instant::now();
        let checked = match speechless {
            Some(number) => Err(Stop::Skipped(format!("{number} failed: there is nobody to talk to"))),
            None => function(&mut examiner),
        };
        let shared = examiner.shared();
        let mut evidence = std::mem::take(&mut shared.before);
        evidence.extend(shared.talk.as_mut().map(Conversation::take_evidence).unwrap_or_default());
        let verdict = match checked {
            Ok(()) => Verdict::Pass,
            Err(Stop::Failed(reason)) => Verdict::Fail(reason),
            Err(Stop::Skipped(reason)) => Verdict::Skip(reason),
        };
        if matches!(verdict, Verdict::Fail(_)) {
            // Nobody knows what state it is in.
            shared.talk = None;
            // The first check of each table is the handshake.
            speechless = speechless.or((index == 0).then_some(check.number));
        }
        let finding = Finding { check, verdict, evidence, took: begun.elapsed() };
        watch(&finding);
        findings.push(finding);
    }
    let shared = examiner.shared();
    shared.talk = None;
    (findings, shared.name.take())
}

/// True when the engine answers `first` with a line that `fits`.
fn speaks(talk: &mut Conversation, first: &str, timeout: Duration, fits: fn(&str) -> bool) -> bool {
    talk.send(first).is_ok()
        && talk.wait_for("an introduction", timeout, |line| fits(line.trim()).then_some(())).is_ok()
}

impl Examination<'_> {
    /// A new process.
    pub fn start(&mut self) -> Checked<&mut Conversation> {
        self.before.extend(self.talk.as_mut().map(Conversation::take_evidence).unwrap_or_default());
        self.talk = None;
        self.ready = false;
        match Conversation::start(self.command) {
            Ok(talk) => Ok(self.talk.insert(talk)),
            Err(error) => Err(Stop::Failed(format!("the engine cannot be started: {error}"))),
        }
    }

    /// True when a process runs that has been told of the game.
    pub fn is_ready(&self) -> bool {
        self.ready && self.talk.as_ref().is_some_and(|talk| !talk.is_over())
    }

    /// The process that runs.
    pub fn talk(&mut self) -> Checked<&mut Conversation> {
        self.talk.as_mut().ok_or_else(|| Stop::Failed("the engine is gone".to_owned()))
    }
}
