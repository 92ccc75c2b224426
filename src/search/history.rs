//! What earlier cutoffs teach about quiet decisions: history, continuation history and killers.

use super::root::MAX_PLY;
use super::searcher::StackEntry;
use crate::game::Evaluation;

pub(super) struct History<D> {
    /// By [`Evaluation::history_index`]: how often a decision was best, minus how often it was tried in vain.
    quiet: Box<[i16]>,
    /// The same behind a certain earlier decision, one and two plies back, hashed.
    continuation: Box<[i16]>,
    /// Per ply, the last two quiet decisions that refuted something there.
    killers: Box<[[Option<D>; 2]]>,
}

const HISTORY_LIMIT: i32 = 16_384;
/// Entries of the continuation history, a power of two.
const CONTINUATION_SIZE: usize = 1 << 17;

/// How many plies back the continuation history looks.
const BACK: [usize; 2] = [1, 2];

/// The entries of the continuation history for a decision with this index at `ply`.
fn continuations(stack: &[StackEntry], ply: usize, index: usize) -> impl Iterator<Item = usize> {
    BACK.into_iter().filter_map(move |back| {
        let before = stack[ply.checked_sub(back)?].history_index?;
        let mixed = ((before * BACK.len() + back) as u64) << 32 | index as u64;
        Some((mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & (CONTINUATION_SIZE - 1))
    })
}

impl<D: Copy + Eq> History<D> {
    pub fn new(size: usize) -> Self {
        Self {
            quiet: vec![0; size].into_boxed_slice(),
            continuation: vec![0; CONTINUATION_SIZE].into_boxed_slice(),
            killers: vec![[None; 2]; MAX_PLY].into_boxed_slice(),
        }
    }

    /// `decision` refuted the position; the quiet ones `tried` before it did not.
    pub fn update<G: Evaluation<Decision = D>>(
        &mut self,
        state: &G,
        decision: D,
        tried: &[D],
        stack: &[StackEntry],
        (ply, depth): (usize, i32),
    ) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(decision) {
            killers[1] = killers[0].replace(decision);
        }
        let bonus = (depth * depth).min(400);
        self.add::<G>(state.history_index(decision), bonus, stack, ply);
        for &vain in tried {
            self.add::<G>(state.history_index(vain), -bonus, stack, ply);
        }
    }

    fn add<G: Evaluation<Decision = D>>(
        &mut self,
        index: usize,
        bonus: i32,
        stack: &[StackEntry],
        ply: usize,
    ) {
        gravity(&mut self.quiet[index], bonus);
        if G::SELECTIVITY.continuation {
            for entry in continuations(stack, ply, index) {
                gravity(&mut self.continuation[entry], bonus);
            }
        }
    }

    /// What history says of a quiet decision; 0 where it says nothing.
    #[inline]
    pub fn of<G: Evaluation<Decision = D>>(&self, index: usize, stack: &[StackEntry], ply: usize) -> i32 {
        let mut sum = i32::from(self.quiet[index]);
        if G::SELECTIVITY.continuation {
            for entry in continuations(stack, ply, index) {
                sum += i32::from(self.continuation[entry]);
            }
        }
        sum
    }

    pub fn killers(&self, ply: usize) -> [Option<D>; 2] {
        self.killers[ply]
    }
}

/// Moves an entry towards the limit; the nearer it is, the slower.
fn gravity(entry: &mut i16, bonus: i32) {
    let old = i32::from(*entry);
    *entry = (old + 16 * bonus - old * bonus.abs() * 16 / HISTORY_LIMIT) as i16;
}
