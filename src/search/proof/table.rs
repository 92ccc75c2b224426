//! Tables of fixed size, of what is known of positions.

use super::numbers::Numbers;
use crate::search::TableError;

/// How many positions share a place: the one that is worth least is given up for another.
const BUCKET: usize = 4;

/// What is kept of a position.
pub(super) trait Entry: Copy {
    /// Of no position.
    const EMPTY: Self;

    /// The identity of the position.
    fn position(&self) -> u64;
}

/// Entries, found by the identities of positions.
pub(super) struct Buckets<E> {
    entries: Box<[[E; BUCKET]]>,
}

impl<E: Entry> Buckets<E> {
    /// A table of so many mebibytes.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn new(megabytes: usize) -> Result<Self, TableError> {
        let failed = TableError { megabytes };
        let buckets = megabytes.max(1).checked_mul(1 << 20).ok_or(failed)? / size_of::<[E; BUCKET]>();
        let mut entries = Vec::new();
        entries.try_reserve_exact(buckets).map_err(|_| TableError { megabytes })?;
        entries.resize(buckets, [E::EMPTY; BUCKET]);
        Ok(Self { entries: entries.into_boxed_slice() })
    }

    fn bucket(&self, position: u64) -> usize {
        ((u128::from(position) * self.entries.len() as u128) >> 64) as usize
    }

    /// What is kept of a position.
    pub fn get(&self, position: u64) -> Option<E> {
        self.entries[self.bucket(position)].iter().find(|entry| entry.position() == position).copied()
    }

    /// Where a position is kept, or else the entry to give up for it, which is worth least.
    pub fn place(&mut self, position: u64, worth: impl Fn(&E) -> u64) -> &mut E {
        let bucket = self.bucket(position);
        let bucket = &mut self.entries[bucket];
        let same = bucket.iter().position(|entry| entry.position() == position);
        let least = || (0..BUCKET).min_by_key(|&place| worth(&bucket[place])).unwrap_or(0);
        let place = same.unwrap_or_else(least);
        &mut bucket[place]
    }

    /// Forgets everything.
    pub fn forget(&mut self) {
        self.entries.fill([E::EMPTY; BUCKET]);
    }
}

#[derive(Clone, Copy)]
struct KnownNumbers {
    position: u64,
    numbers: Numbers,
    /// How many positions were searched for it.
    effort: u32,
}

impl Entry for KnownNumbers {
    const EMPTY: Self = Self { position: 0, numbers: Numbers::unsettled(1, 1), effort: 0 };

    fn position(&self) -> u64 {
        self.position
    }
}

/// Proof and disproof numbers of positions. The smallest search is given up first.
pub(super) struct NumberTable {
    entries: Buckets<KnownNumbers>,
}

impl NumberTable {
    /// A table of so many mebibytes.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn new(megabytes: usize) -> Result<Self, TableError> {
        Ok(Self { entries: Buckets::new(megabytes)? })
    }

    /// Forgets everything.
    pub fn forget(&mut self) {
        self.entries.forget();
    }

    /// What was kept of a position.
    pub fn get(&self, position: u64) -> Option<Numbers> {
        self.entries.get(position).map(|entry| entry.numbers)
    }

    /// Keeps what may be kept of a position, for which so many were searched.
    pub fn put(&mut self, position: u64, numbers: &Numbers, effort: u64) {
        let entry = self.entries.place(position, |entry| entry.effort.into());
        let before = if entry.position == position { entry.effort } else { 0 };
        let effort = before.saturating_add(effort.min(u32::MAX.into()) as u32);
        *entry = KnownNumbers { position, numbers: numbers.lasting(), effort };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_search_is_given_up_first() {
        let mut table = NumberTable::new(1).unwrap();
        // Neighbours of the key space share a bucket.
        for (position, effort) in [(1, 50), (2, 10), (3, 40), (4, 30), (5, 20)] {
            table.put(position, &Numbers::proved(position as u32), effort);
        }
        let kept: Vec<u64> = (1..=5).filter(|&position| table.get(position).is_some()).collect();
        assert_eq!(kept, [1, 3, 4, 5]);
        table.put(1, &Numbers::unsettled(7, 8), 1);
        assert_eq!(table.get(1), Some(Numbers::unsettled(7, 8)));
        table.forget();
        assert!((1..=5).all(|position| table.get(position).is_none()));
    }
}
