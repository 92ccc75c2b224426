//! An engine at the far end of a connection as a backend of our own engine.
//!
//! Nothing here waits, reads or writes: the owner of the connection takes the lines for the engine
//! ([`Client::take_lines`]) and brings those that come back ([`Client::hear`]). What is found goes down the
//! channel on which searches report.

use super::handshake::{Greeting, connect};
use super::searcher::{Out, Request, Search, Searcher};
use super::uci_search::UciSearch;
use super::xboard_search::XboardSearch;
use super::{ClientSettings, Fault};
use crate::connection::{EngineCommand, LineHook, Process};
use crate::engine::options::{Entry, Offered, OptionKind, Setter, Settings, is_registered};
use crate::engine::{
    Backend, Local, Profile, SearchContext, SearchError, SearchEvent, SearchHandle, SearchRequest,
    Searchable, check_searchmoves,
};
use crate::game::{Facts, Rules};
use crate::search::{Control, WallClock};
use crossbeam_channel::Receiver;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// An engine at the far end of a connection. A copy drives the same engine: the owner of the connection has
/// one, and the engine behind a front end another.
#[derive(Clone)]
pub struct Client {
    profile: Arc<Profile>,
    events: Receiver<(u64, SearchEvent)>,
    state: Arc<Mutex<State>>,
}

struct State {
    searcher: Box<dyn Searcher>,
    /// Requests that must wait for the end of the running search.
    waiting: VecDeque<Request>,
    out: Out,
    /// Counts sequences of turns by our own rules.
    local: Local,
}

impl Client {
    /// Starts an engine and greets it in its protocol. `hook` gets the lines that are exchanged.
    ///
    /// # Errors
    /// When the engine does not start, answers in no protocol, or cannot be used as the settings say.
    pub fn launch(
        command: &EngineCommand,
        settings: &ClientSettings,
        hook: impl Fn() -> Option<LineHook>,
    ) -> Result<(Self, Process), Fault> {
        let (mut process, greeting) = connect(command, settings.protocol, settings.patience, hook)?;
        let local = Local::new();
        let mut out = Out::new(local.sender().clone());
        let searcher: Box<dyn Searcher> = match greeting {
            Greeting::Uci(dialect, said) => {
                Box::new(UciSearch::new(dialect, said, settings, &mut process, &mut out)?)
            }
            Greeting::Xboard(features) => Box::new(XboardSearch::new(features, settings, &mut out)?),
        };
        process.send_all(&std::mem::take(&mut out.lines))?;
        let (profile, events) = (Arc::new(searcher.profile().clone()), local.events().clone());
        let state = State { searcher, waiting: VecDeque::new(), out, local };
        Ok((Self { profile, events, state: Arc::new(Mutex::new(state)) }, process))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn request(&self, request: Request) {
        self.state().waiting.push_back(request);
    }

    /// Takes the lines for the engine. Stops and requests that became possible are among them.
    pub fn take_lines(&self) -> Vec<String> {
        let mut state = self.state();
        let State { searcher, waiting, out, .. } = &mut *state;
        searcher.follow_up(out);
        while let Some(request) = next_request(waiting, searcher.is_searching()) {
            searcher.ask(request, out);
            searcher.follow_up(out);
        }
        std::mem::take(&mut out.lines)
    }

    /// Handles a line of the engine.
    pub fn hear(&self, line: &str) {
        let mut state = self.state();
        let State { searcher, out, .. } = &mut *state;
        searcher.hear(line, out);
    }

    /// Asks the engine whether it is ready; false when its protocol has no means to ask.
    pub fn ask_ready(&self) -> bool {
        let mut state = self.state();
        let question = state.searcher.ask_ready();
        let can = question.is_some();
        state.out.lines.extend(question);
        can
    }

    /// How many such questions were answered since this was called last.
    pub fn take_ready(&self) -> usize {
        self.state().out.take_ready()
    }

    /// True while a search is in progress.
    pub fn is_searching(&self) -> bool {
        self.state().searcher.is_searching()
    }

    /// When the engine must have answered. After that, [`Client::overdue`] is to be called.
    pub fn due(&self) -> Option<Instant> {
        self.state().searcher.due()
    }

    /// Acts once that time has passed. Returns the command that was not answered, when nothing can be done.
    pub fn overdue(&self) -> Option<&'static str> {
        let mut state = self.state();
        let State { searcher, out, .. } = &mut *state;
        searcher.overdue(out)
    }
}

