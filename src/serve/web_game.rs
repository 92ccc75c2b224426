//! A game with what a page needs beside it: what may be asked of it, and what is told.

use super::legal_decisions::legal_decisions;
use super::message::{NewGame, Request, Who};
use super::thinking::{Search, Thoughts};
use super::view::{self, Branch, Ended, Said, State};
use crate::arena::TimeControl;
use crate::base::Color;
use crate::engine::{Engine, SearchEvent, options, query};
use crate::game::{Actor, Roles};
use crate::live_game::{Level, LiveGame, Seat, Viewer, cards_hidden, load_game, own_words};
use crate::session::chance;
use crate::variants;
use crossbeam_channel::Receiver;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// A longer game is not played on a page.
const MOST_TOKENS: usize = 20_000;
/// More lines than these are not kept beside the game.
const MOST_BRANCHES: usize = 50;
/// A table for the search of one game, in MB: more than C libraries keep back for themselves when it is freed (32).
const HASH: usize = 64;
/// What the records say of the occasion.
const EVENT: &str = "A game in the browser";

/// Who is told something.
#[derive(Debug)]
pub enum Told {
    /// Everybody who looks at the game.
    All(Value),
    /// Who asked.
    Asker(Value),
}

/// The game.
pub struct WebGame {
    /// By which it is joined.
    pub name: String,
    pub(super) live: LiveGame,
    pub(super) level: Level,
    /// Of two persons with secrets, who has the screen.
    trusted: Option<Color>,
    /// When the one who decides saw the board.
    pub(super) since: Instant,
    /// What was thought of the position behind so many tokens, for White.
    pub(super) scores: BTreeMap<usize, i32>,
    /// Lines that were left, and behind how many tokens.
    branches: Vec<(usize, Vec<String>)>,
    /// A hint was asked for.
    pub(super) hint: bool,
    /// How many best lines to show; 0 for none.
    pub(super) lines: usize,
    pub(super) paused: bool,
    pub(super) pace: Duration,
    pub(super) search: Option<Search>,
    pub(super) thoughts: Thoughts,
    /// It was asked for.
    begun: bool,
    /// The engine does not play before this.
    pub(super) not_before: Option<Instant>,
}

impl WebGame {
    /// A game of chess, nothing played.
    pub fn new(name: String) -> Self {
        let mut engine = Engine::new();
        engine.settings.hash = HASH;
        let live = LiveGame::new(engine, [Seat::Person, Seat::Engine], TimeControl::Untimed);
        Self {
            name,
            live,
            level: Level::default(),
            trusted: None,
            since: Instant::now(),
            scores: BTreeMap::new(),
            branches: Vec::new(),
            hint: false,
            lines: 0,
            paused: false,
            pace: Duration::from_millis(400),
            search: None,
            thoughts: Thoughts::default(),
            begun: false,
            not_before: None,
        }
    }

    /// Does what is asked; what is to be told is added to `told`.
    ///
    /// # Errors
    /// Why it cannot be done; nothing has changed then.
    pub fn obey(&mut self, request: Request, told: &mut Vec<Told>) -> Result<(), String> {
        if !self.begun && !matches!(request, Request::New(_) | Request::Load { .. }) {
            return Err("no game has begun".into());
        }
        match request {
            Request::New(new) => self.begin(&new)?,
            Request::Play { word, at } => self.play(&word, at)?,
            Request::Undo {} => {
                if !self.live.undo() {
                    return Err("there is nothing to take back".into());
                }
                self.went_back();
            }
            Request::Rewind { to } => self.rewind(to)?,
            Request::Variation { number } => self.take_variation(number)?,
            Request::Look { at } => {
                told.push(Told::Asker(self.look(at)?));
                return Ok(());
            }
            Request::Resign {} => {
                let person = self.person().ok_or("nobody is there to resign")?;
                self.live.resign(person);
            }
            Request::Draw {} => self.draw()?,
            Request::Ready {} => {
                self.trusted = Some(self.live.to_decide().unwrap_or(self.live.session().on_turn()));
                self.since = Instant::now();
            }
            Request::Hint {} if self.live.seat_to_decide() == Some(Seat::Person) => self.hint = true,
            Request::Hint {} => return Err("there is nothing for you to decide".into()),
            Request::Analyse { lines } if lines > 10 => return Err("lines: expected 0 to 10".into()),
            Request::Analyse { lines } => {
                self.lines = lines;
                self.thoughts.forget();
            }
            Request::Hurry {} => {
                self.hurry();
                return Ok(());
            }
            Request::Pause { on } => self.paused = on,
            Request::Seats { seats, level } => {
                let level = level.map(|level| read_level(&level)).transpose()?;
                self.live.seats = seats.map(seat);
                if let Some(level) = level {
                    self.set_level(level);
                }
                self.paused = false;
            }
            Request::Pgn {} => {
                if self.viewer() != Viewer::All {
                    return Err("a game with hidden cards is told when it is over".into());
                }
                told.push(Told::Asker(json!({"type": "pgn", "pgn": self.live.pgn(EVENT)})));
                return Ok(());
            }
            Request::Load { pgn, number } => {
                let warning = self.load(&pgn, number)?;
                if let Some(text) = warning {
                    told.push(Told::Asker(json!({"type": "error", "do": "load", "text": text})));
                }
            }
            Request::Query { question, arguments } => {
                told.push(Told::Asker(self.query(&question, &arguments)?));
                return Ok(());
            }
            Request::Join { .. } | Request::Game { .. } | Request::Journal { .. } => {
                return Err("not a thing to ask of a game".into());
            }
        }
        self.drop_stale_search();
        told.push(Told::All(self.state()));
        Ok(())
    }

