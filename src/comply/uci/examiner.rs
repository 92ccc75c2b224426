//! Talking UCI to an engine under examination.

use crate::comply::check::{Checked, Stop, ensure, failed, skipped};
use crate::comply::conversation::Conversation;
use crate::comply::examine::{self, Examination};
use crate::comply::scenes::Scene;
use crate::protocol::same_words;
use crate::protocol::uci::{Command, Reply};
use std::time::{Duration, Instant};

/// Talks UCI.
pub struct Examiner<'a> {
    pub(super) shared: Examination<'a>,
    /// The `option` lines.
    pub(super) options: Vec<String>,
}

impl<'a> examine::Examiner<'a> for Examiner<'a> {
    fn shared(&mut self) -> &mut Examination<'a> {
        &mut self.shared
    }
}

/// What came of one `go`.
pub(super) struct Search {
    /// Everything said before `bestmove`.
    pub lines: Vec<String>,
    /// The move; `None` for `(none)`, `0000` where that is no word of the game, and the like.
    pub best: Option<String>,
    /// From `go` (or what ended the search) to `bestmove`.
    pub took: Duration,
}

/// What a `bestmove` line says: the move and the move to ponder on.
fn best_move(line: &str) -> Option<Checked<Option<String>>> {
    if line.split_ascii_whitespace().next() != Some("bestmove") {
        return None;
    }
    Some(match Reply::parse(line) {
        Ok(Some(parsed)) => match parsed.message {
            Reply::BestMove { best, .. } => Ok(best.filter(|text| *text != "NULL").map(str::to_owned)),
            _ => failed(format!("`{line}` cannot be understood")),
        },
        _ => failed(format!("`{line}` says no move")),
    })
}

/// True for a line that ends a search.
pub(super) fn is_best_move(line: &str) -> bool {
    line.split_ascii_whitespace().next() == Some("bestmove")
}

impl<'a> Examiner<'a> {
    pub fn new(shared: Examination<'a>) -> Self {
        Self { shared, options: Vec::new() }
    }

    /// How long the engine may take to answer.
    pub(super) fn patience(&self) -> Duration {
        self.shared.settings.timeout
    }

    pub(super) fn talk(&mut self) -> Checked<&mut Conversation> {
        self.shared.talk()
    }

    pub(super) fn send(&mut self, line: &str) -> Checked<Instant> {
        self.talk()?.send(line)
    }

    /// Starts a process and shakes hands; everything it said up to `uciok`.
    pub(super) fn introduce(&mut self) -> Checked<Vec<String>> {
        let patience = self.patience();
        let talk = self.shared.start()?;
        talk.send("uci")?;
        let mut lines = Vec::new();
        talk.wait_for("uciok", patience, |line| {
            lines.push(line.to_owned());
            (line.trim() == "uciok").then_some(())
        })?;
        self.options =
            lines.iter().filter(|line| line.trim_start().starts_with("option ")).cloned().collect();
        let name = lines.iter().find_map(|line| line.trim().strip_prefix("id name "));
        self.shared.name = name.map(|name| name.trim().to_owned()).or(self.shared.name.take());
        Ok(lines)
    }

