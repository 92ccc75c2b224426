//! The thread that searches for an engine, and what it searches with: the transposition table (of the size that is set, made when
//! it is needed, backed with memory while there is time) and the endgame tables.

use super::events::SearchEvent;
use crate::base::threads::STACK;
use crate::game::Tables;
use crate::search::{Control, TranspositionTable};
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};

/// What the thread is given to do, and through what it tells of it. Nothing here knows the game, so that channel and
/// thread are compiled once and not for every game.
pub(super) type Job = Box<dyn FnOnce(&dyn Fn(SearchEvent)) + Send>;

type Work = Box<dyn FnOnce() + Send>;

/// So many megabytes are backed with memory without asking what there is.
const SMALL: usize = 256;

/// Begins with the first job and is parked between jobs. Dropping it stops the search and waits for the thread to end.
pub(super) struct SearchThread {
    sender: Sender<(u64, SearchEvent)>,
    events: Receiver<(u64, SearchEvent)>,
    /// The number of the last search.
    last: u64,
    running: Option<(Sender<Work>, JoinHandle<()>)>,
    control: Arc<Control>,
    hash: Option<HashTable>,
    tables: Option<Arc<Tables>>,
}

struct HashTable {
    /// The size asked for, in megabytes; the table is smaller when memory was short.
    wanted: usize,
    table: Arc<TranspositionTable>,
    /// All of it is backed with memory.
    prepared: bool,
}

impl SearchThread {
    pub fn new() -> Self {
        let (sender, events) = unbounded();
        Self { sender, events, last: 0, running: None, control: Arc::default(), hash: None, tables: None }
    }

    /// Where what searches find is told, each with the number of the search.
    pub const fn events(&self) -> &Receiver<(u64, SearchEvent)> {
        &self.events
    }

    /// A number for one more search.
    pub fn next_search(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    /// Asks what runs to end.
    pub fn stop(&self) {
        self.control.stop();
    }

    /// Begins with `job`, which `control` stops; its events are sent under the number that is returned. One that was there before
    /// is stopped.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn run(&mut self, control: Arc<Control>, job: Job) -> io::Result<u64> {
        self.stop();
        self.control = control;
        let id = self.next_search();
        let (jobs, _) = match &mut self.running {
            Some(running) => running,
            none => {
                let (jobs, inbox) = bounded::<Work>(1);
                let work = move || inbox.iter().for_each(|job| job());
                none.insert((jobs, Builder::new().name("search".into()).stack_size(STACK).spawn(work)?))
            }
        };
        let events = self.sender.clone();
        // When nobody listens any more, the engine is being dropped, and so is this thread's work.
        let work = move || job(&|event| drop(events.send((id, event))));
        jobs.send(Box::new(work)).map_err(|_| io::Error::other("the search thread is gone"))?;
        Ok(id)
    }

    /// The transposition table, made now if there is none of this size. Falls back to smaller ones when memory is short.
    pub fn hash(&mut self, megabytes: usize) -> Option<Arc<TranspositionTable>> {
        if let Some(hash) = &self.hash
            && hash.wanted == megabytes
        {
            return Some(hash.table.clone());
        }
        // The old one goes first: both may not fit.
        self.hash = None;
        let mut sizes = std::iter::successors(Some(megabytes), |&size| (size > 1).then_some(size / 2));
        let made = |size| TranspositionTable::new(size).inspect_err(|error| log::warn!("{error}")).ok();
        let table = Arc::new(sizes.find_map(made)?);
        self.hash = Some(HashTable { wanted: megabytes, table: table.clone(), prepared: false });
        Some(table)
    }

    /// Does now what would take the first search's time: makes the transposition table, and has the system back it with memory,
    /// unless that is more than half of what there is. While it is searched that takes one thread a third of the first 200
    /// milliseconds, and two threads four fifths (64 MB, `protocol-docs/studies.md`), since every page stops both. False when there
    /// is no memory for a table.
    pub fn prepare(&mut self, megabytes: usize, threads: usize) -> bool {
        let fresh = self.hash.as_ref().is_none_or(|hash| hash.wanted != megabytes);
        if self.hash(megabytes).is_none() {
            return false;
        }
        if let Some(hash) = &mut self.hash
            && fresh
            && (megabytes <= SMALL || available().is_some_and(|available| megabytes <= available / 2))
        {
            hash.table.clear(threads);
            hash.prepared = true;
        }
        true
    }

    /// Forgets what searches found. The memory of a table that was prepared is kept, unless a search still writes there.
    pub fn clear_hash(&mut self, threads: usize) {
        match &self.hash {
            Some(hash) if hash.prepared && Arc::strong_count(&hash.table) == 1 => hash.table.clear(threads),
            _ => self.hash = None,
        }
    }

    /// The endgame tables of `folder`; what was read of them is kept until it is another.
    pub fn tables(&mut self, folder: &Path) -> Option<Arc<Tables>> {
        if self.tables.as_ref().is_none_or(|tables| tables.folder() != folder) {
            let set = !folder.as_os_str().is_empty();
            self.tables = set.then(|| Arc::new(Tables::new(folder)));
        }
        self.tables.clone()
    }

    /// Gives back the thread and the transposition table until the next search. One that runs is stopped, and what it told is
    /// forgotten.
    pub fn rest(&mut self) {
        self.end();
        self.hash = None;
        self.events.try_iter().for_each(drop);
    }

    /// Stops the search and waits for the thread to end; another job begins another thread.
    fn end(&mut self) {
        self.stop();
        if let Some((jobs, thread)) = self.running.take() {
            drop(jobs);
            let _ = thread.join();
        }
    }
}

impl Drop for SearchThread {
    fn drop(&mut self) {
        self.end();
    }
}

/// The megabytes that can be had without swapping, where the system tells (Linux; it knows of no container's limit).
fn available() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let kilobytes = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    kilobytes.trim().strip_suffix("kB")?.trim().parse::<usize>().ok().map(|kilobytes| kilobytes / 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_game_finds_a_prepared_table_where_it_was() {
        let mut thread = SearchThread::new();
        assert!(thread.prepare(1, 1));
        let first = Arc::as_ptr(&thread.hash(1).unwrap());
        thread.clear_hash(1);
        assert_eq!(first, Arc::as_ptr(&thread.hash(1).unwrap()));
        // One that a search may still write to is left to it.
        let held = thread.hash(1).unwrap();
        thread.clear_hash(1);
        assert!(!Arc::ptr_eq(&held, &thread.hash(1).unwrap()));
    }

    #[test]
    fn linux_tells_what_memory_there_is() {
        assert_eq!(available().is_some_and(|megabytes| megabytes > 0), cfg!(target_os = "linux"));
    }
}
