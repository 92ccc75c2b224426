//! Talking the XBoard protocol to an engine under examination.

use crate::comply::check::{Checked, ensure, failed, skipped};
use crate::comply::conversation::Conversation;
use crate::comply::examine::{self, Examination};
use crate::comply::scenes::Scene;
use crate::protocol::same_words;
use crate::protocol::xboard::{Declaration, FeatureValue, Reply, Verdict};
use crate::variants;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Talks the XBoard protocol.
pub struct Examiner<'a> {
    pub(super) shared: Examination<'a>,
    /// What the engine announced, but for its options.
    pub(super) features: BTreeMap<String, String>,
    /// The texts of its `option` features.
    pub(super) options: Vec<String>,
    pings: i64,
}

impl<'a> examine::Examiner<'a> for Examiner<'a> {
    fn shared(&mut self) -> &mut Examination<'a> {
        &mut self.shared
    }
}

/// The moves of an engine that is to move quickly.
pub(super) const QUICK: [&str; 2] = ["level 0 1 0", "sd 3"];

/// The move a line makes; corrections of a board that knows no rules are none (`protocol-docs/xboard.md`).
pub(super) fn move_in(line: &str) -> Option<&str> {
    match Reply::parse(line) {
        Ok(Some(parsed)) => match parsed.message {
            Reply::Move(text) if text == "@@@@" || text.ends_with('z') => None,
            Reply::Move(text) => Some(text),
            _ => None,
        },
        _ => None,
    }
}

/// The result a line claims.
pub(super) fn result_in(line: &str) -> Option<String> {
    match Reply::parse(line) {
        Ok(Some(parsed)) => match parsed.message {
            Reply::Result(outcome) if outcome.verdict != Verdict::Open => Some(outcome.verdict.to_string()),
            _ => None,
        },
        _ => None,
    }
}

impl<'a> Examiner<'a> {
    pub fn new(shared: Examination<'a>) -> Self {
        Self { shared, features: BTreeMap::new(), options: Vec::new(), pings: 0 }
    }

    pub(super) fn patience(&self) -> Duration {
        self.shared.settings.timeout
    }

    pub(super) fn talk(&mut self) -> Checked<&mut Conversation> {
        self.shared.talk()
    }

    pub(super) fn send(&mut self, line: &str) -> Checked<Instant> {
        self.talk()?.send(line)
    }

    /// Starts a process and shakes hands; everything it said up to `done=1`.
    pub(super) fn introduce(&mut self) -> Checked<Vec<String>> {
        let patience = self.patience();
        let talk = self.shared.start()?;
        talk.send("xboard")?;
        talk.send("protover 2")?;
        let mut lines = Vec::new();
        talk.wait_for("`feature … done=1`", patience, |line| {
            lines.push(line.to_owned());
            let done = |words: &str| words.split_ascii_whitespace().any(|word| word == "done=1");
            line.strip_prefix("feature ").is_some_and(done).then_some(())
        })?;
        self.features.clear();
        self.options.clear();
        for line in &lines {
            let Ok(Some(parsed)) = Reply::parse(line) else { continue };
            let Reply::Features(features) = parsed.message else { continue };
            for feature in features {
                match feature.value {
                    FeatureValue::Text(text) if feature.name == "option" => {
                        self.options.push(text.to_owned())
                    }
                    FeatureValue::Text(text) => {
                        self.features.insert(feature.name.to_owned(), text.to_owned());
                    }
                    FeatureValue::Number(number) => {
                        self.features.insert(feature.name.to_owned(), number.to_string());
                    }
                }
            }
        }
        self.shared.name = self.features.get("myname").cloned().or(self.shared.name.take());
        Ok(lines)
    }

