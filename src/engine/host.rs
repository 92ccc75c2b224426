//! What the state machines of all protocols share: the settings, the game in progress, the table, running searches.

use super::bench::{Bench, BenchThread};
use super::chance::{self, Chance};
use super::handicap::Handicap;
use super::options::{Change, OptionError, Settings};
use super::search_thread::{Event, Think};
use super::session::{self, Session, SessionError, Tally};
use super::stopwatch::{ProcessorTime, Stopwatch};
use crate::game::{Facts, Playable, Rules, perft};
use crate::search::{Clock, Control, Deadlines, Limits, TranspositionTable, WallClock};
use crate::variants::{self, Visitor};
use crossbeam_channel::Sender;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The engine behind a protocol.
pub struct Host {
    /// What the options are set to.
    pub settings: Settings,
    /// Searches measure processor time, not real time.
    pub processor_time: bool,
    session: Box<dyn Session>,
    table: Option<(usize, Arc<TranspositionTable>)>,
    events: Sender<Event>,
    searches: u64,
    /// The luck of this game where the settings leave it open.
    fresh_seed: u64,
    bench: Option<BenchThread>,
}

/// A search that is running, or has ended and waits to be spoken of.
pub struct Running {
    /// Marks its events.
    pub id: u64,
    control: Arc<Control>,
    clock: Arc<dyn Clock>,
    /// The same clock, if it can be stopped.
    watch: Option<Arc<Stopwatch>>,
}

/// What to search.
#[derive(Default)]
pub struct Request {
    /// When to end.
    pub limits: Limits,
    /// Consider only these tokens; empty for all.
    pub only: Vec<String>,
    /// The opponent is still thinking.
    pub pondering: bool,
}

impl Host {
    /// An engine with default settings, at the start of the first game. What its searches find is sent to `events`.
    pub fn new(events: Sender<Event>) -> Self {
        let settings = Settings::default();
        let fresh_seed = chance::fresh_seed();
        let session = open(settings.game, settings.rules(), Chance::Own { seed: fresh_seed }, &events);
        Self {
            settings,
            processor_time: false,
            session,
            table: None,
            events,
            searches: 0,
            fresh_seed,
            bench: None,
        }
    }

    /// Puts `G` on the board; what is played is the game it says it is.
    #[cfg(test)]
    pub fn seat<G: Playable>(&mut self) {
        self.session = session::open::<G>(self.settings.rules(), self.chance(), self.events.clone());
    }

    /// The game in progress.
    pub fn session(&self) -> &dyn Session {
        &*self.session
    }

    /// The game in progress.
    pub fn session_mut(&mut self) -> &mut dyn Session {
        &mut *self.session
    }

