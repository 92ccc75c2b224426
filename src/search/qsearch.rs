//! Quiescence: only decisions that change the balance, until none is left that does.

use super::info::Bound;
use super::movepick::Ranking;
use super::pvs::score_of;
use super::root::MAX_PLY;
use super::searcher::Searcher;
use super::tt::TtEntry;
use crate::base::score::{DRAW, INFINITE, SURE_WIN, Score, lost_in, won_in};
use crate::game::{Actor, Decisions, Evaluation, GenType};

/// The table's decision goes first.
const TABLE: Score = 1 << 20;

impl<G: Evaluation> Searcher<'_, G> {
    pub fn qsearch(&mut self, state: &G, window: (Score, Score), ply: usize) -> Score {
        self.quiesce(state, window, ply, 0)
    }

    /// `qply` counts the decisions since quiescence began.
    fn quiesce(&mut self, state: &G, (mut alpha, beta): (Score, Score), ply: usize, qply: usize) -> Score {
        self.count_node();
        if self.aborted {
            return 0;
        }
        let Actor::Player(player) = state.actor() else { return DRAW };
        let turns = self.stack[ply].turns;
        let selectivity = self.selectivity;
        let pv_node = beta - alpha > 1;
        let (key, mut tt_decision) = (state.key(), None);
        if selectivity.quiescence_table
            && let Some(entry) = self.shared.tt.probe(key, turns)
        {
            if !pv_node && entry.bounds(alpha, beta) {
                return entry.score;
            }
            tt_decision = entry.decision;
        }
        if let Some(score) = self.probe_tables(state, turns) {
            return score;
        }
        if state.wins_now() {
            return won_in(turns + 1);
        }
        let in_check = state.in_check();
        let last = ply + 1 >= MAX_PLY || qply >= selectivity.quiescence_plies;
        let original_alpha = alpha;
        let mut best = -INFINITE;
        let mut eval = -INFINITE;
        if !in_check || last {
            eval = self.corrected_eval(state, key, player, ply);
            best = eval;
            if best >= beta || last {
                return best;
            }
            alpha = alpha.max(best);
        }
        let mut list = Decisions::new();
        state.decisions(GenType::Noisy, &mut list);
        if in_check && list.is_empty() {
            // Nothing answers the threat: lost, either at once or with the next decision.
            let stuck = if state.count() == 0 { state.ending(true) } else { None };
            return stuck.map_or(lost_in(turns + 1), |outcome| score_of(outcome, player, turns));
        }
        let mut best_decision = None;
        let mut ranking = Ranking::new();
        for (place, &decision) in list.iter().enumerate() {
            let known = tt_decision == Some(decision.into());
            ranking.push(if known { TABLE } else { state.mvv_lva(decision) }, place);
        }
        while let Some((score, place)) = ranking.next() {
            let decision = list[place];
            if !in_check && best > -SURE_WIN {
                let gain = if score == TABLE { state.mvv_lva(decision) } else { score };
                // Delta pruning: even with what it takes it would not reach alpha.
                if selectivity.delta > 0 && eval + gain + selectivity.delta <= alpha {
                    continue;
                }
                if selectivity.see && !state.see_ge(decision, 0) {
                    continue;
                }
            }
            if const { G::SELECTIVITY.correction_history } {
                self.stack[ply].history_index = Some(state.history_index(decision));
            }
            let next = state.after(decision);
            let below = ply + 1;
            self.stack[below].turns = turns + i32::from(next.between_turns());
            self.pv[below].clear();
            self.seldepth = self.seldepth.max(below);
            let score = match next.decided() {
                Some(outcome) => {
                    self.count_node();
                    score_of(next.outcome().unwrap_or(outcome), player, self.stack[below].turns)
                }
                None => match next.actor() {
                    Actor::Player(actor) if actor == player => {
                        self.quiesce(&next, (alpha, beta), below, qply + 1)
                    }
                    Actor::Player(_) => -self.quiesce(&next, (-beta, -alpha), below, qply + 1),
                    // What chance brings is not searched here.
                    Actor::Chance | Actor::Nobody => self.static_eval(&next, next.key(), player, below),
                },
            };
            if self.aborted {
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_decision = Some(decision);
                    self.update_pv(&[decision], ply);
                }
                if score >= beta {
                    break;
                }
            }
        }
        if selectivity.quiescence_table {
            let bound = Bound::of(best, (original_alpha, beta));
            let decision = best_decision.map(Into::into);
            self.shared.tt.store(key, TtEntry { decision, score: best, depth: 0, bound }, turns);
        }
        best
    }
}
