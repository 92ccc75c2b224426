//! Two counts that only this game has: step sequences, and results of a turn.

use super::board::Board;
use super::movegen::Which;
use super::state::State;
use crate::base::Color;
use crate::game::Perft;
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

impl Perft for State {
    const ONE_DECISION_A_TURN: bool = false;

    /// The number of sequences of exactly `steps` steps in what is left of the turn. None are merged, and R11
    /// is ignored. A goal ends a sequence.
    fn count_steps(&self, steps: u32) -> u64 {
        if self.board.winner().is_some() || steps > u32::from(self.left) {
            return u64::from(steps == 0);
        }
        sequences(&self.board, self.side, self.penalty, steps)
    }

    /// The number of distinct positions in which the turn can end from here, told apart by their keys. R11
    /// applies, and goals are included.
    ///
    /// The search goes step by step over positions instead of sequences. A position that is met again has no
    /// more steps left than the first time, so it adds nothing.
    fn count_results(&self) -> u64 {
        if self.board.winner().is_some() {
            return 0;
        }
        let side = self.side;
        let mut ends = Distinct::new();
        ends.add(self.board.key());
        let mut seen = Keys::default();
        let mut layer = vec![(self.board, self.penalty)];
        for left in (0..self.left).rev() {
            let mut next = Vec::new();
            for (board, penalty) in &layer {
                board.each_step(side, *penalty, Which::All, |step| {
                    let mut after = *board;
                    after.carry_out(side, step);
                    if left == 0 || after.winner().is_some() {
                        ends.add(after.key());
                        return;
                    }
                    // Whether the penalty is still open is no part of the result, but affects what may
                    // follow.
                    let penalty = *penalty && !step.is_penalty();
                    if seen.insert(after.key() ^ u64::from(penalty)) {
                        ends.add(after.key());
                        next.push((after, penalty));
                    }
                });
            }
            layer = next;
        }
        ends.count_without(self.start.key())
    }
}

fn sequences(board: &Board, side: Color, penalty: bool, steps: u32) -> u64 {
    match steps {
        0 => 1,
        1 => board.count_steps(side, penalty),
        _ => {
            let mut count = 0;
            board.each_step(side, penalty, Which::All, |step| {
                let mut after = *board;
                after.carry_out(side, step);
                if after.winner().is_none() {
                    count += sequences(&after, side, penalty && !step.is_penalty(), steps - 1);
                }
            });
            count
        }
    }
}

/// Counts distinct keys. There are millions, most of them several times. Sorting goes through memory in
/// order; a hash set would miss the cache with each key.
struct Distinct {
    keys: Vec<u64>,
    /// Duplicates are removed once there are this many keys.
    tidy_at: usize,
}

impl Distinct {
    const fn new() -> Self {
        Self { keys: Vec::new(), tidy_at: 1 << 22 }
    }

    #[inline]
    fn add(&mut self, key: u64) {
        if self.keys.len() == self.tidy_at {
            self.tidy();
            self.tidy_at = self.tidy_at.max(2 * self.keys.len());
        }
        self.keys.push(key);
    }

    fn tidy(&mut self) {
        self.keys.sort_unstable();
        self.keys.dedup();
    }

    fn count_without(mut self, key: u64) -> u64 {
        self.tidy();
        self.keys.len() as u64 - u64::from(self.keys.binary_search(&key).is_ok())
    }
}

type Keys = HashSet<u64, BuildHasherDefault<AsItIs>>;

/// Keys are random already and need no hashing.
#[derive(Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}
