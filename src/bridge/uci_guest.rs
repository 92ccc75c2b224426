//! An engine that speaks UCI or UGI.

use super::aliases::{GameAlias, Spelling};
use super::follower::Follower;
use super::guest::{Guest, Running, Said, Wire};
use super::{BridgeError, Settings, search_events};
use crate::arena::{Fault, UciGreeting};
use crate::base::score::{self, Score};
use crate::base::{Color, without_controls};
use crate::engine::{
    BestMove, ForeignEngine, ForeignSearch, Order, Outside, PvLine, SearchEvent, Word, options,
};
use crate::game::{Facts, Rules};
use crate::notation::parse_position;
use crate::process::ProcessError;
use crate::protocol::uci::{Command, Dialect, Go, Info, Position, Reply, Start};
use crate::protocol::xboard::Verdict;
use crate::protocol::{EngineOption, Moves, OptionType, same_words};
use crate::search::Budget;
use crate::session::{Announcement, Session};
use crate::variants;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// A game of the engine.
struct Game {
    facts: &'static Facts,
    /// The engine's name for it.
    theirs: String,
    alias: Option<GameAlias>,
}

/// An engine that speaks UCI or UGI, and what it was asked.
pub struct UciGuest {
    profile: ForeignEngine,
    dialect: Dialect,
    outside: Outside,
    games: Vec<Game>,
    follower: Follower,
    spelling: Spelling,
    running: Option<Running>,
    /// What it found last: the score and the first line.
    best: Option<(Score, PvLine)>,
    /// What it must wait for the end of the search with.
    waiting: VecDeque<Order>,
    /// When it must have said its best move.
    deadline: Option<Instant>,
    patience: Duration,
}

/// The names under which every XBoard since 4.9 knows games; it needs no set-up for them.
const XBOARD_KNOWS: &str = "normal wildcastle nocastle fischerandom bughouse crazyhouse losers suicide giveaway twokings \
    kriegspiel atomic 3check shatranj courier knightmate capablanca falcon gothic berolina janus super great asean \
    shogi xiangqi spartan makruk seirawan lion elven chu grand";

fn xboard_knows(name: &str) -> bool {
    XBOARD_KNOWS.split(' ').any(|own| own == name)
}

/// `variant NAME files F ranks R pocket P template T startpos FEN`, as Fairy-Stockfish says it of a game.
fn announcement(text: &str) -> Option<Announcement> {
    let (words, start) = text.strip_prefix("variant ")?.split_once(" startpos ")?;
    let mut words = words.split_whitespace();
    let name = words.next()?.to_owned();
    let pairs: Vec<&str> = words.collect();
    let value = |key: &str| pairs.chunks(2).find(|pair| pair[0] == key).and_then(|pair| pair.get(1).copied());
    let number = |key: &str| value(key).and_then(|text| text.parse::<u8>().ok());
    let (files, ranks) = (number("files")?, number("ranks")?);
    let hand = number("pocket").unwrap_or(0);
    let template = value("template").unwrap_or("fairy");
    let setup = (!xboard_knows(&name)).then(|| format!("{files}x{ranks}+{hand}_{template}"));
    Some(Announcement { name, files, ranks, hand, start: start.trim().to_owned(), setup })
}

/// True when both texts show the same board.
fn same_board(one: &str, other: &str) -> bool {
    let board = |text| parse_position(text).ok().map(|position| position.placement);
    board(one).is_some_and(|found| board(other) == Some(found))
}

impl UciGuest {
    /// Takes over an engine that was greeted.
    ///
    /// # Errors
    /// When it does not take an option, or does not get ready.
    pub fn new(
        dialect: Dialect,
        said: UciGreeting,
        settings: &Settings,
        outside: Outside,
        wire: &mut Wire,
    ) -> Result<Self, BridgeError> {
        let UciGreeting { name, author, mut options } = said;
        let mut lines = Vec::new();
        for (name, value) in &settings.aliases.options {
            let Some(option) = EngineOption::find(&options, name) else {
                return Err(Fault::Unfit(format!("it has no option `{name}`")).into());
            };
            option.takes(value).map_err(Fault::from)?;
            lines.push(Command::SetOption { name: &option.name, value: Some(value) }.to_string());
        }
        if !lines.is_empty() {
            // A file of games that an option has just named is told of when it is greeted again.
            wire.send(&lines).map_err(Fault::from)?;
            options = crate::arena::greet_uci(&mut wire.process, dialect, settings.patience)?.options;
        }
        let variant = EngineOption::find(&options, "UCI_Variant").cloned();
        let games = games(variant.as_ref(), settings, outside, wire)?;
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
        let mut guest = Self {
            profile,
            dialect,
            outside,
            games,
            follower: Follower::new(facts, &Rules::of(facts)),
            spelling: Spelling::default(),
            running: None,
            best: None,
            waiting: VecDeque::new(),
            deadline: None,
            patience: settings.patience,
        };
        let lines = guest.choose(facts, &Rules::of(facts));
        wire.send(&lines).map_err(Fault::from)?;
        Ok(guest)
    }

