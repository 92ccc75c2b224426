//! A game with what a page needs besides: the requests to it, and its messages.

use super::message::{NewGame, Request};
use super::room::{error_message, shortened};
use super::thinking::{Analysis, Search};
use super::variations::Variations;
use crate::base::Color;
use crate::engine::{Engine, SearchEvent, query};
use crate::game::Actor;
use crate::live_game::{Level, LiveGame, Seat, Viewer, load_game, own_words};
use crate::session::TimeControl;
use crate::session::chance::fresh_seed;
use crate::variants;
use crossbeam_channel::Receiver;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The most tokens of a game on a page.
const MOST_TOKENS: usize = 20_000;
/// The transposition table of one game in MB. This is more than C libraries keep for themselves when it is
/// freed (32).
const HASH: usize = 64;
/// The `Event` tag of the records.
const EVENT: &str = "A game in the browser";

/// A game that is played on a page.
pub struct WebGame {
    /// The name by which it is joined.
    pub name: String,
    /// The key that gives a page the right to play.
    pub key: String,
    pub(super) live: LiveGame,
    pub(super) level: Level,
    /// With two people and hidden cards: the player who has the screen.
    pub(super) trusted: Option<Color>,
    /// When the side to decide first saw the board.
    pub(super) since: Instant,
    /// The scores of positions by the number of tokens before them, for White.
    pub(super) scores: BTreeMap<usize, i32>,
    pub(super) variations: Variations,
    /// Whether a hint was asked for.
    pub(super) hint: bool,
    /// The number of best lines to show; 0 for none.
    pub(super) lines: usize,
    pub(super) paused: bool,
    pub(super) pace: Duration,
    pub(super) search: Option<Search>,
    pub(super) analysis: Analysis,
    /// Whether a page has asked for this game.
    begun: bool,
    /// The engine does not play before this time.
    pub(super) not_before: Option<Instant>,
}

/// A message to the viewers of a game.
pub enum Told {
    /// The state has changed: each viewer receives what that viewer may know of it.
    State,
    /// A message for those who play, and for all viewers where nothing is hidden.
    Players(Value),
}

impl WebGame {
    /// A game of chess at its first position.
    pub fn new(name: String, key: String) -> Self {
        let mut engine = Engine::new();
        engine.settings.hash = HASH;
        let live = LiveGame::new(engine, [Seat::Person, Seat::Engine], TimeControl::Untimed);
        Self {
            name,
            key,
            live,
            level: Level::default(),
            trusted: None,
            since: Instant::now(),
            scores: BTreeMap::new(),
            variations: Variations::default(),
            hint: false,
            lines: 0,
            paused: false,
            pace: Duration::from_millis(400),
            search: None,
            analysis: Analysis::default(),
            begun: false,
            not_before: None,
        }
    }

    /// Carries out a request from a client that `plays` or only watches, and returns the answer for that
    /// client. Messages to all viewers are added to `told`.
    ///
    /// # Errors
    /// Why it cannot be carried out. Nothing has changed then.
    pub fn obey(
        &mut self,
        request: Request,
        plays: bool,
        told: &mut Vec<Told>,
    ) -> Result<Option<Value>, String> {
        if !self.begun && !matches!(request, Request::New(_) | Request::Load { .. }) {
            return Err("no game has begun".into());
        }
        if !plays && !matches!(request, Request::Look { .. } | Request::Pgn {} | Request::Query { .. }) {
            return Err("you look on: the seats of this game belong to another page".into());
        }
        let mut answer = None;
        match request {
            Request::New(new) => self.begin(&new)?,
            Request::Play { word, at } => self.play(&word, at)?,
            Request::Undo {} => {
                self.live.undo()?;
                self.went_back();
            }
            Request::Rewind { to } => self.go_to(Some(to), None)?,
            Request::Variation { number, to } => self.go_to(to, Some(number))?,
            Request::Look { at, variation } => return self.look(at, variation, plays).map(Some),
            Request::Resign {} => {
                let over = self.live.ending().is_some();
                let person = self.live.person().filter(|_| !over).ok_or("nobody is there to resign")?;
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
                self.analysis = Analysis::default();
            }
            Request::Hurry {} => {
                self.hurry();
                return Ok(None);
            }
            Request::Pause { on } => self.paused = on,
            Request::Seats { seats, level } => {
                let level = level.map(|level| level.parse()).transpose()?;
                self.live.change_seats(seats)?;
                if let Some(level) = level {
                    self.set_level(level);
                }
                self.paused = false;
            }
            Request::Pgn {} => {
                if self.viewer() != Viewer::All {
                    return Err("a game with hidden cards is told when it is over".into());
                }
                let lines = self.variations.beside(&self.live.line());
                return Ok(Some(json!({"type": "pgn", "pgn": self.live.pgn(EVENT, &lines)})));
            }
            Request::Load { pgn, number } => {
                answer = self.load(&pgn, number)?.map(|warning| error_message("load", &warning));
            }
            Request::Query { question, arguments } => {
                return self.query(&question, &arguments, plays).map(Some);
            }
            Request::Join { .. } | Request::Game { .. } | Request::Journal { .. } => {
                return Err("not a thing to ask of a game".into());
            }
        }
        self.drop_stale_search();
        told.push(Told::State);
        Ok(answer)
    }

