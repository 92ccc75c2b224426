//! The searches of an engine that speaks UCI or UGI.

use super::aliases::Spelling;
use super::games::{Game, uci_games};
use super::handshake::{UciGreeting, greet_uci};
use super::searcher::{Out, Request, Search, Searcher, is_chance};
use super::uci::{add_clocks, option_line, rule_lines};
use super::{ClientSettings, Fault, moves, thinking};
use crate::base::Color;
use crate::base::score::{self, Score};
use crate::connection::Process;
use crate::engine::options::is_registered;
use crate::engine::{Abilities, EngineMessage, Profile, PvLine, SearchEvent};
use crate::game::{Facts, Rules};
use crate::protocol::uci::{Command, Dialect, Go, Info, Position, Reply, Start};
use crate::protocol::xboard::Verdict;
use crate::protocol::{EngineOption, Moves, same_words};
use crate::search::Budget;
use crate::session::Session;
use crate::variants::{self, chess::CHESS960};
use std::time::{Duration, Instant};

/// An engine that speaks UCI or UGI, and the search it was asked for.
pub struct UciSearch {
    profile: Profile,
    dialect: Dialect,
    /// The front end counts the ranks of some boards differently.
    for_xboard: bool,
    games: Vec<Game>,
    /// True if it has the option `UCI_Variant`.
    has_variants: bool,
    spelling: Spelling,
    running: Option<Box<Search>>,
    /// The best line that it has reported last.
    best: Option<PvLine>,
    /// When it must have sent its best move.
    deadline: Option<Instant>,
    patience: Duration,
}

impl UciSearch {
    /// Takes over an engine that was greeted.
    ///
    /// # Errors
    /// When it does not take an option, or does not get ready.
    pub fn new(
        dialect: Dialect,
        greeting: UciGreeting,
        settings: &ClientSettings,
        process: &mut Process,
        out: &mut Out,
    ) -> Result<Self, Fault> {
        let UciGreeting { name, author, mut options } = greeting;
        let chosen = settings.aliases.chosen_options(&options)?;
        let lines: Vec<_> =
            chosen.into_iter().map(|(option, value)| option_line(&option.name, Some(&value))).collect();
        if !lines.is_empty() {
            // An option may have named a file of games, which the engine only lists when it is greeted again.
            process.send_all(&lines)?;
            options = greet_uci(process, dialect, settings.patience)?.options;
        }
        let variant = EngineOption::find(&options, "UCI_Variant").cloned();
        let games = uci_games(variant.as_ref(), dialect, settings, process)?;
        let facts = games.first().map_or(variants::all()[0], |game| game.facts);
        options.retain(|option| !same_words(&option.name, "UCI_Variant"));
        let has = |name| EngineOption::find(&options, name).is_some();
        let abilities = Abilities {
            analyses: true,
            counts_nodes: true,
            has_hash: has("Hash"),
            has_threads: has("Threads"),
            plays_chess960: has(CHESS960),
            pauses: false,
            raw_thinking: true,
        };
        let games_played = games.iter().map(|game| game.facts).collect();
        let mut engine = Self {
            profile: Profile { name, author, options, games: games_played, settles: false, abilities },
            dialect,
            for_xboard: settings.for_xboard,
            games,
            has_variants: variant.is_some(),
            spelling: Spelling::default(),
            running: None,
            best: None,
            deadline: None,
            patience: settings.patience,
        };
        out.lines.extend(engine.choose(facts, &Rules::of(facts)));
        Ok(engine)
    }

    /// Its option of this name, except for `UCI_Variant`.
    fn option(&self, name: &str) -> Option<&EngineOption> {
        EngineOption::find(&self.profile.options, name)
    }

    /// The lines after which it plays this game by these rules.
    fn choose(&mut self, facts: &'static Facts, rules: &Rules) -> Vec<String> {
        let mut lines = Vec::new();
        let shift = i8::from(self.for_xboard);
        let foreign_ranks = if is_registered(facts) { 0 } else { facts.ranks };
        if let Some(game) = self.games.iter().find(|game| std::ptr::eq(game.facts, facts)) {
            self.spelling = Spelling::new(game.alias.as_ref(), foreign_ranks, shift);
            if self.has_variants && (self.games.len() > 1 || game.alias.is_some()) {
                lines.push(option_line("UCI_Variant", Some(&game.theirs)));
            }
        }
        if is_registered(facts) {
            lines.extend(rule_lines(facts, rules, &self.profile.options));
        }
        lines
    }

    fn search(&mut self, search: Box<Search>, out: &mut Out) {
        let start = self.spelling.position_to_engine(search.start.as_deref());
        let to_engine = |tokens: &[String]| {
            tokens.iter().map(|token| self.spelling.token_to_engine(token)).collect::<Vec<_>>().join(" ")
        };
        let (moves, only) = (to_engine(&search.tokens), to_engine(&search.searchmoves));
        out.send(Command::Position(Position {
            start: start.as_deref().map_or(Start::Startpos, Start::Fen),
            moves: Moves::new(&moves),
        }));
        let mut go = go(&search);
        go.search_moves = (!only.is_empty()).then(|| Moves::new(&only));
        out.send(Command::Go(go).to_line(self.dialect));
        self.best = None;
        self.running = Some(search);
    }

