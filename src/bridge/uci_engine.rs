//! An engine that speaks UCI or UGI.

use super::aliases::Spelling;
use super::bridged_engine::{BridgedEngine, Connection, EngineEvent, Running};
use super::follower::Follower;
use super::games::{Game, uci_games};
use super::{BridgeError, Settings, is_chance, search_events};
use crate::arena::{Fault, UciGreeting, greet_uci, rule_options};
use crate::base::Color;
use crate::base::score::{self, Score};
use crate::engine::{
    EngineMessage, EngineRequest, ForeignEngine, ForeignSearch, PvLine, SearchEvent, options,
};
use crate::game::{Facts, Rules};
use crate::process::ProcessError;
use crate::protocol::uci::{Command, Dialect, Go, Info, Position, Reply, Start};
use crate::protocol::xboard::Verdict;
use crate::protocol::{EngineOption, Moves, Protocol, same_words};
use crate::search::Budget;
use crate::session::Session;
use crate::variants;
use std::time::{Duration, Instant};

/// An engine that speaks UCI or UGI, and the search it was asked for.
pub struct UciEngine {
    profile: ForeignEngine,
    dialect: Dialect,
    outside: Protocol,
    games: Vec<Game>,
    /// True if it has the option `UCI_Variant`.
    has_variants: bool,
    follower: Follower,
    spelling: Spelling,
    running: Option<Running>,
    /// The best line that it has reported last.
    best: Option<PvLine>,
    /// When it must have sent its best move.
    deadline: Option<Instant>,
    patience: Duration,
}

impl UciEngine {
    /// Takes over an engine that was greeted.
    ///
    /// # Errors
    /// When it does not take an option, or does not get ready.
    pub fn new(
        dialect: Dialect,
        greeting: UciGreeting,
        settings: &Settings,
        outside: Protocol,
        connection: &mut Connection,
    ) -> Result<Self, BridgeError> {
        let UciGreeting { name, author, mut options } = greeting;
        let line = |(option, value): (&EngineOption, String)| {
            Command::SetOption { name: &option.name, value: Some(&value) }.to_string()
        };
        let lines: Vec<_> = settings.aliases.chosen_options(&options)?.into_iter().map(line).collect();
        if !lines.is_empty() {
            // An option may have named a file of games, which the engine only lists when it is greeted again.
            connection.send(&lines).map_err(Fault::from)?;
            options = greet_uci(&mut connection.process, dialect, settings.patience)?.options;
        }
        let variant = EngineOption::find(&options, "UCI_Variant").cloned();
        let games = uci_games(variant.as_ref(), dialect, settings, outside, connection)?;
        let facts = games.first().map_or(variants::all()[0], |game| game.facts);
        options.retain(|option| !same_words(&option.name, "UCI_Variant"));
        let profile = ForeignEngine {
            name,
            author,
            options,
            games: games.iter().map(|game| game.facts).collect(),
            settles: false,
            analyses: true,
            counts_nodes: true,
        };
        let mut engine = Self {
            profile,
            dialect,
            outside,
            games,
            has_variants: variant.is_some(),
            follower: Follower::new(facts, &Rules::of(facts)),
            spelling: Spelling::default(),
            running: None,
            best: None,
            deadline: None,
            patience: settings.patience,
        };
        let lines = engine.choose(facts, &Rules::of(facts));
        connection.send(&lines).map_err(Fault::from)?;
        Ok(engine)
    }

    /// Its option of this name, except for `UCI_Variant`.
    fn option(&self, name: &str) -> Option<&EngineOption> {
        EngineOption::find(&self.profile.options, name)
    }

