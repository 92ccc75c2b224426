//! The transposition table: what is known of positions met before, shared by all threads without locks.

use super::info::Bound;
use crate::base::score::{SURE_WIN, Score};
use crate::base::threads::helpers;
use std::any::Any;
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Entries in a cluster, where those of one key may be: a cache line of them.
const SLOTS: usize = 4;
const CACHE_LINE: usize = 64;
/// Entries that one thread clears at a time: 32 MB, which takes longer than to start a thread.
const SHARE: usize = 1 << 21;
const _: () = assert!(size_of::<Entry>() * SLOTS == CACHE_LINE);

/// Check and data of one position. The check is the key xored with the data (R. Hyatt, T. Mann 2002), so that an
/// entry torn between two threads does not match.
type Entry = [AtomicU64; 2];

/// The transposition table, which all threads of a search share.
pub struct TranspositionTable {
    /// The clusters, and what stands before and behind them. Were the type aligned to cache lines, the
    /// allocator would have to write all the zeros itself; this way the system hands out zeroed pages as they
    /// are used.
    entries: Box<[Entry]>,
    /// Where the first cluster begins, at the start of a cache line.
    first: usize,
    /// The number of clusters.
    clusters: usize,
    /// Counts searches modulo 64, to prefer what is fresh.
    age: AtomicU8,
    /// What threads of earlier searches have worked in; see [`TranspositionTable::workspace`].
    workspaces: Mutex<Vec<Box<dyn Any + Send>>>,
}

/// The table could not be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no memory for a table of {megabytes} MB")]
pub struct TableError {
    /// What was asked for.
    pub megabytes: usize,
}

/// What the table knows of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TtEntry {
    /// The best decision, as the number it converts into; another position's if keys collide, so look it up
    /// in the list.
    pub decision: Option<u32>,
    pub score: Score,
    pub depth: i32,
    pub bound: Bound,
}

impl TtEntry {
    /// True when what is stated decides a search with this window.
    pub fn bounds(&self, alpha: Score, beta: Score) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score <= alpha,
        }
    }
}

impl TranspositionTable {
    /// A table of at most `megabytes` MB (2^20 bytes; at least one cluster).
    ///
    /// # Errors
    /// When the memory is not to be had.
    pub fn new(megabytes: usize) -> Result<Self, TableError> {
        let bytes = megabytes.checked_mul(1 << 20).ok_or(TableError { megabytes })?;
        let clusters = (bytes / CACHE_LINE).max(1);
        let entries = bytemuck::allocation::try_zeroed_slice_box::<Entry>((clusters + 1) * SLOTS - 1)
            .map_err(|()| TableError { megabytes })?;
        let beyond_a_line = entries.as_ptr().addr() % CACHE_LINE;
        let first = (CACHE_LINE - beyond_a_line) % CACHE_LINE / size_of::<Entry>();
        Ok(Self { entries, first, clusters, age: AtomicU8::new(1), workspaces: Mutex::default() })
    }

    /// Forgets everything; a large table by so many threads at most.
    pub fn clear(&self, threads: usize) {
        self.workspaces.lock().unwrap_or_else(PoisonError::into_inner).clear();
        let next = AtomicUsize::new(0);
        let shares = || {
            while let Some(share) = self.entries.chunks(SHARE).nth(next.fetch_add(1, Ordering::Relaxed)) {
                share.iter().flatten().for_each(|number| number.store(0, Ordering::Relaxed));
            }
        };
        std::thread::scope(|scope| {
            let most = self.entries.len() / SHARE;
            helpers(scope, threads.min(most), &mut |_| Box::new(shares));
            shares();
        });
        self.age.store(1, Ordering::Relaxed);
    }

    /// A new search begins: what earlier ones stored becomes cheap to replace.
    pub(super) fn new_search(&self) {
        let age = self.age.load(Ordering::Relaxed);
        // 0 is the age of entries never written.
        self.age.store(if age >= 63 { 1 } else { age + 1 }, Ordering::Relaxed);
    }

    /// What a thread of an earlier search has worked in, if that was of the same type. Making it anew takes
    /// as long as searching some hundred positions.
    pub(super) fn workspace<T: Any>(&self) -> Option<Box<T>> {
        self.workspaces.lock().unwrap_or_else(PoisonError::into_inner).pop()?.downcast().ok()
    }

    /// Keeps it for a later search.
    pub(super) fn keep_workspace(&self, workspace: Box<dyn Any + Send>) {
        self.workspaces.lock().unwrap_or_else(PoisonError::into_inner).push(workspace);
    }

    #[inline]
    fn cluster(&self, key: u64) -> &[Entry] {
        // Multiplication maps keys evenly onto any number of clusters (Lemire).
        let number = ((u128::from(key) * self.clusters as u128) >> 64) as usize;
        &self.entries[self.first + number * SLOTS..][..SLOTS]
    }

    /// What is known of `key`; wins and losses are counted from `turns` turns below the root.
    #[inline]
    pub(super) fn probe(&self, key: u64, turns: i32) -> Option<TtEntry> {
        self.cluster(key).iter().find_map(|[check, data]| {
            let data = data.load(Ordering::Relaxed);
            let matches = check.load(Ordering::Relaxed) ^ data == key && data != 0;
            matches.then(|| unpack(data, turns))
        })
    }

