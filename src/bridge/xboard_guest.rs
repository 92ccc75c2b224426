//! An engine that speaks the XBoard protocol.

use super::aliases::{GameAlias, Spelling};
use super::follower::Follower;
use super::guest::{Guest, Running, Said, Wire};
use super::xboard_game::{FISCHERANDOM, Manner, Told};
use super::{BridgeError, Settings, search_events};
use crate::arena::{Fault, Features, coordinate_move, from_short};
use crate::base::score::Score;
use crate::base::without_controls;
use crate::engine::{BestMove, ForeignEngine, ForeignSearch, Order, PvLine, SearchEvent, Word};
use crate::game::{Facts, Rules};
use crate::process::ProcessError;
use crate::protocol::xboard::{Command, Outcome, Reply, Thinking, Verdict};
use crate::protocol::{EngineOption, same_words};
use crate::search::{Budget, Report};
use crate::session::{Announcement, Session};
use crate::variants::{self, chess::CHESS960};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// A game of the engine.
struct Game {
    facts: &'static Facts,
    /// The engine's name for it; `None` for chess, which need not be named.
    theirs: Option<String>,
    alias: Option<GameAlias>,
}

/// An engine that speaks the XBoard protocol, and what it was asked.
pub struct XboardGuest {
    profile: ForeignEngine,
    features: Features,
    games: Vec<Game>,
    /// The game that was chosen last.
    game: usize,
    follower: Follower,
    spelling: Spelling,
    told: Told,
    running: Option<Running>,
    /// It thinks on the opponent's time by itself, and was told nothing of the search that runs.
    silent: bool,
    /// Legs of a turn that goes on in the next line.
    legs: String,
    /// How many best lines it shows.
    lines: usize,
    /// The depth of the last line, and what those of this depth begin with.
    shown: (u32, Vec<String>),
    /// What it found last: the score and the first line.
    best: Option<(Score, PvLine)>,
    waiting: VecDeque<Order>,
    deadline: Option<Instant>,
    /// It was told to move now, and did not.
    hurried: bool,
    patience: Duration,
    pings: i64,
    ponders: bool,
}

/// How long an engine that was told to move now may go on.
const HURRY: Duration = Duration::from_secs(3);
/// The longest best line that is read.
const LONGEST_LINE: usize = 40;

