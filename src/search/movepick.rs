//! In which order decisions are tried: the table's, those that win something by victim and attacker, killers, the rest by
//! history.

use super::history::History;
use super::searcher::StackEntry;
use crate::game::{Decisions, Evaluation};
use arrayvec::ArrayVec;

const TT_DECISION: i32 = i32::MAX;
const CAPTURE: i32 = 1 << 24;
const KILLER: i32 = 1 << 20;

/// Hands out a list best first, sorting only as far as it is asked to.
pub(super) struct MovePicker<D> {
    list: Decisions<D>,
    scores: ArrayVec<i32, { crate::game::MAX_DECISIONS }>,
    next: usize,
}

impl<D: Copy + Eq + Into<u32>> MovePicker<D> {
    /// `tt_decision` is the table's decision for this position, as a number.
    #[inline]
    pub fn new<G: Evaluation<Decision = D>>(
        state: &G,
        list: Decisions<D>,
        tt_decision: Option<u32>,
        history: &History<D>,
        stack: &[StackEntry],
        ply: usize,
    ) -> Self {
        let killers = history.killers(ply);
        let score = |decision: D| {
            if tt_decision == Some(decision.into()) {
                return TT_DECISION;
            }
            let gain = state.mvv_lva(decision);
            if gain > 0 {
                return CAPTURE + gain;
            }
            match killers {
                [Some(first), _] if first == decision => KILLER + 1,
                [_, Some(second)] if second == decision => KILLER,
                _ => history.of::<G>(state.history_index(decision), stack, ply),
            }
        };
        let scores = list.iter().map(|&decision| score(decision)).collect();
        Self { list, scores, next: 0 }
    }

    /// By victim and attacker alone, the table's first.
    #[inline]
    pub fn captures<G: Evaluation<Decision = D>>(
        state: &G,
        list: Decisions<D>,
        tt_decision: Option<u32>,
    ) -> Self {
        let score = |decision: D| {
            if tt_decision == Some(decision.into()) { TT_DECISION } else { state.mvv_lva(decision) }
        };
        let scores = list.iter().map(|&decision| score(decision)).collect();
        Self { list, scores, next: 0 }
    }
}

impl<D: Copy> Iterator for MovePicker<D> {
    type Item = D;

    #[inline]
    fn next(&mut self) -> Option<D> {
        let rest = self.scores.get(self.next..)?;
        // The first of equals, so that the order is the same everywhere.
        let (mut best, mut score) = (0, rest.first()?);
        for (index, other) in rest.iter().enumerate().skip(1) {
            if other > score {
                (best, score) = (index, other);
            }
        }
        self.scores.swap(self.next, self.next + best);
        self.list.swap(self.next, self.next + best);
        self.next += 1;
        Some(self.list[self.next - 1])
    }
}
