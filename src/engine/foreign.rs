//! Another program that searches in our place. The engine sends it requests, and what it finds comes back as
//! search events. The rules stay ours, and so does everything else the state machines of the protocols do.

use super::engine::{Engine, SearchError, SearchHandle};
use super::options::{self, Change, Entry, Kind, Offered, OptionError, Sets};
use super::search_thread;
use super::turn_search::{PerftRequest, SearchRequest, Searchable};
use crate::base::Color;
use crate::game::{Facts, Rules};
use crate::protocol::{EngineOption, same_words};
use crate::search::{Control, Limits, TranspositionTable, WallClock};
use crate::session::{OpaqueSession, SessionError};
use crossbeam_channel::{Receiver, Sender, unbounded};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What is known of the other program before it gets its first request.
#[derive(Clone, Debug)]
pub struct ForeignEngine {
    /// The name of the program.
    pub name: String,
    /// The author; empty when the program does not name one.
    pub author: String,
    /// The options it declares.
    pub options: Vec<EngineOption>,
    /// The games it plays, by the names they are offered under. The first is played unless another is chosen.
    pub games: Vec<&'static Facts>,
    /// True if it offers, accepts and declines draws and resigns by itself.
    pub settles: bool,
    /// True if it can analyse.
    pub analyses: bool,
    /// True if its searches can be limited to a number of nodes.
    pub counts_nodes: bool,
}

/// A request to the other program.
#[derive(Clone, Debug)]
pub enum EngineRequest {
    /// Set an option.
    Set {
        /// The name of the option, as the program declared it.
        name: String,
        /// The value, as the program writes it; `None` for buttons.
        value: Option<String>,
    },
    /// Play this game from now on.
    Game {
        /// The game to play.
        facts: &'static Facts,
        /// The rules it is played by.
        rules: Rules,
    },
    /// What follows belongs to a new game.
    NewGame,
    /// Start a search.
    Search(Box<ForeignSearch>),
    /// Thinking on the opponent's time is allowed from now on, or forbidden.
    Ponder(bool),
    /// The opponent offers a draw.
    DrawOffered,
    /// The game is over; the text is the result, with its comment.
    Result(String),
}

/// A search request: position, limits and the means to stop it.
#[derive(Clone, Debug)]
pub struct ForeignSearch {
    /// The number that its events carry.
    pub id: u64,
    /// The game that is played.
    pub facts: &'static Facts,
    /// The rules it is played by.
    pub rules: Rules,
    /// The position the game began from; `None` for the usual start.
    pub start: Option<String>,
    /// The tokens played since then.
    pub tokens: Vec<String>,
    /// The player who is to decide.
    pub player: Color,
    /// When the search ends.
    pub limits: Limits,
    /// The time on the opponent's clock, if it is known.
    pub opponent_clock: Option<Duration>,
    /// Consider only these tokens; empty for all.
    pub searchmoves: Vec<String>,
    /// True if the search begins on the opponent's time.
    pub ponder: bool,
    /// Stops the search, and reports that the move it ponders on was played.
    pub control: Arc<Control>,
    /// When the search was asked for.
    pub since: Instant,
}

/// The connection to the other program.
pub(super) struct Link {
    pub(super) engine: ForeignEngine,
    requests: Sender<EngineRequest>,
}

impl Link {
    pub(super) fn send(&self, request: EngineRequest) {
        // The receiver is gone when the conversation is over.
        let _ = self.requests.send(request);
    }

    /// Finds a game of the program by name. Every game in XBoard begins as chess, so `chess` finds the first
    /// game of a program that does not play chess.
    pub(super) fn find(&self, name: &str) -> Option<&'static Facts> {
        let games = &self.engine.games;
        let found = games.iter().find(|facts| facts.answers_to(name));
        found.or_else(|| games.first().filter(|_| name == "chess")).copied()
    }

    /// The names of its games.
    pub(super) fn names(&self) -> Vec<&'static str> {
        self.engine.games.iter().map(|facts| facts.name).collect()
    }

    /// True for those of our options that still have an effect when another program searches.
    pub(super) fn keeps(&self, entry: &Entry) -> bool {
        let ours = |facts: &&&Facts| options::is_registered(facts);
        let mut games = self.engine.games.iter().filter(ours);
        match (&entry.kind, entry.offered) {
            (Kind::Game(_), _) => self.engine.games.len() > 1,
            (Kind::Check { sets: Sets::Switch, .. } | Kind::Combo { sets: Sets::Switch, .. }, _) => {
                games.any(|facts| facts.switches.iter().any(|switch| switch.name == entry.name))
            }
            (_, Offered::Uci { .. }) => false,
            (_, Offered::Both) => {
                matches!(entry.name, "Chance" | "Chance Seed") && games.any(|facts| facts.chance)
            }
            (_, Offered::Xboard) => match entry.name {
                "Draw Offers" | "Contempt" | "Draw After" | "Resign" | "Resign Score" | "Resign Moves" => {
                    !self.engine.settles
                }
                _ => games.any(|facts| facts.xboard.setup.is_some()),
            },
        }
    }
}

