//! How the XBoard protocol is spoken to an engine under examination.
//!
//! Its scripts know some more lines:
//!
//! | line | what is done |
//! |---|---|
//! | `new game`, `place {POSITION}: LIMITS` | begins a game in force mode; also sends the position |
//! | `referee {POSITION}`, `take back N` | sets up a position, or takes moves back, for the referee alone |
//! | `show MOVE`, `show any`, `show the end of {POSITION}` | sends and referees a move of the opponent |
//! | `result [unless WHY]` | the end of the game must be claimed; skips where it is not over |
//! | `if FEATURE LINE`, `unless FEATURE LINE` | where `feature FEATURE=1` was, or was not, announced |

mod checks;

use super::check::{Checked, ensure, failed, skipped};
use super::positions::TestPosition;
use super::runner::{CheckRunner, ProtocolDriver};
use crate::protocol::EngineOption;
use crate::protocol::xboard::{FeatureValue, Reply, Verdict};
use crate::variants;
use std::time::Duration;

pub(super) struct Xboard;

/// The parsed line; `None` if it is not in the form.
fn reply(line: &str) -> Option<Reply<'_>> {
    Reply::parse(line).ok().flatten().map(|parsed| parsed.message)
}

/// The move that a line makes. Corrections of a board that knows no rules do not count
/// (`protocol-docs/xboard.md`).
fn move_in(line: &str) -> Option<&str> {
    match reply(line) {
        Some(Reply::Move(text)) if text != "@@@@" && !text.ends_with('z') => Some(text),
        _ => None,
    }
}

/// The result that a line claims.
fn result_in(line: &str) -> Option<String> {
    match reply(line) {
        Some(Reply::Result(outcome)) if outcome.verdict != Verdict::Open => Some(outcome.verdict.to_string()),
        _ => None,
    }
}

impl ProtocolDriver for Xboard {
    fn checks(&self) -> &'static str {
        include_str!("../checks/xboard.txt")
    }

    fn code(&self, number: &str) -> Option<fn(&mut CheckRunner<'_>) -> Checked> {
        checks::code(number)
    }

    fn go(&self, limits: &str) -> String {
        limits.to_owned()
    }

    fn quick(&self) -> &'static str {
        "level 0 1 0, sd 3"
    }

    fn option_name(&self, declared: &str) -> Option<String> {
        EngineOption::parse_xboard(declared).ok().flatten().map(|parsed| parsed.message.name)
    }

    fn is(&self, kind: &str, line: &str) -> bool {
        let parsed = Reply::parse(line).map(|parsed| parsed.map(|parsed| parsed.message));
        match kind {
            "move" => move_in(line).is_some(),
            "claim" => result_in(line).is_some() || line.trim() == "resign",
            "refusal" => match parsed {
                Ok(Some(reply)) => {
                    matches!(reply, Reply::IllegalMove { .. }) || line.starts_with("tellusererror")
                }
                _ => false,
            },
            "thinking line" => matches!(parsed, Ok(Some(Reply::Thinking(_)))),
            "spoilt thinking" => {
                let number = line.trim_start().starts_with(|c: char| c.is_ascii_digit());
                number && !matches!(parsed, Ok(Some(Reply::Thinking(_))))
            }
            "`stat01:` line" => line.starts_with("stat01:"),
            "status" => matches!(parsed, Ok(Some(Reply::Status(_)))),
            "unknown" => matches!(parsed, Err(_) | Ok(Some(Reply::Unknown(_)))),
            _ => false,
        }
    }

    fn greet(&self, x: &mut CheckRunner<'_>) -> Checked {
        x.start()?;
        x.send("xboard")?;
        x.send("protover 2")?;
        x.heard = x.wait("`feature … done=1`", |line| {
            let done = |words: &str| words.split_ascii_whitespace().any(|word| word == "done=1");
            line.strip_prefix("feature ").is_some_and(done)
        })?;
        x.heard.push(x.line.clone());
        x.features.clear();
        x.options.clear();
        for line in &x.heard {
            let Some(Reply::Features(features)) = reply(line) else { continue };
            for feature in features {
                let value = match feature.value {
                    FeatureValue::Text(text) => text.to_owned(),
                    FeatureValue::Number(number) => number.to_string(),
                };
                if feature.name == "option" {
                    x.options.push(value);
                } else {
                    x.features.insert(feature.name.to_owned(), value);
                }
            }
        }
        x.name = x.features.get("myname").cloned().or(x.name.take());
        Ok(())
    }

    /// Accepts its features as XBoard does, then sets its options.
    fn prepare(&self, x: &mut CheckRunner<'_>) -> Checked {
        let names: Vec<_> = x.features.keys().cloned().collect();
        for name in names {
            x.send(&format!("accepted {name}"))?;
        }
        for (name, value) in [("Chance", "referee"), ("Turn View", "whole")] {
            if x.option(name).is_some() {
                x.send(&format!("option {name}={value}"))?;
            }
        }
        for switch in x.settings.facts.switches {
            if let Some(value) = x.settings.rules.get(switch.name) {
                let value = if value == "true" { "1" } else { value };
                // The option may be declared with its game in front, as Carom does it.
                let label = variants::switch_label(switch.name).filter(|label| x.option(label).is_some());
                let name = label.as_deref().unwrap_or(switch.name);
                x.send(&format!("option {name}={value}"))?;
            }
        }
        Ok(())
    }

    fn settle(&self, x: &mut CheckRunner<'_>) -> Checked<Vec<String>> {
        if !x.can("ping") {
            return x.listen(Duration::ZERO);
        }
        x.pings += 1;
        let pong = format!("pong {}", x.pings);
        x.talk()?.send(&pong.replace("pong", "ping"))?;
        let mut lines = x.wait(&format!("`{pong}`"), |line| line.trim() == pong)?;
        lines.push(pong);
        Ok(lines)
    }

    fn quiet(&self, x: &mut CheckRunner<'_>, why: &str) -> Checked<Vec<String>> {
        let mut lines = x.listen(Duration::ZERO)?;
        lines.extend(self.settle(x)?);
        match lines.iter().find(|line| move_in(line).is_some()) {
            Some(line) => failed(format!("`{line}` {why}")),
            None => Ok(lines),
        }
    }

    fn begin(&self, x: &mut CheckRunner<'_>, test: &TestPosition, limits: &str) -> Checked {
        place(x, test, limits)?;
        ["time 6000", "otim 6000", "go"].into_iter().try_for_each(|line| x.send(line))
    }

    fn finish(&self, x: &mut CheckRunner<'_>, legal: bool) -> Checked {
        let ends = |line: &str| self.is("claim", line) || self.is("refusal", line);
        x.heard = x.wait("move", |line| move_in(line).is_some() || legal && ends(line))?;
        match move_in(&x.line) {
            None => failed(format!("`{}` instead of a move", x.line)),
            Some(text) => {
                x.best = Some(text.to_owned());
                if legal { x.positions.same_referee().play_xboard(text) } else { Ok(()) }
            }
        }
    }

    fn statement(&self, x: &mut CheckRunner<'_>, verb: &str, text: &str) -> Checked {
        let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
        let (before, named) = text.split_once('{').unwrap_or((text, ""));
        let (name, limits) = named.split_once('}').unwrap_or((named, ""));
        match (verb, first) {
            ("new", "game") => new_game(x, self.quick()),
            ("place", _) => {
                let test = x.positions(name)?.swap_remove(0);
                let limits = x.filled(limits.strip_prefix(": ").unwrap_or(self.quick()))?.concat();
                place(x, &test, &limits)
            }
            ("referee", _) => {
                let test = x.positions(name)?.swap_remove(0);
                x.positions.referee(&test).map(drop)
            }
            ("take", "back") => {
                (0..rest.parse().unwrap_or(1)).for_each(|_| x.positions.same_referee().take_back());
                Ok(())
            }
            ("show", "any") => show_any(x),
            ("show", _) if before == "the end of " => {
                let test = x.positions(name)?.swap_remove(0);
                test.moves.last().map_or_else(|| skipped("no last move"), |token| show(x, token))
            }
            ("show", token) => show(x, token),
            ("result", _) => match x.positions.same_referee().result() {
                Some(result) => claimed(x, result),
                None => skipped(rest),
            },
            ("if" | "unless", feature) if x.can(feature) == (verb == "if") => {
                let (verb, text) = rest.split_once(' ').unwrap_or((rest, ""));
                x.statement(verb, text)
            }
            ("if" | "unless", _) => Ok(()),
            _ => failed(format!("(a fault of the examiner) what is `{verb}`?")),
        }
    }
}

