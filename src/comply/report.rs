//! What an examination found, for people and for programs.

use super::check::{Check, Level, Protocol};
use super::conversation::{LogLine, Speaker};
use serde_json::{Value, json};
use std::fmt::{self, Write};
use std::time::Duration;

/// All that was found about an engine.
#[derive(Clone, Debug)]
pub struct Report {
    /// The name it gives itself.
    pub engine: String,
    /// How it was started.
    pub command: Vec<String>,
    /// The language it was spoken to in.
    pub protocol: Protocol,
    /// The game.
    pub game: &'static str,
    /// One for each check that was asked for, by number.
    pub findings: Vec<Finding>,
}

/// What came of one check.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The check.
    pub check: Check,
    /// What came of it.
    pub verdict: Verdict,
    /// What was said, in order.
    pub evidence: Vec<LogLine>,
    /// How long it took.
    pub took: Duration,
}

/// What came of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All well.
    Pass,
    /// What is wrong.
    Fail(String),
    /// Why it could not be examined.
    Skip(String),
}

impl Verdict {
    /// Its name, and the reason.
    const fn words(&self) -> (&'static str, Option<&String>) {
        match self {
            Self::Pass => ("pass", None),
            Self::Fail(reason) => ("fail", Some(reason)),
            Self::Skip(reason) => ("skip", Some(reason)),
        }
    }
}

impl Report {
    /// True when no must-check failed.
    #[must_use]
    pub fn is_compliant(&self) -> bool {
        !self.findings.iter().any(|f| f.check.level == Level::Must && f.failed())
    }

    /// How many passed, failed, were skipped.
    #[must_use]
    pub fn counts(&self) -> [usize; 3] {
        ["pass", "fail", "skip"]
            .map(|word| self.findings.iter().filter(|finding| finding.verdict.words().0 == word).count())
    }

    /// The report for people. The evidence of what failed is shown; of everything if `verbose`.
    #[must_use]
    pub fn text(&self, verbose: bool) -> String {
        let findings: String = self.findings.iter().map(|finding| finding.text(verbose)).collect();
        findings + &self.title() + &self.summary()
    }

    /// What was examined.
    #[must_use]
    pub fn title(&self) -> String {
        format!("\n{}: {}, {} ({})\n", self.engine, self.protocol, self.game, self.command.join(" "))
    }

    /// The last line: how many of each.
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

    /// The report for programs; the shape is told in `protocol-docs/comply.md`.
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
    /// True when the engine does it wrong.
    #[must_use]
    pub const fn failed(&self) -> bool {
        matches!(self.verdict, Verdict::Fail(_))
    }

    /// The lines about this check for people.
    #[must_use]
    pub fn text(&self, verbose: bool) -> String {
        /// The end of a conversation is where things went wrong.
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

/// `> sent`, `< received`, `! on standard error`, `# what happened`; long lines shortened.
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