impl Engine {
    /// An engine whose searches `foreign` carries out, and the receiver of its requests.
    pub fn of_foreign(foreign: ForeignEngine) -> (Self, Receiver<EngineRequest>) {
        let (requests, inbox) = unbounded();
        let mut engine = Self::new();
        if let Some(first) = foreign.games.first() {
            engine.settings.game = first;
        }
        if foreign.settles {
            engine.settings.draw_offers = options::DrawOffers::Ignore;
        }
        engine.link = Some(Link { engine: foreign, requests });
        engine.renew();
        (engine, inbox)
    }

    /// The program that searches in our place, if there is one.
    pub fn foreign(&self) -> Option<&ForeignEngine> {
        self.link.as_ref().map(|link| &link.engine)
    }

    /// The options that the engine itself offers.
    pub fn own_options(&self) -> Vec<Entry> {
        let mut table = options::table();
        if let Some(link) = &self.link {
            let has = |name: &str| EngineOption::find(&link.engine.options, name).is_some();
            let theirs = |entry: &Entry| has(entry.name) || has(&entry.label());
            table
                .retain(|entry| link.keeps(entry) && (matches!(entry.kind, Kind::Game(_)) || !theirs(entry)));
            for entry in &mut table {
                if let Kind::Game(names) = &mut entry.kind {
                    *names = link.names();
                }
            }
        }
        table
    }

    /// Sends a request to the program that searches in our place, if there is one.
    pub fn tell_foreign(&self, request: impl FnOnce() -> EngineRequest) {
        if let Some(link) = &self.link {
            link.send(request());
        }
    }

    /// Sets an option of the program that searches in our place, one of ours that still has an effect, or
    /// both.
    pub(super) fn set_with_foreign(&mut self, name: &str, value: &str) -> Result<Change, OptionError> {
        let Some(link) = &self.link else { return self.settings.set(name, value) };
        let wrong = |expected: String| OptionError::Value {
            name: name.to_owned(),
            expected,
            found: value.to_owned(),
        };
        if same_words(name, "UCI_Variant") {
            let game = link.engine.games.iter().find(|facts| facts.answers_to(value));
            self.settings.game = game.ok_or_else(|| wrong(link.names().join(", ")))?;
            return Ok(Change::Game);
        }
        let table = options::table();
        let named = |entry: &&Entry| same_words(entry.name, name) || same_words(&entry.label(), name);
        let ours = table.iter().find(named).filter(|entry| link.keeps(entry));
        let theirs = EngineOption::find(&link.engine.options, name)
            .or_else(|| EngineOption::find(&link.engine.options, ours?.name))
            .or_else(|| EngineOption::find(&link.engine.options, &ours?.label()));
        if let Some(option) = theirs {
            let spelled = option.spelled(value);
            option.takes(&spelled).map_err(|error| wrong(error.wanted))?;
            let is_button = matches!(option.kind, crate::protocol::OptionType::Button);
            let value = (!is_button).then_some(spelled);
            link.send(EngineRequest::Set { name: option.name.clone(), value });
        }
        match (ours, theirs) {
            (Some(entry), _) => self.settings.set(entry.name, value),
            (None, Some(_)) => Ok(Change::Quiet),
            (None, None) => Err(OptionError::Unknown(name.to_owned())),
        }
    }

    /// Sends the present position to the program that searches in our place.
    pub(super) fn request_search(
        &mut self,
        request: &SearchRequest,
        since: Instant,
    ) -> Result<SearchHandle, SearchError> {
        for token in &request.searchmoves {
            self.session().continuations_of(token)?;
        }
        let id = self.search_thread.next_search();
        let session = self.session();
        let player = session.actor().player().unwrap_or_else(|| session.on_turn());
        // The program may remember what it was sent, so it never gets more than the side it plays may know.
        let (start, tokens) = session.told_to(request.seat.unwrap_or(player));
        let control = Arc::new(Control::new(request.ponder));
        let search = ForeignSearch {
            id,
            facts: session.facts(),
            rules: session.rules().clone(),
            start,
            tokens,
            player,
            limits: request.limits,
            opponent_clock: request.opponent_clock,
            searchmoves: request.searchmoves.clone(),
            ponder: request.ponder,
            control: control.clone(),
            since,
        };
        self.tell_foreign(|| EngineRequest::Search(Box::new(search)));
        Ok(SearchHandle::new(id, control, Arc::new(WallClock(since))))
    }
}

/// The error for a game whose rules are not known here.
fn unknown() -> SessionError {
    SessionError::Unable("the rules of this game are not known here".into())
}

impl Searchable for OpaqueSession {
    fn search_job(
        &self,
        _: SearchRequest,
        _: Arc<TranspositionTable>,
        _: Arc<Control>,
    ) -> Result<search_thread::Job, SessionError> {
        Err(unknown())
    }

    fn perft_job(&self, _: PerftRequest, _: Arc<Control>) -> Result<search_thread::Job, SessionError> {
        Err(unknown())
    }
}