    /// A process of its own for this check, its features accepted as XBoard does it.
    pub(super) fn fresh(&mut self) -> Checked {
        self.introduce()?;
        let names: Vec<_> = self.features.keys().cloned().collect();
        for name in names {
            self.send(&format!("accepted {name}"))?;
        }
        for (name, value) in [("Chance", "referee"), ("Turn View", "whole")] {
            if self.option(name).is_some() {
                self.send(&format!("option {name}={value}"))?;
            }
        }
        let facts = self.shared.settings.facts;
        for switch in facts.switches {
            if let Some(value) = self.shared.settings.rules.get(switch.name) {
                let value = if value == "true" { "1" } else { value };
                // It may be declared with its game in front, as Carom does.
                let label = variants::switch_label(switch.name).filter(|label| self.option(label).is_some());
                let name = label.as_deref().unwrap_or(switch.name);
                self.send(&format!("option {name}={value}"))?;
            }
        }
        self.settle()?;
        self.shared.ready = true;
        Ok(())
    }

    /// The process that runs already if there is one; for checks to which its past does not matter.
    pub(super) fn any(&mut self) -> Checked {
        if self.shared.is_ready() { Ok(()) } else { self.fresh() }
    }

    /// The text of an option.
    pub(super) fn option(&self, name: &str) -> Option<&str> {
        let named = |text: &&String| matches!(Declaration::parse(text), Ok(Some(parsed)) if same_words(parsed.message.name, name));
        self.options.iter().find(named).map(String::as_str)
    }

    /// True when the engine announced `name=1`.
    pub(super) fn can(&self, name: &str) -> bool {
        self.features.get(name).is_some_and(|value| value == "1")
    }

    /// Skips the check unless the engine announced `name=1`.
    pub(super) fn needs(&self, name: &str) -> Checked {
        if self.can(name) { Ok(()) } else { skipped(format!("the engine does not announce {name}=1")) }
    }

    /// Skips the check where the game has no such scene, or the engine cannot be told of it.
    pub(super) fn needs_scene(&self, scene: &Option<Scene>, what: &str) -> Checked<Scene> {
        match scene {
            Some(scene) if scene.told.is_some() => self.needs("setboard").map(|()| scene.clone()),
            Some(scene) => Ok(scene.clone()),
            None => skipped(format!("no {what} can be told in this game")),
        }
    }

    /// Makes sure that all before is done; what was said meanwhile.
    pub(super) fn settle(&mut self) -> Checked<Vec<String>> {
        let (patience, silence) = (self.patience(), self.shared.settings.silence);
        if !self.can("ping") {
            return self.talk()?.listen(silence);
        }
        self.pings += 1;
        let pong = format!("pong {}", self.pings);
        self.send(&format!("ping {}", self.pings))?;
        let mut lines = Vec::new();
        self.talk()?.wait_for(&format!("`{pong}`"), patience, |line| {
            lines.push(line.to_owned());
            (line.trim() == pong).then_some(())
        })?;
        Ok(lines)
    }

    /// Listens for a while, and until all before is done.
    pub(super) fn listen(&mut self) -> Checked<Vec<String>> {
        let silence = self.shared.settings.silence;
        let mut lines = self.talk()?.listen(silence)?;
        lines.extend(self.settle()?);
        Ok(lines)
    }

    /// Listens for a while in which no move may come.
    pub(super) fn no_move(&mut self, why: &str) -> Checked<Vec<String>> {
        let lines = self.listen()?;
        match lines.iter().find(|line| move_in(line).is_some()) {
            Some(line) => failed(format!("`{line}` {why}")),
            None => Ok(lines),
        }
    }

    /// A new game, the engine in force mode, `limits` set.
    pub(super) fn new_game(&mut self, limits: &[&str]) -> Checked {
        self.any()?;
        self.send("new")?;
        let facts = self.shared.settings.facts;
        if !facts.answers_to("chess") {
            self.send(&format!("variant {}", facts.name))?;
        }
        for limit in limits {
            self.send(limit)?;
        }
        self.send("easy")?;
        self.send("nopost")?;
        self.send("force").map(drop)
    }

