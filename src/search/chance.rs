//! Positions where chance decides: the mean of what may come (expectiminimax, D. Michie 1966).

use super::pvs::for_player;
use super::root::MAX_PLY;
use super::searcher::Searcher;
use crate::base::Color;
use crate::base::score::{INFINITE, SURE_WIN, Score};
use crate::game::{Decisions, Evaluation, Wanted};

impl<G: Evaluation> Searcher<'_, G> {
    pub fn expect(&mut self, state: &G, player: Color, depth: i32, ply: usize) -> Score {
        self.count_node();
        let mut list = Decisions::new();
        state.decisions(Wanted::All, &mut list);
        if ply + 1 >= MAX_PLY {
            return for_player(state.static_eval(), player);
        }
        self.stack[ply].player = None;
        self.stack[ply].history_index = None;
        let (mut sum, mut cases) = (0_i64, 0_i64);
        let (mut least, mut most) = (INFINITE, -INFINITE);
        for decision in list {
            let weight = i64::from(state.weight(decision));
            let value = self.after(state, decision, player, depth, (-INFINITE, INFINITE), ply);
            if self.aborted {
                return 0;
            }
            sum += weight * i64::from(value);
            cases += weight;
            least = least.min(value);
            most = most.max(value);
        }
        let mean = (sum / cases.max(1)) as Score;
        // What needs luck is no sure win.
        if least >= SURE_WIN || most <= -SURE_WIN { mean } else { mean.clamp(1 - SURE_WIN, SURE_WIN - 1) }
    }
}
