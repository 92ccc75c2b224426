//! A game between people and the engine: the engine's session, the players, the clocks, what was played, and
//! how it ended. The terminal and the page in the browser show the same kind of game.

mod level;
mod pgn;
mod viewer;

use crate::base::Color;
use crate::base::score::Score;
use crate::engine::{Engine, options};
use crate::game::Actor;
use crate::pgn::{Ending, GameRecord, PgnStyle, Termination, TurnRecord, pgn_today};
use crate::session::{PlayerClock, Session, SessionError, TimeControl};
pub use level::{Level, limits_for, opinion};
pub use pgn::{LoadedGame, OnBoard, load_game, play_word};
use serde::{Deserialize, Serialize};
use std::time::Duration;
pub use viewer::{Viewer, own_words};

/// Who plays a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    /// A person who enters their turns.
    Person,
    /// The engine of the game.
    Engine,
}

/// A token that was played.
struct Entry {
    token: String,
    by: Actor,
    /// The side whose turn it was, also for dice and cards.
    owner: Color,
    /// The clocks before it.
    clocks: [PlayerClock; 2],
    running: Option<(Color, Duration)>,
}

/// The whole state of a game, apart from its display.
pub struct LiveGame {
    /// The engine; its session is the game, and it thinks for the engine's seats.
    pub engine: Engine,
    /// The player of each side, White's first.
    pub seats: [Seat; 2],
    /// The clocks, White's first.
    pub clocks: [PlayerClock; 2],
    /// The side and its time for a turn that is not complete.
    running: Option<(Color, Duration)>,
    log: Vec<Entry>,
    /// The ending by resignation, agreement or time.
    ending: Option<Ending>,
    /// The engine's opinion of its own position.
    pub score: Option<Score>,
    /// The names for the record, White's first; those of the file in a loaded game.
    names: Option<[String; 2]>,
}

/// The tokens of one player's turn, dice and cards included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The side whose turn it was.
    pub owner: Color,
    /// The text as the viewer may read it, with a comma at the end while the turn goes on.
    pub text: String,
    /// The number of tokens played up to its end.
    pub end: usize,
}

/// A line from the first position on, which was played or might be played instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The tokens as they were played.
    pub words: Vec<String>,
    /// The turns as they are shown.
    pub turns: Vec<Turn>,
}

impl LiveGame {
    /// A game that begins at the present position of `engine`.
    pub fn new(engine: Engine, seats: [Seat; 2], control: TimeControl) -> Self {
        let clocks = [PlayerClock::new(control); 2];
        Self { engine, seats, clocks, running: None, log: Vec::new(), ending: None, score: None, names: None }
    }

    /// The session of the game.
    pub fn session(&self) -> &dyn Session {
        self.engine.session()
    }

    /// Makes the engine play at this Elo, or at full strength when `elo` is `None`.
    pub fn set_elo(&mut self, elo: Option<u32>) {
        let settings = &mut self.engine.settings;
        settings.limit_strength = elo.is_some();
        settings.elo = elo.unwrap_or(settings.elo);
    }

    /// Begins again at the first position of the session, with full clocks.
    pub fn restart(&mut self) {
        (self.ending, self.score, self.names) = (None, None, None);
        self.log.clear();
        self.fill_clocks();
    }

    /// Resets the clocks, as if no turn had taken time so far.
    pub fn fill_clocks(&mut self) {
        self.clocks = self.clocks.map(|clock| PlayerClock::new(clock.control()));
        self.running = None;
        for entry in &mut self.log {
            (entry.clocks, entry.running) = (self.clocks, None);
        }
    }

    /// Continues a game from a file as far as it is legal. Returns what is wrong with the first turn that is
    /// not.
    ///
    /// # Errors
    /// When its first position is not legal, or the file shows cards that would be hidden from then on. Nothing
    /// has changed then.
    pub fn load(&mut self, game: &LoadedGame) -> Result<Option<String>, String> {
        let mut settings = self.engine.settings.clone();
        settings.seed = game.seed.filter(|&seed| seed > 0).unwrap_or(settings.seed);
        let engine = game.engine(settings)?;
        if has_secrets(engine.session()) && game.on_board()?.engine.session().outcome().is_none() {
            return Err(LOADED_SHOWN.to_owned());
        }
        self.engine = engine;
        self.restart();
        self.names = Some(game.names.clone());
        let mut wrong = None;
        for (index, word) in game.words.iter().enumerate() {
            if let Err(error) = self.say(word, Duration::ZERO) {
                wrong = Some(format!("{}; the game goes on before it", refused(index, word, &error)));
                break;
            }
        }
        self.fill_clocks();
        Ok(wrong)
    }

