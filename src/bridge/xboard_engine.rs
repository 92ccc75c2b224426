//! An engine that speaks the XBoard protocol.

use super::aliases::Spelling;
use super::bridged_engine::{BridgedEngine, Connection, EngineEvent, Running};
use super::follower::Follower;
use super::games::{Game, xboard_games};
use super::xboard_game::{Manner, Told};
use super::xboard_moves::{read_move, turn_of};
use super::{BridgeError, Settings, is_chance, search_events};
use crate::arena::{Fault, Features, corrects_board};
use crate::engine::{EngineMessage, EngineRequest, ForeignEngine, ForeignSearch, PvLine, SearchEvent};
use crate::game::{Facts, Rules};
use crate::process::ProcessError;
use crate::protocol::xboard::{Command, Outcome, Reply, Thinking, Verdict};
use crate::protocol::{EngineOption, same_words};
use crate::search::{Budget, Report};
use crate::variants::chess::{CHESS960, FISCHERANDOM};
use std::time::{Duration, Instant};

/// An engine that speaks the XBoard protocol, and the search it was asked for.
pub struct XboardEngine {
    profile: ForeignEngine,
    features: Features,
    games: Vec<Game>,
    /// The index of the game that was chosen last.
    game: usize,
    follower: Follower,
    spelling: Spelling,
    told: Told,
    running: Option<Running>,
    /// True while it was sent nothing of the running search, because it ponders by itself.
    silent: bool,
    /// Legs of a turn that goes on in the next line.
    legs: String,
    /// How many best lines it shows.
    lines: usize,
    /// The depth of the last line, and the first moves of the lines of this depth.
    shown: (u32, Vec<String>),
    /// The best line that it has reported last.
    best: Option<PvLine>,
    deadline: Option<Instant>,
    /// True once it was sent the command to move now.
    hurried: bool,
    patience: Duration,
    pings: i64,
    ponders: bool,
}

/// How long an engine may go on after the command to move now.
const HURRY: Duration = Duration::from_secs(3);
/// The most moves that are read of a principal variation.
const LONGEST_LINE: usize = 40;

impl XboardEngine {
    /// Takes over an engine that was greeted.
    ///
    /// # Errors
    /// When it does not know the game, or does not take an option.
    pub fn new(
        features: Features,
        settings: &Settings,
        connection: &mut Connection,
    ) -> Result<Self, BridgeError> {
        let games = xboard_games(&features, settings)?;
        let mut options = features.options.clone();
        // The protocol has commands of its own for these.
        let megabytes = EngineOption::number("Hash", 64, 1, 65_536);
        let threads = EngineOption::number("Threads", 1, 1, 512);
        let ponder = EngineOption::check("Ponder", false);
        for (offered, option) in
            [(features.has("memory"), megabytes), (features.has("smp"), threads), (true, ponder)]
        {
            if offered && EngineOption::find(&options, &option.name).is_none() {
                options.push(option);
            }
        }
        if features.variants.iter().flatten().any(|name| name == FISCHERANDOM) {
            options.push(EngineOption::check(CHESS960, false));
        }
        let profile = ForeignEngine {
            name: features.name.clone(),
            author: String::new(),
            options,
            games: games.iter().map(|game| game.facts).collect(),
            settles: true,
            analyses: features.has("analyze"),
            counts_nodes: features.has("nps"),
        };
        let facts = games[0].facts;
        let line = |(option, value): (&EngineOption, String)| {
            Command::Option { name: &option.name, value: Some(&value) }.to_string()
        };
        let lines: Vec<_> =
            settings.aliases.chosen_options(&features.options)?.into_iter().map(line).collect();
        connection.send(&lines).map_err(Fault::from)?;
        let mut engine = Self {
            profile,
            features,
            games,
            game: 0,
            follower: Follower::writing(facts, &Rules::of(facts)),
            spelling: Spelling::default(),
            told: Told::default(),
            running: None,
            silent: false,
            legs: String::new(),
            lines: 1,
            shown: (0, Vec::new()),
            best: None,
            deadline: None,
            hurried: false,
            patience: settings.patience,
            pings: 0,
            ponders: false,
        };
        engine.choose(facts);
        Ok(engine)
    }

