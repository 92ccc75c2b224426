//! What the state machines of all protocols share: the settings, the game in progress, the transposition
//! table and the running search.

use super::bench::{Bench, BenchError};
use super::events::{BestMove, SearchEvent};
use super::foreign::{EngineRequest, Link};
use super::handicap::Handicap;
use super::options::{Change, OptionError, Settings};
use super::panics::guarded;
use super::search_thread::{Job, SearchThread};
use super::stopwatch::{ProcessorTime, Stopwatch};
use super::turn_search::{PerftRequest, SearchRequest, Searchable};
use crate::game::{Facts, Playable, Rules, perft};
use crate::search::{Clock, Control, Deadlines, Limits, TranspositionTable, WallClock};
use crate::session::chance::{self, Chance};
use crate::session::{GameSession, OpaqueSession, Session, SessionError};
use crate::variants::chess::FISCHERANDOM;
use crate::variants::{self, Visitor};
use crossbeam_channel::Receiver;
use std::any::Any;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The engine behind a protocol: settings, the game in progress and its searches.
pub struct Engine {
    /// The values of the options.
    pub settings: Settings,
    /// True when searches measure processor time instead of real time.
    pub processor_time: bool,
    session: Box<dyn Searchable>,
    pub(super) search_thread: SearchThread,
    /// The seed of dice and cards in this game, unless the settings name one.
    fresh_seed: u64,
    /// The other program that searches in our place, if there is one.
    pub(super) link: Option<Link>,
}

/// A search that is running, or has ended and is yet to be reported.
pub struct SearchHandle {
    /// The number that its events carry.
    pub id: u64,
    control: Arc<Control>,
    clock: Arc<dyn Clock>,
    /// The same clock, if it can be paused.
    watch: Option<Arc<Stopwatch>>,
}

impl Engine {
    /// An engine with default settings, at the start of the first game.
    pub fn new() -> Self {
        let settings = Settings::default();
        let fresh_seed = chance::fresh_seed();
        let session = open(settings.game, settings.rules(), Chance::Own { seed: fresh_seed });
        Self {
            settings,
            processor_time: false,
            session,
            search_thread: SearchThread::new(),
            fresh_seed,
            link: None,
        }
    }

    /// The channel on which searches report, each event with the number of its search.
    pub const fn events(&self) -> &Receiver<(u64, SearchEvent)> {
        self.search_thread.events()
    }

    /// Starts a session of `G`, a game that need not be registered. Its facts say which game it is.
    #[cfg(test)]
    pub fn seat<G: Playable>(&mut self) {
        self.session = Box::new(GameSession::<G>::new(self.settings.rules(), self.chance()));
    }

    /// The game in progress.
    pub fn session(&self) -> &dyn Session {
        &*self.session
    }

    /// The game in progress, to be changed.
    pub fn session_mut(&mut self) -> &mut dyn Session {
        &mut *self.session
    }

