//! What the state machines of all protocols share: the settings, the game in progress, the transposition
//! table and the running search.

use super::backend::{Backend, Profile, SearchContext};
use super::bench::Bench;
use super::events::{BestMove, SearchEvent};
use super::local::Local;
use super::options::{self, Change, DrawOffers, Entry, OptionError, OptionKind, Settings};
use super::search_handle::{SearchError, SearchHandle};
use super::turn_search::{SearchRequest, Searchable};
use crate::game::{Facts, Playable, Rules};
use crate::protocol::{EngineOption, OptionType, same_words};
use crate::search::Limits;
use crate::session::chance::{self, Chance};
use crate::session::{GameSession, OpaqueSession, Session, SessionError};
use crate::variants::chess::FISCHERANDOM;
use crate::variants::{self, Visitor};
use crossbeam_channel::Receiver;
use std::any::Any;
use std::time::Instant;

/// The engine behind a protocol: settings, the game in progress and whatever searches it.
pub struct Engine {
    /// The values of the options.
    pub settings: Settings,
    /// True when searches measure processor time instead of real time.
    pub processor_time: bool,
    session: Box<dyn Searchable>,
    backend: Box<dyn Backend>,
    /// The seed of dice and cards in this game, unless the settings name one.
    fresh_seed: u64,
}

impl Engine {
    /// An engine with default settings, at the start of the first game.
    pub fn new() -> Self {
        Self::over(Box::new(Local::new()))
    }

    /// An engine whose searches `backend` carries out, at the start of its first game.
    pub fn over(backend: Box<dyn Backend>) -> Self {
        let mut settings = Settings::default();
        let fresh_seed = chance::fresh_seed();
        let session = open(settings.game, settings.rules(), Chance::Own { seed: fresh_seed });
        let profile = backend.profile();
        if let Some(first) = profile.games.first() {
            settings.game = first;
        }
        if profile.settles {
            settings.draw_offers = DrawOffers::Ignore;
        }
        let mut engine = Self { settings, processor_time: false, session, backend, fresh_seed };
        engine.renew();
        engine
    }

    /// What is known of the program that searches.
    pub fn profile(&self) -> &Profile {
        self.backend.profile()
    }

    /// What searches for this engine: ours, or another program.
    pub fn backend(&mut self) -> &mut dyn Backend {
        &mut *self.backend
    }

    /// The channel on which searches report, each event with the number of its search.
    pub fn events(&self) -> &Receiver<(u64, SearchEvent)> {
        self.backend.events()
    }

    /// Starts a session of `G`, a game that need not be registered. Its facts say which game it is.
    #[cfg(test)]
    pub fn load_game<G: Playable>(&mut self) {
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

    /// The options that the engine itself offers: those that have an effect with this backend, and that it
    /// does not declare itself.
    pub fn own_options(&self) -> Vec<Entry> {
        let profile = self.profile();
        let declared = |name: &str| EngineOption::find(&profile.options, name).is_some();
        let theirs = |entry: &Entry| declared(entry.name) || declared(&entry.label());
        let mut table = options::table();
        table.retain(|entry| {
            self.backend.keeps(entry) && (matches!(entry.kind, OptionKind::Game(_)) || !theirs(entry))
        });
        for entry in &mut table {
            if let OptionKind::Game(names) = &mut entry.kind {
                *names = profile.game_names();
            }
        }
        table
    }

    /// Sets an option: one of ours, one of the backend's, or both. A game or rules chosen here take effect at
    /// the next [`Engine::renew`].
    ///
    /// # Errors
    /// When there is no such option, or it does not take the value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<Change, OptionError> {
        let change = self.choose_value(name, value)?;
        if change == Change::ClearHash {
            self.backend.clear_hash(&self.settings);
        }
        Ok(change)
    }

    fn choose_value(&mut self, name: &str, value: &str) -> Result<Change, OptionError> {
        let profile = self.backend.profile();
        let wrong = |expected: String| OptionError::Value {
            name: name.to_owned(),
            expected,
            found: value.to_owned(),
        };
        if same_words(name, "UCI_Variant") {
            self.settings.game = variants::find_among(&profile.games, value.trim())?;
            return Ok(Change::Game);
        }
        let table = options::table();
        let named = |entry: &&Entry| same_words(entry.name, name) || same_words(&entry.label(), name);
        let ours = table.iter().find(named).filter(|entry| self.backend.keeps(entry));
        let theirs = EngineOption::find(&profile.options, name)
            .or_else(|| EngineOption::find(&profile.options, ours?.name))
            .or_else(|| EngineOption::find(&profile.options, &ours?.label()));
        let theirs_found = theirs.is_some();
        if let Some(option) = theirs {
            let value = option.spelled(value);
            option.takes(&value).map_err(|error| wrong(error.wanted))?;
            let (name, button) = (option.name.clone(), matches!(option.kind, OptionType::Button));
            self.backend.set(&name, Some(value.as_str()).filter(|_| !button));
        }
        match (ours, theirs_found) {
            (Some(entry), _) => self.settings.set(entry.name, value),
            (None, true) => Ok(Change::Quiet),
            (None, false) => {
                let ours = self.own_options();
                let theirs = self.profile().options.iter().map(|option| option.name.as_str());
                Err(OptionError::unknown(name, ours.iter().map(|entry| entry.name).chain(theirs)))
            }
        }
    }

