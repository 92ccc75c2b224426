//! The searches of an engine that speaks the XBoard protocol.

use super::aliases::Spelling;
use super::driver::Driver;
use super::games::{Game, xboard_games};
use super::handshake::Features;
use super::moves::{self, read_move, turn_of};
use super::resync::{Names, Sent};
use super::searcher::{Out, Request, Search, Searcher, is_chance};
use super::xboard::{XboardDriver, corrects_board};
use super::{ClientSettings, Fault, PlayerSettings, thinking};
use crate::engine::options::is_registered;
use crate::engine::{Abilities, EngineMessage, Profile, PvLine, SearchEvent};
use crate::game::{Facts, Rules};
use crate::protocol::xboard::{Command, Outcome, Reply, Thinking, Verdict};
use crate::protocol::{EngineOption, same_words};
use crate::search::{Budget, Report};
use crate::session::{self, OpaqueSession, Session, chance::Chance};
use crate::variants::chess::{CHESS960, FISCHERANDOM};
use std::time::{Duration, Instant};

/// An engine that speaks the XBoard protocol, and the search it was asked for.
pub struct XboardSearch {
    profile: Profile,
    driver: XboardDriver,
    games: Vec<Game>,
    /// The index of the game that was chosen last.
    game: usize,
    spelling: Spelling,
    sent: Sent,
    running: Option<Box<Search>>,
    /// The game of the last search, at the position that was searched.
    position: Box<dyn Session>,
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
    /// The front end speaks the XBoard protocol, too.
    for_xboard: bool,
}

/// A session of a game at its start, in which a referee decides for chance.
fn open(facts: &'static Facts) -> Box<dyn Session> {
    if is_registered(facts) {
        session::open(facts, Rules::of(facts), Chance::Referee)
    } else {
        Box::new(OpaqueSession::new(facts))
    }
}

/// How long an engine may go on after the command to move now.
const HURRY: Duration = Duration::from_secs(3);
/// The most moves that are read of a principal variation.
const LONGEST_LINE: usize = 40;

impl XboardSearch {
    /// Takes over an engine that was greeted.
    ///
    /// # Errors
    /// When it does not know the game, or does not take an option.
    pub fn new(features: Features, settings: &ClientSettings, out: &mut Out) -> Result<Self, Fault> {
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
        if features.games().contains(&FISCHERANDOM) {
            options.push(EngineOption::check(CHESS960, false));
        }
        let has = |name| EngineOption::find(&options, name).is_some();
        let abilities = Abilities {
            analyses: features.has("analyze"),
            counts_nodes: features.has("nps"),
            has_hash: has("Hash"),
            has_threads: has("Threads"),
            plays_chess960: has(CHESS960),
            pauses: false,
            raw_thinking: true,
        };
        let profile = Profile {
            name: features.name.clone(),
            author: String::new(),
            options,
            games: games.iter().map(|game| game.facts).collect(),
            settles: true,
            abilities,
        };
        for (option, value) in settings.aliases.chosen_options(&features.options)? {
            out.send(Command::Option { name: &option.name, value: Some(&value) });
        }
        let facts = games[0].facts;
        let mut search = Self {
            profile,
            driver: XboardDriver::new(features, &PlayerSettings::default()),
            games,
            game: 0,
            spelling: Spelling::default(),
            sent: Sent::default(),
            running: None,
            position: open(facts),
            silent: false,
            legs: String::new(),
            lines: 1,
            shown: (0, Vec::new()),
            best: None,
            deadline: None,
            hurried: false,
            patience: settings.patience,
            for_xboard: settings.for_xboard,
        };
        search.choose(facts);
        Ok(search)
    }

    fn choose(&mut self, facts: &'static Facts) {
        if let Some(at) = self.games.iter().position(|game| std::ptr::eq(game.facts, facts)) {
            self.game = at;
            // Our turns are those of the front end's protocol.
            let (alias, shift) = (self.games[at].alias.as_ref(), if self.for_xboard { 0 } else { -1 });
            self.spelling = Spelling::new(alias, if is_registered(facts) { 0 } else { facts.ranks }, shift);
        }
        self.sent.forget();
    }

