//! In which order decisions are tried.

use super::root::MAX_PLY;
use crate::game::{Decisions, Evaluate};
use arrayvec::ArrayVec;

/// What earlier refutations teach about quiet decisions.
pub(super) struct Experience<D> {
    /// Per slot (colour, from, to): how often a decision was best, minus how often it was tried in vain.
    history: Box<[i16]>,
    /// Per ply, the last two quiet decisions that refuted something there.
    killers: Box<[[Option<D>; 2]]>,
}

const HISTORY_LIMIT: i32 = 16_384;
const FROM_TABLE: i32 = i32::MAX;
const GAINFUL: i32 = 1 << 24;
const KILLER: i32 = 1 << 20;

impl<D: Copy + Eq> Experience<D> {
    pub fn new(slots: usize) -> Self {
        Self {
            history: vec![0; slots].into_boxed_slice(),
            killers: vec![[None; 2]; MAX_PLY].into_boxed_slice(),
        }
    }

    /// `decision` refuted the position; the quiet ones `tried` before it did not.
    pub fn learn<G: Evaluate<Decision = D>>(
        &mut self,
        state: &G,
        decision: D,
        tried: &[D],
        ply: usize,
        depth: i32,
    ) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(decision) {
            killers[1] = killers[0].replace(decision);
        }
        let bonus = (depth * depth).min(400);
        self.nudge(state.slot(decision), bonus);
        for &vain in tried {
            self.nudge(state.slot(vain), -bonus);
        }
    }

    /// Moves a slot towards the limit; the nearer it is, the slower.
    fn nudge(&mut self, slot: usize, bonus: i32) {
        let entry = &mut self.history[slot];
        let old = i32::from(*entry);
        *entry = (old + 16 * bonus - old * bonus.abs() * 16 / HISTORY_LIMIT) as i16;
    }

    #[inline]
    fn worth<G: Evaluate<Decision = D>>(&self, state: &G, decision: D, known: Option<u32>, ply: usize) -> i32
    where
        D: Into<u32>,
    {
        if known == Some(decision.into()) {
            return FROM_TABLE;
        }
        let gain = state.gain(decision);
        if gain > 0 {
            return GAINFUL + gain;
        }
        match self.killers[ply] {
            [Some(first), _] if first == decision => KILLER + 1,
            [_, Some(second)] if second == decision => KILLER,
            _ => i32::from(self.history[state.slot(decision)]),
        }
    }
}

/// Hands out a list best first, sorting only as far as it is asked to.
pub(super) struct Ordered<D> {
    list: Decisions<D>,
    worths: ArrayVec<i32, { crate::game::MAX_DECISIONS }>,
    next: usize,
}

impl<D: Copy> Ordered<D> {
    /// `known` is the table's decision for this position, as a number.
    #[inline]
    pub fn new<G: Evaluate<Decision = D>>(
        state: &G,
        list: Decisions<D>,
        known: Option<u32>,
        experience: &Experience<D>,
        ply: usize,
    ) -> Self
    where
        D: Into<u32> + Eq,
    {
        let worths = list.iter().map(|&d| experience.worth(state, d, known, ply)).collect();
        Self { list, worths, next: 0 }
    }

    /// By gain alone.
    #[inline]
    pub fn by_gain<G: Evaluate<Decision = D>>(state: &G, list: Decisions<D>) -> Self {
        let worths = list.iter().map(|&d| state.gain(d)).collect();
        Self { list, worths, next: 0 }
    }
}

impl<D: Copy> Iterator for Ordered<D> {
    type Item = D;

    #[inline]
    fn next(&mut self) -> Option<D> {
        let rest = self.worths.get(self.next..)?;
        // The first of equals, so that the order is the same everywhere.
        let (mut best, mut worth) = (0, rest.first()?);
        for (index, other) in rest.iter().enumerate().skip(1) {
            if other > worth {
                (best, worth) = (index, other);
            }
        }
        self.worths.swap(self.next, self.next + best);
        self.list.swap(self.next, self.next + best);
        self.next += 1;
        Some(self.list[self.next - 1])
    }
}