impl XboardGuest {
    /// Takes over an engine that was greeted.
    ///
    /// # Errors
    /// When it does not know the game, or does not take an option.
    pub fn new(features: Features, settings: &Settings, wire: &mut Wire) -> Result<Self, BridgeError> {
        let games = games(&features, settings)?;
        let mut options = features.options.clone();
        // What the protocol has commands of its own for.
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
        let mut lines = Vec::new();
        for (name, value) in &settings.aliases.options {
            let Some(option) = EngineOption::find(&features.options, name) else {
                return Err(Fault::Unfit(format!("it has no option `{name}`")).into());
            };
            let value = option.spelled(value);
            option.takes(&value).map_err(Fault::from)?;
            lines.push(Command::Option { name: &option.name, value: Some(&value) }.to_string());
        }
        wire.send(&lines).map_err(Fault::from)?;
        let mut guest = Self {
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
            waiting: VecDeque::new(),
            deadline: None,
            hurried: false,
            patience: settings.patience,
            pings: 0,
            ponders: false,
        };
        guest.choose(facts);
        Ok(guest)
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
        // Those it declared itself go before the commands.
        let declared = EngineOption::find(&self.features.options, name).is_some();
        match name {
            _ if declared => {
                // Chance, and how turns are written, are our affair.
                let ours = same_words(name, "Chance") || same_words(name, "Turn View");
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

    fn go_on(&mut self, wire: &mut Wire, said: &mut Vec<Said>) -> Result<(), ProcessError> {
        while self.running.is_none()
            && let Some(order) = self.waiting.pop_front()
        {
            match order {
                Order::Set { name, value } => {
                    let line = self.set(&name, value.as_deref());
                    wire.send(line.as_slice())?;
                }
                Order::Ponder(on) => {
                    let line = self.ponder(on);
                    wire.send(line.as_slice())?;
                }
                Order::Game { facts, .. } => {
                    self.choose(facts);
                    // Whoever waits for its set-up waits for it to be ready.
                    if let Some(name) = &self.games[self.game].theirs {
                        let lines = [Command::New.to_string(), Command::Variant(name).to_string()];
                        wire.send(&lines)?;
                    }
                }
                Order::NewGame => self.told.forget(),
                Order::DrawOffered => wire.send(&[Command::Draw.to_string()])?,
                Order::Result(text) => {
                    wire.send(&[format!("result {text}"), Command::Force.to_string()])?;
                    self.told.stopped_playing();
                }
                Order::Search(search) => self.search(search, wire, said)?,
            }
        }
        Ok(())
    }

    fn search(
        &mut self,
        search: Box<ForeignSearch>,
        wire: &mut Wire,
        said: &mut Vec<Said>,
    ) -> Result<(), ProcessError> {
        self.best = None;
        self.shown = (0, Vec::new());
        self.legs.clear();
        self.hurried = false;
        self.silent = search.ponder;
        if search.ponder {
            // It thinks on the opponent's time by itself, or not at all.
            self.running = Some(Running::new(search));
            return Ok(());
        }
        self.begin(search, wire, said)
    }

    /// Tells it the position and to think.
    fn begin(
        &mut self,
        search: Box<ForeignSearch>,
        wire: &mut Wire,
        said: &mut Vec<Said>,
    ) -> Result<(), ProcessError> {
        self.silent = false;
        let followed = self.follower.follow(&search).map_err(|error| error.to_string());
        let manner = Manner {
            features: &self.features,
            spelling: &self.spelling,
            variant: self.games[self.game].theirs.as_deref(),
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
                wire.send(&lines)
            }
            Err(why) => {
                said.push(Said::trouble(format!("{} cannot search this: {why}", self.profile.name)));
                self.told.forget();
                self.running = Some(running);
                self.conclude(None, said);
                Ok(())
            }
        }
    }

    /// The search that runs has ended with this.
    fn conclude(&mut self, token: Option<String>, said: &mut Vec<Said>) {
        let Some(running) = self.running.take() else { return };
        self.deadline = None;
        let line = self.best.take();
        let (score, nodes) = line.as_ref().map_or((0, 0), |(score, line)| (*score, line.report.nodes));
        let expected = line.and_then(|(_, line)| match line.pv.as_slice() {
            [first, second, ..] if Some(first) == token.as_ref() => Some(second.clone()),
            _ => None,
        });
        let elapsed = running.search.since.elapsed();
        let best = BestMove { token, ponder: expected, score, nodes, elapsed };
        said.push(Said::Event(running.search.id, SearchEvent::BestMove(best)));
    }

    /// What it would play if it had to say so now: the first of its best line, else anything legal.
    fn likeliest(&self) -> Option<String> {
        let first = self.best.as_ref().and_then(|(_, line)| line.pv.first().cloned());
        first.or_else(|| self.follower.session().first_token())
    }

    /// It has moved.
    fn moved(&mut self, text: &str, wire: &mut Wire, said: &mut Vec<Said>) -> Result<(), ProcessError> {
        let Some(running) = self.running.as_ref().filter(|_| !self.silent) else {
            // It was told to stop when its move was on its way.
            self.told.forget();
            return Ok(());
        };
        if running.search.limits.infinite {
            return Ok(());
        }
        let facts = self.follower.session().facts();
        // Plies that only correct the board of a program without rules; see `protocol-docs/xboard.md`.
        let passes = self.follower.vet("0000").is_ok();
        if facts.xboard.removes && (text.ends_with('z') || text == "@@@@" && !passes) {
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
                self.conclude(Some(token), said);
            }
            Err(error) => {
                let illegal = without_controls(&text).into_owned();
                said.push(Said::trouble(format!("Illegal move by the engine ({error}): {illegal}")));
                self.told.forget();
                wire.send(&[Command::Force.to_string()])?;
                self.conclude(None, said);
            }
        }
        self.go_on(wire, said)
    }

    fn thinking(
        &mut self,
        thinking: &Thinking<'_>,
        wire: &mut Wire,
        said: &mut Vec<Said>,
    ) -> Result<(), ProcessError> {
        let Some(running) = self.running.as_ref().filter(|_| !self.silent) else { return Ok(()) };
        let (id, limits) = (running.search.id, running.search.limits);
        let counts = thinking.counts.unwrap_or_default();
        let report = Report {
            depth: thinking.ply,
            seldepth: counts.selective_depth.max(thinking.ply),
            rank: 1,
            score: search_events::xboard_score(thinking.score),
            bound: search_events::bound(thinking.bound),
            nodes: thinking.nodes,
            // Below a hundredth of a second the protocol says nothing.
            elapsed: match thinking.time {
                0 => running.search.since.elapsed().min(Duration::from_millis(10)),
                hundredths => Duration::from_millis(hundredths.saturating_mul(10)),
            },
            table_full: 0,
        };
        let spelling = &self.spelling;
        let words = thinking.pv.split_whitespace().filter_map(turn_of).take(LONGEST_LINE);
        let pv = self.follower.walk(words, |session, word| {
            let token = read_move(session, &spelling.token_from_engine(word));
            session.check(&token).is_ok().then_some(token)
        });
        let report = Report { rank: self.rank(&report, pv.first()), ..report };
        let line = PvLine { report, pv };
        if !line.pv.is_empty() && report.rank == 1 {
            self.best = Some((report.score, line.clone()));
        }
        said.push(Said::Event(id, SearchEvent::Info(line)));
        let enough = limits.nodes.is_some_and(|most| !self.features.has("nps") && thinking.nodes >= most);
        if enough && !self.hurried {
            self.hurry(wire)?;
        }
        Ok(())
    }

    /// Which of several best lines this is: the protocol does not number them, but no two of a depth begin alike.
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

    /// Tells it to move now.
    fn hurry(&mut self, wire: &mut Wire) -> Result<(), ProcessError> {
        self.hurried = true;
        self.deadline = Some(Instant::now() + HURRY.min(self.patience));
        wire.send(&[Command::MoveNow.to_string()])
    }

    /// It ends the game, while it may be asked for a move.
    fn ends(&mut self, word: Word, wire: &mut Wire, said: &mut Vec<Said>) -> Result<(), ProcessError> {
        said.push(Said::word(word));
        self.told.stopped_playing();
        if self.running.is_some() && !self.silent {
            self.told.forget();
            let token = self.likeliest();
            self.conclude(token, said);
            return self.go_on(wire, said);
        }
        Ok(())
    }

    fn claims(
        &mut self,
        claim: &Outcome<'_>,
        wire: &mut Wire,
        said: &mut Vec<Said>,
    ) -> Result<(), ProcessError> {
        if claim.verdict == Verdict::Open {
            return Ok(());
        }
        if !self.follower.has_rules() {
            return self.ends(Word::Claims(claim.verdict, claim.comment.to_owned()), wire, said);
        }
        // Our rules say the result themselves; what they do not say is not so.
        self.ends(Word::Note(format!("the engine says {claim}")), wire, said)
    }
}

/// What the engine means, where it writes short or castles in words.
fn read_move(session: &dyn Session, text: &str) -> String {
    let text = text.trim_end_matches(['+', '#', '!', '?']);
    let token = coordinate_move(session, text);
    if session.facts().answers_to("normal")
        && session.check(&token).is_err()
        && let Some(long) = from_short(&session.position(), text)
    {
        return long;
    }
    token
}

/// A word of a best line, unless it is a number of a move.
fn turn_of(word: &str) -> Option<&str> {
    let word = word.trim_start_matches('(').trim_end_matches(')');
    let number = word.trim_end_matches('.');
    let is_number =
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) && number != "0000";
    if is_number || number.is_empty() {
        return None;
    }
    // `1.e4`
    let behind = word.split_once('.').filter(|(number, _)| number.bytes().all(|byte| byte.is_ascii_digit()));
    Some(behind.map_or(word, |(_, rest)| rest.trim_start_matches('.')))
}

