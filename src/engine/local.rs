//! Our own search as a backend.

use super::backend::{Backend, Profile, SearchContext};
use super::bench::{Bench, BenchError};
use super::events::SearchEvent;
use super::handicap::Handicap;
use super::options::Settings;
use super::panics::guarded;
use super::search_handle::{SearchError, SearchHandle};
use super::search_thread::{Job, SearchThread};
use super::stopwatch::{ProcessorTime, Stopwatch};
use super::turn_search::{PerftRequest, SearchRequest, SearchSettings, Searchable};
use crate::game::{Actor, Facts, Rules, perft};
use crate::search::{Clock, Control, WallClock};
use crossbeam_channel::{Receiver, Sender};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Our own search, its thread and its tables.
pub struct Local {
    profile: Profile,
    thread: SearchThread,
    /// Who decided in the position that was searched last.
    searched_for: Option<Actor>,
}

impl Local {
    /// A backend that has searched nothing yet.
    pub fn new() -> Self {
        Self { profile: Profile::own(), thread: SearchThread::new(), searched_for: None }
    }

    /// Sends events to the same channel as the searches.
    pub const fn sender(&self) -> &Sender<(u64, SearchEvent)> {
        self.thread.sender()
    }

    /// The number for the next search.
    pub fn next_search(&mut self) -> u64 {
        self.thread.next_search()
    }

    fn start(
        &mut self,
        job: Job,
        control: Arc<Control>,
        clock: Arc<dyn Clock>,
        watch: Option<Arc<Stopwatch>>,
    ) -> Result<SearchHandle, SearchError> {
        let id = self.thread.run(control.clone(), job);
        let id = id.map_err(|error| SearchError::Unable(format!("no thread to search on: {error}")))?;
        Ok(SearchHandle { id, control, clock, watch })
    }
}

impl Default for Local {
    fn default() -> Self {
        Self::new()
    }
}

/// How much to weaken play; `None` at full strength and while the user analyses.
fn handicap(context: &SearchContext<'_>, game: &Facts) -> Option<Handicap> {
    let Settings { limit_strength, analysing, elo, .. } = *context.settings;
    (limit_strength && !analysing).then(|| Handicap::new(elo, game, context.seed))
}

impl Backend for Local {
    fn profile(&self) -> &Profile {
        &self.profile
    }

    fn events(&self) -> &Receiver<(u64, SearchEvent)> {
        self.thread.events()
    }

    fn choose(&mut self, _facts: &'static Facts, _rules: &Rules) {
        self.thread.stop();
    }

    fn new_game(&mut self, settings: &Settings) {
        self.clear_hash(settings);
    }

    fn clear_hash(&mut self, settings: &Settings) {
        self.thread.clear_hash(settings.threads);
    }

    fn prepare(&mut self, settings: &Settings) -> bool {
        self.thread.prepare(settings.hash, settings.threads)
    }

    fn search(
        &mut self,
        session: &dyn Searchable,
        mut request: SearchRequest,
        context: &SearchContext<'_>,
    ) -> Result<SearchHandle, SearchError> {
        let settings = context.settings;
        // What a search leaves behind depends on what its player knows.
        let before = self.searched_for.replace(session.actor());
        if session.facts().hidden && before.is_some_and(|before| before != session.actor()) {
            self.thread.clear_hash(settings.threads);
        }
        let table = self.thread.hash(settings.hash);
        let table = table.ok_or_else(|| SearchError::Unable("no memory for a transposition table".into()))?;
        let watch = (!context.processor_time).then(|| Arc::new(Stopwatch::new(context.since)));
        let clock: Arc<dyn Clock> = match &watch {
            Some(watch) => watch.clone(),
            None => Arc::new(ProcessorTime::new()),
        };
        request.limits.overhead = settings.overhead;
        if request.limits.lines == 0 {
            request.limits.lines = settings.lines;
        }
        let handicap = handicap(context, session.facts());
        let control = Arc::new(Control::new(request.ponder));
        let settings = SearchSettings {
            // With several threads the effect of a handicap on a search could not be foreseen.
            threads: if handicap.is_some() { 1 } else { settings.threads },
            handicap,
            player: settings.player,
            seed: context.seed,
            tables: self.thread.tables(Path::new(&settings.tables_path)),
            table,
            clock: clock.clone(),
            control: control.clone(),
        };
        let job = session.search_job(request, settings)?;
        self.start(job, control, clock, watch)
    }

    fn perft(
        &mut self,
        session: &dyn Searchable,
        depth: u32,
        searchmoves: Vec<String>,
        threads: usize,
        since: Instant,
    ) -> Result<SearchHandle, SearchError> {
        if depth > perft::MOST_DEPTH {
            return Err(SearchError::Unable(format!("perft counts {} turns at most", perft::MOST_DEPTH)));
        }
        let (clock, control) = (Arc::new(WallClock(since)), Arc::<Control>::default());
        let request = PerftRequest { depth, searchmoves, threads, clock: clock.clone() };
        let job = session.perft_job(request, control.clone())?;
        self.start(job, control, clock, None)
    }

    fn bench(&mut self, bench: Bench, since: Instant) -> Result<SearchHandle, SearchError> {
        let (clock, control) = (WallClock(since), Arc::<Control>::default());
        let stop = control.clone();
        let job = Box::new(move |tell: &dyn Fn(SearchEvent)| {
            let done = guarded(|| bench.run(&stop, &clock, |result| tell(SearchEvent::Bench(result))));
            tell(SearchEvent::BenchDone(done.unwrap_or_else(|reason| Err(BenchError::Panicked(reason)))));
        });
        self.start(job, control, Arc::new(clock), None)
    }

    fn rest(&mut self) {
        self.thread.rest();
    }
}