    fn begin(&mut self, new: &NewGame) -> Result<(), String> {
        let facts = variants::find(&new.game).map_err(|error| error.to_string())?;
        let mut engine = Engine::new();
        engine.settings.hash = HASH;
        engine.settings.game = facts;
        let seed = new.seed.unwrap_or_else(|| chance::fresh_seed() % options::MOST_SEED + 1);
        if !(1..=options::MOST_SEED).contains(&seed) {
            return Err(format!("seed: expected a number from 1 to {}", options::MOST_SEED));
        }
        engine.settings.seed = seed;
        if new.roll {
            if facts.start.contains(" W=") {
                return Err("hands of cards are dealt by the program".into());
            }
            engine.settings.referee = true;
        }
        for (name, value) in &new.rules {
            // A switch of this game only, never another option.
            let mut rules = crate::game::Rules::of(facts);
            rules.set(facts, name, value).map_err(|error| error.to_string())?;
            engine.set(name, value).map_err(|error| error.to_string())?;
        }
        engine.renew();
        let position = new.position.as_deref().filter(|text| !matches!(*text, "" | "startpos"));
        engine.set_up(position, &mut std::iter::empty()).map_err(|error| error.to_string())?;
        let control = new.tc.as_deref().unwrap_or("inf").parse::<TimeControl>();
        let control = control.map_err(|error| error.to_string())?;
        let level = read_level(new.level.as_deref().unwrap_or("time=1"))?;
        let seats = new.seats.unwrap_or([Who::Person, Who::Engine]).map(seat);
        let mut live = LiveGame::new(engine, seats, control);
        if new.moves.len() > MOST_TOKENS {
            return Err(format!("moves: expected {MOST_TOKENS} at most"));
        }
        for (index, word) in new.moves.iter().enumerate() {
            live.say(word, Duration::ZERO)
                .map_err(|error| format!("move {} ({word}): {error}", index + 1))?;
        }
        live.fill_clocks();
        self.live = live;
        self.set_level(level);
        self.pace = Duration::from_millis(new.pace.unwrap_or(400).min(10_000));
        self.anew();
        Ok(())
    }

    /// Another game has begun.
    fn anew(&mut self) {
        self.begun = true;
        self.search = None;
        self.scores.clear();
        self.branches.clear();
        self.thoughts.forget();
        (self.trusted, self.hint, self.paused, self.not_before) = (None, false, false, None);
        self.since = Instant::now();
    }

    fn set_level(&mut self, level: Level) {
        let settings = &mut self.live.engine.settings;
        settings.limit_strength = level.elo.is_some();
        settings.elo = level.elo.unwrap_or(settings.elo);
        self.level = level;
    }

    fn play(&mut self, word: &str, at: Option<usize>) -> Result<(), String> {
        let session = self.live.session();
        if at.is_some_and(|at| at != session.tokens_played()) {
            return Err("the board has changed since".into());
        }
        if self.live.ending().is_some() {
            return Err("the game is over".into());
        }
        let rolls = self.live.engine.settings.referee;
        match self.live.seat_to_decide() {
            Some(Seat::Engine) => return Err("the engine decides".into()),
            None if !rolls => return Err("chance decides".into()),
            _ => {}
        }
        if self.viewer() == Viewer::Nobody {
            return Err("first whoever decides must be alone with the screen".into());
        }
        if session.tokens_played() >= MOST_TOKENS {
            return Err("the game is too long".into());
        }
        if word.is_empty() || word.len() > 200 || word.contains(char::is_whitespace) {
            return Err("expected one word of a turn".into());
        }
        if !rolls && own_words(word) != word {
            return Err("chance decides that, not you".into());
        }
        let spent = self.since.elapsed();
        self.live.say_or_begin(word, spent).map_err(|error| error.to_string())?;
        self.decided();
        Ok(())
    }

