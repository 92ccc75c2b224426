//! In which order decisions are tried: the table's, those that win something by victim and attacker, killers,
//! the rest by history, what loses more than it takes. No stage is prepared before it is reached: most lists
//! end earlier.

use super::history::{Context, History};
use crate::game::{Decisions, Evaluation, MAX_DECISIONS};
use arrayvec::ArrayVec;
use wide::i32x8;

/// More than history says of any quiet decision.
const KILLER: i32 = 1 << 19;

/// Places in a list with their scores, handed out best first; of equals the first in the list, so that the
/// order is the same everywhere.
pub(super) struct Ranking {
    /// A score and, in the lowest bits, the place, counted from behind: all different.
    keys: ArrayVec<i32, MAX_DECISIONS>,
    /// All keys from this one up were handed out.
    last: i32,
    /// How many keys [`Ranking::next_unordered`] has seen.
    seen: usize,
}

/// What a key of a [`Ranking`] was made of.
const fn score_and_place(key: i32) -> (i32, usize) {
    (key >> MAX_DECISIONS.ilog2(), (MOST - (key & MOST)) as usize)
}

const MOST: i32 = MAX_DECISIONS as i32 - 1;
const _: () = assert!(MAX_DECISIONS.is_power_of_two());

impl Ranking {
    pub fn new() -> Self {
        Self { keys: ArrayVec::new(), last: i32::MAX, seen: 0 }
    }

    pub fn clear(&mut self) {
        self.keys.clear();
        (self.last, self.seen) = (i32::MAX, 0);
    }

    /// Scores stay within ± 2^20.
    #[inline]
    pub fn push(&mut self, score: i32, place: usize) {
        self.keys.push(score * MAX_DECISIONS as i32 + (MOST - place as i32));
    }

    /// The best score that was not handed out yet, and its place.
    #[inline]
    pub fn next(&mut self) -> Option<(i32, usize)> {
        // One walk, eight at a time; nothing is moved.
        let (eights, rest) = self.keys.as_chunks::<8>();
        let (last, least) = (i32x8::splat(self.last), i32x8::splat(i32::MIN));
        let best = eights.iter().fold(least, |best, &keys| {
            let keys = i32x8::new(keys);
            best.max(keys.simd_lt(last).select(keys, least))
        });
        let rest = rest.iter().copied().filter(|&key| key < self.last);
        let best = rest.fold(best.reduce_max(), i32::max);
        self.last = best;
        (best > i32::MIN).then(|| score_and_place(best))
    }

    /// One that was not handed out yet, whatever its score; once this is asked, [`Ranking::next`] is not.
    #[inline]
    fn next_unordered(&mut self) -> Option<(i32, usize)> {
        let skipped = self.keys[self.seen..].iter().position(|&key| key < self.last)?;
        self.seen += skipped + 1;
        Some(score_and_place(self.keys[self.seen - 1]))
    }
}

/// What a decision was handed out as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    /// The decision of the transposition table.
    Table,
    /// It takes or wins something, and loses nothing by it.
    Capture,
    /// A decision that takes nothing.
    Quiet,
    /// It takes something and loses more.
    LosingCapture,
}

/// What is to be done next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Table,
    RankCaptures,
    Captures,
    Quiets,
    LosingCaptures,
}

/// Hands out a list best first.
pub(super) struct MovePicker<'a, G: Evaluation> {
    state: &'a G,
    list: &'a Decisions<G::Decision>,
    /// The table's decision for this position, as a number.
    tt_decision: Option<u32>,
    step: Step,
    /// The decisions of this step.
    ranking: Ranking,
    /// The places of the quiet ones, in the order of the list.
    quiets: ArrayVec<u16, MAX_DECISIONS>,
    /// The places of captures that lose more than they take, the best last once they are handed out.
    losing: ArrayVec<u16, MAX_DECISIONS>,
}

impl<'a, G: Evaluation> MovePicker<'a, G> {
    #[inline]
    pub fn new(state: &'a G, list: &'a Decisions<G::Decision>, tt_decision: Option<u32>) -> Self {
        let (quiets, losing) = (ArrayVec::new(), ArrayVec::new());
        Self { state, list, tt_decision, step: Step::Table, ranking: Ranking::new(), quiets, losing }
    }

    /// The next decision of the list, for the node at `ply`. The order of quiet ones does not matter once
    /// they are to be skipped: then those that give check are searched all the same, and no more is asked of
    /// them.
    #[inline]
    pub fn next(
        &mut self,
        history: &History<G::Decision>,
        context: &Context,
        ply: usize,
        skip_quiets: bool,
    ) -> Option<(G::Decision, Stage)> {
        if self.step == Step::Table {
            self.step = Step::RankCaptures;
            if let Some(known) = self.tt_decision
                && let Some(&decision) = self.list.iter().find(|&&decision| decision.into() == known)
            {
                return Some((decision, Stage::Table));
            }
        }
        if self.step == Step::RankCaptures {
            self.step = Step::Captures;
            self.rank_captures();
        }
        if self.step == Step::Captures {
            while let Some((_, place)) = self.ranking.next() {
                let decision = self.list[place];
                // Asked only when it is reached: after a cutoff it is not needed.
                if self.state.see_ge(decision, 0) {
                    return Some((decision, Stage::Capture));
                }
                self.losing.push(place as u16);
            }
            self.step = Step::Quiets;
            self.rank_quiets(history, context, ply);
        }
        if self.step == Step::Quiets {
            let next = if skip_quiets { self.ranking.next_unordered() } else { self.ranking.next() };
            if let Some((_, place)) = next {
                return Some((self.list[place], Stage::Quiet));
            }
            self.step = Step::LosingCaptures;
            self.losing.reverse();
        }
        self.losing.pop().map(|place| (self.list[usize::from(place)], Stage::LosingCapture))
    }

    fn rank_captures(&mut self) {
        for (place, &decision) in self.list.iter().enumerate() {
            if self.tt_decision == Some(decision.into()) {
                continue;
            }
            match self.state.mvv_lva(decision) {
                gain @ 1.. => self.ranking.push(gain, place),
                _ => self.quiets.push(place as u16),
            }
        }
    }

    fn rank_quiets(&mut self, history: &History<G::Decision>, context: &Context, ply: usize) {
        self.ranking.clear();
        let killers = history.killers(ply);
        for &place in &self.quiets {
            let place = usize::from(place);
            let decision = self.list[place];
            let score = match killers {
                [Some(first), _] if first == decision => KILLER + 1,
                [_, Some(second)] if second == decision => KILLER,
                _ => history.of::<G>(self.state.history_index(decision), context),
            };
            self.ranking.push(score, place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Rng;

    #[test]
    fn a_ranking_is_a_stable_sort() {
        let mut rng = Rng::new(7);
        let mut ranking = Ranking::new();
        for _ in 0..100 {
            ranking.clear();
            let mut scores: Vec<_> = (0..rng.below(MAX_DECISIONS + 1))
                .map(|place| (rng.below(40) as i32 * 50_000 - (1 << 20), place))
                .collect();
            scores.iter().for_each(|&(score, place)| ranking.push(score, place));
            scores.sort_by_key(|&(score, _)| -score);
            let mut rest = scores.split_off(rng.below(scores.len() + 1));
            let first: Vec<_> = scores.iter().map_while(|_| ranking.next()).collect();
            assert_eq!(first, scores);
            let unordered: Vec<_> = std::iter::from_fn(|| ranking.next_unordered()).collect();
            rest.sort_by_key(|&(_, place)| place);
            assert_eq!(unordered, rest);
        }
    }
}