    fn info(&mut self, info: &Info<'_>, out: &mut Out) {
        if let Some(text) = info.string {
            out.log(text);
        }
        let Some(search) = &self.running else { return };
        if let Some(mut line) = thinking::uci_line(info, self.dialect, search.since.elapsed()) {
            line.pv.iter_mut().for_each(|token| *token = self.spelling.token_from_engine(token));
            if line.report.rank == 1 {
                self.best = Some(line.clone());
            }
            out.event(search.id, SearchEvent::Info(line));
        }
    }

    fn best_move(&mut self, text: Option<&str>, ponder: Option<&str>, out: &mut Out) {
        let Some(mut search) = self.running.take() else { return out.log("bestmove without a search") };
        self.deadline = None;
        let best = self.best.take();
        let text = text.filter(|text| !matches!(*text, "none" | "null" | "NULL"));
        let found = text.map(|text| {
            let token = self.spelling.token_from_engine(text);
            moves::check(&*search.game, &token).map_err(|error| (token, error))
        });
        let mut token = None;
        match found {
            Some(Ok(legal)) => token = Some(legal),
            // A null move means that there is no move, unless it is a legal move itself.
            Some(Err((illegal, error))) if !matches!(illegal.as_str(), "0000" | "@@@@") => {
                out.illegal_move(&illegal, &error);
            }
            _ => {
                let score = best.as_ref().map_or(0, |line| line.report.score);
                no_move(&search, score).into_iter().for_each(|message| out.message(message));
            }
        }
        let ponder = ponder.zip(token.as_deref()).and_then(|(ponder, token)| {
            let ponder = self.spelling.token_from_engine(ponder);
            let read = |_: &dyn Session, text: &str| text.to_owned();
            moves::play_through(&mut *search.game, [token, &ponder].into_iter(), read).into_iter().nth(1)
        });
        out.end(&search, token, ponder, best);
    }
}

/// The message for an engine that has no move. Where our rules do not know the result, its last score
/// decides: lost, or else drawn.
fn no_move(search: &Search, score: Score) -> Option<EngineMessage> {
    let play = !search.limits.infinite && !search.ponder;
    if is_registered(search.game.facts()) || !play {
        return None;
    }
    let (verdict, why) = match (score::distance(score), search.player) {
        (Some(distance), Color::White) if distance <= 0 => (Verdict::BlackWins, "the engine has lost"),
        (Some(distance), Color::Black) if distance <= 0 => (Verdict::WhiteWins, "the engine has lost"),
        _ => (Verdict::Draw, "the engine has no move"),
    };
    Some(EngineMessage::ResultClaim(verdict, why.to_owned()))
}

impl Searcher for UciSearch {
    fn profile(&self) -> &Profile {
        &self.profile
    }

    fn is_searching(&self) -> bool {
        self.running.is_some()
    }

    fn ask(&mut self, request: Request, out: &mut Out) {
        match request {
            // The outcomes of chance come from outside, and the seed would reveal what is hidden.
            Request::Set { name, .. } if is_chance(&name) => {}
            Request::Set { name, value } => out.send(option_line(&name, value.as_deref())),
            Request::Game { facts, rules } => out.lines.extend(self.choose(facts, &rules)),
            Request::NewGame => out.send(Command::UciNewGame.to_line(self.dialect)),
            Request::Ponder(on) => {
                let value = Some(if on { "true" } else { "false" });
                out.lines.extend(self.option("Ponder").map(|option| option_line(&option.name, value)));
            }
            Request::Search(search) => self.search(search, out),
            Request::DrawOffered | Request::Result(_) => {}
        }
    }

    fn hear(&mut self, line: &str, out: &mut Out) {
        let Ok(Some(parsed)) = Reply::parse(line) else { return };
        match parsed.message {
            Reply::ReadyOk => out.ready(),
            Reply::Info(info) => self.info(&info, out),
            Reply::BestMove { best, ponder } => self.best_move(best, ponder, out),
            Reply::Unknown(text) => out.log(text),
            _ => {}
        }
    }

    fn follow_up(&mut self, out: &mut Out) {
        let Some(search) = &mut self.running else { return };
        if search.must_hit() {
            search.hit = true;
            out.send("ponderhit");
        }
        if search.must_stop() {
            search.stopped = true;
            self.deadline = Some(Instant::now() + self.patience);
            out.send("stop");
        }
    }

    fn ask_ready(&mut self) -> Option<String> {
        Some("isready".to_owned())
    }

    fn due(&self) -> Option<Instant> {
        self.deadline
    }

    fn overdue(&mut self, _: &mut Out) -> Option<&'static str> {
        Some("stop")
    }
}

/// The limits of a search as a `go`.
fn go(search: &Search) -> Go<'static> {
    let limits = &search.limits;
    let mut go = Go {
        ponder: search.ponder,
        depth: limits.depth,
        nodes: limits.nodes,
        mate: limits.win_in,
        infinite: limits.infinite,
        ..Go::default()
    };
    match limits.budget {
        Budget::Unlimited => {}
        Budget::Fixed(time) => go.move_time = Some(time.as_millis() as u64),
        Budget::Clock { remaining, increment, turns_to_go } => {
            let other = search.opponent_clock.unwrap_or(remaining);
            add_clocks(&mut go, search.player, (remaining, increment), (other, increment));
            go.moves_to_go = turns_to_go;
        }
    }
    go
}