    /// Sets an option. A game or rules chosen here take effect at the next [`Engine::renew`].
    ///
    /// # Errors
    /// When there is no such option, or it does not take the value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<Change, OptionError> {
        let change = self.set_with_foreign(name, value)?;
        if change == Change::ClearHash {
            self.search_thread.clear_hash(self.settings.threads);
        }
        Ok(change)
    }

    /// Begins a new session when the chosen game or its rules differ from those of the present one. Returns
    /// true if so. A search of the old session is stopped.
    pub fn renew(&mut self) -> bool {
        let (game, rules) = (self.settings.game, self.settings.rules());
        let changed = !std::ptr::eq(self.session.facts(), game) || *self.session.rules() != rules;
        if changed {
            self.forget();
            self.search_thread.stop();
            self.tell_foreign(|| EngineRequest::Game { facts: game, rules: rules.clone() });
            self.session = open(game, rules, self.chance());
        }
        changed
    }

    /// Chooses a game by name, as [`Engine::set`] does for `UCI_Variant`.
    ///
    /// # Errors
    /// When no game of that name is registered, or the other program that searches does not play it.
    pub fn choose(&mut self, name: &str) -> Result<&'static Facts, variants::UnknownGame> {
        // Chess960 is a game of its own to XBoard.
        let chess960 = name.eq_ignore_ascii_case(FISCHERANDOM);
        self.settings.set_chess960(chess960);
        let name = if chess960 { "chess" } else { name };
        self.settings.game = match &self.link {
            None => variants::find(name)?,
            Some(link) => link.find(name).ok_or_else(|| variants::UnknownGame {
                name: name.to_owned(),
                similar: None,
                known: link.names().join(", "),
            })?,
        };
        Ok(self.settings.game)
    }

    /// Prepares for another game: clears the transposition table, and draws a fresh seed for dice and cards.
    pub fn forget(&mut self) {
        self.search_thread.clear_hash(self.settings.threads);
        self.fresh_seed = chance::fresh_seed();
        self.tell_foreign(|| EngineRequest::NewGame);
    }

    /// Begins a game of the kind that was chosen last, at its start.
    ///
    /// # Errors
    /// None that are known.
    pub fn new_game(&mut self) -> Result<(), SessionError> {
        self.renew();
        self.forget();
        self.set_up(None, &mut std::iter::empty())
    }

    /// Frees the memory and the thread of the search until the next one. A running search is stopped, and its
    /// events are thrown away. The game in progress is kept.
    pub fn rest(&mut self) {
        self.search_thread.rest();
    }

    fn chance(&self) -> Chance {
        match (self.settings.referee, self.settings.seed) {
            (true, _) => Chance::Referee,
            (false, 0) => Chance::Own { seed: self.fresh_seed },
            (false, seed) => Chance::Own { seed },
        }
    }

    /// Begins again from `position`, or from the start, and plays `tokens`. On an error nothing has changed.
    ///
    /// # Errors
    /// When the text is no legal position of the game, or a token is not legal.
    pub fn set_up(
        &mut self,
        position: Option<&str>,
        tokens: &mut dyn Iterator<Item = &str>,
    ) -> Result<(), SessionError> {
        self.session.set_chance(self.chance());
        self.session.set_up(position, tokens)
    }

    /// Allocates the table now rather than at the first search. False when there is no memory for one.
    pub fn prepare(&mut self) -> bool {
        self.search_thread.prepare(self.settings.hash, self.settings.threads)
    }

    /// Starts a search of the present position. `since` is when it was asked for. The search before must have
    /// ended.
    ///
    /// # Errors
    /// When one of `request.searchmoves` is not legal, or there is no memory or no thread.
    pub fn search(
        &mut self,
        mut request: SearchRequest,
        since: Instant,
    ) -> Result<SearchHandle, SearchError> {
        if self.link.is_some() {
            return self.request_search(&request, since);
        }
        let (table, watch) = self.complete(&mut request, self.session.facts(), since)?;
        let (clock, control) = (request.clock.clone(), Arc::new(Control::new(request.ponder)));
        let job = self.session.search_job(request, table, control.clone())?;
        self.start(job, control, clock, watch)
    }

    /// Like [`Engine::search`], for a game that somebody else keeps.
    ///
    /// # Errors
    /// Also when the rules of the game are not known here.
    pub fn search_in(
        &mut self,
        session: &dyn Session,
        mut request: SearchRequest,
        since: Instant,
    ) -> Result<SearchHandle, SearchError> {
        let session = searchable(session)
            .ok_or_else(|| SearchError::Unable("the rules of this game are not known here".into()))?;
        let (table, watch) = self.complete(&mut request, session.facts(), since)?;
        let (clock, control) = (request.clock.clone(), Arc::new(Control::new(request.ponder)));
        let job = session.search_job(request, table, control.clone())?;
        self.start(job, control, clock, watch)
    }

    /// Fills in what options set.
    fn complete(
        &mut self,
        request: &mut SearchRequest,
        facts: &Facts,
        since: Instant,
    ) -> Result<(Arc<TranspositionTable>, Option<Arc<Stopwatch>>), SearchError> {
        let table = self.search_thread.hash(self.settings.hash);
        let table = table.ok_or_else(|| SearchError::Unable("no memory for a transposition table".into()))?;
        let watch = (!self.processor_time).then(|| Arc::new(Stopwatch::new(since)));
        request.clock = match &watch {
            Some(watch) => watch.clone(),
            None => Arc::new(ProcessorTime::new()),
        };
        request.limits.overhead = self.settings.overhead;
        if request.limits.lines == 0 {
            request.limits.lines = self.settings.lines;
        }
        request.seed = if self.settings.seed == 0 { self.fresh_seed } else { self.settings.seed };
        request.handicap = self.handicap(request.seed, facts);
        request.player = self.settings.player;
        request.tables = self.search_thread.tables(Path::new(&self.settings.tables_path));
        // With several threads the effect of a handicap on a search could not be foreseen.
        request.threads = if request.handicap.is_some() { 1 } else { self.settings.threads };
        Ok((table, watch))
    }

    /// How much to weaken play; `None` at full strength and while the user analyses.
    fn handicap(&self, seed: u64, facts: &Facts) -> Option<Handicap> {
        let Settings { limit_strength, analysing, elo, .. } = self.settings;
        (limit_strength && !analysing).then(|| Handicap::new(elo, facts, seed))
    }

    /// Starts to count sequences of `depth` turns from the present position. If `searchmoves` is not empty,
    /// only those that begin with one of its tokens are counted.
    ///
    /// # Errors
    /// When one of `searchmoves` is not legal, `depth` is beyond [`perft::MOST_DEPTH`], or the system gives
    /// no thread.
    pub fn perft(
        &mut self,
        depth: u32,
        searchmoves: Vec<String>,
        since: Instant,
    ) -> Result<SearchHandle, SearchError> {
        if depth > perft::MOST_DEPTH {
            return Err(SearchError::Unable(format!("perft counts {} turns at most", perft::MOST_DEPTH)));
        }
        let (clock, control) = (Arc::new(WallClock(since)), Arc::<Control>::default());
        let request =
            PerftRequest { depth, searchmoves, threads: self.settings.threads, clock: clock.clone() };
        let job = self.session.perft_job(request, control.clone())?;
        self.start(job, control, clock, None)
    }

    /// Starts the searches of `carom bench`. The game in progress and its table are left alone.
    ///
    /// # Errors
    /// When the system gives no thread, or another program searches in our place.
    pub fn bench(&mut self, bench: Bench, since: Instant) -> Result<SearchHandle, SearchError> {
        if self.link.is_some() {
            return Err(SearchError::Unable("no bench of another program".into()));
        }
        let (clock, control) = (WallClock(since), Arc::<Control>::default());
        let stop = control.clone();
        let job = Box::new(move |tell: &dyn Fn(SearchEvent)| {
            let done = guarded(|| bench.run(&stop, &clock, |result| tell(SearchEvent::Bench(result))));
            tell(SearchEvent::BenchDone(done.unwrap_or_else(|reason| Err(BenchError::Panicked(reason)))));
        });
        self.start(job, control, Arc::new(clock), None)
    }

    fn start(
        &mut self,
        job: Job,
        control: Arc<Control>,
        clock: Arc<dyn Clock>,
        watch: Option<Arc<Stopwatch>>,
    ) -> Result<SearchHandle, SearchError> {
        let id = self.search_thread.run(control.clone(), job);
        let id = id.map_err(|error| SearchError::Unable(format!("no thread to search on: {error}")))?;
        Ok(SearchHandle { id, control, clock, watch })
    }

    /// Searches the present position with the present options until `limits` are reached. Without any limit
    /// it never ends.
    ///
    /// # Errors
    /// When there is no memory for a table, or no thread.
    pub fn best_move(&mut self, limits: Limits) -> Result<BestMove, SearchError> {
        let request = SearchRequest { limits, ..SearchRequest::default() };
        let search = self.search(request, Instant::now())?;
        let ends = |(id, event)| match event {
            SearchEvent::BestMove(best) if id == search.id => Some(best),
            _ => None,
        };
        self.events()
            .iter()
            .find_map(ends)
            .ok_or_else(|| SearchError::Unable("the search thread is gone".into()))
    }
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