    /// The lines after which it plays this game by these rules.
    fn choose(&mut self, facts: &'static Facts, rules: &Rules) -> Vec<String> {
        let set = |name: &str, value: &str| Command::SetOption { name, value: Some(value) }.to_string();
        let mut lines = Vec::new();
        let shift = if self.outside == Protocol::Xboard { 1 } else { 0 };
        let foreign_ranks = if options::is_registered(facts) { 0 } else { facts.ranks };
        if let Some(game) = self.games.iter().find(|game| std::ptr::eq(game.facts, facts)) {
            self.spelling = Spelling::new(game.alias.as_ref(), foreign_ranks, shift);
            if self.has_variants && (self.games.len() > 1 || game.alias.is_some()) {
                lines.push(set("UCI_Variant", &game.theirs));
            }
        }
        if options::is_registered(facts) {
            let options = rule_options(facts, rules, |name| self.option(name));
            lines.extend(options.into_iter().map(|(option, value)| set(&option.name, &value)));
        }
        lines
    }

    fn search(
        &mut self,
        search: Box<ForeignSearch>,
        connection: &mut Connection,
    ) -> Result<(), ProcessError> {
        if let Err(error) = self.follower.follow(&search) {
            connection.error(format!("the game cannot be followed: {error}"));
        }
        let start = self.spelling.position_to_engine(search.start.as_deref());
        let to_engine = |tokens: &[String]| {
            tokens.iter().map(|token| self.spelling.token_to_engine(token)).collect::<Vec<_>>().join(" ")
        };
        let (moves, only) = (to_engine(&search.tokens), to_engine(&search.searchmoves));
        let position = Position {
            start: start.as_deref().map_or(Start::Startpos, Start::Fen),
            moves: Moves::new(&moves),
        };
        let mut go = go(&search);
        go.search_moves = (!only.is_empty()).then(|| Moves::new(&only));
        connection.send(&[Command::Position(position).to_string(), Command::Go(go).to_line(self.dialect)])?;
        self.best = None;
        self.running = Some(Running::new(search));
        Ok(())
    }

    fn info(&mut self, info: &Info<'_>, connection: &mut Connection) {
        if let Some(text) = info.string {
            connection.message(EngineMessage::Log(text.to_owned()));
        }
        let Some(running) = &self.running else { return };
        if let Some(mut line) = search_events::uci_line(info, self.dialect, running.search.since.elapsed()) {
            line.pv.iter_mut().for_each(|token| *token = self.spelling.token_from_engine(token));
            if line.report.rank == 1 {
                self.best = Some(line.clone());
            }
            connection.events.push(EngineEvent::Search(running.search.id, SearchEvent::Info(line)));
        }
    }

    fn best_move(&mut self, word: Option<&str>, ponder: Option<&str>, connection: &mut Connection) {
        let Some(running) = self.running.take() else {
            connection.message(EngineMessage::Log("bestmove without a search".into()));
            return;
        };
        self.deadline = None;
        let best = self.best.take();
        let word = word.filter(|word| !matches!(*word, "none" | "null" | "NULL"));
        let found = word.map(|word| {
            let token = self.spelling.token_from_engine(word);
            self.follower.vet(&token).map_err(|error| (token, error))
        });
        let nothing = self.no_move(&running, best.as_ref().map_or(0, |line| line.report.score));
        let mut token = None;
        match found {
            Some(Ok(legal)) => token = Some(legal),
            // A null move means that there is no move, unless it is a legal move itself.
            Some(Err((null, _))) if matches!(null.as_str(), "0000" | "@@@@") => {
                connection.events.extend(nothing)
            }
            Some(Err((illegal, error))) => {
                connection.illegal_move(&illegal, &error);
            }
            None => connection.events.extend(nothing),
        }
        let ponder = ponder.zip(token.as_deref()).and_then(|(ponder, token)| {
            let ponder = self.spelling.token_from_engine(ponder);
            let check =
                |session: &dyn Session, word: &str| session.check(word).is_ok().then(|| word.to_owned());
            self.follower.walk([token, &ponder].into_iter(), check).into_iter().nth(1)
        });
        connection.events.push(running.end(token, ponder, best));
    }

    /// The event for an engine that has no move. Where our rules do not know the result, its last score
    /// decides: lost, or else drawn.
    fn no_move(&self, running: &Running, score: Score) -> Option<EngineEvent> {
        let play = !running.search.limits.infinite && !running.search.ponder;
        if self.follower.has_rules() || !play {
            return None;
        }
        let (verdict, why) = match (score::distance(score), running.search.player) {
            (Some(distance), Color::White) if distance <= 0 => (Verdict::BlackWins, "the engine has lost"),
            (Some(distance), Color::Black) if distance <= 0 => (Verdict::WhiteWins, "the engine has lost"),
            _ => (Verdict::Draw, "the engine has no move"),
        };
        Some(EngineMessage::ResultClaim(verdict, why.to_owned()).into())
    }
}