    /// Somebody has said something.
    pub(super) fn decided(&mut self) {
        self.since = Instant::now();
        self.hint = false;
        let engines = self.live.seats == [Seat::Engine; 2];
        self.not_before = engines.then(|| Instant::now() + self.pace);
    }

    fn rewind(&mut self, to: usize) -> Result<(), String> {
        let words = self.live.words_behind(to);
        if words.is_empty() || !self.live.rewind(to) {
            return Err("there is nothing to take back".into());
        }
        self.branches.retain(|(at, branch)| (*at, branch) != (to, &words));
        self.branches.push((to, words));
        if self.branches.len() > MOST_BRANCHES {
            self.branches.remove(0);
        }
        // Who goes back wants to look, not to be answered at once.
        self.paused = self.live.seat_to_decide() == Some(Seat::Engine);
        self.went_back();
        Ok(())
    }

    fn take_variation(&mut self, number: usize) -> Result<(), String> {
        let (at, words) = self.branches.get(number).cloned().ok_or("there is no such variation")?;
        if at < self.live.session().tokens_played() {
            self.rewind(at)?;
        }
        if at != self.live.session().tokens_played() {
            return Err("the game has not come so far".into());
        }
        self.branches.retain(|branch| *branch != (at, words.clone()));
        for word in &words {
            self.live.say(word, Duration::ZERO).map_err(|error| error.to_string())?;
        }
        self.live.fill_clocks();
        self.decided();
        self.paused = self.live.seat_to_decide() == Some(Seat::Engine);
        Ok(())
    }

    fn went_back(&mut self) {
        let now = self.live.session().tokens_played();
        self.scores.retain(|&tokens, _| tokens <= now);
        self.thoughts.forget();
        self.decided();
        // What chance said for a player who went back, it says for him again.
        if self.trusted.is_some() {
            self.trusted = None;
        }
    }

    fn draw(&mut self) -> Result<(), String> {
        let facts = self.live.session().facts();
        if self.live.ending().is_some() {
            return Err("the game is over".into());
        }
        if !facts.draws {
            return Err(format!("there are no draws in {}", facts.title));
        }
        if !self.live.two_persons() && !self.live.engine_agrees() {
            return Err("the draw is declined".into());
        }
        self.live.agree_to_draw();
        Ok(())
    }

    fn load(&mut self, pgn: &str, number: usize) -> Result<Option<String>, String> {
        let (game, _) = load_game(pgn, number)?;
        if game.words.len() > MOST_TOKENS {
            return Err("the game is too long".into());
        }
        let warning = self.live.load(&game)?;
        self.anew();
        self.paused = self.live.seats == [Seat::Engine; 2];
        Ok(warning)
    }

    fn query(&self, question: &str, arguments: &str) -> Result<Value, String> {
        let session = self.live.session();
        let reply = |response: &str, explanation: Option<String>| json!({"type": "response", "question": question, "response": response, "explanation": explanation});
        match (self.viewer(), question) {
            (Viewer::All, _) => {}
            (_, "fen") => return Ok(reply(&self.position().to_string(), None)),
            (Viewer::Player(own), "legal" | "continuations") if session.actor() == Actor::Player(own) => {}
            (_, "legal" | "continuations") => {
                return Err("what another may say would show his cards".into());
            }
            _ => {}
        }
        let answer = query::answer(session, question, arguments);
        Ok(reply(&answer.response, answer.explanation))
    }

    /// Who says what a person says.
    fn person(&self) -> Option<Color> {
        if self.live.ending().is_some() {
            return None;
        }
        let deciding = self.live.to_decide().filter(|_| self.live.seat_to_decide() == Some(Seat::Person));
        deciding.or(self.live.lone_person())
    }

    /// What the search of this game tells.
    pub fn events(&self) -> &Receiver<(u64, SearchEvent)> {
        self.live.engine.events()
    }

    /// False for a game in which nothing has happened.
    pub fn is_worth_keeping(&self) -> bool {
        self.begun
    }

    /// Who looks.
    pub fn viewer(&self) -> Viewer {
        self.live.viewer(self.trusted)
    }

    fn position(&self) -> crate::notation::Position {
        let session = self.live.session();
        match self.viewer() {
            Viewer::All => session.position(),
            Viewer::Player(color) => session.position_for(color),
            Viewer::Nobody => cards_hidden(&session.position()),
        }
    }