    /// Its option of this name, the game's aside.
    fn option(&self, name: &str) -> Option<&EngineOption> {
        EngineOption::find(&self.profile.options, name)
    }

    /// The lines after which it plays this.
    fn choose(&mut self, facts: &'static Facts, rules: &Rules) -> Vec<String> {
        let set = |name: &str, value: &str| Command::SetOption { name, value: Some(value) }.to_string();
        let mut lines = Vec::new();
        let shift = if self.outside == Outside::Xboard { 1 } else { 0 };
        let foreign_ranks = if options::is_registered(facts) { 0 } else { facts.ranks };
        if let Some(game) = self.games.iter().find(|game| std::ptr::eq(game.facts, facts)) {
            self.spelling = Spelling::new(game.alias.as_ref(), foreign_ranks, shift);
            if self.games.len() > 1 || game.alias.is_some() {
                lines.push(set("UCI_Variant", &game.theirs));
            }
        }
        if options::is_registered(facts) {
            // A Carom is to leave chance to us.
            if self.option("Chance").is_some() {
                lines.push(set("Chance", "referee"));
            }
            for switch in facts.switches {
                if let Some(option) = self.option(switch.name) {
                    let value = rules.get(switch.name).unwrap_or(switch.default());
                    lines.push(set(&option.name, &option.spelled(value)));
                }
            }
        }
        lines
    }

