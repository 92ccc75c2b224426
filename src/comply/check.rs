//! What a check is, and how files of checks are read.

use std::fmt;

/// A numbered check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    /// Its number, such as `U07` or `X12`; never used for another check.
    pub number: &'static str,
    /// How much depends on it.
    pub level: Level,
    /// What an engine that passes it does.
    pub title: &'static str,
    /// What the standard demands, or which clients depend on it where the standard is silent.
    pub says: &'static str,
}

/// How much depends on a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Games are lost or hang where this fails.
    Must,
    /// The standard, or every client, expects it; most games survive without.
    Should,
    /// It is good to know.
    May,
}

/// A check and how it is carried out: by its script, followed by the code of its number, if there is any.
pub(super) struct ScriptedCheck {
    pub check: Check,
    pub script: Vec<&'static str>,
}

/// Reads a file of checks. Each has a line `NUMBER LEVEL TITLE | SAYS`, and the indented lines of its script.
pub(super) fn read(text: &'static str) -> Vec<ScriptedCheck> {
    let mut entries: Vec<ScriptedCheck> = Vec::new();
    for line in text.lines().filter(|line| !line.trim_start().starts_with('#')) {
        match entries.last_mut() {
            Some(entry) if line.starts_with(' ') => entry.script.push(line.trim_start()),
            _ => {
                let (head, says) = line.split_once(" | ").unwrap_or((line, ""));
                let (number, head) = head.split_once(' ').unwrap_or((head, ""));
                let (level, title) = head.split_once(' ').unwrap_or((head, ""));
                let level = match level {
                    "must" => Level::Must,
                    "should" => Level::Should,
                    _ => Level::May,
                };
                entries
                    .push(ScriptedCheck { check: Check { number, level, title, says }, script: Vec::new() });
            }
        }
    }
    entries
}

/// Why a check ends early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CheckError {
    /// The engine does it wrong, for the reason given.
    Failed(String),
    /// The check cannot be carried out here, for the reason given.
    Skipped(String),
}

/// The result of a check, or of a part of it.
pub(super) type Checked<T = ()> = Result<T, CheckError>;

/// Ends a check that fails.
pub(super) fn failed<T>(reason: impl Into<String>) -> Checked<T> {
    Err(CheckError::Failed(reason.into()))
}

/// Ends a check that does not apply.
pub(super) fn skipped<T>(reason: impl Into<String>) -> Checked<T> {
    Err(CheckError::Skipped(reason.into()))
}

/// Fails with the reason unless `fine`.
pub(super) fn ensure(fine: bool, reason: impl FnOnce() -> String) -> Checked {
    if fine { Ok(()) } else { failed(reason()) }
}

impl fmt::Display for Level {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(match self {
            Self::Must => "must",
            Self::Should => "should",
            Self::May => "may",
        })
    }
}