/// The next request that the engine can be sent now.
fn next_request(waiting: &mut VecDeque<Request>, searching: bool) -> Option<Request> {
    if !searching {
        return waiting.pop_front();
    }
    let offer = waiting.iter().position(|request| matches!(request, Request::DrawOffered))?;
    waiting.remove(offer)
}

impl Backend for Client {
    fn profile(&self) -> &Profile {
        &self.profile
    }

    fn events(&self) -> &Receiver<(u64, SearchEvent)> {
        &self.events
    }

    fn keeps(&self, entry: &Entry) -> bool {
        let mut games = self.profile.games.iter().filter(|facts| is_registered(facts));
        match (&entry.kind, entry.offered) {
            (OptionKind::Game(_), _) => self.profile.games.len() > 1,
            (
                OptionKind::Check { sets: Setter::Switch, .. }
                | OptionKind::Combo { sets: Setter::Switch, .. },
                _,
            ) => games.any(|facts| facts.switches.iter().any(|switch| switch.name == entry.name)),
            (_, Offered::Uci { .. }) => false,
            (_, Offered::Both) => {
                matches!(entry.name, "Chance" | "Chance Seed") && games.any(|facts| facts.chance)
            }
            (_, Offered::Xboard) => match entry.name {
                "Draw Offers" | "Contempt" | "Draw After" | "Resign" | "Resign Score" | "Resign Moves" => {
                    !self.profile.settles
                }
                _ => games.any(|facts| facts.xboard.setup.is_some()),
            },
        }
    }

    fn set(&mut self, name: &str, value: Option<&str>) {
        self.request(Request::Set { name: name.to_owned(), value: value.map(str::to_owned) });
    }

    fn choose(&mut self, facts: &'static Facts, rules: &Rules) {
        self.request(Request::Game { facts, rules: rules.clone() });
    }

    fn new_game(&mut self, _settings: &Settings) {
        self.request(Request::NewGame);
    }

    fn search(
        &mut self,
        session: &dyn Searchable,
        request: SearchRequest,
        context: &SearchContext<'_>,
    ) -> Result<SearchHandle, SearchError> {
        check_searchmoves(session, &request.searchmoves)?;
        let player = session.actor().player().unwrap_or_else(|| session.on_turn());
        // The program may remember what it was sent, so it never gets more than the side it plays may know.
        let side = request.seat.unwrap_or(player);
        let (start, tokens) = session.as_text_for(side);
        let control = Arc::new(Control::new(request.ponder));
        let mut state = self.state();
        let id = state.local.next_search();
        state.waiting.push_back(Request::Search(Box::new(Search {
            id,
            game: session.seen_by(side),
            start,
            tokens,
            player,
            limits: request.limits,
            opponent_clock: request.opponent_clock,
            searchmoves: request.searchmoves,
            ponder: request.ponder,
            control: control.clone(),
            since: context.since,
            stopped: false,
            hit: false,
        })));
        Ok(SearchHandle::new(id, control, Arc::new(WallClock(context.since))))
    }

    fn perft(
        &mut self,
        session: &dyn Searchable,
        depth: u32,
        searchmoves: Vec<String>,
        threads: usize,
        since: Instant,
    ) -> Result<SearchHandle, SearchError> {
        self.state().local.perft(session, depth, searchmoves, threads, since)
    }

    fn allow_pondering(&mut self, allowed: bool) {
        self.request(Request::Ponder(allowed));
    }

    fn draw_offered(&mut self) {
        self.request(Request::DrawOffered);
    }

    fn game_over(&mut self, result: &str) {
        self.request(Request::Result(result.to_owned()));
    }

    fn rest(&mut self) {
        self.state().local.rest();
    }
}
