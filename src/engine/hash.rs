//! An engine's transposition table: of the size that is set, made when it is needed, backed with memory while there is time.

use crate::search::TranspositionTable;
use std::sync::Arc;

/// So many megabytes are backed with memory without asking what there is.
const SMALL: usize = 256;

/// The table, if there is one.
#[derive(Default)]
pub(super) struct HashTable(Option<Made>);

struct Made {
    /// The size asked for, in megabytes; the table is smaller when memory was short.
    wanted: usize,
    table: Arc<TranspositionTable>,
    /// All of it is backed with memory.
    prepared: bool,
}

impl HashTable {
    /// The table, made now if there is none of this size. Falls back to smaller ones when memory is short.
    pub fn get(&mut self, megabytes: usize) -> Option<Arc<TranspositionTable>> {
        if let Some(made) = &self.0
            && made.wanted == megabytes
        {
            return Some(made.table.clone());
        }
        // The old one goes first: both may not fit.
        self.0 = None;
        let mut size = megabytes;
        loop {
            match TranspositionTable::new(size) {
                Ok(table) => {
                    let table = Arc::new(table);
                    self.0 = Some(Made { wanted: megabytes, table: table.clone(), prepared: false });
                    return Some(table);
                }
                Err(error) if size > 1 => {
                    log::warn!("{error}; trying half");
                    size /= 2;
                }
                Err(error) => {
                    log::error!("{error}");
                    return None;
                }
            }
        }
    }

    /// Does now what would take the first search's time: makes the table, and has the system back it with memory, unless that is
    /// more than half of what there is. While it is searched that takes one thread a third of the first 200 milliseconds, and two
    /// threads four fifths (64 MB, `protocol-docs/studies.md`), since every page stops both. False when there is no memory for a
    /// table.
    pub fn prepare(&mut self, megabytes: usize, threads: usize) -> bool {
        let fresh = self.0.as_ref().is_none_or(|made| made.wanted != megabytes);
        if self.get(megabytes).is_none() {
            return false;
        }
        if let Some(made) = &mut self.0
            && fresh
            && (megabytes <= SMALL || available().is_some_and(|available| megabytes <= available / 2))
        {
            made.table.clear(threads);
            made.prepared = true;
        }
        true
    }

    /// Forgets what was found. The memory of a table that was prepared is kept, unless a search still writes there.
    pub fn empty(&mut self, threads: usize) {
        match &self.0 {
            Some(made) if made.prepared && Arc::strong_count(&made.table) == 1 => made.table.clear(threads),
            _ => self.0 = None,
        }
    }

    /// Gives the memory back.
    pub fn release(&mut self) {
        self.0 = None;
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
        let mut hash = HashTable::default();
        assert!(hash.prepare(1, 1));
        let first = Arc::as_ptr(&hash.get(1).unwrap());
        hash.empty(1);
        assert_eq!(first, Arc::as_ptr(&hash.get(1).unwrap()));
        // One that a search may still write to is left to it.
        let held = hash.get(1).unwrap();
        hash.empty(1);
        assert!(!Arc::ptr_eq(&held, &hash.get(1).unwrap()));
    }

    #[test]
    fn linux_tells_what_memory_there_is() {
        assert_eq!(available().is_some_and(|megabytes| megabytes > 0), cfg!(target_os = "linux"));
    }
}