    fn choose(&mut self, facts: &'static Facts) {
        if let Some(at) = self.games.iter().position(|game| std::ptr::eq(game.facts, facts)) {
            self.game = at;
            self.spelling = Spelling::new(self.games[at].alias.as_ref(), 0, 0);
        }
        self.told.forget();
    }

    fn set(&mut self, name: &str, value: Option<&str>) -> Option<String> {
        if same_words(name, "MultiPV") {
            self.lines = value.and_then(|value| value.parse().ok()).unwrap_or(1);
        }
        let number = || value.and_then(|value| value.parse().ok());
        // Options it declared itself come before the commands.
        let declared = EngineOption::find(&self.features.options, name).is_some();
        match name {
            _ if declared => {
                // Chance, and how turns are written, are for us to decide.
                let ours = is_chance(name) || same_words(name, "Turn View");
                (!ours).then(|| Command::Option { name, value }.to_string())
            }
            "UCI_Chess960" => None,
            "Hash" => Some(Command::Memory(number()?).to_string()),
            "Threads" => Some(Command::Cores(number()? as u32).to_string()),
            "Ponder" => self.ponder(value == Some("true")),
            _ => None,
        }
    }

    fn ponder(&mut self, on: bool) -> Option<String> {
        self.ponders = on;
        Some(if on { Command::Hard } else { Command::Easy }.to_string())
    }

    fn search(
        &mut self,
        search: Box<ForeignSearch>,
        connection: &mut Connection,
    ) -> Result<(), ProcessError> {
        self.best = None;
        self.shown = (0, Vec::new());
        self.legs.clear();
        self.hurried = false;
        self.silent = search.ponder;
        if search.ponder {
            // It ponders by itself, or not at all.
            self.running = Some(Running::new(search));
            return Ok(());
        }
        self.begin(search, connection)
    }

    /// Sends the position and starts a search.
    fn begin(&mut self, search: Box<ForeignSearch>, connection: &mut Connection) -> Result<(), ProcessError> {
        self.silent = false;
        let followed = self.follower.follow(&search).map_err(|error| error.to_string());
        let manner = Manner {
            features: &self.features,
            spelling: &self.spelling,
            variant: self.games[self.game].variant(),
            ponders: self.ponders,
        };
        let lines = followed.and_then(|()| self.told.search_lines(&search, &self.follower, &manner));
        if let Budget::Fixed(time) = search.limits.budget {
            self.deadline = Some(search.since + time);
        }
        let running = Running::new(search);
        match lines {
            Ok(lines) => {
                self.running = Some(running);
                connection.send(&lines)
            }
            Err(why) => {
                connection.error(format!("{} cannot search this: {why}", self.profile.name));
                self.told.forget();
                self.running = Some(running);
                self.conclude(None, connection);
                Ok(())
            }
        }
    }

    /// Ends the running search with `token`.
    fn conclude(&mut self, token: Option<String>, connection: &mut Connection) {
        let Some(running) = self.running.take() else { return };
        self.deadline = None;
        let best = self.best.take();
        let expected = best.as_ref().and_then(|line| match line.pv.as_slice() {
            [first, second, ..] if Some(first) == token.as_ref() => Some(second.clone()),
            _ => None,
        });
        connection.events.push(running.end(token, expected, best));
    }

    /// The move it would most likely play now: the first of its principal variation, or else any legal one.
    fn likeliest(&self) -> Option<String> {
        let first = self.best.as_ref().and_then(|line| line.pv.first().cloned());
        first.or_else(|| self.follower.session().first_token())
    }

