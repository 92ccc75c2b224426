//! All games by name: those in use, in their rooms, and those kept for a later return.

use super::permits::Permits;
use super::places::{KeyRing, Place};
use super::room::{self, RoomEvent, Subscriber};
use super::store::Store;
use super::web_game::WebGame;
use crossbeam_channel::{Receiver, Sender, bounded};
use litemap::LiteMap;
use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The most games kept without a viewer; the one left first makes way for another.
const MOST_KEPT: usize = 200;
/// The most games in use.
const MOST_ROOMS: usize = 250;
/// The most requests that a room queues; further ones wait.
const WISHES: usize = 16;

/// All games of a server.
pub struct Registry {
    inner: Mutex<Inner>,
    permits: Permits,
    store: Option<Store>,
}

#[derive(Default)]
struct Inner {
    /// The room and the keys of each game in use.
    rooms: LiteMap<String, (Sender<RoomEvent>, KeyRing)>,
    kept: VecDeque<WebGame>,
}

impl Registry {
    /// No games yet besides those in `store`; `searches` searches may run at once.
    pub fn new(searches: usize, store: Option<Store>) -> Self {
        Self { inner: Mutex::default(), permits: Permits::new(searches), store }
    }

    /// The file that games are kept in, if there is one.
    pub const fn store(&self) -> Option<&Store> {
        self.store.as_ref()
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets `subscriber` enter the room of the game called `name`, in the place that `key` gives it. Also
    /// returns that place.
    ///
    /// # Errors
    /// When there is no such game, or the key is wrong.
    pub fn enter(
        self: &Arc<Self>,
        name: &str,
        key: Option<&str>,
        mut subscriber: Subscriber,
    ) -> Result<(Sender<RoomEvent>, Place), String> {
        let mut inner = self.inner();
        if !inner.rooms.contains_key(name) && !inner.kept.iter().any(|game| game.name == name) {
            let stored = self.store.as_ref().and_then(|store| store.find(name));
            let stored = stored.ok_or("that game is not kept any more")?;
            keep(&mut inner, WebGame::restored(&stored)?);
        }
        let kept = inner.kept.iter().position(|game| game.name == name);
        let room = inner.rooms.get(name);
        let own = room.map(|(_, keys)| keys).or(kept.map(|at| &inner.kept[at].keys));
        let place = own.ok_or("that game is not kept any more")?.place(key)?;
        subscriber.place = place;
        if let Some((room, _)) = room {
            // This must not wait, since the room may be waiting for the registry.
            return match room.try_send(RoomEvent::Enter(subscriber)) {
                Ok(()) => Ok((room.clone(), place)),
                Err(_) => Err("the game is busy".to_owned()),
            };
        }
        let game = kept.and_then(|at| inner.kept.remove(at)).ok_or("that game is not kept any more")?;
        Ok((self.open(inner, game, subscriber)?, place))
    }

    /// Opens a room for a new game.
    ///
    /// # Errors
    /// When there are too many, or the system provides no thread.
    pub fn begin(
        self: &Arc<Self>,
        game: WebGame,
        subscriber: Subscriber,
    ) -> Result<Sender<RoomEvent>, String> {
        self.open(self.inner(), game, subscriber)
    }

    fn open(
        self: &Arc<Self>,
        mut inner: MutexGuard<'_, Inner>,
        game: WebGame,
        subscriber: Subscriber,
    ) -> Result<Sender<RoomEvent>, String> {
        if inner.rooms.len() >= MOST_ROOMS {
            let full = format!("{MOST_ROOMS} games are looked at already");
            keep(&mut inner, game);
            return Err(full);
        }
        let (sender, events) = bounded(WISHES);
        // The new channel has room for it.
        let _ = sender.send(RoomEvent::Enter(subscriber));
        let (registry, permits) = (self.clone(), self.permits.clone());
        let (name, keys) = (game.name.clone(), game.keys.clone());
        let work = move || room::run(game, events, permits, &registry);
        spawn("room", work).map_err(|error| format!("no thread for the game: {error}"))?;
        inner.rooms.insert(name, (sender.clone(), keys));
        Ok(sender)
    }

    /// Takes a game back from its room. If someone is about to enter, the game is returned to the room
    /// instead.
    pub fn keep(&self, game: WebGame, events: &Receiver<RoomEvent>) -> Option<WebGame> {
        let mut inner = self.inner();
        if !events.is_empty() {
            return Some(game);
        }
        inner.rooms.remove(&game.name);
        keep(&mut inner, game);
        None
    }

    /// Removes a game that is lost.
    pub fn forget(&self, name: &str) {
        self.inner().rooms.remove(name);
    }

    /// The numbers of games in use, and of games kept besides.
    pub fn count(&self) -> (usize, usize) {
        let inner = self.inner();
        (inner.rooms.len(), inner.kept.len())
    }
}

fn keep(inner: &mut Inner, game: WebGame) {
    // A game that has not begun is not kept.
    if game.is_worth_keeping() {
        inner.kept.push_back(game);
    }
    if inner.kept.len() > MOST_KEPT {
        inner.kept.pop_front();
    }
}

/// Starts a thread that is not joined.
///
/// # Errors
/// When the system provides none.
pub fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    std::thread::Builder::new().name(name.to_owned()).spawn(work).map(drop)
}
