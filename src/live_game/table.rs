//! The table: commands in, events out.

use super::level::limits_for;
use super::setup::chance;
use super::viewer::has_secrets;
use super::{
    Clocks, Command, Event, Left, Level, LoadedGame, Played, Refusal, Seat, Setup, Viewer, own_words,
};
use crate::base::Color;
use crate::base::score::Score;
use crate::game::Actor;
use crate::pgn::{Ending, Termination};
use crate::search::Limits;
use crate::session::{Session, SessionError, TimeControl, open};
use std::time::Duration;

/// A game that persons and the engine play, and what belongs to it beside the board.
///
/// Times are counted from any moment that the caller chooses.
pub struct Table {
    /// How strong the engine is.
    pub level: Level,
    /// With two persons and hidden cards: the player who has the screen.
    pub screen_owner: Option<Color>,
    played: Played,
    seats: [Seat; 2],
    clocks: Clocks,
    /// The clocks before each token.
    past: Vec<Clocks>,
    /// Since when the side to decide has been thinking; `None` while its clock stands still.
    since: Option<Duration>,
    /// The ending by resignation, agreement or time.
    ending: Option<Ending>,
    /// The engine's opinion of its own position.
    score: Option<Score>,
    /// Whether a draw was offered that is not answered yet.
    offered: bool,
    /// The names for the record, White's first; those of the file in a loaded game.
    names: Option<[String; 2]>,
    seed: u64,
    rolls: bool,
    /// Whether each person has a screen of their own.
    apart: bool,
}

impl Table {
    /// A game that begins at `now`.
    ///
    /// # Errors
    /// When the position is not legal, or persons would have to deal hidden cards.
    pub fn new(setup: Setup<'_>, now: Duration) -> Result<Self, Refusal> {
        let mut table = Self {
            level: Level::default(),
            screen_owner: None,
            played: Played::new(setup.open()?),
            seats: setup.seats,
            clocks: Clocks::new(setup.control),
            past: Vec::new(),
            since: None,
            ending: None,
            score: None,
            offered: false,
            names: None,
            seed: setup.seed,
            rolls: setup.rolls,
            apart: false,
        };
        table.start_clock(now);
        Ok(table)
    }

    /// A game that goes on where it was left: after these tokens, with so much time on the clocks, or over.
    ///
    /// # Errors
    /// When the position or a token is not legal.
    pub fn resume(setup: Setup<'_>, left: Left<'_>, now: Duration) -> Result<Self, Refusal> {
        let mut table = Self::new(setup, now)?;
        for token in left.tokens {
            table.played.play(token)?;
        }
        if let Some(times) = left.times {
            table.clocks = table.clocks.with_left(times);
        }
        table.past = vec![table.clocks; table.session().tokens_played()];
        table.ending = left.ending;
        table.start_clock(now);
        Ok(table)
    }

    /// From now on each person has a screen of their own: nobody needs to be alone with one.
    pub fn set_apart(&mut self) {
        self.apart = true;
    }

    /// The clock of the side to decide stands still until [`Table::start_clock`].
    pub fn hold_clock(&mut self) {
        self.since = None;
    }

    /// Gives the players names, White's first.
    pub fn set_names(&mut self, names: [String; 2]) {
        self.names = Some(names);
    }

    /// Plays a turn that belongs to the beginning of the game: it takes no time.
    ///
    /// # Errors
    /// When it is not legal. Nothing has changed then.
    pub fn begin_with(&mut self, turn: &str, now: Duration) -> Result<(), SessionError> {
        self.played.play(turn)?;
        self.past.push(self.clocks);
        self.start_clock(now);
        Ok(())
    }

    /// Carries out a command, given at the time `now`.
    ///
    /// # Errors
    /// Why it cannot be carried out. Nothing has changed then.
    pub fn tell(&mut self, command: Command<'_>, now: Duration) -> Result<Event, Refusal> {
        match command {
            Command::Enter(text) => self.enter(text, now)?,
            Command::Decide { token, score } => self.decide(token, score, now)?,
            Command::Undo => self.undo(now)?,
            Command::Follow(tokens) => self.follow(tokens, now)?,
            Command::Resign => {
                let over = self.ending().is_some();
                let person = self.person().filter(|_| !over).ok_or(Refusal::NobodyResigns)?;
                self.ending = Some(Ending::loss(person, Termination::Resignation, "resigns"));
            }
            Command::ResignAs(person) => {
                if self.ending().is_some() {
                    return Err(Refusal::Over);
                }
                self.ending = Some(Ending::loss(person, Termination::Resignation, "resigns"));
            }
            Command::UndoOf(person) => {
                if self.ending().is_some() {
                    return Err(Refusal::Over);
                }
                let of = |by| by == Actor::Player(person);
                let at = self.played.before_last(of).ok_or(Refusal::NothingToTakeBack)?;
                self.retract(at);
                self.start_clock(now);
            }
            Command::OfferDraw => {
                let facts = self.session().facts();
                if self.ending().is_some() {
                    return Err(Refusal::Over);
                }
                if !facts.draws {
                    return Err(Refusal::NoDraws(facts.title));
                }
                self.offered = true;
                return Ok(Event::DrawOffered);
            }
            Command::AnswerDraw(accepted) => {
                if !std::mem::take(&mut self.offered) {
                    return Err(Refusal::NoOffer);
                }
                if !accepted {
                    return Err(Refusal::DrawDeclined);
                }
                self.ending = Some(Ending::draw(Termination::Agreement, "drawn by agreement"));
            }
            Command::Seats(seats) => self.change_seats(seats, now)?,
            Command::Ready => {
                self.screen_owner = Some(self.to_decide().unwrap_or(self.session().on_turn()));
                self.start_clock(now);
            }
            Command::Restart(seed) => {
                let (facts, rules) = (self.session().facts(), self.session().rules().clone());
                self.seed = seed;
                self.begin(Played::new(open(facts, rules, chance(self.rolls, seed))), None, now);
                return Ok(Event::Began(None));
            }
            Command::Load(game) => return self.load(game, now).map(Event::Began),
        }
        self.offered = false;
        Ok(Event::Changed)
    }