    /// The board after so many tokens.
    fn look(&self, at: usize) -> Result<Value, String> {
        let session = self.live.session();
        let shown = session.shown_after(at).ok_or("the game has not come so far")?;
        let turns = self.live.turns(Viewer::All);
        let begin = turns.iter().map(|turn| turn.end).filter(|&end| end < at).max().unwrap_or(0);
        let before = session.shown_after(begin);
        let board = view::board(session.facts(), &shown, before.as_ref(), &session.made(begin, at));
        Ok(json!({"type": "look", "at": at, "board": board}))
    }

    /// What the page is told of the game.
    pub fn state(&self) -> Value {
        let session = self.live.session();
        let (viewer, ending) = (self.viewer(), self.live.ending());
        let now = session.tokens_played();
        let turns = self.live.turns(viewer);
        let begin = turns.iter().rev().nth(1).map_or(0, |turn| turn.end);
        let made = session.made(begin, now);
        let before = session.shown_after(begin);
        let facts = session.facts();
        let board = view::board(facts, &session.shown(), before.as_ref(), &made);
        let rolls = self.live.engine.settings.referee;
        let person = self.live.seat_to_decide() == Some(Seat::Person)
            || rolls && ending.is_none() && session.actor() == Actor::Chance;
        let yours = person && viewer != Viewer::Nobody;
        let roles = facts.roles.map_or_else(Roles::default, |roles| roles(&session.position()));
        let spent = self.since.elapsed();
        let clocks =
            Color::ALL.map(|color| self.live.time_left(color, spent).map(|left| left.as_millis() as u64));
        let position = self.position();
        let said = turns.iter().map(|turn| Said {
            by: view::word(turn.owner),
            text: turn.text.clone(),
            end: turn.end,
            score: self.scores.get(&turn.end).copied().filter(|_| viewer == Viewer::All),
        });
        let state = State {
            kind: "state",
            session: &self.name,
            game: facts.name,
            rules: session.rules().iter().collect(),
            seats: self.live.seats.map(|seat| if seat == Seat::Person { "person" } else { "engine" }),
            level: self.level.to_string(),
            tc: self.live.clocks[0].control().to_string(),
            viewer: match viewer {
                Viewer::All => "all",
                Viewer::Player(color) => view::word(color),
                Viewer::Nobody => "nobody",
            },
            actor: view::actor(session, ending.is_some()),
            turn: view::word(session.on_turn()),
            yours,
            at: now,
            prompt: self.prompt(yours),
            told: made.iter().filter_map(|prospect| prospect.told.clone()).collect(),
            result: ending.map(|ending| Ended { result: ending.result(), reason: ending.reason.clone() }),
            board,
            legal: if yours { legal_decisions(session, rolls) } else { Vec::new() },
            steps: session.steps().filter(|_| yours),
            turns: said.collect(),
            variations: self.variations(),
            roles: roles.lines,
            cards: view::hands(&position),
            fen: position.to_string(),
            clocks: clocks[0].zip(clocks[1]).map(|(white, black)| [white, black]),
            running: self.live.to_decide().filter(|_| clocks[0].is_some()).map(view::word),
            thinking: self.purpose(),
            analysing: self.lines,
            paused: self.paused,
            roll: rolls,
        };
        serde_json::to_value(state).unwrap_or_else(|error| {
            log::error!("a state that cannot be told: {error}");
            Value::Null
        })
    }

    fn variations(&self) -> Vec<Branch> {
        if self.viewer() != Viewer::All {
            return Vec::new();
        }
        let text = |words: &[String]| words.iter().take(6).cloned().collect::<Vec<_>>().join(" ");
        self.branches.iter().map(|(at, words)| Branch { at: *at, text: text(words) }).collect()
    }

    fn prompt(&self, yours: bool) -> String {
        let session = self.live.session();
        if let Some(ending) = self.live.ending() {
            return format!("{} · {}", ending.result(), ending.reason);
        }
        let Some(color) = self.live.to_decide() else {
            return "Roll the die. What does it show?".to_owned();
        };
        if self.viewer() == Viewer::Nobody {
            return format!("{color} decides next, and nobody else may look at the screen.");
        }
        if !yours {
            let what = if self.paused { "stands still" } else { "is thinking" };
            return format!("Carom ({color}) {what}.");
        }
        let lone = self.live.lone_person().is_some();
        match session.question() {
            Some(question) if lone => question,
            Some(question) => format!("{color}: {question}"),
            None if lone => "Your move.".to_owned(),
            None => format!("{color} to move."),
        }
    }
}

const fn seat(who: Who) -> Seat {
    match who {
        Who::Person => Seat::Person,
        Who::Engine => Seat::Engine,
    }
}

fn read_level(text: &str) -> Result<Level, String> {
    text.parse()
}
