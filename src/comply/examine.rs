//! Runs the checks one after the other.

use super::check::{CheckError, ScriptedCheck, read};
use super::conversation::Conversation;
use super::protocols::{PROTOCOLS, checks, driver};
use super::report::{Finding, Report, Verdict};
use super::runner::CheckRunner;
use super::settings::Settings;
use super::uci::Uci;
use crate::connection::EngineCommand;
use crate::protocol::Protocol;
use crate::protocol::uci::Dialect;
use std::time::Instant;

/// Why an engine cannot be examined.
#[derive(Debug, thiserror::Error)]
pub enum ComplyError {
    /// The engine cannot be started.
    #[error("{program} cannot be started: {error}")]
    Start {
        /// The program of the engine.
        program: String,
        /// The error of the system.
        error: std::io::Error,
    },
    /// The engine answers neither `uci` nor `xboard`.
    #[error("{0} speaks neither UCI nor the XBoard protocol (say --protocol to see where it fails)")]
    Protocol(String),
    /// There is no check of this number.
    #[error("there is no check {0} here; `carom comply --list` shows them all")]
    Number(String),
}

/// What happens while an engine is examined.
#[derive(Debug)]
pub enum Event<'a> {
    /// The engine is asked for its protocol.
    Asked(Protocol),
    /// The check with this number begins, after `done` of `of` others.
    Begun {
        /// The number of the check.
        number: &'a str,
        /// The number of checks before it.
        done: usize,
        /// The number of all checks.
        of: usize,
    },
    /// A check has ended.
    Found(&'a Finding),
}

/// Runs all checks that `settings` asks for. `watch` is called with what happens.
///
/// # Errors
/// When the engine cannot be started or speaks neither protocol, and when a number in `only` is no check.
pub fn examine(
    command: &EngineCommand,
    settings: &Settings,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<Report, ComplyError> {
    let program = command.program.to_string_lossy().into_owned();
    // Better to find out now than in every check.
    Conversation::start(command).map_err(|error| ComplyError::Start { program: program.clone(), error })?;
    let mut runner = CheckRunner::new(&Uci(Dialect::Uci), command, settings);
    let protocol = match settings.protocol {
        Some(protocol) => protocol,
        None => {
            let mut speaks = |protocol: &Protocol| {
                watch(Event::Asked(*protocol));
                runner.driver = driver(*protocol);
                let greeted = runner.driver.greet(&mut runner).is_ok();
                if !greeted && *protocol != Protocol::Xboard {
                    log::warn!("`{command}` does not answer to `uci`; the XBoard protocol is tried");
                }
                greeted
            };
            let found = PROTOCOLS.into_iter().find(&mut speaks);
            runner.end();
            runner.take_evidence();
            found.ok_or_else(|| ComplyError::Protocol(program.clone()))?
        }
    };
    runner.driver = driver(protocol);
    for number in &settings.only {
        if !checks(protocol).iter().any(|check| check.number.eq_ignore_ascii_case(number)) {
            return Err(ComplyError::Number(number.clone()));
        }
    }
    let findings = run(&mut runner, watch);
    Ok(Report {
        engine: runner.name.unwrap_or(program),
        command: command.words().collect(),
        protocol,
        game: settings.facts.name,
        findings,
    })
}

fn run(runner: &mut CheckRunner<'_>, watch: &mut dyn FnMut(Event<'_>)) -> Vec<Finding> {
    let only = &runner.settings.only;
    let mut findings = Vec::new();
    let mut speechless = None;
    let all = read(runner.driver.checks());
    let of = if only.is_empty() { all.len() } else { only.len() };
    for (index, ScriptedCheck { check, script }) in all.into_iter().enumerate() {
        if !only.is_empty() && !only.iter().any(|number| check.number.eq_ignore_ascii_case(number)) {
            continue;
        }
        watch(Event::Begun { number: check.number, done: findings.len(), of });
        let begun = Instant::now();
        let checked = match speechless {
            Some(number) => Err(CheckError::Skipped(format!("{number} failed: there is nobody to talk to"))),
            None => runner.examine(&check, &script),
        };
        let evidence = runner.take_evidence();
        let verdict = match checked {
            Ok(()) => Verdict::Pass,
            Err(CheckError::Failed(reason)) => Verdict::Fail(reason),
            Err(CheckError::Skipped(reason)) => Verdict::Skip(reason),
        };
        if matches!(verdict, Verdict::Fail(_)) {
            // The state of the engine is unknown after a failure.
            runner.end();
            // The first check of each table is the handshake.
            speechless = speechless.or((index == 0).then_some(check.number));
        }
        let finding = Finding { check, verdict, evidence, took: begun.elapsed() };
        watch(Event::Found(&finding));
        findings.push(finding);
    }
    runner.end();
    findings
}