    /// Handles a move of the engine.
    fn moved(&mut self, text: &str, connection: &mut Connection) -> Result<(), ProcessError> {
        // These plies follow its own move, when no search runs, and ours.
        if corrects_board(self.follower.session(), text) {
            return Ok(());
        }
        let Some(running) = self.running.as_ref().filter(|_| !self.silent) else {
            // It was sent the command to stop when its move was on its way.
            self.told.forget();
            return Ok(());
        };
        if running.search.limits.infinite {
            return Ok(());
        }
        if text.ends_with(',') {
            self.legs.push_str(text);
            return Ok(());
        }
        let text = std::mem::take(&mut self.legs) + text;
        let token = self.spelling.token_from_engine(&text);
        let token = read_move(self.follower.session(), &token);
        match self.follower.vet(&token) {
            Ok(token) => {
                let token = self.follower.canonical(&token);
                self.told.has_played(token.clone());
                self.conclude(Some(token), connection);
            }
            Err(error) => {
                connection.illegal_move(&text, &error);
                self.told.forget();
                connection.send(&[Command::Force.to_string()])?;
                self.conclude(None, connection);
            }
        }
        Ok(())
    }

    fn thinking(&mut self, thinking: &Thinking<'_>, connection: &mut Connection) -> Result<(), ProcessError> {
        let Some(running) = self.running.as_ref().filter(|_| !self.silent) else { return Ok(()) };
        let (id, limits) = (running.search.id, running.search.limits);
        let report = search_events::xboard_report(thinking, running.search.since.elapsed());
        let spelling = &self.spelling;
        let words = thinking.pv.split_whitespace().filter_map(turn_of).take(LONGEST_LINE);
        let pv = self.follower.walk(words, |session, word| {
            let token = read_move(session, &spelling.token_from_engine(word));
            session.check(&token).is_ok().then_some(token)
        });
        let report = Report { rank: self.rank(&report, pv.first()), ..report };
        let line = PvLine { report, pv };
        if !line.pv.is_empty() && report.rank == 1 {
            self.best = Some(line.clone());
        }
        connection.events.push(EngineEvent::Search(id, SearchEvent::Info(line)));
        let enough = limits.nodes.is_some_and(|most| !self.features.has("nps") && thinking.nodes >= most);
        if enough && !self.hurried {
            self.hurry(connection)?;
        }
        Ok(())
    }

    /// The rank of this line among several best lines. The protocol does not number them, but no two of a
    /// depth begin alike.
    fn rank(&mut self, report: &Report, first: Option<&String>) -> usize {
        let Some(first) = first.filter(|_| self.lines > 1) else { return 1 };
        let (depth, firsts) = &mut self.shown;
        if *depth != report.depth || firsts.len() >= self.lines && !firsts.contains(first) {
            *depth = report.depth;
            firsts.clear();
        }
        let known = firsts.iter().position(|known| known == first);
        known.unwrap_or_else(|| {
            firsts.push(first.clone());
            firsts.len() - 1
        }) + 1
    }

    /// Sends the command to move now.
    fn hurry(&mut self, connection: &mut Connection) -> Result<(), ProcessError> {
        self.hurried = true;
        self.deadline = Some(Instant::now() + HURRY.min(self.patience));
        connection.send(&[Command::MoveNow.to_string()])
    }

    /// Handles that the engine ends the game, possibly while a search waits for its move.
    fn ends(&mut self, message: EngineMessage, connection: &mut Connection) {
        connection.message(message);
        self.told.stopped_playing();
        if self.running.is_some() && !self.silent {
            self.told.forget();
            let token = self.likeliest();
            self.conclude(token, connection);
        }
    }

    fn claims(&mut self, claim: &Outcome<'_>, connection: &mut Connection) {
        match claim.verdict {
            Verdict::Open => {}
            // Our rules know the result. A claim that they do not confirm is wrong.
            _ if self.follower.has_rules() => {
                self.ends(EngineMessage::Log(format!("the engine says {claim}")), connection);
            }
            verdict => self.ends(EngineMessage::ResultClaim(verdict, claim.comment.to_owned()), connection),
        }
    }
}

impl BridgedEngine for XboardEngine {
    fn profile(&self) -> &ForeignEngine {
        &self.profile
    }