    /// Stores what was found out of `key`, in place of what is worth least.
    pub(super) fn store(&self, key: u64, mut entry: TtEntry, turns: i32) {
        let age = self.age.load(Ordering::Relaxed);
        let cluster = self.cluster(key);
        let mut place = &cluster[0];
        let mut least = i32::MAX;
        for slot in cluster {
            let [check, data] = slot;
            let data = data.load(Ordering::Relaxed);
            if check.load(Ordering::Relaxed) ^ data == key && data != 0 {
                let old = unpack(data, turns);
                let fresh = data_age(data) == age;
                if fresh && entry.bound != Bound::Exact && old.depth > entry.depth + 3 {
                    return;
                }
                entry.decision = entry.decision.or(old.decision);
                place = slot;
                break;
            }
            let years = i32::from((age + 63 - data_age(data)) % 63);
            let worth = if data == 0 { i32::MIN } else { data_depth(data) - 8 * years };
            if worth < least {
                least = worth;
                place = slot;
            }
        }
        let new = pack(entry, turns, age);
        let [check, data] = place;
        check.store(key ^ new, Ordering::Relaxed);
        data.store(new, Ordering::Relaxed);
    }

    /// Thousandths of a sample of the table that this search has filled.
    pub fn fullness(&self) -> u32 {
        let age = self.age.load(Ordering::Relaxed);
        let sample = self.entries.iter().skip(self.first).take(1000);
        let (mut seen, mut full) = (0, 0);
        for [_, data] in sample {
            let data = data.load(Ordering::Relaxed);
            seen += 1;
            full += u32::from(data != 0 && data_age(data) == age);
        }
        full * 1000 / seen.max(1)
    }
}

// Data, low to high: decision + 1 (32 bits), score (16), depth + 8 (8), bound (2), age (6).

const DEPTH_BIAS: i32 = 8;

fn pack(entry: TtEntry, turns: i32, age: u8) -> u64 {
    let decision = entry.decision.map_or(0, |d| d.wrapping_add(1));
    // Distances are stored from this position on, not from the root.
    let score = match entry.score {
        s if s >= SURE_WIN => s + turns,
        s if s <= -SURE_WIN => s - turns,
        s => s,
    };
    let bound = match entry.bound {
        Bound::Exact => 1_u64,
        Bound::Lower => 2,
        Bound::Upper => 3,
    };
    u64::from(decision)
        | u64::from(score as i16 as u16) << 32
        | ((entry.depth + DEPTH_BIAS).clamp(0, 255) as u64) << 48
        | bound << 56
        | u64::from(age) << 58
}

fn unpack(data: u64, turns: i32) -> TtEntry {
    let score = match Score::from((data >> 32) as u16 as i16) {
        s if s >= SURE_WIN => s - turns,
        s if s <= -SURE_WIN => s + turns,
        s => s,
    };
    TtEntry {
        decision: (data as u32).checked_sub(1),
        score,
        depth: data_depth(data),
        bound: match data >> 56 & 3 {
            1 => Bound::Exact,
            2 => Bound::Lower,
            _ => Bound::Upper,
        },
    }
}

const fn data_depth(data: u64) -> i32 {
    (data >> 48 & 255) as i32 - DEPTH_BIAS
}

const fn data_age(data: u64) -> u8 {
    (data >> 58) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::score::{lost_in, won_in};

    fn known(decision: u32, score: Score, depth: i32) -> TtEntry {
        TtEntry { decision: Some(decision), score, depth, bound: Bound::Exact }
    }

    #[test]
    fn what_is_stored_is_found_again() {
        let table = TranspositionTable::new(1).unwrap();
        for score in [0, 153, -31_000, -2000, SURE_WIN - 1] {
            table.store(77, known(4242, score, 9), 0);
            assert_eq!(table.probe(77, 0), Some(known(4242, score, 9)));
            assert_eq!(table.probe(78, 0), None);
        }
    }

    #[test]
    fn distances_count_from_the_position() {
        let table = TranspositionTable::new(1).unwrap();
        table.store(5, known(1, won_in(7), 3), 4);
        assert_eq!(table.probe(5, 4).unwrap().score, won_in(7));
        assert_eq!(table.probe(5, 0).unwrap().score, won_in(3));
        table.store(6, known(1, lost_in(7), 3), 4);
        assert_eq!(table.probe(6, 10).unwrap().score, lost_in(13));
    }

    #[test]
    fn old_and_shallow_entries_go_first() {
        let table = TranspositionTable::new(0).unwrap(); // a single cluster
        for key in 1..=4 {
            table.store(key, known(0, 0, 20), 0);
        }
        table.new_search();
        for key in 5..=8 {
            table.store(key, known(0, 0, 15), 0);
        }
        assert!((5..=8).all(|key| table.probe(key, 0).is_some()));
        table.store(9, known(0, 0, 16), 0);
        assert_eq!((5..=8).filter(|&key| table.probe(key, 0).is_some()).count(), 3);
        table.clear(1);
        assert!((1..=9).all(|key| table.probe(key, 0).is_none()));
    }

    #[test]
    fn a_table_too_large_is_an_error() {
        assert!(TranspositionTable::new(usize::MAX).is_err());
        assert!(TranspositionTable::new(1 << 40).is_err());
    }
}
