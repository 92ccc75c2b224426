//! A game with what a page needs besides: the requests to it, and its messages.

use super::answer::{error_message, shortened};
use super::message::{NewGame, Request};
use super::places::{KeyRing, Place, Proposal};
use super::story::Words;
use super::teaching;
use super::thinking::{Analysis, Search};
use super::variations::Variations;
use crate::base::Color;
use crate::engine::{Engine, SearchEvent, options, query};
use crate::game::{Actor, Course, Rules};
use crate::live_game::{Command, Event, Level, PgnTags, Seat, Setup, Table, Viewer, game_pgn, load_game};
use crate::pgn::pgn_today;
use crate::session::TimeControl;
use crate::session::chance::fresh_seed;
use crate::variants;
use crossbeam_channel::Receiver;
use litemap::LiteMap;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The most tokens of a game on a page.
const MOST_TOKENS: usize = 20_000;
/// The transposition table of one game in MB. This is more than C libraries keep for themselves when it is
/// freed (32).
const HASH: usize = 64;
/// The `Event` tag of the records.
pub const EVENT: &str = "A game in the browser";

/// A game that is played on a page.
pub struct WebGame {
    /// The name by which it is joined.
    pub name: String,
    /// The keys that give pages the right to play.
    pub keys: KeyRing,
    pub(super) table: Table,
    pub(super) engine: Engine,
    /// The moment from which the table's time is counted.
    pub(super) opened: Instant,
    /// The scores of positions by the number of tokens before them, for White.
    pub(super) scores: LiteMap<usize, i32>,
    pub(super) variations: Variations,
    /// What is said of the turns.
    pub(super) words: Words,
    /// The task of a guided first game that is being done: the course and the number.
    pub(super) lesson: Option<(&'static Course, usize)>,
    /// Whether a hint was asked for.
    pub(super) hint: bool,
    /// The number of best lines to show; 0 for none.
    pub(super) lines: usize,
    pub(super) paused: bool,
    pub(super) pace: Duration,
    pub(super) search: Option<Search>,
    pub(super) analysis: Analysis,
    /// Whether a page has asked for this game.
    pub(super) begun: bool,
    /// The first position that was asked for.
    pub(super) started: Option<String>,
    /// The time control as it was asked for.
    pub(super) tc: String,
    /// With two pages: what one person proposes to the other.
    pub(super) proposal: Option<(Proposal, Color)>,
    /// With two pages: the names of the persons, White's first, and whether their pages are there.
    pub(super) names: [Option<String>; 2],
    pub(super) present: [bool; 2],
    /// With two pages: the second person has not come yet.
    pub(super) awaited: bool,
    /// With two pages: the sides were exchanged, which the room does not know yet.
    pub exchanged: bool,
    /// The engine does not play before this time.
    pub(super) not_before: Option<Instant>,
}

/// A message to the viewers of a game.
pub enum Outgoing {
    /// The state has changed: each viewer receives what that viewer may know of it.
    State,
    /// A message for those who play, and for all viewers where nothing is hidden.
    Players(Value),
}

impl WebGame {
    /// A game that has yet to begin.
    ///
    /// # Errors
    /// None that are known: until then there is a table for the first game of the list.
    pub fn new(name: String, keys: KeyRing) -> Result<Self, String> {
        let mut engine = Engine::new();
        engine.settings.hash = HASH;
        let first = Setup::of(engine.settings.game);
        Ok(Self {
            name,
            keys,
            table: Table::new(first, Duration::ZERO).map_err(|refusal| refusal.to_string())?,
            engine,
            opened: Instant::now(),
            scores: LiteMap::new(),
            variations: Variations::default(),
            words: Words::default(),
            lesson: None,
            hint: false,
            lines: 0,
            paused: false,
            pace: Duration::from_millis(400),
            search: None,
            analysis: Analysis::default(),
            begun: false,
            started: None,
            tc: "inf".to_owned(),
            proposal: None,
            names: [None, None],
            present: [false; 2],
            awaited: false,
            exchanged: false,
            not_before: None,
        })
    }

    /// The time, as the table counts it.
    pub(super) fn now(&self) -> Duration {
        self.opened.elapsed()
    }

    /// Passes a command to the table.
    pub(super) fn tell(&mut self, command: Command<'_>) -> Result<Event, String> {
        self.table.tell(command, self.now()).map_err(|refusal| refusal.to_string())
    }