    fn set(&mut self, name: &str, value: Option<&str>) -> Option<String> {
        if same_words(name, "MultiPV") {
            self.lines = value.and_then(|value| value.parse().ok()).unwrap_or(1);
        }
        // Options it declared itself come before the commands.
        let declared = EngineOption::find(&self.driver.features.options, name).is_some();
        match name {
            // Chance, and how turns are written, are for us to decide.
            _ if declared && (is_chance(name) || same_words(name, "Turn View")) => None,
            "Ponder" if !declared => Some(self.ponder(value == Some("true"))),
            _ => self.driver.option_line(name, value),
        }
    }

    fn ponder(&mut self, on: bool) -> String {
        self.driver.ponders = on;
        self.driver.pondering_line()
    }

    fn search(&mut self, search: Box<Search>, out: &mut Out) {
        self.best = None;
        self.shown = (0, Vec::new());
        self.legs.clear();
        self.hurried = false;
        self.silent = search.ponder;
        if search.ponder {
            // It ponders by itself, or not at all.
            self.running = Some(search);
        } else {
            self.begin(search, out);
        }
    }

    /// Sends the position and starts a search.
    fn begin(&mut self, mut search: Box<Search>, out: &mut Out) {
        self.silent = false;
        let names = Names { spelling: &self.spelling, variant: self.games[self.game].variant() };
        let lines = self.sent.search_lines(&mut search, &self.driver, &names);
        std::mem::swap(&mut self.position, &mut search.game);
        if let Budget::Fixed(time) = search.limits.budget {
            self.deadline = Some(search.since + time);
        }
        self.running = Some(search);
        match lines {
            Ok(lines) => out.lines.extend(lines),
            Err(why) => {
                out.error(format!("{} cannot search this: {why}", self.profile.name));
                self.sent.forget();
                self.conclude(None, out);
            }
        }
    }

    /// Ends the running search with `token`.
    fn conclude(&mut self, token: Option<String>, out: &mut Out) {
        let Some(search) = self.running.take() else { return };
        self.deadline = None;
        let best = self.best.take();
        let expected = best.as_ref().and_then(|line| match line.pv.as_slice() {
            [first, second, ..] if Some(first) == token.as_ref() => Some(second.clone()),
            _ => None,
        });
        out.end(&search, token, expected, best);
    }

    /// The move it would most likely play now: the first of its principal variation, or else any legal one.
    fn likeliest(&self) -> Option<String> {
        let first = self.best.as_ref().and_then(|line| line.pv.first().cloned());
        first.or_else(|| self.position.first_token())
    }

    /// Handles a move of the engine.
    fn moved(&mut self, text: &str, out: &mut Out) {
        // These plies follow its own move, when no search runs, and ours.
        if corrects_board(&*self.position, text) {
            return;
        }
        let Some(search) = self.running.as_ref().filter(|_| !self.silent) else {
            // It was sent the command to stop when its move was on its way.
            return self.sent.forget();
        };
        if search.limits.infinite {
            return;
        }
        if text.ends_with(',') {
            return self.legs.push_str(text);
        }
        let text = std::mem::take(&mut self.legs) + text;
        let token = read_move(&*self.position, &self.spelling.token_from_engine(&text));
        match moves::check(&*self.position, &token) {
            Ok(token) => {
                let token = moves::canonical(&mut *self.position, &token);
                self.sent.has_played(token.clone());
                self.conclude(Some(token), out);
            }
            Err(error) => {
                out.illegal_move(&text, &error);
                self.sent.forget();
                out.send(Command::Force);
                self.conclude(None, out);
            }
        }
    }

    fn thinking(&mut self, thinking: &Thinking<'_>, out: &mut Out) {
        let Some(search) = self.running.as_ref().filter(|_| !self.silent) else { return };
        let (id, limits) = (search.id, search.limits);
        let report = thinking::xboard_report(thinking, search.since.elapsed());
        let spelling = &self.spelling;
        let texts = thinking.pv.split_whitespace().filter_map(turn_of).take(LONGEST_LINE);
        let pv = moves::play_through(&mut *self.position, texts, |session, text| {
            read_move(session, &spelling.token_from_engine(text))
        });
        let report = Report { rank: self.rank(&report, pv.first()), ..report };
        let line = PvLine { report, pv };
        if !line.pv.is_empty() && report.rank == 1 {
            self.best = Some(line.clone());
        }
        out.event(id, SearchEvent::Info(line));
        let counts = self.profile.abilities.counts_nodes;
        if limits.nodes.is_some_and(|most| !counts && thinking.nodes >= most) && !self.hurried {
            self.hurry(out);
        }
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
    fn hurry(&mut self, out: &mut Out) {
        self.hurried = true;
        self.deadline = Some(Instant::now() + HURRY.min(self.patience));
        out.send(Command::MoveNow);
    }

    /// Handles that the engine ends the game, possibly while a search waits for its move.
    fn ends(&mut self, message: EngineMessage, out: &mut Out) {
        out.message(message);
        self.sent.stopped_playing();
        if self.running.is_some() && !self.silent {
            self.sent.forget();
            let token = self.likeliest();
            self.conclude(token, out);
        }
    }

    fn claims(&mut self, claim: &Outcome<'_>, out: &mut Out) {
        match claim.verdict {
            Verdict::Open => {}
            // Our rules know the result. A claim that they do not confirm is wrong.
            _ if is_registered(self.position.facts()) => {
                self.ends(EngineMessage::Log(format!("the engine says {claim}")), out);
            }
            verdict => self.ends(EngineMessage::ResultClaim(verdict, claim.comment.to_owned()), out),
        }
    }
}

impl Searcher for XboardSearch {
    fn profile(&self) -> &Profile {
        &self.profile
    }