    /// Sets an option. A game or rules chosen here hold from the next [`Host::renew`] on.
    ///
    /// # Errors
    /// When there is no such option or it does not take the value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<Change, OptionError> {
        let change = self.settings.set(name, value)?;
        if change == Change::ClearHash {
            self.table = None;
        }
        Ok(change)
    }

    /// Begins a new session when the chosen game or its rules are no longer those of the present one. True if so.
    /// A search of the old session is stopped and its events are void.
    pub fn renew(&mut self) -> bool {
        let (game, rules) = (self.settings.game, self.settings.rules());
        let changed = !std::ptr::eq(self.session.facts(), game) || *self.session.rules() != rules;
        if changed {
            self.forget();
            self.session = open(game, rules, self.chance(), &self.events);
        }
        changed
    }

    /// Chooses a game by name; as [`Host::set`] of `UCI_Variant`.
    ///
    /// # Errors
    /// When nobody plays it here.
    pub fn choose(&mut self, name: &str) -> Result<&'static Facts, variants::UnknownGame> {
        self.settings.game = variants::find(name)?;
        Ok(self.settings.game)
    }

    /// Another game begins: the table is emptied, the luck is new.
    pub fn forget(&mut self) {
        self.table = None;
        self.fresh_seed = chance::fresh_seed();
    }

    fn chance(&self) -> Chance {
        match (self.settings.referee, self.settings.seed) {
            (true, _) => Chance::Referee,
            (false, 0) => Chance::Own { seed: self.fresh_seed },
            (false, seed) => Chance::Own { seed },
        }
    }

    /// Begins again, from `position` or from the start, and plays `tokens`; on an error nothing has changed.
    ///
    /// # Errors
    /// When the text is no legal position of the game, or a token says nothing legal.
    pub fn set_up(
        &mut self,
        position: Option<&str>,
        tokens: &mut dyn Iterator<Item = &str>,
    ) -> Result<(), SessionError> {
        self.session.set_chance(self.chance());
        self.session.set_up(position, tokens)
    }

    /// The table, made now if there is none of the wanted size. Falls back to smaller ones when memory is short.
    pub fn table(&mut self) -> Option<Arc<TranspositionTable>> {
        let wanted = self.settings.hash;
        if let Some((size, table)) = &self.table
            && *size == wanted
        {
            return Some(table.clone());
        }
        // The old one goes first: both may not fit.
        self.table = None;
        let mut megabytes = wanted;
        loop {
            match TranspositionTable::new(megabytes) {
                Ok(table) => {
                    let table = Arc::new(table);
                    self.table = Some((wanted, table.clone()));
                    return Some(table);
                }
                Err(error) if megabytes > 1 => {
                    log::warn!("{error}; trying half");
                    megabytes /= 2;
                }
                Err(error) => {
                    log::error!("{error}");
                    return None;
                }
            }
        }
    }

    /// Starts a search of the present position; `since` is when it was asked for.
    ///
    /// # Errors
    /// When one of `request.only` is not legal.
    pub fn think(&mut self, request: Request, since: Instant) -> Result<Running, SessionError> {
        let Some(table) = self.table() else {
            return Err(SessionError::Unable("no memory for a transposition table".into()));
        };
        self.searches += 1;
        let watch = (!self.processor_time).then(|| Arc::new(Stopwatch::new(since)));
        let clock: Arc<dyn Clock> = match &watch {
            Some(watch) => watch.clone(),
            None => Arc::new(ProcessorTime::new()),
        };
        let mut limits = request.limits;
        limits.overhead = self.settings.overhead;
        if limits.lines == 0 {
            limits.lines = self.settings.lines;
        }
        let handicap = self.handicap();
        let think = Think {
            id: self.searches,
            limits,
            only: request.only,
            // With several threads nobody could say beforehand what a handicap makes of a search.
            threads: if handicap.is_some() { 1 } else { self.settings.threads },
            handicap,
            pondering: request.pondering,
            clock: clock.clone(),
        };
        let control = self.session.think(think, table)?;
        Ok(Running { id: self.searches, control, clock, watch })
    }

    /// How badly to play: not at all when the user analyses.
    fn handicap(&self) -> Option<Handicap> {
        let Settings { limit_strength, analysing, elo, seed, .. } = self.settings;
        let seed = if seed == 0 { self.fresh_seed } else { seed };
        (limit_strength && !analysing).then(|| Handicap::new(elo, seed))
    }

    /// Starts to count sequences of `depth` turns from the present position that begin with one of `only`, if that
    /// names any.
    ///
    /// # Errors
    /// When one of `only` is not legal or `depth` is beyond [`perft::MOST_DEPTH`].
    pub fn count(&mut self, depth: u32, only: Vec<String>, since: Instant) -> Result<Running, SessionError> {
        if depth > perft::MOST_DEPTH {
            return Err(SessionError::Unable(format!("perft counts {} turns at most", perft::MOST_DEPTH)));
        }
        self.searches += 1;
        let clock: Arc<dyn Clock> = Arc::new(WallClock(since));
        let id = self.searches;
        let tally = Tally { depth, only, id, threads: self.settings.threads, clock: clock.clone() };
        let control = self.session.count(tally)?;
        Ok(Running { id, control, clock, watch: None })
    }

    /// Starts the searches of `carom bench`. The game in progress and its table are not touched.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn bench(&mut self, bench: Bench, since: Instant) -> std::io::Result<Running> {
        self.searches += 1;
        let id = self.searches;
        let clock: Arc<dyn Clock> = Arc::new(WallClock(since));
        // One that was there before has ended: it is only joined.
        self.bench = None;
        let thread = BenchThread::start(bench, id, clock.clone(), self.events.clone())?;
        let control = thread.control();
        self.bench = Some(thread);
        Ok(Running { id, control, clock, watch: None })
    }
}

impl Running {
    /// Asks it to end; its last event follows soon.
    pub fn stop(&self) {
        self.control.stop();
    }

    /// Lets it stand still, and its clock with it, from `now` on.
    pub fn pause(&self, now: Instant) {
        self.control.pause();
        if let Some(watch) = &self.watch {
            watch.pause(now);
        }
    }

    /// Lets it go on where it stood.
    pub fn resume(&self, now: Instant) {
        if let Some(watch) = &self.watch {
            watch.resume(now);
        }
        self.control.resume();
    }

    /// True once it was asked to end.
    pub fn is_stopped(&self) -> bool {
        self.control.is_stopped()
    }

    /// Since it was asked for.
    pub fn elapsed(&self) -> Duration {
        self.clock.elapsed()
    }

    /// The move it ponders on was played; `deadlines` are what the clock shows now, if that was told.
    pub fn ponder_hit(&self, deadlines: Option<Deadlines>) {
        self.control.ponder_hit(self.clock.elapsed(), deadlines);
    }
}

fn open(game: &Facts, rules: Rules, chance: Chance, events: &Sender<Event>) -> Box<dyn Session> {
    struct Open(Rules, Chance, Sender<Event>);
    impl Visitor for Open {
        type Output = Box<dyn Session>;
        fn visit<G: Playable>(self, _: &'static Facts) -> Self::Output {
            session::open::<G>(self.0, self.1, self.2)
        }
    }
    // A name from the registry is in the registry; should it not be, chess is better than nothing.
    variants::visit(game.name, Open(rules.clone(), chance, events.clone()))
        .unwrap_or_else(|_| session::open::<variants::chess::State>(rules, chance, events.clone()))
}
