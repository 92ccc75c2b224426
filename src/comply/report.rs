//! The findings of an examination, for people and for programs.

use super::check::{Check, Level};
use super::conversation::{LogLine, Speaker};
use crate::protocol::Protocol;
use serde_json::{Value, json};
use std::fmt::{self, Write};
use std::time::Duration;

/// All findings about an engine.
#[derive(Clone, Debug)]
pub struct Report {
    /// The name the engine gives itself, or else its program.
    pub engine: String,
    /// The command that started it: the program and its arguments.
    pub command: Vec<String>,
    /// The protocol that was spoken.
    pub protocol: Protocol,
    /// The name of the game.
    pub game: &'static str,
    /// One finding for each check that was asked for, by number.
    pub findings: Vec<Finding>,
}

/// The result of one check, with its evidence.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The check that was carried out.
    pub check: Check,
    /// Whether the engine passed.
    pub verdict: Verdict,
    /// The conversation of this check, in order.
    pub evidence: Vec<LogLine>,
    /// How long the check took.
    pub took: Duration,
}

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The engine does everything right.
    Pass,
    /// The engine does something wrong, for the reason given.
    Fail(String),
    /// The check could not be carried out, for the reason given.
    Skip(String),
}

impl Verdict {
    /// The name of the verdict, and the reason.
    const fn words(&self) -> (&'static str, Option<&String>) {
        match self {
            Self::Pass => ("pass", None),
            Self::Fail(reason) => ("fail", Some(reason)),
            Self::Skip(reason) => ("skip", Some(reason)),
        }
    }
}

impl Report {
    /// True when no check of level `must` has failed.
    #[must_use]
    pub fn is_compliant(&self) -> bool {
        !self.findings.iter().any(|f| f.check.level == Level::Must && f.failed())
    }

    /// The number of checks that passed, that failed, and that were skipped.
    #[must_use]
    pub fn counts(&self) -> [usize; 3] {
        ["pass", "fail", "skip"]
            .map(|word| self.findings.iter().filter(|finding| finding.verdict.words().0 == word).count())
    }

    /// The report as text. It shows the evidence of failed checks, and of all checks if `verbose`.
    #[must_use]
    pub fn text(&self, verbose: bool) -> String {
        let findings: String = self.findings.iter().map(|finding| finding.text(verbose)).collect();
        findings + &self.title() + &self.summary()
    }

    /// A line that says what was examined.
    #[must_use]
    pub fn title(&self) -> String {
        format!("\n{}: {}, {} ({})\n", self.engine, self.protocol, self.game, self.command.join(" "))
    }

    /// The last line: how many checks passed, failed and were skipped, and the numbers of those that failed.
    #[must_use]
    pub fn summary(&self) -> String {
        let [passed, failed, skipped] = self.counts();
        let numbers = |level: Level| {
            let failed = self.findings.iter().filter(|f| f.failed() && f.check.level == level);
            failed.map(|f| f.check.number).collect::<Vec<_>>()
        };
        let mut text = format!("{passed} passed, {failed} failed, {skipped} skipped");
        for level in [Level::Must, Level::Should, Level::May] {
            let numbers = numbers(level);
            if !numbers.is_empty() {
                let _ = write!(text, "; {level}: {}", numbers.join(" "));
            }
        }
        text.push('\n');
        text
    }

    /// The report as JSON; its shape is described in `protocol-docs/comply.md`.
    #[must_use]
    pub fn json(&self) -> Value {
        let [passed, failed, skipped] = self.counts();
        json!({
            "schema": 1,
            "engine": self.engine,
            "command": self.command,
            "protocol": self.protocol.to_string().to_ascii_lowercase(),
            "game": self.game,
            "compliant": self.is_compliant(),
            "passed": passed,
            "failed": failed,
            "skipped": skipped,
            "checks": self.findings.iter().map(Finding::json).collect::<Vec<_>>(),
        })
    }
}

impl Finding {
    /// True when the engine has failed the check.
    #[must_use]
    pub const fn failed(&self) -> bool {
        matches!(self.verdict, Verdict::Fail(_))
    }

    /// The lines about this check in the text report.
    #[must_use]
    pub fn text(&self, verbose: bool) -> String {
        /// Only the last lines are shown: the end of a conversation is where things went wrong.
        const SHOWN: usize = 12;
        let (word, reason) = self.verdict.words();
        let word = if self.failed() { "FAIL" } else { word };
        let Check { number, level, title, says } = self.check;
        let mut text = format!("{number} {level:<6} {word}  {title}\n");
        if let Some(reason) = reason {
            let _ = writeln!(text, "      {reason}");
        }
        if self.failed() {
            let _ = writeln!(text, "      ({says})");
        }
        if verbose || self.failed() {
            let shown = if verbose { self.evidence.len() } else { SHOWN };
            let left_out = self.evidence.len().saturating_sub(shown);
            if left_out > 0 {
                let _ = writeln!(text, "        … {left_out} lines before");
            }
            for said in &self.evidence[left_out..] {
                let _ = writeln!(text, "        {said}");
            }
        }
        text
    }

    fn json(&self) -> Value {
        let (word, reason) = self.verdict.words();
        let said = |said: &LogLine| json!({ "by": said.by.word(), "line": said.line });
        json!({
            "number": self.check.number,
            "level": self.check.level.to_string(),
            "title": self.check.title,
            "says": self.check.says,
            "verdict": word,
            "reason": reason,
            "milliseconds": self.took.as_millis() as u64,
            "evidence": self.evidence.iter().map(said).collect::<Vec<_>>(),
        })
    }
}

impl Speaker {
    const fn word(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Engine => "engine",
            Self::StandardError => "stderr",
            Self::Remark => "remark",
        }
    }
}

/// Writes `> sent`, `< received`, `! on standard error` or `# what happened`; long lines are shortened.
impl fmt::Display for LogLine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LONGEST: usize = 160;
        let mark = match self.by {
            Speaker::Client => '>',
            Speaker::Engine => '<',
            Speaker::StandardError => '!',
            Speaker::Remark => '#',
        };
        match self.line.char_indices().nth(LONGEST) {
            Some((end, _)) => write!(out, "{mark} {}…", &self.line[..end]),
            None => write!(out, "{mark} {}", self.line),
        }
    }
}