    fn begin(&mut self, new: &NewGame) -> Result<(), String> {
        let facts = variants::find(&new.game).map_err(|error| error.to_string())?;
        let mut engine = Engine::new();
        engine.settings.hash = HASH;
        engine.settings.game = facts;
        let seed = new.seed.unwrap_or_else(fresh_seed);
        if seed == 0 {
            return Err("seed: expected a number from 1 on".into());
        }
        engine.settings.seed = seed;
        if new.roll {
            if facts.hidden {
                return Err("hands of cards are dealt by the program".into());
            }
            engine.settings.referee = true;
        }
        for (name, value) in &new.rules {
            // Only a switch of this game may be set, not another option.
            let mut rules = crate::game::Rules::of(facts);
            rules.set(facts, name, value).map_err(|error| error.to_string())?;
            engine.set(name, value).map_err(|error| error.to_string())?;
        }
        engine.renew();
        let position = new.position.as_deref().filter(|text| !matches!(*text, "" | "startpos"));
        engine.set_up(position, &mut std::iter::empty()).map_err(|error| error.to_string())?;
        let control = new.tc.as_deref().unwrap_or("inf").parse::<TimeControl>();
        let control = control.map_err(|error| error.to_string())?;
        let level = new.level.as_deref().unwrap_or("time=1").parse()?;
        let seats = new.seats.unwrap_or([Seat::Person, Seat::Engine]);
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

    /// Resets the state, because another game has begun.
    fn anew(&mut self) {
        self.begun = true;
        self.search = None;
        self.scores.clear();
        self.variations.clear();
        self.analysis = Analysis::default();
        (self.trusted, self.hint, self.paused, self.not_before) = (None, false, false, None);
        self.since = Instant::now();
    }

    fn set_level(&mut self, level: Level) {
        self.live.set_elo(level.elo);
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
            return Err("first the player to move must confirm being alone with the screen".into());
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

    /// Called after a decision was played.
    pub(super) fn decided(&mut self) {
        self.since = Instant::now();
        self.hint = false;
        let engines = self.live.seats == [Seat::Engine; 2];
        self.not_before = engines.then(|| Instant::now() + self.pace);
    }

    /// Goes back to the first `to` tokens of the game or of a variation. The line that was played, or would
    /// follow, is kept.
    fn go_to(&mut self, to: Option<usize>, variation: Option<usize>) -> Result<(), String> {
        if variation.is_some() && self.viewer() != Viewer::All {
            return Err("a variation would show hidden cards".into());
        }
        let played = self.live.line();
        let line = variation.map_or(Ok(&played), |number| self.variations.get(number))?;
        let words = line.words.get(..to.unwrap_or(line.words.len())).ok_or("the game has not come so far")?;
        if words == played.words {
            return Ok(());
        }
        let shared = words.iter().zip(&played.words).take_while(|(one, other)| one == other).count();
        let words = words.to_vec();
        self.live.rewind(shared)?;
        self.scores.retain(|&tokens, _| tokens <= shared);
        for word in &words[shared..] {
            // The token was legal before; and the line that was played is kept below in any case.
            if let Err(error) = self.live.say(word, Duration::ZERO) {
                log::error!("a variation's own turn {word}: {error}");
                break;
            }
        }
        if shared < words.len() {
            self.live.fill_clocks();
        }
        if self.live.has_secrets() {
            // The unseen cards were shuffled anew, so no other line fits them.
            self.variations.clear();
        } else {
            self.variations.keep(played);
        }
        self.went_back();
        // A player who goes back wants to look, and not to be answered at once.
        self.paused = self.live.seat_to_decide() == Some(Seat::Engine);
        Ok(())
    }

    fn went_back(&mut self) {
        let now = self.live.session().tokens_played();
        self.scores.retain(|&tokens, _| tokens <= now);
        self.analysis = Analysis::default();
        self.decided();
        self.trusted = None;
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
        let mut room = MOST_TOKENS;
        for words in &game.variations {
            let Some(left) = room.checked_sub(words.len()) else { break };
            room = left;
            // Variations that are not legal are left out.
            if let Ok(line) = self.live.replay(words).map(|replayed| replayed.line()) {
                self.variations.keep(line);
            }
        }
        self.paused = self.live.seats == [Seat::Engine; 2];
        Ok(warning)
    }

    fn query(&self, question: &str, arguments: &str, plays: bool) -> Result<Value, String> {
        let (session, viewer) = (self.live.session(), self.viewer_who(plays));
        let answer = match (viewer, question) {
            (Viewer::All, _) => query::answer(session, question, arguments),
            (Viewer::Player(own), "legal" | "continuations") if session.actor() != Actor::Player(own) => {
                return Err("what another may say would show his cards".into());
            }
            (Viewer::Nobody, "legal" | "continuations") => {
                return Err("what a player may say would show his cards".into());
            }
            (_, "fen" | "legal" | "continuations" | "odds") => {
                query::answer(&*viewer.known(session), question, arguments)
            }
            _ => query::answer(session, question, arguments),
        };
        let explanation = answer.explanation.as_deref().map(shortened);
        Ok(json!({
            "type": "response", "question": shortened(question), "response": answer.response, "explanation": explanation,
        }))
    }

    /// The channel with the events of this game's search.
    pub fn events(&self) -> &Receiver<(u64, SearchEvent)> {
        self.live.engine.events()
    }

    /// False for a game that has not begun.
    pub fn is_worth_keeping(&self) -> bool {
        self.begun
    }
}