    fn handle_request(
        &mut self,
        request: EngineRequest,
        connection: &mut Connection,
    ) -> Result<(), ProcessError> {
        match request {
            EngineRequest::Set { name, value } => {
                let line = self.set(&name, value.as_deref());
                connection.send(line.as_slice())
            }
            EngineRequest::Ponder(on) => {
                let line = self.ponder(on);
                connection.send(line.as_slice())
            }
            EngineRequest::Game { facts, .. } => {
                self.choose(facts);
                // A client that waits for the set-up also waits for it to be ready.
                match self.games[self.game].variant() {
                    Some(name) => {
                        connection.send(&[Command::New.to_string(), Command::Variant(name).to_string()])
                    }
                    None => Ok(()),
                }
            }
            EngineRequest::NewGame => {
                self.told.forget();
                Ok(())
            }
            EngineRequest::DrawOffered => connection.send(&[Command::Draw.to_string()]),
            EngineRequest::Result(text) => {
                self.told.stopped_playing();
                connection.send(&[format!("result {text}"), Command::Force.to_string()])
            }
            EngineRequest::Search(search) => self.search(search, connection),
        }
    }

    fn is_searching(&self) -> bool {
        self.running.is_some()
    }

    fn handle_line(&mut self, line: &str, connection: &mut Connection) -> Result<(), ProcessError> {
        let Ok(Some(parsed)) = Reply::parse(line) else { return Ok(()) };
        match parsed.message {
            Reply::Pong(_) => connection.events.push(EngineEvent::Ready),
            Reply::Move(text) => return self.moved(text, connection),
            Reply::Thinking(thinking) => return self.thinking(&thinking, connection),
            Reply::Resign => self.ends(EngineMessage::Resign, connection),
            Reply::OfferDraw => connection.message(EngineMessage::DrawOffer),
            Reply::Result(claim) => self.claims(&claim, connection),
            Reply::IllegalMove { text, reason } => {
                connection.error(format!("the engine refuses {text} {reason}").trim_end());
                self.told.forget();
                connection.send(&[Command::Force.to_string()])?;
                if !self.silent {
                    self.conclude(None, connection);
                }
            }
            Reply::Tell { text, .. } => connection.message(EngineMessage::Tell(text.to_owned())),
            Reply::Setup(_) | Reply::Piece { .. } => {
                connection.message(EngineMessage::RawXboard(line.trim().to_owned()))
            }
            Reply::Error { .. } | Reply::Comment(_) | Reply::Unknown(_) => {
                connection.message(EngineMessage::Log(line.trim().to_owned()));
            }
            _ => {}
        }
        Ok(())
    }

    fn follow_up(&mut self, connection: &mut Connection) -> Result<(), ProcessError> {
        let Some(running) = &mut self.running else { return Ok(()) };
        if running.must_stop() {
            running.stopped = true;
            if self.silent {
                // A search that was never begun has found nothing, but a client may wait for a move all the
                // same.
                let token = self.follower.session().first_token();
                self.conclude(token, connection);
                return Ok(());
            }
            if running.search.limits.infinite {
                connection.send(&[Command::Exit.to_string(), Command::Force.to_string()])?;
                let token = self.likeliest();
                self.conclude(token, connection);
                return Ok(());
            }
            return self.hurry(connection);
        }
        if running.must_hit()
            && let Some(mut running) = self.running.take()
        {
            running.search.ponder = false;
            return self.begin(running.search, connection);
        }
        Ok(())
    }

    fn ask_ready(&mut self, connection: &mut Connection) -> Result<bool, ProcessError> {
        if !self.features.has("ping") {
            return Ok(false);
        }
        self.pings += 1;
        connection.send(&[Command::Ping(self.pings).to_string()])?;
        Ok(true)
    }

    fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    fn overdue(&mut self, connection: &mut Connection) -> Result<Option<&'static str>, ProcessError> {
        self.deadline = None;
        if self.running.is_none() || self.silent {
            return Ok(None);
        }
        if !self.hurried {
            self.hurry(connection)?;
            return Ok(None);
        }
        // It ignores the command to move now, so it is stopped, and the move it thought of last counts.
        self.told.forget();
        connection.send(&[Command::Force.to_string()])?;
        let token = self.likeliest();
        self.conclude(token, connection);
        Ok(None)
    }
}