    /// Carries out a request from a client with this `place`, and returns the answer for that client.
    /// Messages to all viewers are added to `outgoing`.
    ///
    /// # Errors
    /// Why it cannot be carried out. Nothing has changed then.
    pub fn handle(
        &mut self,
        request: Request,
        place: Place,
        outgoing: &mut Vec<Outgoing>,
    ) -> Result<Option<Value>, String> {
        if !self.begun && !matches!(request, Request::New(_) | Request::Load { .. } | Request::Learn { .. }) {
            return Err("no game has begun".into());
        }
        let begins = matches!(request, Request::New(_) | Request::Load { .. } | Request::Learn { .. });
        let asks = matches!(
            request,
            Request::Look { .. } | Request::Pgn {} | Request::Query { .. } | Request::Ways { .. }
        );
        match place {
            Place::Watches if !asks => {
                return Err("you look on: the seats of this game belong to another page".into());
            }
            Place::Sits(color) if !asks && !begins => return self.handle_seat(request, color, outgoing),
            _ => {}
        }
        let mut answer = None;
        match request {
            Request::New(new) => self.begin(&new)?,
            Request::Learn { game, number } => self.learn(&game, number)?,
            Request::Ways { square } => {
                return teaching::ways(&*self.viewer_at(place).known(self.table.session()), &square)
                    .map(Some);
            }
            Request::Play { word, at } => self.play(&word, at)?,
            Request::Undo {} => {
                self.tell(Command::Undo)?;
                self.went_back();
            }
            Request::Rewind { to } => self.go_to(Some(to), None)?,
            Request::Variation { number, to } => self.go_to(to, Some(number))?,
            Request::Look { at, variation, further } => {
                return self.look(at, variation, &further, place).map(Some);
            }
            Request::Resign {} => drop(self.tell(Command::Resign)?),
            Request::Draw {} => self.draw()?,
            Request::Ready {} => drop(self.tell(Command::Ready)?),
            Request::Hint {} if self.table.seat_to_decide() == Some(Seat::Person) => self.hint = true,
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
                self.tell(Command::Seats(seats))?;
                if let Some(level) = level {
                    self.set_level(level);
                }
                self.paused = false;
            }
            Request::Pgn {} => {
                if self.viewer_at(place) != Viewer::All {
                    return Err("a game with hidden cards is told when it is over".into());
                }
                let lines = self.variations.beside(&self.table.played().line());
                let (engine, date) = (options::engine_name(), pgn_today());
                let tags = PgnTags { event: EVENT, engine: &engine, date: &date };
                return Ok(Some(json!({"type": "pgn", "pgn": game_pgn(&self.table, tags, &lines)})));
            }
            Request::Load { pgn, number } => {
                answer = self.load(&pgn, number)?.map(|warning| error_message("load", &warning));
            }
            Request::Query { question, arguments } => {
                return self.query(&question, &arguments, place).map(Some);
            }
            Request::Rematch {} | Request::Answer { .. } | Request::Name { .. } => {
                return Err("that is for games of two persons at two pages".into());
            }
            Request::Join { .. } | Request::Game { .. } | Request::Journal { .. } => {
                return Err("not a thing to ask of a game".into());
            }
        }
        self.drop_stale_search();
        outgoing.push(Outgoing::State);
        Ok(answer)
    }

    fn begin(&mut self, new: &NewGame) -> Result<(), String> {
        let facts = variants::find(&new.game).map_err(|error| error.to_string())?;
        let seed = new.seed.unwrap_or_else(fresh_seed);
        if seed == 0 {
            return Err("seed: expected a number from 1 on".into());
        }
        let mut rules = Rules::of(facts);
        for (name, value) in &new.rules {
            rules.set(facts, name, value).map_err(|error| error.to_string())?;
        }
        let for_two = self.is_for_two();
        let control = new.tc.as_deref().unwrap_or("inf").parse::<TimeControl>();
        let setup = Setup {
            facts,
            rules,
            position: new.position.as_deref().filter(|text| !matches!(*text, "" | "startpos")),
            seed,
            rolls: new.roll && !for_two,
            seats: if for_two {
                [Seat::Person; 2]
            } else {
                new.seats.unwrap_or([Seat::Person, Seat::Engine])
            },
            control: control.map_err(|error| error.to_string())?,
        };
        let level = new.level.as_deref().unwrap_or("time=1").parse()?;
        let now = self.now();
        let mut table = Table::new(setup, now).map_err(|refusal| refusal.to_string())?;
        if new.moves.len() > MOST_TOKENS {
            return Err(format!("moves: expected {MOST_TOKENS} at most"));
        }
        for (index, turn) in new.moves.iter().enumerate() {
            let refused = |error| format!("move {} ({turn}): {error}", index + 1);
            table.begin_with(turn, now).map_err(refused)?;
        }
        if for_two {
            table.set_apart();
            table.hold_clock();
        }
        self.awaited = for_two;
        self.table = table;
        self.started = new.position.clone().filter(|text| !matches!(&**text, "" | "startpos"));
        new.tc.as_deref().unwrap_or("inf").clone_into(&mut self.tc);
        self.set_level(level);
        self.pace = Duration::from_millis(new.pace.unwrap_or(400).min(10_000));
        self.anew();
        Ok(())
    }

    /// Begins a task of the guided first game.
    fn learn(&mut self, game: &str, number: usize) -> Result<(), String> {
        let facts = variants::find(game).map_err(|error| error.to_string())?;
        let course = facts.course.as_ref().ok_or("there is no guided first game of this one")?;
        let lesson = course.lessons.get(number).ok_or("there is no such task")?;
        self.begin(&NewGame {
            game: course.game.to_owned(),
            seats: Some([Seat::Person; 2]),
            position: Some(lesson.position.to_owned()),
            ..NewGame::default()
        })?;
        self.lesson = Some((course, number));
        Ok(())
    }