    /// Begins a new session when the chosen game or its rules differ from those of the present one. Returns
    /// true if so. A search of the old session is stopped.
    pub fn renew(&mut self) -> bool {
        let (game, rules) = (self.settings.game, self.settings.rules());
        let changed = !std::ptr::eq(self.session.facts(), game) || *self.session.rules() != rules;
        if changed {
            self.forget();
            self.backend.choose(game, &rules);
            self.session = open(game, rules, self.chance());
        }
        changed
    }

    /// Chooses a game by name, as [`Engine::set`] does for `UCI_Variant`.
    ///
    /// # Errors
    /// When the backend plays no game of that name.
    pub fn choose(&mut self, name: &str) -> Result<&'static Facts, variants::UnknownGame> {
        // Chess960 is a game of its own to XBoard.
        let chess960 = name.eq_ignore_ascii_case(FISCHERANDOM);
        self.settings.set_chess960(chess960);
        let name = if chess960 { "chess" } else { name };
        self.settings.game = self.backend.profile().find(name)?;
        Ok(self.settings.game)
    }

    /// Prepares for another game: clears the transposition table, and draws a fresh seed for dice and cards.
    pub fn forget(&mut self) {
        self.backend.new_game(&self.settings);
        self.fresh_seed = chance::fresh_seed();
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
        self.backend.rest();
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

    /// Does now what the first search would have to do. False when there is no memory for a table.
    pub fn prepare(&mut self) -> bool {
        self.backend.prepare(&self.settings)
    }

    /// Starts a search of the present position. `since` is when it was asked for. The search before must have
    /// ended.
    ///
    /// # Errors
    /// When one of `request.searchmoves` is not legal, or there is no memory or no thread.
    pub fn search(&mut self, request: SearchRequest, since: Instant) -> Result<SearchHandle, SearchError> {
        let Self { settings, processor_time, .. } = self;
        let seed = if settings.seed == 0 { self.fresh_seed } else { settings.seed };
        let context = SearchContext { settings, seed, processor_time: *processor_time, since };
        self.backend.search(&*self.session, request, &context)
    }

    /// Like [`Engine::search`], for a game that somebody else keeps.
    ///
    /// # Errors
    /// Also when the rules of the game are not known here.
    pub fn search_in(
        &mut self,
        session: &dyn Session,
        request: SearchRequest,
        since: Instant,
    ) -> Result<SearchHandle, SearchError> {
        let session = searchable(session)
            .ok_or_else(|| SearchError::Unable("the rules of this game are not known here".into()))?;
        let Self { settings, processor_time, .. } = self;
        let seed = if settings.seed == 0 { self.fresh_seed } else { settings.seed };
        let context = SearchContext { settings, seed, processor_time: *processor_time, since };
        self.backend.search(session, request, &context)
    }

    /// Starts to count sequences of `depth` turns from the present position. If `searchmoves` is not empty,
    /// only those that begin with one of its tokens are counted.
    ///
    /// # Errors
    /// When one of `searchmoves` is not legal, `depth` is beyond what can be counted, or the system gives no
    /// thread.
    pub fn perft(
        &mut self,
        depth: u32,
        searchmoves: Vec<String>,
        since: Instant,
    ) -> Result<SearchHandle, SearchError> {
        self.backend.perft(&*self.session, depth, searchmoves, self.settings.threads, since)
    }

    /// The static evaluation of the position, without a search, in centipawns for White.
    pub fn evaluation(&self) -> i32 {
        self.session.evaluation()
    }

    /// Starts the searches of `carom bench`. The game in progress and its table are left alone.
    ///
    /// # Errors
    /// When the system gives no thread, or another program searches in our place.
    pub fn bench(&mut self, bench: Bench, since: Instant) -> Result<SearchHandle, SearchError> {
        self.backend.bench(bench, since)
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
    if !options::is_registered(game) {
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