    /// What the time does by itself: `Changed` when the flag of the side to decide has fallen by `now`.
    pub fn tick(&mut self, now: Duration) -> Option<Event> {
        let color = self.to_decide()?;
        let spent = self.spent(now);
        if !self.clocks.falls(color, spent) {
            return None;
        }
        self.clocks.go_on(color, spent);
        self.ending = Some(Ending::loss(color, Termination::TimeForfeit, "is out of time"));
        Some(Event::Changed)
    }

    /// When [`Table::tick`] must be called if nothing happens before: when the flag of the side to decide
    /// falls.
    pub fn due(&self) -> Option<Duration> {
        Some(self.since? + self.clocks.left(self.to_decide()?, Duration::ZERO)?)
    }

    /// The engine thinks about its turn since then; `None` when it has stopped without a decision. Its clock
    /// runs only while it thinks.
    pub fn engine_thinks(&mut self, since: Option<Duration>) {
        if self.seat_to_decide() == Some(Seat::Engine) {
            self.since = since;
        }
    }

    /// A person who was away has come back: the clock of the side to decide runs from `now` on.
    pub fn start_clock(&mut self, now: Duration) {
        // The clock of the engine runs once it thinks.
        self.since = (self.seat_to_decide() != Some(Seat::Engine)).then_some(now);
    }

    /// The limits of the engine's search for its turn, by its level and its clock. [`Level::advice`] has
    /// those of a search for a person.
    pub fn turn_limits(&self) -> Limits {
        let limits = self.level.limits();
        self.to_decide().map_or(limits, |color| limits_for(limits, self.clocks.of(color)))
    }

    /// The game as it was played.
    pub const fn played(&self) -> &Played {
        &self.played
    }

    /// The game in progress.
    pub fn session(&self) -> &dyn Session {
        self.played.session()
    }

    /// The player of each side, White's first.
    pub const fn seats(&self) -> [Seat; 2] {
        self.seats
    }

    /// The players' names, White's first, where a file gives them.
    pub const fn names(&self) -> Option<&[String; 2]> {
        self.names.as_ref()
    }

    /// The seed of dice and cards.
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// The clocks of both players.
    pub const fn clocks(&self) -> &Clocks {
        &self.clocks
    }

    /// True if persons roll the dice and enter the results.
    pub const fn rolls(&self) -> bool {
        self.rolls
    }

