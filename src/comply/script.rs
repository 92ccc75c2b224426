//! Plays the scripts of `checks/*.txt`: conversations with holes, written like Carom's own transcripts.
//!
//! ```text
//! U57 should ignores unknown words among the parameters of `go` | UCI 2006: the rest of the line is parsed
//!     # comment
//!     > position {start}
//!     > go quickly depth {1|2} please
//!     < bestmove {legal}
//! ```
//!
//! The first line has the number, level and title of a check, and what the standard says about it. The lines
//! below are carried out with an engine for which the game was chosen, be it `fresh` for this check or used
//! before. (`start` sends nothing to the new process, and `greet` only does the handshake.) Where the script
//! does not say what to look for, the code of that number follows: `uci/checks.rs` and `xboard/checks.rs`.
//!
//! | line | what is done |
//! |---|---|
//! | `> TEXT` | sends it; `\n`, `\r`, `\t` as in Rust; holes with several values send it once for each |
//! | `< LINE [within N ms \| REASON]` | awaits it; `…` any text, `{KIND}` such a line, `{legal}` a move |
//! | `go {POSITION}: LIMITS` | sets up the position and starts a search |
//! | `search {POSITIONS}[ within N ms]: LIMITS` | awaits a legal move, too; also `as whole turns` |
//! | `well` | checks that it is ready, and that it searches the start |
//! | `settle`, `listen`, `silence` | waits until all is done; for a while; both |
//! | `quiet WHY` | does the same, and no move may come |
//! | `none`, `some`, `once LINE \| REASON` | counts such lines since the last `<`, `quiet` or `search` |
//! | `is LINE \| REASON` | checks the line that was last awaited or looked at |
//! | `skip [unless] LINE \| REASON` | skips the check if such a line has come |
//! | `needs WHAT` | skips the check where this is missing |
//! | `for {A\|B}`, `repeat N` | plays the rest of the script for each, `{}` in it |
//! | `close`, `ends [well WHEN]` | closes its input; its process must end, with exit code 0 |
//!
//! Other holes: the names of test positions (`positions::NAMES`), `{game}`, `{files}`, `{ranks}`, `{side}` to
//! move (`w`, `b`), the `{line}` last looked at, the `{count}` of lines, the time `{ms}` it took. Other text
//! in braces stays as it is. `xboard` adds lines of its own.

use super::check::{Check, CheckError, Checked, ensure, failed, skipped};
use super::positions::NAMES;
use super::runner::{CheckRunner, ProtocolDriver};
use crate::base::Color;
use crate::game::Actor;
use std::time::Duration;