    /// Does what need not wait any longer, as far as to a search.
    fn go_on(&mut self, wire: &mut Wire, said: &mut Vec<Said>) -> Result<(), ProcessError> {
        while self.running.is_none()
            && let Some(order) = self.waiting.pop_front()
        {
            match order {
                // Chance is spoken for outside.
                Order::Set { name, .. } if same_words(&name, "Chance") => {}
                Order::Set { name, value } => {
                    wire.send(&[Command::SetOption { name: &name, value: value.as_deref() }.to_string()])?;
                }
                Order::Game { facts, rules } => wire.send(&self.choose(facts, &rules))?,
                Order::NewGame => wire.send(&[Command::UciNewGame.to_line(self.dialect)])?,
                Order::Ponder(on) => {
                    if let Some(option) = self.option("Ponder") {
                        let value = if on { "true" } else { "false" };
                        let line = Command::SetOption { name: &option.name, value: Some(value) }.to_string();
                        wire.send(&[line])?;
                    }
                }
                Order::Search(search) => self.search(search, wire, said)?,
                Order::DrawOffered | Order::Result(_) => {}
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
        if let Err(error) = self.follower.follow(&search) {
            said.push(Said::trouble(format!("the game cannot be followed: {error}")));
        }
        let start = self.spelling.position_to_engine(search.start.as_deref());
        let tokens: Vec<String> =
            search.tokens.iter().map(|token| self.spelling.token_to_engine(token)).collect();
        let moves = tokens.join(" ");
        let position = Position {
            start: start.as_deref().map_or(Start::Startpos, Start::Fen),
            moves: Moves::new(&moves),
        };
        let only: Vec<String> =
            search.searchmoves.iter().map(|token| self.spelling.token_to_engine(token)).collect();
        let only = only.join(" ");
        let mut go = go(&search);
        go.search_moves = (!only.is_empty()).then(|| Moves::new(&only));
        wire.send(&[Command::Position(position).to_string(), Command::Go(go).to_line(self.dialect)])?;
        self.best = None;
        self.running = Some(Running::new(search));
        Ok(())
    }

    fn info(&mut self, info: &Info<'_>, said: &mut Vec<Said>) {
        if let Some(text) = info.string {
            said.push(Said::word(Word::Note(text.to_owned())));
        }
        let Some(running) = &self.running else { return };
        if let Some((report, mut event)) =
            search_events::uci_line(info, self.dialect, running.search.since.elapsed())
        {
            if let SearchEvent::Info(line) = &mut event {
                line.pv.iter_mut().for_each(|token| *token = self.spelling.token_from_engine(token));
                if report.rank == 1 {
                    self.best = Some((report.score, line.clone()));
                }
            }
            said.push(Said::Event(running.search.id, event));
        }
    }

    fn best_move(&mut self, word: Option<&str>, ponder: Option<&str>, said: &mut Vec<Said>) {
        let Some(running) = self.running.take() else {
            said.push(Said::word(Word::Note("bestmove without a search".into())));
            return;
        };
        self.deadline = None;
        let (score, nodes) = self.best.take().map_or((0, 0), |(score, line)| (score, line.report.nodes));
        let word = word.filter(|word| !matches!(*word, "none" | "null" | "NULL"));
        let found = word.map(|word| {
            let token = self.spelling.token_from_engine(word);
            self.follower.vet(&token).map_err(|error| (token, error))
        });
        let nothing = self.no_move(&running, score);
        let mut token = None;
        match found {
            Some(Ok(legal)) => token = Some(legal),
            // A null move says that there is none where it is none itself.
            Some(Err((null, _))) if matches!(null.as_str(), "0000" | "@@@@") => said.extend(nothing),
            Some(Err((illegal, error))) => {
                let illegal = without_controls(&illegal).into_owned();
                said.push(Said::trouble(format!("Illegal move by the engine ({error}): {illegal}")));
            }
            None => said.extend(nothing),
        }
        let ponder = ponder.zip(token.as_deref()).and_then(|(ponder, token)| {
            let ponder = self.spelling.token_from_engine(ponder);
            let check =
                |session: &dyn Session, word: &str| session.check(word).is_ok().then(|| word.to_owned());
            self.follower.walk([token, &ponder].into_iter(), check).into_iter().nth(1)
        });
        let elapsed = running.search.since.elapsed();
        let best = BestMove { token, ponder, score, nodes, elapsed };
        said.push(Said::Event(running.search.id, SearchEvent::BestMove(best)));
    }

    /// It has no move. Where our rules do not say why, its last score does: lost, or else drawn.
    fn no_move(&self, running: &Running, score: Score) -> Option<Said> {
        let play = !running.search.limits.infinite && !running.search.ponder;
        if self.follower.has_rules() || !play {
            return None;
        }
        let (verdict, why) = match (score::distance(score), running.search.player) {
            (Some(distance), Color::White) if distance <= 0 => (Verdict::BlackWins, "the engine has lost"),
            (Some(distance), Color::Black) if distance <= 0 => (Verdict::WhiteWins, "the engine has lost"),
            _ => (Verdict::Draw, "the engine has no move"),
        };
        Some(Said::word(Word::Claims(verdict, why.to_owned())))
    }
}

impl Guest for UciGuest {
    fn profile(&self) -> &ForeignEngine {
        &self.profile
    }

    fn obey(&mut self, order: Order, wire: &mut Wire, said: &mut Vec<Said>) -> Result<(), ProcessError> {
        self.waiting.push_back(order);
        self.go_on(wire, said)
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
            Reply::ReadyOk => said.push(Said::Ready),
            Reply::Info(info) => self.info(&info, said),
            Reply::BestMove { best, ponder } => {
                self.best_move(best, ponder, said);
                self.go_on(wire, said)?;
            }
            Reply::Unknown(text) => said.push(Said::word(Word::Note(text.to_owned()))),
            _ => {}
        }
        Ok(())
    }

    fn follow_up(&mut self, wire: &mut Wire, _: &mut Vec<Said>) -> Result<(), ProcessError> {
        let Some(running) = &mut self.running else { return Ok(()) };
        if running.must_hit() {
            running.hit = true;
            wire.send(&["ponderhit"])?;
        }
        if running.must_stop() {
            running.stopped = true;
            self.deadline = Some(Instant::now() + self.patience);
            wire.send(&["stop"])?;
        }
        Ok(())
    }

    fn ask_ready(&mut self, wire: &mut Wire) -> Result<bool, ProcessError> {
        wire.send(&["isready"])?;
        Ok(true)
    }

    fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    fn overdue(&mut self, _: &mut Wire, _: &mut Vec<Said>) -> Result<Option<&'static str>, ProcessError> {
        Ok(Some("stop"))
    }
}

/// The limits of a search in UCI's words.
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