impl BridgedEngine for UciEngine {
    fn profile(&self) -> &ForeignEngine {
        &self.profile
    }

    fn handle_request(
        &mut self,
        request: EngineRequest,
        connection: &mut Connection,
    ) -> Result<(), ProcessError> {
        match request {
            // The outcomes of chance come from outside, and the seed would reveal what is hidden.
            EngineRequest::Set { name, .. } if is_chance(&name) => Ok(()),
            EngineRequest::Set { name, value } => {
                connection.send(&[Command::SetOption { name: &name, value: value.as_deref() }.to_string()])
            }
            EngineRequest::Game { facts, rules } => connection.send(&self.choose(facts, &rules)),
            EngineRequest::NewGame => connection.send(&[Command::UciNewGame.to_line(self.dialect)]),
            EngineRequest::Ponder(on) => {
                let line = |option: &EngineOption| {
                    let value = Some(if on { "true" } else { "false" });
                    Command::SetOption { name: &option.name, value }.to_string()
                };
                connection.send(self.option("Ponder").map(line).as_slice())
            }
            EngineRequest::Search(search) => self.search(search, connection),
            EngineRequest::DrawOffered | EngineRequest::Result(_) => Ok(()),
        }
    }

    fn is_searching(&self) -> bool {
        self.running.is_some()
    }

    fn handle_line(&mut self, line: &str, connection: &mut Connection) -> Result<(), ProcessError> {
        let Ok(Some(parsed)) = Reply::parse(line) else { return Ok(()) };
        match parsed.message {
            Reply::ReadyOk => connection.events.push(EngineEvent::Ready),
            Reply::Info(info) => self.info(&info, connection),
            Reply::BestMove { best, ponder } => self.best_move(best, ponder, connection),
            Reply::Unknown(text) => connection.message(EngineMessage::Log(text.to_owned())),
            _ => {}
        }
        Ok(())
    }

    fn follow_up(&mut self, connection: &mut Connection) -> Result<(), ProcessError> {
        let Some(running) = &mut self.running else { return Ok(()) };
        if running.must_hit() {
            running.hit = true;
            connection.send(&["ponderhit"])?;
        }
        if running.must_stop() {
            running.stopped = true;
            self.deadline = Some(Instant::now() + self.patience);
            connection.send(&["stop"])?;
        }
        Ok(())
    }

    fn ask_ready(&mut self, connection: &mut Connection) -> Result<bool, ProcessError> {
        connection.send(&["isready"])?;
        Ok(true)
    }

    fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    fn overdue(&mut self, _: &mut Connection) -> Result<Option<&'static str>, ProcessError> {
        Ok(Some("stop"))
    }
}

/// The limits of a search as a `go`.
fn go(search: &ForeignSearch) -> Go<'static> {
    let limits = &search.limits;
    let mut go = Go {
        ponder: search.ponder,
        depth: limits.depth,
        nodes: limits.nodes,
        mate: limits.win_in,
        infinite: limits.infinite,
        ..Go::default()
    };
    let milliseconds = |time: Duration| time.as_millis() as i64;
    match limits.budget {
        Budget::Unlimited => {}
        Budget::Fixed(time) => go.move_time = Some(time.as_millis() as u64),
        Budget::Clock { remaining, increment, turns_to_go } => {
            let own = milliseconds(remaining);
            let other = search.opponent_clock.map_or(own, milliseconds);
            let (white, black) = if search.player == Color::White { (own, other) } else { (other, own) };
            go.white_time = Some(white);
            go.black_time = Some(black);
            go.white_increment = Some(milliseconds(increment));
            go.black_increment = Some(milliseconds(increment));
            go.moves_to_go = turns_to_go;
        }
    }
    go
}
