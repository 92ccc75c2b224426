//! All games, by name: those somebody looks at, in their rooms, and those that wait for somebody to come back.

use super::desk::Desk;
use super::room::{self, Wish};
use super::thinking::Permits;
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
    rooms: BTreeMap<String, Sender<Wish>>,
    kept: VecDeque<Desk>,
}

impl Registry {
    /// None yet; so many searches may run at once.
    pub fn new(searches: usize) -> Self {
        Self { inner: Mutex::default(), permits: Permits::new(searches) }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The room of the game called `name`; `wish`, an [`Wish::Enter`], is the first it hears.
    ///
    /// # Errors
    /// When there is no such game.
    pub fn enter(self: &Arc<Self>, name: &str, wish: Wish) -> Result<Sender<Wish>, String> {
        let mut inner = self.inner();
        if let Some(room) = inner.rooms.get(name) {
            // Not waited for: the room may be waiting for us.
            return match room.try_send(wish) {
                Ok(()) => Ok(room.clone()),
                Err(_) => Err("the game is busy".to_owned()),
            };
        }
        let kept = inner.kept.iter().position(|desk| desk.name == name);
        let desk = kept.and_then(|at| inner.kept.remove(at)).ok_or("that game is not kept any more")?;
        self.open(inner, desk, wish)
    }

    /// A room for a new game.
    ///
    /// # Errors
    /// When there are too many, or the system gives no thread.
    pub fn begin(self: &Arc<Self>, desk: Desk, wish: Wish) -> Result<Sender<Wish>, String> {
        self.open(self.inner(), desk, wish)
    }

    fn open(
        self: &Arc<Self>,
        mut inner: MutexGuard<'_, Inner>,
        desk: Desk,
        wish: Wish,
    ) -> Result<Sender<Wish>, String> {
        if inner.rooms.len() >= MOST_ROOMS {
            let full = format!("{MOST_ROOMS} games are looked at already");
            keep(&mut inner, desk);
            return Err(full);
        }
        let (sender, wishes) = bounded(WISHES);
        // There is room for it.
        let _ = sender.send(wish);
        let (registry, permits, name) = (self.clone(), self.permits.clone(), desk.name.clone());
        let work = move || room::run(desk, wishes, permits, &registry);
        spawn("room", work).map_err(|error| format!("no thread for the game: {error}"))?;
        inner.rooms.insert(name, sender.clone());
        Ok(sender)
    }

    /// Takes a game back from its room, unless somebody is on his way in: then it is given back.
    pub fn keep(&self, desk: Desk, wishes: &Receiver<Wish>) -> Option<Desk> {
        let mut inner = self.inner();
        if !wishes.is_empty() {
            return Some(desk);
        }
        inner.rooms.remove(&desk.name);
        keep(&mut inner, desk);
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

fn keep(inner: &mut Inner, desk: Desk) {
    // A game in which nothing was played is none.
    if desk.is_worth_keeping() {
        inner.kept.push_back(desk);
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