/// The games of the engine, the one it plays unless told otherwise first.
fn games(
    variant: Option<&EngineOption>,
    settings: &Settings,
    outside: Outside,
    wire: &mut Wire,
) -> Result<Vec<Game>, BridgeError> {
    let chess = || Game { facts: variants::all()[0], theirs: "chess".to_owned(), alias: None };
    let Some(variant) = variant else {
        // Whoever has no such option plays one game.
        let named = settings.game.as_deref().map(variants::find).transpose();
        let facts = named.map_err(|error| Fault::Unfit(error.to_string()))?;
        return Ok(vec![facts.map_or_else(chess, |facts| Game { facts, ..chess() })]);
    };
    let names: Vec<String> = match variant.choices() {
        [] => settings.game.iter().cloned().collect(),
        choices => choices.to_vec(),
    };
    let announced = announcements(&names, variant, outside, settings, wire)?;
    let mut games: Vec<Game> = Vec::new();
    for theirs in &names {
        // An option of its own says so.
        if matches!(theirs.as_str(), "fischerandom" | "chess960") {
            continue;
        }
        let alias = settings.aliases.of_engine(theirs).cloned();
        let name = alias.as_ref().map_or(theirs.as_str(), |alias| &alias.name);
        let said = announced.iter().find(|said| same_words(&said.name, theirs));
        let ours = variants::find(name).ok().filter(|facts| {
            // The same name need not mean the same game.
            alias.is_some()
                || facts.answers_to("normal")
                || said.is_none_or(|said| same_board(&said.start, facts.start))
        });
        if games.iter().any(|game| game.facts.answers_to(name)) {
            continue;
        }
        let facts = ours.unwrap_or_else(|| {
            let unsaid = || Announcement {
                name: name.to_owned(),
                files: 8,
                ranks: 8,
                hand: 0,
                start: String::new(),
                setup: None,
            };
            let mut said = said.cloned().unwrap_or_else(unsaid);
            name.clone_into(&mut said.name);
            if let Some(alias) = &alias {
                said.setup = alias.setup.clone().or(said.setup);
                said.start = alias.start.clone().unwrap_or(said.start);
            }
            said.into_facts()
        });
        games.push(Game { facts, theirs: theirs.clone(), alias });
    }
    let wanted = match (&settings.game, &variant.kind) {
        (Some(name), _) => Some(name.clone()),
        (None, OptionType::OneOf { current, .. }) => Some(current.clone()),
        (None, OptionType::Text { value, .. }) => Some(value.clone()),
        _ => None,
    };
    if let Some(name) = wanted.filter(|name| !name.is_empty()) {
        let is_it = |game: &Game| game.facts.answers_to(&name) || same_words(&game.theirs, &name);
        match games.iter().position(is_it) {
            Some(at) => games.swap(0, at),
            None if settings.game.is_some() => {
                return Err(Fault::Unfit(format!("it does not know the game {name}")).into());
            }
            None => {}
        }
    }
    if games.is_empty() {
        games.push(chess());
    }
    Ok(games)
}

/// What the engine says of the games called `names`, of which XBoard or our rules must know more than the name.
fn announcements(
    names: &[String],
    variant: &EngineOption,
    outside: Outside,
    settings: &Settings,
    wire: &mut Wire,
) -> Result<Vec<Announcement>, BridgeError> {
    let asks = |name: &&String| {
        let shared = variants::find(name).is_ok_and(|facts| !facts.answers_to("normal"));
        let unknown = outside == Outside::Xboard && !xboard_knows(name);
        let wanted = settings.game.as_ref().is_none_or(|game| same_words(game, name));
        shared || unknown && wanted
    };
    let asked: Vec<&String> = names.iter().filter(asks).collect();
    if asked.is_empty() {
        return Ok(Vec::new());
    }
    let set = |value: &str| Command::SetOption { name: &variant.name, value: Some(value) }.to_string();
    let mut lines: Vec<String> = asked.iter().map(|name| set(name)).collect();
    if let OptionType::OneOf { current, .. } = &variant.kind {
        lines.push(set(current));
    }
    lines.push("isready".to_owned());
    wire.send(&lines).map_err(Fault::from)?;
    let deadline = Instant::now() + settings.patience;
    let mut said = Vec::new();
    loop {
        let line = wire.wait(deadline).map_err(Fault::from)?;
        match Reply::parse(&line) {
            Ok(Some(parsed)) => match parsed.message {
                Reply::ReadyOk => return Ok(said),
                Reply::Info(info) => said.extend(info.string.and_then(announcement)),
                _ => {}
            },
            _ => continue,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_known_by_its_announcement() {
        let text = "variant horde files 8 ranks 8 pocket 0 template fairy startpos rnbqkbnr/8/8/8/8/8/8/8 w kq - 0 1";
        let said = announcement(text).unwrap();
        assert_eq!((said.name.as_str(), said.files, said.ranks, said.hand), ("horde", 8, 8, 0));
        assert_eq!(said.start, "rnbqkbnr/8/8/8/8/8/8/8 w kq - 0 1");
        assert_eq!(said.setup.as_deref(), Some("8x8+0_fairy"));
        assert_eq!(announcement(&text.replace("horde", "crazyhouse")).unwrap().setup, None);
        for other in
            ["variant", "variant x files 8", "NNUE evaluation enabled", "variant x ranks 300 startpos 8"]
        {
            assert_eq!(announcement(other), None, "{other}");
        }
    }
}