impl Guest for XboardGuest {
    fn profile(&self) -> &ForeignEngine {
        &self.profile
    }

    fn obey(&mut self, order: Order, wire: &mut Wire, said: &mut Vec<Said>) -> Result<(), ProcessError> {
        match order {
            // While it thinks, too.
            Order::DrawOffered if self.running.is_some() => wire.send(&[Command::Draw.to_string()]),
            order => {
                self.waiting.push_back(order);
                self.go_on(wire, said)
            }
        }
    }

    fn hear(
        &mut self,
        line: &str,
        _when: Instant,
        wire: &mut Wire,
        said: &mut Vec<Said>,
    ) -> Result<(), ProcessError> {
        let Ok(Some(parsed)) = Reply::parse(line) else { return Ok(()) };
        match parsed.message {
            Reply::Pong(_) => said.push(Said::Ready),
            Reply::Move(text) => return self.moved(text, wire, said),
            Reply::Thinking(thinking) => return self.thinking(&thinking, wire, said),
            Reply::Resign => return self.ends(Word::Resigns, wire, said),
            Reply::OfferDraw => said.push(Said::word(Word::OffersDraw)),
            Reply::Result(claim) => return self.claims(&claim, wire, said),
            Reply::IllegalMove { text, reason } => {
                said.push(Said::trouble(format!("the engine refuses {text} {reason}").trim_end()));
                self.told.forget();
                wire.send(&[Command::Force.to_string()])?;
                if self.running.is_some() && !self.silent {
                    self.conclude(None, said);
                    return self.go_on(wire, said);
                }
            }
            Reply::Tell { text, .. } => said.push(Said::word(Word::Note(text.to_owned()))),
            Reply::Setup(_) | Reply::Piece { .. } => said.push(Said::word(Word::Raw(line.trim().to_owned()))),
            Reply::Error { .. } | Reply::Comment(_) | Reply::Unknown(_) => {
                said.push(Said::word(Word::Note(line.trim().to_owned())));
            }
            _ => {}
        }
        Ok(())
    }

