//! The thread that searches for an engine, and what it needs for that: the transposition table, which is made
//! when it is needed and backed with memory while there is time, and the endgame tables.

use super::events::SearchEvent;
use crate::base::threads::STACK;
use crate::game::Tables;
use crate::search::{Control, TranspositionTable};
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};

/// What the thread does. The function it gets sends its events. The type does not depend on the game, so
/// channel and thread are compiled once and not for every game.
pub type Job = Box<dyn FnOnce(&dyn Fn(SearchEvent)) + Send>;

type Work = Box<dyn FnOnce() + Send>;

/// Tables of up to this many megabytes are backed with memory without asking how much is available.
const SMALL: usize = 256;

/// Starts with the first job and sleeps between jobs. Dropping it stops the search and waits for the thread
/// to end.
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
    /// The size that was asked for, in megabytes. The table is smaller when memory was short.
    wanted: usize,
    table: Arc<TranspositionTable>,
    /// True if all of it is backed with memory.
    prepared: bool,
}

impl SearchThread {
    pub fn new() -> Self {
        let (sender, events) = unbounded();
        Self { sender, events, last: 0, running: None, control: Arc::default(), hash: None, tables: None }
    }

    /// The channel on which searches report, each event with the number of its search.
    pub const fn events(&self) -> &Receiver<(u64, SearchEvent)> {
        &self.events
    }

    /// The other end of that channel.
    pub const fn sender(&self) -> &Sender<(u64, SearchEvent)> {
        &self.sender
    }

    /// The number for the next search.
    pub fn next_search(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    /// Asks the running job to end.
    pub fn stop(&self) {
        self.control.stop();
    }

    /// Starts `job`, which `control` can stop. Its events are sent with the number that is returned. A job
    /// that was running is stopped.
    ///
    /// # Errors
    /// When the system gives no thread, or the thread is gone.
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
        // The receiver is gone only when the engine is being dropped, and this job with it.
        let work = move || job(&|event| drop(events.send((id, event))));
        jobs.send(Box::new(work)).map_err(|_| io::Error::other("the search thread is gone"))?;
        Ok(id)
    }

    /// The transposition table, made now if there is none of this size. Falls back to smaller ones when
    /// memory is short.
    pub fn hash(&mut self, megabytes: usize) -> Option<Arc<TranspositionTable>> {
        if let Some(hash) = &self.hash
            && hash.wanted == megabytes
        {
            return Some(hash.table.clone());
        }
        // The old table goes first, because both may not fit.
        self.hash = None;
        let mut sizes = std::iter::successors(Some(megabytes), |&size| (size > 1).then_some(size / 2));
        let made = |size| TranspositionTable::new(size).inspect_err(|error| log::warn!("{error}")).ok();
        let table = Arc::new(sizes.find_map(made)?);
        self.hash = Some(HashTable { wanted: megabytes, table: table.clone(), prepared: false });
        Some(table)
    }

    /// Makes the transposition table and has the system back it with memory, unless it needs more than half
    /// of what is available. Otherwise the first search would pay for that: with 64 MB, a third of the first
    /// 200 milliseconds with one thread, and four fifths with two, since every new page stops both
    /// (`protocol-docs/studies.md`). False when there is no memory for a table.
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

    /// Forgets what searches found. The memory of a prepared table is kept, unless a search still writes to
    /// it.
    pub fn clear_hash(&mut self, threads: usize) {
        match &self.hash {
            Some(hash) if hash.prepared && Arc::strong_count(&hash.table) == 1 => hash.table.clear(threads),
            _ => self.hash = None,
        }
    }

    /// The endgame tables of `folder`; `None` if that is empty. What was read of them is kept until the
    /// folder changes.
    pub fn tables(&mut self, folder: &Path) -> Option<Arc<Tables>> {
        if self.tables.as_ref().is_none_or(|tables| tables.folder() != folder) {
            let set = !folder.as_os_str().is_empty();
            self.tables = set.then(|| Arc::new(Tables::new(folder)));
        }
        self.tables.clone()
    }

    /// Frees the thread and the transposition table until the next search. A running search is stopped, and
    /// its events are thrown away.
    pub fn rest(&mut self) {
        self.end();
        self.hash = None;
        self.events.try_iter().for_each(drop);
    }

    /// Stops the search and waits for the thread to end. The next job starts another thread.
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

/// The megabytes that are available without swapping; `None` where the system does not tell. Only Linux does,
/// and it ignores the limits of a container.
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
        // A search may still write to this table, so it is replaced and not cleared.
        let held = thread.hash(1).unwrap();
        thread.clear_hash(1);
        assert!(!Arc::ptr_eq(&held, &thread.hash(1).unwrap()));
    }

    #[test]
    fn linux_tells_what_memory_there_is() {
        assert_eq!(available().is_some_and(|megabytes| megabytes > 0), cfg!(target_os = "linux"));
    }
}
