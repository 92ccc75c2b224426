//! Positions where chance decides: the mean of what may come (expectiminimax, D. Michie 1966), in expected
//! points.

use super::pvs::score_of;
use super::root::MAX_PLY;
use super::searcher::Searcher;
use super::wdl::Mean;
use crate::base::Color;
use crate::base::score::{SURE_WIN, Score};
use crate::game::{Actor, ChanceOutcomes, Evaluation};

impl<G: Evaluation> Searcher<'_, G> {
    /// Each case is searched only as closely as the mean depends on it: what it cannot lift to `alpha`, or
    /// what is `beta` whatever the others bring, ends it ([`Mean::window`]).
    pub fn expect(
        &mut self,
        state: &G,
        player: Color,
        depth: i32,
        (alpha, beta): (Score, Score),
        ply: usize,
    ) -> Score {
        self.count_node();
        if let Some(outcome) = state.decided() {
            // A counter ran out.
            return score_of(outcome, player, self.stack[ply].turns);
        }
        // What begins a turn is judged by the board before it where nothing behind it is searched.
        let begins_turn = state.between_turns();
        if ply + 1 >= MAX_PLY || begins_turn && depth <= 0 {
            return self.static_eval(state, state.key(), player, ply);
        }
        let mut list = ChanceOutcomes::new();
        state.outcomes(&mut list);
        self.stack[ply].player = None;
        self.stack[ply].history_index = None;
        let mut mean = Mean::new(self.shared.win_model);
        let mut rest: u32 = list.iter().map(|(_, weight)| weight).sum();
        let (mut sum, mut cases) = (0_i64, 0_i64);
        let (mut least, mut most) = (Score::MAX, Score::MIN);
        for (decision, weight) in list {
            rest -= weight;
            let (low, high) = mean.window((alpha, beta), weight, rest);
            let mut next = state.clone();
            next.apply(decision);
            let value = if const { G::SELECTIVITY.whole_turns } && begins_turn && self.selectivity.whole_turns
            {
                self.turns_after_roll(&next, player, depth, (low, high), ply)
            } else {
                self.after(next, player, depth, (low, high), ply)
            };
            if self.aborted {
                return 0;
            }
            if value <= low {
                return alpha;
            }
            if value >= high {
                return beta;
            }
            mean.add(value, weight);
            sum += i64::from(weight) * i64::from(value);
            cases += i64::from(weight);
            least = least.min(value);
            most = most.max(value);
        }
        // A win whatever comes has a distance; what may fail is no sure win.
        if least >= SURE_WIN || most <= -SURE_WIN { (sum / cases.max(1)) as Score } else { mean.score() }
    }

    /// The value for `player` of `next`, where the roll at `ply` has begun a turn, which is searched as a
    /// whole.
    fn turns_after_roll(
        &mut self,
        next: &G,
        player: Color,
        depth: i32,
        (alpha, beta): (Score, Score),
        ply: usize,
    ) -> Score {
        self.pv[ply + 1].clear();
        self.seldepth = self.seldepth.max(ply + 1);
        self.stack[ply + 1].turns = self.stack[ply].turns;
        match next.actor() {
            Actor::Player(actor) if actor == player => {
                self.value_of_turns(next, depth, (alpha, beta), ply + 1)
            }
            _ => -self.value_of_turns(next, depth, (-beta, -alpha), ply + 1),
        }
    }
}