    /// A process of its own for this check, ready for the game.
    pub(super) fn fresh(&mut self) -> Checked {
        self.introduce()?;
        let facts = self.shared.settings.facts;
        if !facts.answers_to("chess") {
            self.set("UCI_Variant", facts.name)?;
        }
        // One thread is what the protocol is about; an engine that wants more says so in its options.
        if facts.chance && self.has("Chance") {
            self.set("Chance", "referee")?;
        }
        for switch in facts.switches {
            if let Some(value) = self.shared.settings.rules.get(switch.name) {
                self.set(switch.name, value)?;
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

    /// The `option` line of an option.
    pub(super) fn option(&self, name: &str) -> Option<&str> {
        let named = |line: &&String| match Reply::parse(line) {
            Ok(Some(parsed)) => matches!(parsed.message, Reply::Option(own) if same_words(own.name, name)),
            _ => false,
        };
        self.options.iter().find(named).map(String::as_str)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.option(name).is_some()
    }

    pub(super) fn set(&mut self, name: &str, value: &str) -> Checked {
        self.send(&Command::SetOption { name, value: Some(value) }.to_string()).map(drop)
    }

    /// `isready`, `readyok`; what was said before. No `bestmove` may come here.
    pub(super) fn settle(&mut self) -> Checked<Vec<String>> {
        let patience = self.patience();
        let talk = self.talk()?;
        talk.send("isready")?;
        let mut lines = Vec::new();
        talk.wait_for("readyok", patience, |line| {
            lines.push(line.to_owned());
            (line.trim() == "readyok").then_some(())
        })?;
        match lines.iter().find(|line| is_best_move(line)) {
            Some(line) => failed(format!("`{line}` that nobody asked for")),
            None => Ok(lines),
        }
    }

    /// Tells the engine of a position.
    pub(super) fn place(&mut self, scene: &Scene) -> Checked {
        let start = scene.told.as_ref().map_or("startpos".to_owned(), |text| format!("fen {text}"));
        let moves =
            if scene.moves.is_empty() { String::new() } else { format!(" moves {}", scene.moves.join(" ")) };
        self.send(&format!("position {start}{moves}")).map(drop)
    }

    /// Waits for the one `bestmove`, and makes sure that no second one follows.
    pub(super) fn finish(&mut self, since: Instant) -> Checked<Search> {
        let patience = self.patience();
        let mut lines = Vec::new();
        let (best, came) = self.talk()?.wait_for("bestmove", patience, |line| {
            let best = best_move(line);
            if best.is_none() {
                lines.push(line.to_owned());
            }
            best
        })?;
        let search = Search { lines, best: best?, took: came.saturating_duration_since(since) };
        self.settle().map_err(|stop| match stop {
            Stop::Failed(reason) => Stop::Failed(format!("after `bestmove`: {reason}")),
            stop => stop,
        })?;
        Ok(search)
    }

    /// Searches a position until `limits` end it.
    pub(super) fn search(&mut self, scene: &Scene, limits: &str) -> Checked<Search> {
        self.place(scene)?;
        let since = self.send(&format!("go {limits}"))?;
        self.finish(since)
    }

    /// Searches a position; the move must be legal there.
    pub(super) fn legal_search(&mut self, scene: &Scene, limits: &str) -> Checked<Search> {
        let search = self.search(scene, limits)?;
        self.judge(scene, &search)?;
        Ok(search)
    }

    /// The move of a search must be legal.
    pub(super) fn judge(&mut self, scene: &Scene, search: &Search) -> Checked {
        let judge = self.shared.scenes.judge(scene)?;
        match &search.best {
            Some(best) => judge.play(best),
            None => failed(format!("no move, though {} are legal", judge.continuations().len())),
        }
    }

    /// Listens for a while in which no `bestmove` may come.
    pub(super) fn no_best_move(&mut self, why: &str) -> Checked<Vec<String>> {
        let span = self.shared.settings.silence;
        let mut lines = self.talk()?.listen(span)?;
        // Whatever it has said by now comes before this.
        let talk = self.talk()?;
        talk.send("isready")?;
        let patience = self.shared.settings.timeout;
        self.talk()?.wait_for("readyok", patience, |line| {
            lines.push(line.to_owned());
            (line.trim() == "readyok").then_some(())
        })?;
        ensure(!lines.iter().any(|line| is_best_move(line)), || format!("`bestmove` {why}"))?;
        Ok(lines)
    }

    /// Skips the check unless the engine has the option.
    pub(super) fn needs_option(&self, name: &str) -> Checked {
        if self.has(name) { Ok(()) } else { skipped(format!("the engine has no option {name}")) }
    }

    /// Skips the check where the game has no such scene.
    pub(super) fn needs(&self, scene: &Option<Scene>, what: &str) -> Checked<Scene> {
        match scene {
            Some(scene) => Ok(scene.clone()),
            None => skipped(format!("no {what} can be told in this game")),
        }
    }
}
