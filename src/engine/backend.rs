//! The seam below [`Engine`](super::Engine): whatever searches. Our own search and another program at the far
//! end of a connection are driven alike, and no state machine of a protocol asks which of them it is.

use super::events::SearchEvent;
use super::options::{Entry, Settings};
use super::search_handle::{SearchError, SearchHandle};
use super::turn_search::{SearchRequest, Searchable};
use super::{Bench, options};
use crate::game::{Facts, Rules};
use crate::protocol::EngineOption;
use crate::session::Session;
use crate::variants::{self, UnknownGame};
use crossbeam_channel::Receiver;
use std::time::Instant;

/// What is known of a backend before it is asked for anything.
#[derive(Clone, Debug)]
pub struct Profile {
    /// The name of the program.
    pub name: String,
    /// The author; empty when the program does not name one.
    pub author: String,
    /// The options that the backend declares beside those of the engine.
    pub options: Vec<EngineOption>,
    /// The games it plays, by the names they are offered under. The first is played unless another is chosen.
    pub games: Vec<&'static Facts>,
    /// True if it offers, accepts and declines draws and resigns by itself.
    pub settles: bool,
    /// What it can do.
    pub abilities: Abilities,
}

/// What a backend can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abilities {
    /// It can analyse.
    pub analyses: bool,
    /// Its searches can be limited to a number of nodes.
    pub counts_nodes: bool,
    /// The size of its transposition table can be set.
    pub has_hash: bool,
    /// The number of its threads can be set.
    pub has_threads: bool,
    /// It plays Chess960.
    pub plays_chess960: bool,
    /// A search can be suspended.
    pub pauses: bool,
    /// Its lines of thinking are passed on as they come: while the user decides, and bounds, too.
    pub raw_thinking: bool,
}

impl Profile {
    /// The profile of our own search.
    pub(super) fn own() -> Self {
        Self {
            name: options::engine_name(),
            author: options::AUTHOR.to_owned(),
            options: Vec::new(),
            games: variants::all(),
            settles: false,
            abilities: Abilities {
                analyses: true,
                counts_nodes: true,
                has_hash: true,
                has_threads: true,
                plays_chess960: true,
                pauses: true,
                raw_thinking: false,
            },
        }
    }

    /// Finds one of its games by name. Every game in XBoard begins as chess, so `chess` finds the first game
    /// of a program that does not play chess.
    ///
    /// # Errors
    /// When it has no game of that name.
    pub fn find(&self, name: &str) -> Result<&'static Facts, UnknownGame> {
        let first = || self.games.first().filter(|_| name == "chess").copied();
        variants::find_among(&self.games, name).or_else(|unknown| first().ok_or(unknown))
    }

    /// The names of its games.
    pub fn game_names(&self) -> Vec<&'static str> {
        self.games.iter().map(|facts| facts.name).collect()
    }
}

/// What the engine knows when a search is asked for.
pub struct SearchContext<'a> {
    /// The values of the options.
    pub settings: &'a Settings,
    /// The seed of players that choose at random.
    pub seed: u64,
    /// Measure processor time instead of real time.
    pub processor_time: bool,
    /// When the search was asked for.
    pub since: Instant,
}

/// Whatever searches for an engine.
pub trait Backend: Send {
    /// What is known of it.
    fn profile(&self) -> &Profile;
    /// The channel on which searches report, each event with the number of its search.
    fn events(&self) -> &Receiver<(u64, SearchEvent)>;
    /// True for those options of the engine that have an effect with this backend.
    fn keeps(&self, _entry: &Entry) -> bool {
        true
    }
    /// Sets one of its own options; no value for a button.
    fn set(&mut self, _name: &str, _value: Option<&str>) {}
    /// Plays this game from now on. A search of the game before is stopped.
    fn choose(&mut self, facts: &'static Facts, rules: &Rules);
    /// What follows belongs to a new game.
    fn new_game(&mut self, settings: &Settings);
    /// Forgets what searches have found.
    fn clear_hash(&mut self, _settings: &Settings) {}
    /// Does now what the first search would have to do. False when there is no memory for it.
    fn prepare(&mut self, _settings: &Settings) -> bool {
        true
    }
    /// Starts a search of the present position. The search before must have ended.
    ///
    /// # Errors
    /// When one of `request.searchmoves` is not legal, or there is no memory or no thread.
    fn search(
        &mut self,
        session: &dyn Searchable,
        request: SearchRequest,
        context: &SearchContext<'_>,
    ) -> Result<SearchHandle, SearchError>;
    /// Starts to count sequences of `depth` turns from the present position. If `searchmoves` is not empty,
    /// only those that begin with one of its tokens are counted.
    ///
    /// # Errors
    /// When one of `searchmoves` is not legal, or the system gives no thread.
    fn perft(
        &mut self,
        session: &dyn Searchable,
        depth: u32,
        searchmoves: Vec<String>,
        threads: usize,
        since: Instant,
    ) -> Result<SearchHandle, SearchError>;
    /// Starts the searches of `carom bench`.
    ///
    /// # Errors
    /// When the system gives no thread, or another program searches.
    fn bench(&mut self, _bench: Bench, _since: Instant) -> Result<SearchHandle, SearchError> {
        Err(SearchError::Unable("no bench of another program".into()))
    }
    /// Thinking on the opponent's time is allowed from now on, or forbidden.
    fn allow_pondering(&mut self, _allowed: bool) {}
    /// The opponent offers a draw.
    fn draw_offered(&mut self) {}
    /// The game is over; the text is the result, with its comment.
    fn game_over(&mut self, _result: &str) {}
    /// Frees memory and thread until the next search.
    fn rest(&mut self) {}
}

/// Checks that the game can begin with each of `searchmoves`.
///
/// # Errors
/// When one of them is not legal.
pub fn check_searchmoves(session: &dyn Session, searchmoves: &[String]) -> Result<(), SearchError> {
    searchmoves.iter().try_for_each(|token| session.continuations_of(token).map(drop))?;
    Ok(())
}