    /// The engine's opinion of its position when it decided last.
    pub const fn score(&self) -> Option<Score> {
        self.score
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

    /// The side to decide if its clock runs.
    pub fn running(&self) -> Option<Color> {
        self.to_decide().filter(|_| self.since.is_some() && self.clocks.control() != TimeControl::Untimed)
    }

    /// The time left for `color`; `None` without a clock.
    pub fn time_left(&self, color: Color, now: Duration) -> Option<Duration> {
        let spent = if self.to_decide() == Some(color) { self.spent(now) } else { Duration::ZERO };
        self.clocks.left(color, spent)
    }

    /// The side for which a person's input counts.
    fn person(&self) -> Option<Color> {
        let deciding = self.to_decide().filter(|color| self.seats[color.index()] == Seat::Person);
        deciding.or_else(|| self.lone_person())
    }

    fn spent(&self, now: Duration) -> Duration {
        self.since.map_or(Duration::ZERO, |since| now.saturating_sub(since))
    }

    fn enter(&mut self, text: &str, now: Duration) -> Result<(), Refusal> {
        if self.ending().is_some() {
            return Err(Refusal::Over);
        }
        match self.seat_to_decide() {
            Some(Seat::Engine) => return Err(Refusal::EngineDecides),
            None if !self.rolls => return Err(Refusal::ChanceDecides),
            _ => {}
        }
        if !self.apart && self.viewer() == Viewer::Nobody {
            return Err(Refusal::NotAlone);
        }
        if !self.rolls && own_words(text) != text {
            return Err(Refusal::NotYours);
        }
        self.play(now, |played| played.enter(text))
    }

    fn decide(&mut self, token: Option<String>, score: Score, now: Duration) -> Result<(), Refusal> {
        if self.ending().is_some() {
            return Err(Refusal::Over);
        }
        if self.seat_to_decide() != Some(Seat::Engine) {
            return Err(Refusal::NotTheEngine);
        }
        let token = token.or_else(|| self.session().first_token()).ok_or(Refusal::NothingToPlay)?;
        self.score = Some(score);
        self.play(now, |played| played.play(&token))
    }

    /// Plays a decision that was made at `now`. If the time ran out before, that ends the game instead.
    fn play(
        &mut self,
        now: Duration,
        play: impl FnOnce(&mut Played) -> Result<(), SessionError>,
    ) -> Result<(), Refusal> {
        if self.tick(now).is_some() {
            return Ok(());
        }
        let (before, deciding, spent) = (self.clocks, self.to_decide(), self.spent(now));
        play(&mut self.played)?;
        self.past.push(before);
        if let Some(color) = deciding {
            self.clocks.go_on(color, spent);
        }
        if self.played.is_turn_complete() {
            self.clocks.stop();
        }
        self.start_clock(now);
        Ok(())
    }

    fn undo(&mut self, now: Duration) -> Result<(), Refusal> {
        if self.was_shown() {
            return Err(Refusal::Shown);
        }
        if let Some(ending) = self.ending.take() {
            if ending.termination == Termination::TimeForfeit {
                // Otherwise the game would end again at once.
                self.clocks.forgive();
            }
        } else {
            let (seats, engines) = (self.seats, self.seats == [Seat::Engine; 2]);
            let wanted = |by| match by {
                Actor::Player(color) => engines || seats[color.index()] == Seat::Person,
                // A die whose number a person entered.
                _ => true,
            };
            let at = self.played.before_last(wanted).ok_or(Refusal::NothingToTakeBack)?;
            self.retract(at);
        }
        self.start_clock(now);
        Ok(())
    }

    fn follow(&mut self, tokens: &[String], now: Duration) -> Result<(), Refusal> {
        if self.was_shown() {
            return Err(Refusal::Shown);
        }
        let same = |(own, other): &((Color, &str), &String)| own.1 == *other;
        let shared = self.played.tokens().zip(tokens).take_while(same).count();
        self.retract(shared);
        if shared < tokens.len() {
            // Each token was legal before; if one is not any more, the game goes on before it.
            let _ = self.played.play_all(&tokens[shared..]);
            self.fill_clocks();
        }
        self.start_clock(now);
        Ok(())
    }

    /// Takes back all tokens after the first `tokens`, if there are any.
    fn retract(&mut self, tokens: usize) {
        let Some(&clocks) = self.past.get(tokens) else { return };
        (self.clocks, self.ending, self.score) = (clocks, None, None);
        self.past.truncate(tokens);
        self.played.retract(tokens);
    }

    /// Resets the clocks, as if no turn had taken time so far.
    fn fill_clocks(&mut self) {
        self.clocks = self.clocks.full();
        self.past = vec![self.clocks; self.session().tokens_played()];
    }

    fn change_seats(&mut self, seats: [Seat; 2], now: Duration) -> Result<(), Refusal> {
        let persons = |seats: [Seat; 2]| seats.map(|seat| seat == Seat::Person);
        let newcomer =
            persons(seats).into_iter().zip(persons(self.seats)).any(|(after, before)| after && !before);
        if seats != self.seats && self.has_secrets() && (newcomer || seats == [Seat::Engine; 2]) {
            return Err(Refusal::BothHands);
        }
        let before = self.seat_to_decide();
        self.seats = seats;
        if self.seat_to_decide() != before {
            self.start_clock(now);
        }
        Ok(())
    }

    /// Continues a game from a file as far as it is legal. Returns what is wrong with the first turn that is
    /// not.
    fn load(&mut self, game: &LoadedGame, now: Duration) -> Result<Option<String>, Refusal> {
        let seed = game.seed.filter(|&seed| seed > 0).unwrap_or(self.seed);
        let session = game.open(chance(self.rolls, seed)).map_err(Refusal::Loaded)?;
        if has_secrets(&*session) {
            let (played, _) = game.play().map_err(Refusal::Loaded)?;
            if played.session().outcome().is_none() {
                return Err(Refusal::LoadedShown);
            }
        }
        let mut played = Played::new(session);
        let wrong = played.play_all(&game.turns);
        self.seed = seed;
        self.begin(played, Some(game.names.clone()), now);
        Ok(wrong.map(|wrong| format!("{wrong}; the game goes on before it")))
    }

    /// Goes over to another game, with full clocks.
    fn begin(&mut self, played: Played, names: Option<[String; 2]>, now: Duration) {
        (self.ending, self.score, self.screen_owner, self.offered) = (None, None, None, false);
        (self.played, self.names) = (played, names);
        self.fill_clocks();
        self.start_clock(now);
    }
}
