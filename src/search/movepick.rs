//! In which order decisions are tried: the table's, those that win something by victim and attacker, killers, the rest by
//! history, what loses more than it takes.

use super::history::History;
use super::searcher::StackEntry;
use crate::game::{Decisions, Evaluation};
use arrayvec::ArrayVec;

const TT_DECISION: i32 = i32::MAX;
const CAPTURE: i32 = 1 << 24;
const KILLER: i32 = 1 << 20;
const LOSING_CAPTURE: i32 = -CAPTURE;

/// Hands out a list best first, sorting only as far as it is asked to.
pub(super) struct MovePicker<'a, G: Evaluation> {
    state: &'a G,
    list: Decisions<G::Decision>,
    scores: ArrayVec<i32, { crate::game::MAX_DECISIONS }>,
    next: usize,
}

impl<'a, G: Evaluation> MovePicker<'a, G> {
    /// `tt_decision` is the table's decision for this position, as a number.
    #[inline]
    pub fn new(
        state: &'a G,
        list: Decisions<G::Decision>,
        tt_decision: Option<u32>,
        history: &History<G::Decision>,
        stack: &[StackEntry],
        ply: usize,
    ) -> Self {
        let killers = history.killers(ply);
        let score = |decision: G::Decision| {
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
        Self { state, list, scores, next: 0 }
    }

    /// By victim and attacker alone, the table's first.
    #[inline]
    pub fn captures(state: &'a G, list: Decisions<G::Decision>, tt_decision: Option<u32>) -> Self {
        let score = |decision: G::Decision| {
            if tt_decision == Some(decision.into()) { TT_DECISION } else { state.mvv_lva(decision) }
        };
        let scores = list.iter().map(|&decision| score(decision)).collect();
        Self { state, list, scores, next: 0 }
    }
}

impl<G: Evaluation> Iterator for MovePicker<'_, G> {
    type Item = G::Decision;

    #[inline]
    fn next(&mut self) -> Option<G::Decision> {
        loop {
            let rest = self.scores.get(self.next..)?;
            // The first of equals, so that the order is the same everywhere. (In two walks, the first of which compares several
            // at a time.)
            let score = rest.iter().copied().max()?;
            let place = self.next + rest.iter().position(|&other| other == score)?;
            // Asked only when its turn has come: after a cutoff nobody wants to know.
            if (CAPTURE..TT_DECISION).contains(&score) && !self.state.see_ge(self.list[place], 0) {
                self.scores[place] = score - CAPTURE + LOSING_CAPTURE;
                continue;
            }
            self.scores.swap(self.next, place);
            self.list.swap(self.next, place);
            self.next += 1;
            return Some(self.list[self.next - 1]);
        }
    }
}