    /// How the game ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        let by_rule = || {
            let outcome = self.session().outcome()?;
            let reason = format!("{} ({})", outcome.reason, outcome.rule);
            Some(Ending { winner: outcome.winner, termination: Termination::Normal, reason })
        };
        self.ending.clone().or_else(by_rule)
    }

    /// The side to decide; `None` while dice or cards are due, and when the game is over.
    pub fn to_decide(&self) -> Option<Color> {
        if self.ending().is_some() { None } else { self.session().actor().player() }
    }

    /// The player of the side to decide.
    pub fn seat_to_decide(&self) -> Option<Seat> {
        self.to_decide().map(|color| self.seats[color.index()])
    }

    /// The side of the only person who plays.
    pub fn lone_person(&self) -> Option<Color> {
        let mut persons = Color::ALL.into_iter().filter(|color| self.seats[color.index()] == Seat::Person);
        persons.next().filter(|_| persons.next().is_none())
    }

    /// The side for which a person's input counts.
    pub fn person(&self) -> Option<Color> {
        let deciding = self.to_decide().filter(|color| self.seats[color.index()] == Seat::Person);
        deciding.or_else(|| self.lone_person())
    }

    /// True when two persons play.
    pub fn two_persons(&self) -> bool {
        self.seats == [Seat::Person; 2]
    }

    /// True when each player knows something that the other must not see.
    pub fn has_secrets(&self) -> bool {
        has_secrets(self.session())
    }

    /// Who is looking at the screen. If two people with secrets share it, that is the side to decide, provided
    /// that this side is `trusted` to be alone with it.
    pub fn viewer(&self, trusted: Option<Color>) -> Viewer {
        if self.ending().is_some() || !self.has_secrets() {
            return Viewer::All;
        }
        match (self.lone_person(), self.two_persons()) {
            (Some(person), _) => Viewer::Player(person),
            (None, true) => match self.to_decide().or(trusted) {
                Some(color) if trusted == Some(color) => Viewer::Player(color),
                _ => Viewer::Nobody,
            },
            (None, false) => Viewer::All,
        }
    }

    /// Plays `word` after `spent` thinking time. On an error nothing has changed. If the time ran out
    /// meanwhile, that ends the game instead.
    pub fn say(&mut self, word: &str, spent: Duration) -> Result<(), SessionError> {
        let by = self.session().actor();
        let (clocks, running) = (self.clocks, self.running);
        if let Actor::Player(color) = by {
            self.session().check(word).or_else(|error| {
                // Algebraic notation in chess is checked by playing it.
                if self.session().facts().is_chess() { Ok(()) } else { Err(error) }
            })?;
            if self.running.is_some_and(|(other, _)| other != color) {
                self.stop_clock();
            }
            if self.flag_falls(spent) {
                return Ok(());
            }
            let used = self.used(color, spent);
            self.running = Some((color, used));
        }
        if let Err(error) = play_word(self.engine.session_mut(), word) {
            (self.clocks, self.running) = (clocks, running);
            return Err(error);
        }
        let session = self.engine.session();
        let owner = by.player().or(self.log.last().map(|entry| entry.owner)).unwrap_or(session.on_turn());
        let token = session.last_token().unwrap_or_else(|| word.to_owned());
        let over = session.between_turns() || session.outcome().is_some();
        let next = session.actor();
        self.log.push(Entry { token, by, owner, clocks, running });
        if over || next != Actor::Chance && next != Actor::Player(owner) {
            self.stop_clock();
        }
        Ok(())
    }

    /// The time that `color` has used for this turn, after thinking for `spent` since it saw the board.
    fn used(&self, color: Color, spent: Duration) -> Duration {
        self.running.filter(|(other, _)| *other == color).map_or(Duration::ZERO, |(_, used)| used) + spent
    }

    /// The time left for `color`, after the side to decide has thought for `spent` since the last token;
    /// `None` without a clock.
    pub fn time_left(&self, color: Color, spent: Duration) -> Option<Duration> {
        let spent = if self.to_decide() == Some(color) { spent } else { Duration::ZERO };
        self.clocks[color.index()].flag().map(|left| left.saturating_sub(self.used(color, spent)))
    }

    /// True when the side to decide has thought for too long with `spent`, which ends the game.
    pub fn flag_falls(&mut self, spent: Duration) -> bool {
        let Some(color) = self.to_decide() else { return false };
        let used = self.used(color, spent);
        let falls = self.clocks[color.index()].flag().is_some_and(|left| used > left);
        if falls {
            self.running = Some((color, used));
            self.ending = Some(Ending::loss(color, Termination::TimeForfeit, "is out of time"));
        }
        falls
    }

    fn stop_clock(&mut self) {
        if let Some((color, used)) = self.running.take() {
            self.clocks[color.index()].spend(used, Duration::ZERO);
            self.clocks[(!color).index()].opponent_spent(used);
        }
    }

    /// Like [`LiveGame::say`], for a word that may also be the beginning of a turn.
    pub fn say_or_begin(&mut self, word: &str, spent: Duration) -> Result<(), SessionError> {
        self.say(word, spent).or_else(|error| self.say(&format!("{word},"), spent).map_err(|_| error))
    }

    /// Plays a decision that a person typed in another notation.
    ///
    /// # Errors
    /// When the word stands for no decision.
    pub fn say_in_other_words(&mut self, word: &str, spent: Duration) -> Result<(), String> {
        let session = self.session();
        let number = session.typed(word)?;
        let says = |leg: &String| {
            let decisions = session.decisions_of(leg).or_else(|| session.decisions_of(&format!("{leg},")));
            decisions.is_some_and(|decisions| decisions.first() == Some(&number))
        };
        let legs = session.continuations().into_iter();
        let mut legs = legs.map(|leg| if leg == "." { "0000".to_owned() } else { leg });
        let leg = legs.find(says).ok_or_else(|| format!("`{word}` is not possible here"))?;
        self.say_or_begin(&leg, spent).map_err(|error| error.to_string())
    }

    /// True when hidden cards were revealed because the game is over, so that it cannot continue.
    pub fn was_shown(&self) -> bool {
        self.ending().is_some() && self.has_secrets()
    }

    /// Changes the players for the rest of the game.
    ///
    /// # Errors
    /// In a game with hidden cards, unless a person gives a seat to the engine: any other change would reveal
    /// both hands.
    pub fn change_seats(&mut self, seats: [Seat; 2]) -> Result<(), &'static str> {
        let persons = |seats: [Seat; 2]| seats.map(|seat| seat == Seat::Person);
        let newcomer =
            persons(seats).into_iter().zip(persons(self.seats)).any(|(after, before)| after && !before);
        if seats != self.seats && self.has_secrets() && (newcomer || seats == [Seat::Engine; 2]) {
            return Err("both hands would be seen: players change in a new game");
        }
        self.seats = seats;
        Ok(())
    }

    /// Takes back the last decision of a person, or of the engine when only engines play, and all that
    /// follows it.
    ///
    /// # Errors
    /// When there is none, or the game is over and hidden cards were revealed.
    pub fn undo(&mut self) -> Result<(), &'static str> {
        if self.was_shown() {
            return Err(SHOWN);
        }
        if let Some(ending) = self.ending.take() {
            if ending.termination == Termination::TimeForfeit {
                // Otherwise the game would end again at once.
                self.running = None;
            }
            return Ok(());
        }
        let wanted = |entry: &Entry| match entry.by {
            Actor::Player(color) => {
                self.seats[color.index()] == Seat::Person || self.seats == [Seat::Engine; 2]
            }
            // A die whose number a person entered.
            _ => true,
        };
        let at = self.log.iter().rposition(wanted).ok_or("there is nothing to take back")?;
        self.rewind(at)
    }

    /// Takes back all tokens after the first `tokens`. Dice and cards are then drawn anew.
    ///
    /// # Errors
    /// When the game is over and hidden cards were revealed.
    pub fn rewind(&mut self, tokens: usize) -> Result<(), &'static str> {
        if self.was_shown() {
            return Err(SHOWN);
        }
        let Some(&Entry { clocks, running, .. }) = self.log.get(tokens) else { return Ok(()) };
        (self.clocks, self.running, self.ending) = (clocks, running, None);
        self.log.truncate(tokens);
        self.engine.session_mut().retract(tokens);
        self.score = None;
        Ok(())
    }

    /// Ends the game by the resignation of `color`.
    pub fn resign(&mut self, color: Color) {
        self.ending = Some(Ending::loss(color, Termination::Resignation, "resigns"));
    }

    /// Ends the game by agreement on a draw.
    pub fn agree_to_draw(&mut self) {
        self.ending = Some(Ending::draw(Termination::Agreement, "drawn by agreement"));
    }

    /// True when the engine accepts a draw: it is not too early, and the engine's position is no better than
    /// that.
    pub fn engine_agrees(&self) -> bool {
        let settings = &self.engine.settings;
        let late = self.session().tokens_played() >= settings.draw_after;
        late && self.score.is_some_and(|score| score <= -settings.contempt)
    }

    /// The text of the turn that the side to decide has begun, as `viewer` may read it.
    pub fn begun(&self, viewer: Viewer) -> Option<String> {
        let goes_on = self.to_decide().filter(|_| !self.session().between_turns())?;
        // When the opponent answers in the middle of a turn, that turn is not the opponent's.
        self.turns(viewer).pop().filter(|turn| turn.owner == goes_on).map(|turn| turn.text)
    }

    /// The turns that were played.
    pub fn turns(&self, viewer: Viewer) -> Vec<Turn> {
        let mut turns: Vec<Turn> = Vec::new();
        for (said, entry) in self.log.iter().enumerate() {
            let text = viewer.reads(&entry.token, entry.owner);
            match turns.last_mut() {
                Some(turn) if turn.owner == entry.owner => {
                    turn.text.truncate(turn.text.trim_end_matches(',').len());
                    // A declined offer (`0000`) is not shown.
                    if text != "0000" {
                        turn.text.push(',');
                        turn.text.push_str(&text);
                    }
                    turn.end = said + 1;
                }
                _ => turns.push(Turn { owner: entry.owner, text, end: said + 1 }),
            }
        }
        let session = self.session();
        if let Some(turn) = turns.last_mut()
            && !session.between_turns()
            && session.actor() == Actor::Player(turn.owner)
            && !turn.text.ends_with(',')
        {
            // The turn goes on.
            turn.text.push(',');
        }
        turns
    }

    /// The last token and the side whose turn it was.
    pub fn last(&self, viewer: Viewer) -> Option<(Color, String)> {
        let entry = self.log.last()?;
        Some((entry.owner, viewer.reads(&entry.token, entry.owner)))
    }

    /// The game with these tokens from its first position on, instead of those that were played.
    ///
    /// # Errors
    /// The first token that is not legal, and why.
    pub fn replay(&self, words: &[String]) -> Result<Self, String> {
        let mut engine = Engine::new();
        engine.settings = self.engine.settings.clone();
        // The tokens contain the results of dice and cards.
        engine.settings.referee = true;
        engine.renew();
        let start = self.session().position_after(0).map(|position| position.to_string());
        engine.set_up(start.as_deref(), &mut std::iter::empty()).map_err(|error| error.to_string())?;
        let mut replayed = Self::new(engine, self.seats, TimeControl::Untimed);
        for (index, word) in words.iter().enumerate() {
            replayed.say(word, Duration::ZERO).map_err(|error| refused(index, word, &error))?;
        }
        Ok(replayed)
    }

    /// The line that was played, so that one can return to it.
    pub fn line(&self) -> Line {
        let words = self.log.iter().map(|entry| entry.token.clone()).collect();
        Line { words, turns: self.turns(Viewer::All) }
    }

    /// The game as PGN, with `event` as its `Event` tag and `lines` as variations.
    pub fn pgn(&self, event: &str, lines: &[Line]) -> String {
        let session = self.session();
        let facts = session.facts();
        let name = |color: Color| match self.seats[color.index()] {
            Seat::Person => "Player".to_owned(),
            Seat::Engine => options::engine_name(),
        };
        let ending = self.ending();
        let start = session.position_after(0).map(|position| position.to_string());
        let records = |turns: &[Turn]| -> Vec<TurnRecord> {
            turns.iter().map(|turn| TurnRecord(turn.text.clone(), turn.owner.letter(), None)).collect()
        };
        let mut turns = records(&self.turns(Viewer::All));
        let mut lines: Vec<_> = lines.iter().map(|line| records(&line.turns)).collect();
        if turns.is_empty() && ending.is_none() && !lines.is_empty() {
            // A variation needs a turn of the main line to replace.
            turns = lines.remove(0);
        }
        let record = GameRecord {
            number: 1,
            round: 1,
            pair: 1,
            engines: [0, 1],
            names: self.names.clone().unwrap_or_else(|| Color::ALL.map(name)),
            result: ending.as_ref().map_or("*", Ending::result).to_owned(),
            termination: ending.as_ref().map_or(Termination::Unterminated, |ending| ending.termination),
            reason: ending.map_or_else(|| "to be continued".to_owned(), |ending| ending.reason),
            position: start.filter(|start| start != facts.start),
            seed: self.engine.settings.seed,
            controls: self.clocks.map(|clock| clock.control().to_string()),
            date: pgn_today(),
            turns,
            last: session.position().to_string(),
        };
        let style = PgnStyle {
            facts,
            rules: session.rules().clone(),
            event: event.to_owned(),
            site: "?".to_owned(),
            san: true,
            minimal: true,
            nodes: false,
            selective_depth: false,
        };
        style.write_tree(&record, &lines)
    }
}

/// Why a game cannot be continued.
const SHOWN: &str = "the cards of this game were shown, so it cannot go on";
const LOADED_SHOWN: &str = "this file shows the hidden cards of a game that is not over, so the game cannot go on; `carom replay` shows it";

fn has_secrets(session: &dyn Session) -> bool {
    let [white, black] = Color::ALL.map(|color| session.position_for(color));
    white != black
}

fn refused(index: usize, word: &str, error: &SessionError) -> String {
    format!("turn {} ({word}): {error}", index + 1)
}
