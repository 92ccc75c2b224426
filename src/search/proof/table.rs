//! The table of proof and disproof numbers, of fixed size.

use super::numbers::Numbers;
use crate::search::TableError;

/// How many positions share a place: the one whose search was the smallest is given up for another.
const BUCKET: usize = 4;

#[derive(Clone, Copy)]
struct Entry {
    position: u64,
    numbers: Numbers,
    /// How many positions were searched for it.
    effort: u32,
    /// Of which search it is; others are as good as empty.
    age: u32,
}

/// Numbers of positions, found by the positions' identities.
pub(super) struct NumberTable {
    entries: Box<[[Entry; BUCKET]]>,
    age: u32,
}

impl NumberTable {
    /// A table of so many mebibytes.
    pub fn new(megabytes: usize) -> Result<Self, TableError> {
        let failed = TableError { megabytes };
        let buckets = megabytes.max(1).checked_mul(1 << 20).ok_or(failed)? / size_of::<[Entry; BUCKET]>();
        let empty = Entry { position: 0, numbers: Numbers::unsettled(1, 1), effort: 0, age: 0 };
        let mut entries = Vec::new();
        entries.try_reserve_exact(buckets).map_err(|_| TableError { megabytes })?;
        entries.resize(buckets, [empty; BUCKET]);
        Ok(Self { entries: entries.into_boxed_slice(), age: 1 })
    }

    /// Forgets everything.
    pub fn forget(&mut self) {
        self.age = self.age.wrapping_add(1);
        if self.age == 0 {
            self.entries.as_flattened_mut().iter_mut().for_each(|entry| entry.age = 0);
            self.age = 1;
        }
    }

    fn bucket(&self, position: u64) -> usize {
        ((u128::from(position) * self.entries.len() as u128) >> 64) as usize
    }

    /// What was kept of a position.
    pub fn get(&self, position: u64) -> Option<Numbers> {
        let bucket = &self.entries[self.bucket(position)];
        let found = bucket.iter().find(|entry| entry.position == position && entry.age == self.age);
        found.map(|entry| entry.numbers)
    }

    /// Keeps what may be kept of a position, for which so many were searched.
    pub fn put(&mut self, position: u64, numbers: &Numbers, effort: u64) {
        let (numbers, age) = (numbers.lasting(), self.age);
        let bucket = self.bucket(position);
        let bucket = &mut self.entries[bucket];
        let same = bucket.iter().position(|entry| entry.position == position && entry.age == age);
        let before = same.map_or(0, |place| bucket[place].effort);
        let effort = before.saturating_add(effort.min(u32::MAX.into()) as u32);
        let smallest =
            |place: &usize| if bucket[*place].age == age { 1 + u64::from(bucket[*place].effort) } else { 0 };
        let place = same.or_else(|| (0..BUCKET).min_by_key(smallest)).unwrap_or(0);
        bucket[place] = Entry { position, numbers, effort, age };
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
