//! Speaks with an engine under examination in either protocol, for the scripts and the code of checks.

use super::check::{CheckError, Checked, ensure, failed, skipped};
use super::conversation::{Conversation, LogLine};
use super::positions::{TestPosition, TestPositions, positions};
use super::settings::Settings;
use crate::connection::EngineCommand;
use crate::game::Actor;
use crate::protocol::same_words;
use litemap::LiteMap;
use std::time::{Duration, Instant};

/// What differs between the protocols.
pub(super) trait ProtocolDriver: Sync {
    /// The text of its file of checks.
    fn checks(&self) -> &'static str;
    /// The code that follows the script of this check, if there is any.
    fn code(&self, number: &str) -> Option<fn(&mut CheckRunner<'_>) -> Checked>;
    /// The command `go`, as a report writes it.
    fn go(&self, limits: &str) -> String;
    /// The limits of a short search.
    fn quick(&self) -> &'static str;
    /// The name of an option, read from its declaration.
    fn option_name(&self, declared: &str) -> Option<String>;
    /// True when the line is of the kind that scripts call `{kind}`.
    fn is(&self, kind: &str, line: &str) -> bool;
    /// Starts a new process and carries out the handshake.
    fn greet(&self, x: &mut CheckRunner<'_>) -> Checked;
    /// Chooses the game and its rules.
    fn prepare(&self, x: &mut CheckRunner<'_>) -> Checked;
    /// Waits until the engine has dealt with everything before; returns the lines of that time.
    fn settle(&self, x: &mut CheckRunner<'_>) -> Checked<Vec<String>>;
    /// Listens for a while in which no move may come; returns all lines.
    fn quiet(&self, x: &mut CheckRunner<'_>, why: &str) -> Checked<Vec<String>>;
    /// Sets up a position and starts a search.
    fn begin(&self, x: &mut CheckRunner<'_>, test: &TestPosition, limits: &str) -> Checked;
    /// Waits for the move that ends a search. It must be legal if `legal` is set.
    fn finish(&self, x: &mut CheckRunner<'_>, legal: bool) -> Checked;
    /// Carries out a line of a script that only this protocol knows.
    fn statement(&self, x: &mut CheckRunner<'_>, verb: &str, text: &str) -> Checked;
}

/// Examines one engine.
pub(super) struct CheckRunner<'a> {
    pub driver: &'static dyn ProtocolDriver,
    pub settings: &'a Settings,
    pub positions: TestPositions,
    /// The name the engine gave itself.
    pub name: Option<String>,
    /// The declarations of its options.
    pub options: Vec<String>,
    /// The other features it announced (XBoard).
    pub features: LiteMap<String, String>,
    /// The last position it was sent.
    pub test: TestPosition,
    /// Its lines since the last move or awaited line.
    pub heard: Vec<String>,
    /// The line that was last awaited, or that a condition last looked at.
    pub line: String,
    /// The last move it made, if it made one.
    pub best: Option<String>,
    /// When something was last sent.
    pub since: Instant,
    /// How long the awaited line took since then.
    pub took: Duration,
    /// The actor in the position that was set up last (XBoard).
    pub mover: Actor,
    /// How many pings it was sent (XBoard).
    pub pings: usize,
    /// The texts that replace `{}` and `{count}` in a script.
    pub item: String,
    pub count: usize,
    command: &'a EngineCommand,
    /// The conversation with earlier processes in this check.
    before: Vec<LogLine>,
    /// The engine that is running, if there is one.
    talk: Option<Conversation>,
    /// True once the game was chosen.
    pub ready: bool,
}

impl<'a> CheckRunner<'a> {
    pub fn new(
        driver: &'static dyn ProtocolDriver,
        command: &'a EngineCommand,
        settings: &'a Settings,
    ) -> Self {
        Self {
            driver,
            settings,
            positions: positions(settings.facts, &settings.rules),
            name: None,
            options: Vec::new(),
            features: LiteMap::new(),
            test: TestPosition::default(),
            heard: Vec::new(),
            line: String::new(),
            best: None,
            since: Instant::now(),
            took: Duration::ZERO,
            mover: Actor::Chance,
            pings: 0,
            item: String::new(),
            count: 0,
            command,
            before: Vec::new(),
            talk: None,
            ready: false,
        }
    }

    pub fn talk(&mut self) -> Checked<&mut Conversation> {
        self.talk.as_mut().ok_or_else(|| CheckError::Failed("the engine is gone".to_owned()))
    }

    pub fn send(&mut self, line: &str) -> Checked {
        self.since = self.talk()?.send(line)?;
        Ok(())
    }

    /// Waits for the line that `fits`, which becomes `self.line`; returns all lines before it.
    pub fn wait(&mut self, what: &str, fits: impl Fn(&str) -> bool) -> Checked<Vec<String>> {
        let patience = self.settings.timeout;
        let mut lines = Vec::new();
        let (line, came) = self.talk()?.wait_for(what, patience, |line| {
            let found = fits(line).then(|| line.to_owned());
            lines.extend(found.is_none().then(|| line.to_owned()));
            found
        })?;
        self.line = line;
        self.took = came.saturating_duration_since(self.since);
        Ok(lines)
    }

    /// All lines in the time in which the engine should be silent, and in `more`.
    pub fn listen(&mut self, more: Duration) -> Checked<Vec<String>> {
        let span = self.settings.silence + more;
        self.talk()?.listen(span)
    }

    /// Starts a new process, and ends the one before.
    pub fn start(&mut self) -> Checked {
        self.end();
        let talk = Conversation::start(self.command);
        self.talk = Some(talk.or_else(|error| failed(format!("the engine cannot be started: {error}")))?);
        Ok(())
    }

    /// Ends the process.
    pub fn end(&mut self) {
        self.before = self.take_evidence();
        self.talk = None;
        self.ready = false;
    }

    /// The lines since this was last called.
    pub fn take_evidence(&mut self) -> Vec<LogLine> {
        let mut evidence = std::mem::take(&mut self.before);
        evidence.extend(self.talk.as_mut().map(Conversation::take_evidence).unwrap_or_default());
        evidence
    }

    /// Starts a new process, and prepares it for the game.
    pub fn fresh(&mut self) -> Checked {
        self.driver.greet(self)?;
        self.driver.prepare(self)?;
        self.driver.settle(self)?;
        self.heard.clear();
        self.ready = true;
        Ok(())
    }

    /// Keeps the process that is running, if there is one; for checks to which its past does not matter.
    pub fn any(&mut self) -> Checked {
        let runs = self.ready && self.talk.as_ref().is_some_and(|talk| !talk.is_over());
        if runs { Ok(()) } else { self.fresh() }
    }

    /// The declaration of an option.
    pub fn option(&self, name: &str) -> Option<&str> {
        let named = |text: &&String| self.driver.option_name(text).is_some_and(|own| same_words(&own, name));
        self.options.iter().find(named).map(String::as_str)
    }

    /// True when the engine announced `name=1`.
    pub fn can(&self, name: &str) -> bool {
        self.features.get(name).is_some_and(|value| value == "1")
    }

    /// The test positions of these names, which are separated by commas. The check is skipped where the game
    /// has none.
    pub fn positions(&mut self, names: &str) -> Checked<Vec<TestPosition>> {
        let found: Vec<_> = names.split(", ").flat_map(|name| self.positions.named(name)).collect();
        if found.is_empty() { skipped(format!("no {names} can be told in this game")) } else { Ok(found) }
    }

    /// Searches a position; the move must be legal there.
    pub fn search(&mut self, test: &TestPosition, limits: &str) -> Checked {
        self.test = test.clone();
        self.driver.begin(self, test, limits)?;
        self.driver.finish(self, true)
    }

    /// Does the same, and the move must come within `most`.
    pub fn search_within(&mut self, most: Duration, test: &TestPosition, limits: &str) -> Checked {
        self.search(test, limits)?;
        let most = most + self.settings.margin;
        ensure(self.took <= most, || {
            let (go, took) = (self.driver.go(limits), self.took.as_millis());
            format!("{go} took {took} ms; at most {} would do", most.as_millis())
        })
    }

    /// Does the same without a time limit, and after the move it must be someone else's turn to decide.
    pub fn search_whole_turn(&mut self, test: &TestPosition, limits: &str) -> Checked {
        let mover = self.positions.referee(test)?.actor();
        self.search(test, limits)?;
        let referee = self.positions.same_referee();
        let goes_on = referee.actor() == mover && referee.result().is_none();
        let best = self.best.as_deref().unwrap_or_default();
        ensure(!goes_on, || format!("{best} leaves the same player to go on"))
    }
}
