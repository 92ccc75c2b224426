//! What a check is.

use std::fmt;

/// One numbered check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    /// `U07`, `X12`: never used for another check.
    pub number: &'static str,
    /// How much depends on it.
    pub level: Level,
    /// What an engine that passes does.
    pub title: &'static str,
    /// What the standard says of it, or who depends on it where the standard is silent.
    pub says: &'static str,
}

/// How much depends on a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Games are lost or hang where this fails.
    Must,
    /// The standard, or every client, expects it; most games survive without.
    Should,
    /// Good to know.
    May,
}

/// The languages that are examined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// UCI.
    Uci,
    /// The XBoard protocol, CECP.
    Xboard,
}

/// A check and how it is carried out: its script, and after it the code of its number, if there is any.
pub(super) struct ScriptedCheck {
    pub check: Check,
    pub script: Vec<&'static str>,
}

/// Reads a file of checks: a line `NUMBER LEVEL TITLE | SAYS`, and the indented lines of the script.
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

/// Why a check ends before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CheckError {
    /// The engine does it wrong.
    Failed(String),
    /// It cannot be examined here.
    Skipped(String),
}

/// What the function of a check gives.
pub(super) type Checked<T = ()> = Result<T, CheckError>;

/// The end of a check that fails.
pub(super) fn failed<T>(reason: impl Into<String>) -> Checked<T> {
    Err(CheckError::Failed(reason.into()))
}

/// The end of a check that does not apply.
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

impl fmt::Display for Protocol {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(match self {
            Self::Uci => "UCI",
            Self::Xboard => "XBoard",
        })
    }
}
