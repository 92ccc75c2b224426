//! What earlier cutoffs teach about quiet decisions: history, continuation history and killers.

use super::root::MAX_PLY;
use super::searcher::StackEntry;
use crate::base::MIX;
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

/// What was decided before a node, mixed for the continuation history.
pub(super) struct Context([Option<u64>; BACK.len()]);

impl Context {
    #[inline]
    pub fn new(stack: &[StackEntry], ply: usize) -> Self {
        Self(BACK.map(|back| {
            let before = stack[ply.checked_sub(back)?].history_index?;
            Some((((before * BACK.len() + back) as u64) << 32).wrapping_mul(MIX))
        }))
    }

    /// The entries of the continuation history for a decision with this index.
    #[inline]
    fn entries(&self, index: usize) -> impl Iterator<Item = usize> {
        let index = (index as u64).wrapping_mul(MIX);
        let entry = move |before| (index.wrapping_add(before) >> 32) as usize & (CONTINUATION_SIZE - 1);
        self.0.into_iter().flatten().map(entry)
    }
}

impl<D: Copy + Eq> History<D> {
    pub fn new(size: usize) -> Self {
        Self {
            quiet: vec![0; size].into_boxed_slice(),
            continuation: vec![0; CONTINUATION_SIZE].into_boxed_slice(),
            killers: vec![[None; 2]; MAX_PLY].into_boxed_slice(),
        }
    }

    /// Keeps so many percent of what the last search of the game collected. Killers are forgotten: they belong
    /// to plies of that search.
    pub fn age(&mut self, percent: i32) {
        // By tables, and without a division, so that the compiler makes vector instructions of it: before a short
        // search nothing takes longer.
        let factor = percent * 0x1_0000 / 100;
        for table in [&mut self.quiet, &mut self.continuation] {
            for entry in table.iter_mut() {
                let whole = i32::from(*entry);
                // Towards zero, which a shift alone does not do where the entry is negative.
                *entry = ((whole * factor + (whole >> 31 & 0xFFFF)) >> 16) as i16;
            }
        }
        self.killers.fill([None; 2]);
    }

    /// `decision` refuted the position; the quiet ones `tried` before it did not. It is credited with `bonus`, and
    /// they lose it.
    pub fn update<G: Evaluation<Decision = D>>(
        &mut self,
        state: &G,
        decision: D,
        tried: &[D],
        context: &Context,
        (ply, bonus): (usize, i32),
    ) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(decision) {
            killers[1] = killers[0].replace(decision);
        }
        self.add::<G>(state.history_index(decision), bonus, context);
        for &vain in tried {
            self.add::<G>(state.history_index(vain), -bonus, context);
        }
    }

    fn add<G: Evaluation<Decision = D>>(&mut self, index: usize, bonus: i32, context: &Context) {
        gravity(&mut self.quiet[index], bonus);
        if G::SELECTIVITY.continuation {
            for entry in context.entries(index) {
                gravity(&mut self.continuation[entry], bonus);
            }
        }
    }

    /// What history says of a quiet decision; 0 where it says nothing.
    #[inline]
    pub fn of<G: Evaluation<Decision = D>>(&self, index: usize, context: &Context) -> i32 {
        let mut sum = i32::from(self.quiet[index]);
        if G::SELECTIVITY.continuation {
            for entry in context.entries(index) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_many_percent_are_kept_and_no_killers() {
        let mut history = History::<u32>::new(2);
        history.quiet[1] = 1_000;
        history.continuation[7] = -300;
        history.continuation[8..12].copy_from_slice(&[-1, -3, i16::MIN, i16::MAX]);
        history.killers[3] = [Some(5), None];
        history.age(50);
        assert_eq!((history.quiet[0], history.quiet[1], history.continuation[7]), (0, 500, -150));
        assert_eq!(history.continuation[8..12], [0, -1, i16::MIN / 2, i16::MAX / 2]);
        assert_eq!(history.killers(3), [None; 2]);
        history.age(0);
        assert!(history.quiet.iter().chain(&history.continuation).all(|&entry| entry == 0));
    }
}