/// The best move in a position of the game called `game` (its start if `position` is `None`) after `moves`,
/// found within `limits`. To search more than once, use an [`Engine`], which keeps its transposition table.
///
/// # Errors
/// When there is no such game or position, a move is illegal, or there is no memory or thread to search with.
pub fn best_move(
    game: &str,
    position: Option<&str>,
    moves: &[&str],
    limits: Limits,
) -> Result<BestMove, SearchError> {
    let mut engine = Engine::new();
    engine.choose(game)?;
    engine.renew();
    engine.set_up(position, &mut moves.iter().copied())?;
    engine.best_move(limits)
}

/// Why a search could not be started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// There is no game of that name here.
    #[error("{0}")]
    Game(#[from] variants::UnknownGame),
    /// The position or a move to be searched is not legal.
    #[error("{0}")]
    Illegal(#[from] SessionError),
    /// The request is in order but cannot be met, for the reason given.
    #[error("{0}")]
    Unable(String),
}

impl SearchHandle {
    /// The handle of a search that another program carries out.
    pub(super) fn new(id: u64, control: Arc<Control>, clock: Arc<dyn Clock>) -> Self {
        Self { id, control, clock, watch: None }
    }

    /// Asks the search to end; its last event follows soon.
    pub fn stop(&self) {
        self.control.stop();
    }

    /// Suspends the search and its clock from `now` on.
    pub fn pause(&self, now: Instant) {
        self.control.pause();
        if let Some(watch) = &self.watch {
            watch.pause(now);
        }
    }

    /// Continues a suspended search, and lets its clock run again from `now` on.
    pub fn resume(&self, now: Instant) {
        if let Some(watch) = &self.watch {
            watch.resume(now);
        }
        self.control.resume();
    }

    /// True once the search was asked to end.
    pub fn is_stopped(&self) -> bool {
        self.control.is_stopped()
    }

    /// The time since the search was asked for.
    pub fn elapsed(&self) -> Duration {
        self.clock.elapsed()
    }

    /// Reports that the move it ponders on was played. `deadlines` come from the present clock, if it is
    /// known.
    pub fn ponder_hit(&self, deadlines: Option<Deadlines>) {
        self.control.ponder_hit(self.clock.elapsed(), deadlines);
    }
}

/// `session` as one that can be searched, if its game is registered.
fn searchable(session: &dyn Session) -> Option<&dyn Searchable> {
    struct Find<'a>(&'a dyn Any);
    impl<'a> Visitor for Find<'a> {
        type Output = Option<&'a dyn Searchable>;
        fn visit<G: Playable>(self, _: &'static Facts) -> Self::Output {
            Some(self.0.downcast_ref::<GameSession<G>>()?)
        }
    }
    variants::visit(session.facts().name, Find(session)).ok().flatten()
}

fn open(game: &'static Facts, rules: Rules, chance: Chance) -> Box<dyn Searchable> {
    struct Open(Rules, Chance);
    impl Visitor for Open {
        type Output = Box<dyn Searchable>;
        fn visit<G: Playable>(self, _: &'static Facts) -> Self::Output {
            Box::new(GameSession::<G>::new(self.0, self.1))
        }
    }
    if !super::options::is_registered(game) {
        return Box::new(OpaqueSession::new(game));
    }
    // A registered name is always found. Should it not be, chess is better than nothing.
    variants::visit(game.name, Open(rules.clone(), chance))
        .unwrap_or_else(|_| Box::new(GameSession::<variants::chess::State>::new(rules, chance)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_game_stops_the_search_of_the_one_before() {
        let mut engine = Engine::new();
        let limits = Limits { infinite: true, ..Limits::default() };
        let request = SearchRequest { limits, ..SearchRequest::default() };
        let search = engine.search(request, Instant::now()).unwrap();
        assert!(!engine.renew() && !search.is_stopped(), "the same game goes on");
        engine.choose("rollerball").unwrap();
        assert!(engine.renew() && search.is_stopped());
    }
}