/// Begins a new game, with the engine in force mode.
fn new_game(x: &mut CheckRunner<'_>, limits: &str) -> Checked {
    x.any()?;
    x.send("new")?;
    let facts = x.settings.facts;
    if !facts.is_chess() {
        x.send(&format!("variant {}", facts.name))?;
    }
    let limits = limits.split(", ");
    limits.chain(["easy", "nopost", "force"]).try_for_each(|line| x.send(line))
}

/// Begins a new game at the test position, with the engine in force mode, and sets up the referee, too.
fn place(x: &mut CheckRunner<'_>, test: &TestPosition, limits: &str) -> Checked {
    new_game(x, limits)?;
    if let Some(position) = &test.start {
        if !x.can("setboard") {
            return skipped("the engine does not announce setboard=1");
        }
        x.send(&format!("setboard {position}"))?;
    }
    x.test = test.clone();
    x.positions.referee(&TestPosition { moves: Vec::new(), ..test.clone() })?;
    for token in &test.moves {
        show(x, token)?;
    }
    x.mover = x.positions.same_referee().actor();
    let lines = x.driver.settle(x)?;
    if let Some(line) = lines.iter().find(|line| Xboard.is("refusal", line)) {
        return failed(format!("`{line}`, though all was legal"));
    }
    match lines.iter().find(|line| move_in(line).is_some()) {
        Some(line) => failed(format!("`{line}` in force mode")),
        None => Ok(()),
    }
}

/// Sends the engine a move of the opponent, and plays it for the referee, too.
fn show(x: &mut CheckRunner<'_>, token: &str) -> Checked {
    let referee = x.positions.same_referee();
    let text = referee.to_xboard(token);
    referee.say(token)?;
    send_move(x, &text)
}

fn send_move(x: &mut CheckRunner<'_>, text: &str) -> Checked {
    let word = if x.can("usermove") { "usermove " } else { "" };
    x.send(&format!("{word}{text}"))
}

/// Plays the first move that is legal for the opponent.
fn show_any(x: &mut CheckRunner<'_>) -> Checked {
    match x.positions.same_referee().any_token() {
        Some(token) => show(x, &token),
        None => skipped("the opponent has no move"),
    }
}

/// Waits for a claim of this result.
fn claimed(x: &mut CheckRunner<'_>, expected: &str) -> Checked {
    x.wait("result", |line| result_in(line).is_some())?;
    let (line, claimed) = (&x.line, result_in(&x.line).unwrap_or_default());
    ensure(claimed == expected, || format!("`{line}`, where the result is {expected}"))?;
    let comment = line.trim().strip_prefix(expected).map(str::trim).unwrap_or_default();
    ensure(comment.starts_with('{') && comment.ends_with('}'), || {
        format!("`{line}` has no comment in braces")
    })
}
