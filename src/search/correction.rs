//! Correction history (as in Caissa and Stockfish): by how much searches have contradicted the static evaluation
//! of positions that have something in common, such as their pawns. What the evaluation judges wrongly there it
//! will judge wrongly again.

use super::searcher::StackEntry;
use crate::base::score::Score;
use crate::base::{Color, MIX};
use crate::game::Evaluation;

/// Entries for each key and player, a power of two.
const SIZE: usize = 1 << 14;
/// The most an entry becomes.
const LIMIT: i32 = 1024;
/// So much, of the entries of all keys together, is a centipawn.
const UNIT: i32 = 24;
/// By what a difference in centipawns, times the depth it was found with, is divided.
const DIVISOR: i32 = 5;

/// Tables for each player: one for each of the [`Evaluation::correction_keys`], and one for the last two
/// decisions.
const TABLES: usize = 4;

/// For each key and each player to move, by how much evaluations were wrong.
pub(super) struct CorrectionHistory(Box<[i16]>);

/// Where a position's entries are.
pub(super) struct Entries([usize; TABLES]);

impl CorrectionHistory {
    /// Nothing is known yet, and nothing will be in games that do not use it.
    pub fn new<G: Evaluation>() -> Self {
        let size = if G::SELECTIVITY.correction_history { TABLES * 2 * SIZE } else { 0 };
        Self(vec![0; size].into_boxed_slice())
    }

    /// The entries of the position at `ply`, where `player` is to move.
    #[inline]
    pub fn entries<G: Evaluation>(state: &G, player: Color, stack: &[StackEntry], ply: usize) -> Entries {
        let [first, second, third] = state.correction_keys();
        let keys = [first, second, third, key_of_line(stack, ply)];
        Entries(std::array::from_fn(|table| {
            (2 * table + player.index()) * SIZE + keys[table] as usize % SIZE
        }))
    }

    /// What is to be added to the evaluation as the player to move sees it.
    #[inline]
    pub fn at(&self, Entries(places): &Entries) -> Score {
        places.iter().map(|&place| i32::from(self.0[place])).sum::<i32>() / UNIT
    }

    /// A search to this depth has found a value that lies so many centipawns above the corrected evaluation.
    pub fn update(&mut self, Entries(places): &Entries, difference: Score, depth: i32) {
        let bonus = (difference * depth / DIVISOR).clamp(-LIMIT / 4, LIMIT / 4);
        for &place in places {
            let old = i32::from(self.0[place]);
            self.0[place] = (old + bonus - old * bonus.abs() / LIMIT) as i16;
        }
    }
}

/// A key of the two decisions that led to `ply`.
fn key_of_line(stack: &[StackEntry], ply: usize) -> u64 {
    let Some(first) = ply.checked_sub(2) else { return 0 };
    let index = |ply: usize| stack[ply].history_index.map_or(0, |index| index as u64 + 1);
    (index(first + 1) << 32 | index(first)).wrapping_mul(MIX) >> 40
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_searches_found_is_expected_where_a_key_is_the_same() {
        let mut history = CorrectionHistory(vec![0; TABLES * 2 * SIZE].into_boxed_slice());
        let (here, alike, other) = (Entries([1, 2, 3, 4]), Entries([1, 5, 6, 7]), Entries([8, 9, 10, 11]));
        history.update(&here, 60, 5);
        assert_eq!((history.at(&here), history.at(&alike), history.at(&other)), (10, 2, 0));
        for _ in 0..1000 {
            history.update(&here, 10_000, 20);
        }
        assert_eq!(history.at(&here), LIMIT * TABLES as i32 / UNIT);
        for _ in 0..1000 {
            history.update(&here, -10_000, 20);
        }
        assert_eq!(history.at(&here), -LIMIT * TABLES as i32 / UNIT);
    }

    #[test]
    fn the_last_two_decisions_make_a_key() {
        let line = |decisions: [Option<usize>; 2]| {
            let entry = |history_index| StackEntry { history_index, ..StackEntry::default() };
            let stack = decisions.map(entry);
            (key_of_line(&stack, 2), key_of_line(&stack, 1))
        };
        let lines = [[Some(5), Some(7)], [Some(7), Some(5)], [Some(5), None], [None, Some(5)], [None, None]];
        let mut keys: Vec<_> = lines.iter().map(|&decisions| line(decisions).0).collect();
        assert!(lines.iter().all(|&decisions| line(decisions).1 == 0), "too near to the root");
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), lines.len());
    }
}