    fn follow_up(&mut self, wire: &mut Wire, said: &mut Vec<Said>) -> Result<(), ProcessError> {
        let Some(running) = &mut self.running else { return Ok(()) };
        if running.must_stop() {
            running.stopped = true;
            if self.silent {
                // What was never begun has found nothing; somebody may wait for a word all the same.
                let token = self.follower.session().first_token();
                self.conclude(token, said);
                return self.go_on(wire, said);
            }
            if running.search.limits.infinite {
                wire.send(&[Command::Exit.to_string(), Command::Force.to_string()])?;
                let token = self.likeliest();
                self.conclude(token, said);
                return self.go_on(wire, said);
            }
            return self.hurry(wire);
        }
        if running.must_hit()
            && let Some(mut running) = self.running.take()
        {
            running.search.ponder = false;
            return self.begin(running.search, wire, said);
        }
        Ok(())
    }

    fn ask_ready(&mut self, wire: &mut Wire) -> Result<bool, ProcessError> {
        if !self.features.has("ping") {
            return Ok(false);
        }
        self.pings += 1;
        wire.send(&[Command::Ping(self.pings).to_string()])?;
        Ok(true)
    }

    fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    fn overdue(
        &mut self,
        wire: &mut Wire,
        said: &mut Vec<Said>,
    ) -> Result<Option<&'static str>, ProcessError> {
        self.deadline = None;
        if self.running.is_none() || self.silent {
            return Ok(None);
        }
        if !self.hurried {
            self.hurry(wire)?;
            return Ok(None);
        }
        // It does not know how to move now: it is stopped, and what it thought last is its move.
        self.told.forget();
        wire.send(&[Command::Force.to_string()])?;
        let token = self.likeliest();
        self.conclude(token, said);
        self.go_on(wire, said)?;
        Ok(None)
    }
}

/// The games of the engine, chess first if it plays it.
fn games(features: &Features, settings: &Settings) -> Result<Vec<Game>, Fault> {
    let normal = ["normal".to_owned()];
    let names = features.variants.as_deref().unwrap_or(&normal);
    let mut games: Vec<Game> = Vec::new();
    for theirs in names.iter().filter(|name| !name.is_empty() && *name != FISCHERANDOM) {
        let alias = settings.aliases.of_engine(theirs).cloned();
        let name = alias.as_ref().map_or(theirs.as_str(), |alias| &alias.name);
        if games.iter().any(|game| game.facts.answers_to(name)) {
            continue;
        }
        let unknown = || {
            let start = alias.as_ref().and_then(|alias| alias.start.clone()).unwrap_or_default();
            let setup = alias.as_ref().and_then(|alias| alias.setup.clone());
            let name = name.to_owned();
            Announcement { name, files: 8, ranks: 8, hand: 0, start, setup }.into_facts()
        };
        let facts = variants::find(name).unwrap_or_else(|_| unknown());
        let named = (theirs != "normal").then(|| theirs.clone());
        games.push(Game { facts, theirs: named, alias });
    }
    let wanted = settings.game.as_deref().unwrap_or("normal");
    match games
        .iter()
        .position(|game| game.facts.answers_to(wanted) || game.theirs.as_deref() == Some(wanted))
    {
        Some(at) => games.swap(0, at),
        None if settings.game.is_some() || games.is_empty() => {
            return Err(Fault::Unfit(format!("it does not know the game {wanted}")));
        }
        None => {}
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn best_lines_are_read_however_they_are_numbered() {
        let read = |text: &str| text.split_whitespace().filter_map(turn_of).collect::<Vec<_>>().join(" ");
        assert_eq!(read("1. ...  d6 2.  e4 Nc6"), "d6 e4 Nc6");
        assert_eq!(read("1.e4 e5 2.Nf3 12...Kd7"), "e4 e5 Nf3 Kd7");
        assert_eq!(read("(e7e5) e2e4 0000 P@e4"), "e7e5 e2e4 0000 P@e4");
    }
}
