//! All games, by name: those somebody looks at, in their rooms, and those that wait for somebody to come back.

use super::permits::Permits;
use super::room::{self, Looker, RoomEvent};
use super::web_game::WebGame;
use crossbeam_channel::{Receiver, Sender, bounded};
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Games that nobody looks at; the one left first is forgotten for another.
const MOST_KEPT: usize = 200;
/// Games that somebody looks at.
const MOST_ROOMS: usize = 250;
/// Wishes that a room has not yet heard; who has more waits.
const WISHES: usize = 16;

/// All games.
pub struct Registry {
    inner: Mutex<Inner>,
    permits: Permits,
}

#[derive(Default)]
struct Inner {
    /// With the key of each game.
    rooms: BTreeMap<String, (Sender<RoomEvent>, String)>,
    kept: VecDeque<WebGame>,
}

impl Registry {
    /// None yet; so many searches may run at once.
    pub fn new(searches: usize) -> Self {
        Self { inner: Mutex::default(), permits: Permits::new(searches) }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The room of the game called `name`, which `looker` enters: to play, if the `key` of the game is said.
    ///
    /// # Errors
    /// When there is no such game, or that is not its key.
    pub fn enter(
        self: &Arc<Self>,
        name: &str,
        key: Option<&str>,
        mut looker: Looker,
    ) -> Result<(Sender<RoomEvent>, bool), String> {
        let mut inner = self.inner();
        let kept = inner.kept.iter().position(|game| game.name == name);
        let room = inner.rooms.get(name);
        let own = room.map(|(_, key)| key).or(kept.map(|at| &inner.kept[at].key));
        let own = own.ok_or("that game is not kept any more")?;
        looker.plays = key.is_some_and(|key| key == own);
        if key.is_some() && !looker.plays {
            return Err("that is not the key of the game".to_owned());
        }
        let plays = looker.plays;
        if let Some((room, _)) = room {
            // Not waited for: the room may be waiting for us.
            return match room.try_send(RoomEvent::Enter(looker)) {
                Ok(()) => Ok((room.clone(), plays)),
                Err(_) => Err("the game is busy".to_owned()),
            };
        }
        let game = kept.and_then(|at| inner.kept.remove(at)).ok_or("that game is not kept any more")?;
        Ok((self.open(inner, game, looker)?, plays))
    }

    /// A room for a new game.
    ///
    /// # Errors
    /// When there are too many, or the system gives no thread.
    pub fn begin(self: &Arc<Self>, game: WebGame, looker: Looker) -> Result<Sender<RoomEvent>, String> {
        self.open(self.inner(), game, looker)
    }

    fn open(
        self: &Arc<Self>,
        mut inner: MutexGuard<'_, Inner>,
        game: WebGame,
        looker: Looker,
    ) -> Result<Sender<RoomEvent>, String> {
        if inner.rooms.len() >= MOST_ROOMS {
            let full = format!("{MOST_ROOMS} games are looked at already");
            keep(&mut inner, game);
            return Err(full);
        }
        let (sender, events) = bounded(WISHES);
        // There is room for it.
        let _ = sender.send(RoomEvent::Enter(looker));
        let (registry, permits) = (self.clone(), self.permits.clone());
        let (name, key) = (game.name.clone(), game.key.clone());
        let work = move || room::run(game, events, permits, &registry);
        spawn("room", work).map_err(|error| format!("no thread for the game: {error}"))?;
        inner.rooms.insert(name, (sender.clone(), key));
        Ok(sender)
    }

    /// Takes a game back from its room, unless somebody is on his way in: then it is given back.
    pub fn keep(&self, game: WebGame, events: &Receiver<RoomEvent>) -> Option<WebGame> {
        let mut inner = self.inner();
        if !events.is_empty() {
            return Some(game);
        }
        inner.rooms.remove(&game.name);
        keep(&mut inner, game);
        None
    }

    /// The game is lost.
    pub fn forget(&self, name: &str) {
        self.inner().rooms.remove(name);
    }

    /// How many games somebody looks at, and how many are kept besides.
    pub fn count(&self) -> (usize, usize) {
        let inner = self.inner();
        (inner.rooms.len(), inner.kept.len())
    }
}

fn keep(inner: &mut Inner, game: WebGame) {
    // A game in which nothing was played is none.
    if game.is_worth_keeping() {
        inner.kept.push_back(game);
    }
    if inner.kept.len() > MOST_KEPT {
        inner.kept.pop_front();
    }
}

/// A thread that is not waited for.
///
/// # Errors
/// When the system gives none.
pub fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    std::thread::Builder::new().name(name.to_owned()).spawn(work).map(drop)
}