    /// A new game, the engine in force mode, at the scene; the judge is there too.
    pub(super) fn place(&mut self, scene: &Scene, limits: &[&str]) -> Checked {
        self.new_game(limits)?;
        if let Some(told) = &scene.told {
            self.needs("setboard")?;
            self.send(&format!("setboard {told}"))?;
        }
        let begin = Scene { moves: Vec::new(), ..scene.clone() };
        self.shared.scenes.judge(&begin)?;
        for token in &scene.moves {
            self.show(token)?;
        }
        let lines = self.settle()?;
        if let Some(line) = lines.iter().find(|line| refused(line)) {
            return failed(format!("`{line}`, though all was legal"));
        }
        match lines.iter().find(|line| move_in(line).is_some()) {
            Some(line) => failed(format!("`{line}` in force mode")),
            None => Ok(()),
        }
    }

    /// Shows the engine a move of the opponent, which is played before the judge too; when it was sent.
    pub(super) fn show(&mut self, token: &str) -> Checked<Instant> {
        let judge = self.shared.scenes.same_judge();
        let text = judge.to_xboard(token);
        judge.say(token)?;
        self.send_move(&text)
    }

    /// Sends a move, legal or not.
    pub(super) fn send_move(&mut self, text: &str) -> Checked<Instant> {
        let word = if self.can("usermove") { "usermove " } else { "" };
        self.send(&format!("{word}{text}"))
    }

    /// Plays the first move that is legal for the opponent.
    pub(super) fn show_any(&mut self) -> Checked<Instant> {
        match self.shared.scenes.same_judge().any_token() {
            Some(token) => self.show(&token),
            None => skipped("the opponent has no move"),
        }
    }

    /// Both clocks, a minute each.
    pub(super) fn tell_time(&mut self) -> Checked {
        self.send("time 6000")?;
        self.send("otim 6000").map(drop)
    }

    /// Waits for a move, which must be legal; it and the time it took.
    pub(super) fn legal_move(&mut self, since: Instant) -> Checked<(String, Duration)> {
        let patience = self.patience();
        let (text, came) = self.talk()?.wait_for("move", patience, |line| {
            if let Some(text) = move_in(line) {
                return Some(Ok(text.to_owned()));
            }
            let ends = result_in(line).is_some() || line.trim() == "resign" || refused(line);
            ends.then(|| Err(line.to_owned()))
        })?;
        match text {
            Ok(text) => {
                self.shared.scenes.same_judge().play_xboard(&text)?;
                Ok((text, came.saturating_duration_since(since)))
            }
            Err(line) => failed(format!("`{line}` instead of a move")),
        }
    }

    /// Puts the engine into a position and lets it move.
    pub(super) fn moves_in(&mut self, scene: &Scene, limits: &[&str]) -> Checked<(String, Duration)> {
        self.place(scene, limits)?;
        self.tell_time()?;
        let since = self.send("go")?;
        self.legal_move(since)
    }

    /// Waits for a claim of this result.
    pub(super) fn result(&mut self, expected: &str) -> Checked {
        let patience = self.patience();
        let (line, _) = self
            .talk()?
            .wait_for("result", patience, |line| result_in(line).is_some().then(|| line.to_owned()))?;
        let claimed = result_in(&line).unwrap_or_default();
        ensure(claimed == expected, || format!("`{line}`, where the result is {expected}"))?;
        let comment = line.trim().strip_prefix(expected).map(str::trim).unwrap_or_default();
        ensure(comment.starts_with('{') && comment.ends_with('}'), || {
            format!("`{line}` has no comment in braces")
        })
    }
}

/// True when the line refuses a move or a command.
pub(super) fn refused(line: &str) -> bool {
    match Reply::parse(line) {
        Ok(Some(parsed)) => {
            matches!(parsed.message, Reply::IllegalMove { .. }) || line.starts_with("tellusererror")
        }
        _ => false,
    }
}