impl CheckRunner<'_> {
    /// Carries out a check.
    pub fn examine(&mut self, check: &Check, script: &[&str]) -> Checked {
        self.heard.clear();
        if !script.iter().any(|line| matches!(*line, "start" | "greet" | "fresh")) {
            self.any()?;
        }
        self.play(script)?;
        self.driver.code(check.number).map_or(Ok(()), |code| code(self))
    }

    fn play(&mut self, script: &[&str]) -> Checked {
        for (index, line) in script.iter().enumerate() {
            let (verb, text) = line.split_once(' ').unwrap_or((line, ""));
            let items = match verb {
                "for" => self.filled(text)?,
                "repeat" => vec![String::new(); text.parse().unwrap_or(1)],
                _ => {
                    self.statement(verb, text)?;
                    continue;
                }
            };
            for item in items {
                self.item = item;
                self.heard.clear();
                self.play(&script[index + 1..])?;
            }
            break;
        }
        Ok(())
    }

    pub fn statement(&mut self, verb: &str, text: &str) -> Checked {
        match verb {
            ">" => {
                for line in self.filled(text)? {
                    self.send(&line.replace("\\n", "\n").replace("\\r", "\r").replace("\\t", "\t"))?;
                }
            }
            "<" => self.hear(text)?,
            "start" => self.start()?,
            "greet" => self.driver.greet(self)?,
            "fresh" => self.fresh()?,
            "settle" => {
                let lines = self.driver.settle(self)?;
                self.heard.extend(lines);
            }
            "listen" => {
                let lines = self.listen(milliseconds(text))?;
                self.heard.extend(lines);
            }
            "silence" => {
                self.statement("listen", "")?;
                self.statement("settle", "")?;
            }
            "quiet" => self.heard = self.driver.quiet(self, text)?,
            "well" => {
                self.statement("settle", "")?;
                self.search_all("search", "{start}")?;
            }
            "go" | "search" => self.search_all(verb, text)?,
            "needs" => self.needs(text)?,
            "none" | "some" | "once" | "is" | "skip" => self.condition(verb, text)?,
            "close" => self.talk()?.close_input(),
            "ends" => {
                let patience = self.settings.timeout;
                let Some(status) = self.talk()?.wait_for_end(patience) else {
                    return failed(format!("still there {:.1} s later", patience.as_secs_f64()));
                };
                if let Some(when) = text.strip_prefix("well ") {
                    ensure(status.success(), || format!("{when}: {status}"))?;
                }
            }
            _ => self.driver.statement(self, verb, text)?,
        }
        Ok(())
    }

    fn hear(&mut self, text: &str) -> Checked {
        let (wanted, reason) = text.split_once(" | ").unwrap_or((text, ""));
        let (wanted, most) = wanted.split_once(" within ").unwrap_or((wanted, ""));
        match wanted {
            "bestmove" | "move" => self.driver.finish(self, false)?,
            "bestmove {legal}" | "move {legal}" => self.driver.finish(self, true)?,
            _ => {
                let pattern = self.filled(wanted)?.concat();
                let what = match kind(&pattern) {
                    Some(kind) => kind.to_owned(),
                    None if pattern.contains(' ') => format!("`{pattern}`"),
                    None => pattern.clone(),
                };
                let driver = self.driver;
                self.heard = self.wait(&what, |line| fits(driver, &pattern, line))?;
            }
        }
        if !most.is_empty() && self.took > milliseconds(most) + self.settings.margin {
            return failed(self.filled(reason)?.concat());
        }
        Ok(())
    }

    fn search_all(&mut self, verb: &str, text: &str) -> Checked {
        let (head, limits) = text.split_once(": ").unwrap_or((text, self.driver.quick()));
        let (names, how) = head.trim_start_matches('{').split_once('}').unwrap_or((head, ""));
        for test in self.positions(names)? {
            self.test = test.clone();
            for limits in self.filled(limits)? {
                match how.trim_start() {
                    "" if verb == "go" => self.driver.begin(self, &test, &limits)?,
                    "" => self.search(&test, &limits)?,
                    "as whole turns" => self.search_whole_turn(&test, &limits)?,
                    within => {
                        let most = milliseconds(within.trim_start_matches("within "));
                        self.search_within(most, &test, &limits)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn needs(&mut self, what: &str) -> Checked {
        let facts = self.settings.facts;
        let chess = facts.is_chess();
        let actor = self.positions.same_referee().actor();
        let (there, reason) = match what {
            "chess" => (chess, "`variant` follows `new` in this game"),
            "chance" => (facts.chance, "a game without chance"),
            "setup" => (facts.xboard.setup.is_some(), "XBoard knows the game"),
            "turns of several words" => (!chess, "a turn is one move in chess"),
            "turns of one decision" => {
                (self.positions.simple, "turns of several decisions are not listed one by one here")
            }
            "a player to move" => (actor.player().is_some(), "chance speaks"),
            "the other side to move" => (actor != self.mover, "the opponent goes on"),
            "memory or smp" => {
                let announced = self.can("memory") || self.can("smp");
                (announced, "the engine announces neither memory=1 nor smp=1")
            }
            _ => match what.strip_prefix("option ") {
                Some(name) if self.option(name).is_some() => (true, ""),
                Some(name) => return skipped(format!("the engine has no option {name}")),
                None if self.can(what) => (true, ""),
                None => return skipped(format!("the engine does not announce {what}=1")),
            },
        };
        if there { Ok(()) } else { skipped(reason) }
    }

    fn condition(&mut self, verb: &str, text: &str) -> Checked {
        let (pattern, reason) = text.split_once(" | ").unwrap_or((text, ""));
        let wanted = pattern.strip_prefix("unless ");
        let pattern = self.filled(wanted.unwrap_or(pattern))?.concat();
        let awaited = std::slice::from_ref(&self.line);
        let lines = if verb == "is" { awaited } else { &self.heard };
        let fitting: Vec<_> = lines.iter().filter(|line| fits(self.driver, &pattern, line)).collect();
        self.count = fitting.len();
        let fine = match verb {
            "none" => self.count == 0,
            "once" => self.count == 1,
            "skip" => (self.count == 0) == wanted.is_none(),
            _ => self.count > 0,
        };
        let line = if verb == "some" { fitting.last() } else { fitting.first() };
        if let Some(&line) = line {
            self.line = line.clone();
        }
        if fine {
            return Ok(());
        }
        let reason = self.filled(reason)?.concat();
        Err(if verb == "skip" { CheckError::Skipped(reason) } else { CheckError::Failed(reason) })
    }

    /// The text with its holes filled, once for each combination of their values.
    pub fn filled(&mut self, text: &str) -> Checked<Vec<String>> {
        let hole = text.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)));
        let Some((before, (hole, after))) = hole else { return Ok(vec![text.to_owned()]) };
        let mut all = Vec::new();
        let (values, ends) = (self.values(hole)?, self.filled(after)?);
        for value in values {
            all.extend(ends.iter().map(|end| format!("{before}{value}{end}")));
        }
        Ok(all)
    }

    fn values(&mut self, hole: &str) -> Checked<Vec<String>> {
        let facts = self.settings.facts;
        let value = match hole {
            "" => self.item.clone(),
            "game" => facts.name.to_owned(),
            "files" => facts.files.to_string(),
            "ranks" => facts.ranks.to_string(),
            "line" => self.line.clone(),
            "count" => self.count.to_string(),
            "ms" => self.took.as_millis().to_string(),
            "side" => {
                let white = self.positions.referee(&self.test)?.actor() == Actor::Player(Color::White);
                if white { "w" } else { "b" }.to_owned()
            }
            "usermove" if !self.can("usermove") => String::new(),
            "usermove" => "usermove ".to_owned(),
            "illegal" => return Ok(self.positions.same_referee().illegal()),
            _ if hole.contains('|') => return Ok(hole.split('|').map(str::to_owned).collect()),
            _ if NAMES.contains(&hole) => {
                self.test = self.positions(hole)?.swap_remove(0);
                self.test.to_uci()
            }
            _ => format!("{{{hole}}}"),
        };
        Ok(vec![value])
    }
}

/// The kind of lines that a pattern asks for, if it does.
fn kind(pattern: &str) -> Option<&str> {
    pattern.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'))
}

/// True when the line fits the pattern, or one of several divided by `or`.
fn fits(driver: &dyn ProtocolDriver, pattern: &str, line: &str) -> bool {
    pattern.split(" or ").any(|pattern| match kind(pattern) {
        Some(kind) => driver.is(kind, line),
        None => glob(pattern, line.trim()),
    })
}

/// True when the line is equal to the pattern, with any text in place of `…`.
fn glob(pattern: &str, line: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('…') else { return pattern == line };
    line.strip_prefix(start)
        .is_some_and(|after| after.char_indices().any(|(at, _)| glob(rest, &after[at..])) || glob(rest, ""))
}

/// Reads `300 ms` or `1000 ms more`.
fn milliseconds(text: &str) -> Duration {
    let number = text.split(' ').next().and_then(|number| number.parse().ok());
    Duration::from_millis(number.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comply::PROTOCOLS;
    use crate::comply::check::read;
    use crate::comply::protocols::driver;

    #[test]
    fn an_ellipsis_stands_for_any_text() {
        for (pattern, fitting, other) in [
            ("readyok", "readyok", "readyok 1"),
            ("pong…", "pong", "ping"),
            ("info… nps … pv …", "info depth 1 nps 7 pv e2e4", "info nps 7 pv"),
            ("Error (…xyz…", "Error (unknown): xyz", "Error xyz"),
        ] {
            assert!(glob(pattern, fitting), "{pattern}: {fitting}");
            assert!(!glob(pattern, other), "{pattern}: {other}");
        }
    }

    #[test]
    fn a_hole_of_a_script_is_a_position_a_word_or_a_choice() {
        const WORDS: [&str; 11] =
            ["", "game", "files", "ranks", "line", "count", "ms", "side", "usermove", "illegal", "legal"];
        const KINDS: [&str; 10] = [
            "unknown",
            "no move",
            "move",
            "claim",
            "refusal",
            "thinking line",
            "spoilt thinking",
            "status",
            "`stat01:` line",
            // These are comments of results, not holes.
            "White mates",
        ];
        for protocol in PROTOCOLS {
            for entry in read(driver(protocol).checks()) {
                for line in entry.script {
                    for part in line.split('{').skip(1) {
                        let hole = part.split('}').next().unwrap();
                        let positions = hole.split(", ").all(|name| {
                            NAMES.contains(&name.strip_suffix(" but its last turn").unwrap_or(name))
                        });
                        let known =
                            hole.contains('|') || positions || WORDS.contains(&hole) || KINDS.contains(&hole);
                        assert!(known || hole.starts_with("the examiner"), "{}: {line}", entry.check.number);
                    }
                }
            }
        }
    }
}