    fn is_searching(&self) -> bool {
        self.running.is_some()
    }

    fn ask(&mut self, request: Request, out: &mut Out) {
        match request {
            Request::Set { name, value } => out.lines.extend(self.set(&name, value.as_deref())),
            Request::Ponder(on) => out.send(self.ponder(on)),
            Request::Game { facts, .. } => {
                self.choose(facts);
                // A client that waits for the set-up also waits for it to be ready.
                if let Some(name) = self.games[self.game].variant() {
                    out.send(Command::New);
                    out.send(Command::Variant(name));
                }
            }
            Request::NewGame => self.sent.forget(),
            Request::DrawOffered => out.send(Command::Draw),
            Request::Result(text) => {
                self.sent.stopped_playing();
                out.lines.extend(self.driver.end(&text));
            }
            Request::Search(search) => self.search(search, out),
        }
    }

    fn hear(&mut self, line: &str, out: &mut Out) {
        let Ok(Some(parsed)) = Reply::parse(line) else { return };
        match parsed.message {
            Reply::Pong(_) => out.ready(),
            Reply::Move(text) => self.moved(text, out),
            Reply::Thinking(thinking) => self.thinking(&thinking, out),
            Reply::Resign => self.ends(EngineMessage::Resign, out),
            Reply::OfferDraw => out.message(EngineMessage::DrawOffer),
            Reply::Result(claim) => self.claims(&claim, out),
            Reply::IllegalMove { text, reason } => {
                out.error(format!("the engine refuses {text} {reason}").trim_end());
                self.sent.forget();
                out.send(Command::Force);
                if !self.silent {
                    self.conclude(None, out);
                }
            }
            Reply::Tell { text, .. } => out.message(EngineMessage::Tell(text.to_owned())),
            Reply::Setup(_) | Reply::Piece { .. } => {
                out.message(EngineMessage::RawXboard(line.trim().to_owned()))
            }
            Reply::Error { .. } | Reply::Comment(_) | Reply::Unknown(_) => out.log(line.trim()),
            _ => {}
        }
    }

    fn follow_up(&mut self, out: &mut Out) {
        let Some(search) = &mut self.running else { return };
        if search.must_stop() {
            search.stopped = true;
            if self.silent {
                // A search that was never begun has found nothing, but a client may wait for a move all the
                // same.
                let token = search.game.first_token();
                return self.conclude(token, out);
            }
            if search.limits.infinite {
                out.send(Command::Exit);
                out.send(Command::Force);
                let token = self.likeliest();
                return self.conclude(token, out);
            }
            self.hurry(out);
        } else if search.must_hit()
            && let Some(mut search) = self.running.take()
        {
            search.ponder = false;
            self.begin(search, out);
        }
    }

    fn ask_ready(&mut self) -> Option<String> {
        self.driver.ask_ready()
    }

    fn due(&self) -> Option<Instant> {
        self.deadline
    }

    fn overdue(&mut self, out: &mut Out) -> Option<&'static str> {
        self.deadline = None;
        if self.running.is_none() || self.silent {
            return None;
        }
        if !self.hurried {
            self.hurry(out);
            return None;
        }
        // It ignores the command to move now, so it is stopped, and the move it thought of last counts.
        self.sent.forget();
        out.send(Command::Force);
        let token = self.likeliest();
        self.conclude(token, out);
        None
    }
}