    /// Resets the state, because another game has begun.
    pub(super) fn anew(&mut self) {
        self.begun = true;
        self.search = None;
        self.engine.rest();
        self.scores.clear();
        self.variations.clear();
        self.lesson = None;
        self.proposal = None;
        self.analysis = Analysis::default();
        (self.hint, self.paused, self.not_before) = (false, false, None);
    }

    pub(super) fn set_level(&mut self, level: Level) {
        self.engine.settings.play_at(level.elo);
        self.table.level = level;
    }

    pub(super) fn play(&mut self, word: &str, at: Option<usize>) -> Result<(), String> {
        let played = self.table.session().tokens_played();
        if at.is_some_and(|at| at != played) {
            return Err("the board has changed since".into());
        }
        if played >= MOST_TOKENS {
            return Err("the game is too long".into());
        }
        if word.is_empty() || word.len() > 200 || word.contains(char::is_whitespace) {
            return Err("expected one word of a turn".into());
        }
        self.tell(Command::Enter(word))?;
        self.decided();
        Ok(())
    }

    /// Called after a decision was played.
    pub(super) fn decided(&mut self) {
        self.hint = false;
        let engines = self.table.seats() == [Seat::Engine; 2];
        self.not_before = engines.then(|| Instant::now() + self.pace);
    }

    /// Goes back to the first `to` tokens of the game or of a variation. The line that was played, or would
    /// follow, is kept.
    fn go_to(&mut self, to: Option<usize>, variation: Option<usize>) -> Result<(), String> {
        if variation.is_some() && self.viewer() != Viewer::All {
            return Err("a variation would show hidden cards".into());
        }
        let played = self.table.played().line();
        let line = variation.map_or(Ok(&played), |number| self.variations.get(number))?;
        let end = to.unwrap_or(line.tokens.len());
        let tokens = line.tokens.get(..end).ok_or("the game has not come so far")?.to_vec();
        if tokens == played.tokens {
            return Ok(());
        }
        self.tell(Command::Follow(&tokens))?;
        let shared = tokens.iter().zip(&played.tokens).take_while(|(one, other)| one == other).count();
        self.scores.retain(|&tokens, _| tokens <= shared);
        if self.table.has_secrets() {
            // The unseen cards were shuffled anew, so no other line fits them.
            self.variations.clear();
        } else {
            self.variations.keep(played);
        }
        self.went_back();
        // A player who goes back wants to look, and not to be answered at once.
        self.paused = self.table.seat_to_decide() == Some(Seat::Engine);
        Ok(())
    }

    pub(super) fn went_back(&mut self) {
        let now = self.table.session().tokens_played();
        self.scores.retain(|&tokens, _| tokens <= now);
        self.analysis = Analysis::default();
        self.decided();
        self.table.screen_owner = None;
    }

    fn draw(&mut self) -> Result<(), String> {
        self.tell(Command::OfferDraw)?;
        // Two persons have agreed before they say so.
        let played = self.table.session().tokens_played();
        let accepts = |score| self.engine.settings.accepts_draw(score, played);
        let accepted = self.table.two_persons() || self.table.score().is_some_and(accepts);
        self.tell(Command::AnswerDraw(accepted)).map(drop)
    }

    fn load(&mut self, pgn: &str, number: usize) -> Result<Option<String>, String> {
        let (game, _) = load_game(pgn, number)?;
        if game.turns.len() > MOST_TOKENS {
            return Err("the game is too long".into());
        }
        let event = self.tell(Command::Load(&game))?;
        self.anew();
        let mut room = MOST_TOKENS;
        for turns in &game.variations {
            let Some(left) = room.checked_sub(turns.len()) else { break };
            room = left;
            // Variations that are not legal are left out.
            if let Ok(line) = self.table.played().replay(turns).map(|replayed| replayed.line()) {
                self.variations.keep(line);
            }
        }
        self.paused = self.table.seats() == [Seat::Engine; 2];
        Ok(if let Event::Began(warning) = event { warning } else { None })
    }

    fn query(&self, question: &str, arguments: &str, place: Place) -> Result<Value, String> {
        let (session, viewer) = (self.table.session(), self.viewer_at(place));
        let answer = match (viewer, question) {
            (Viewer::All, _) => query::answer(session, question, arguments),
            (Viewer::Player(own), "legal" | "continuations") if session.actor() != Actor::Player(own) => {
                return Err("what another may say would show their cards".into());
            }
            (Viewer::Nobody, "legal" | "continuations") => {
                return Err("what a player may say would show their cards".into());
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
        self.engine.events()
    }

    /// Works out what is to be said of turns that are new.
    pub fn follow(&mut self) {
        self.words.follow(self.table.played());
    }

    /// False for a game that has not begun.
    pub fn is_worth_keeping(&self) -> bool {
        self.begun
    }
}
