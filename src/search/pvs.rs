//! Principal variation search: positions where a player decides.

use super::correction::CorrectionHistory;
use super::history::Context;
use super::info::Bound;
use super::movepick::{MovePicker, Stage};
use super::root::MAX_PLY;
use super::searcher::Searcher;
use super::tt::TtEntry;
use crate::base::Color;
use crate::base::score::{DRAW, INFINITE, SURE_WIN, Score, lost_in, won_in};
use crate::game::{Actor, Decisions, Evaluation, GenType, Outcome};
use std::ops::ControlFlow;

/// Quiet decisions are left out, and depth is taken off, only below this depth.
const SHALLOW: i32 = 7;

impl<G: Evaluation> Searcher<'_, G> {
    /// The value, for `player`, of `next`, to which a decision has led at `ply`.
    pub fn after(&mut self, next: G, player: Color, depth: i32, window: (Score, Score), ply: usize) -> Score {
        self.stack[ply + 1].turns = self.stack[ply].turns + i32::from(next.between_turns());
        self.value(next, player, depth, window, ply + 1)
    }

    /// The value of a position for `player`, who need not be to move.
    fn value(
        &mut self,
        mut state: G,
        player: Color,
        depth: i32,
        window: (Score, Score),
        ply: usize,
    ) -> Score {
        self.pv[ply].clear();
        self.seldepth = self.seldepth.max(ply);
        let turns = self.stack[ply].turns;
        if let Some(outcome) = state.decided()
            && (outcome.winner.is_some() || state.actor() == Actor::Nobody)
        {
            self.count_node();
            return score_of(outcome, player, turns);
        }
        let Some(repetition) = state.repetition() else {
            return self.value_by_actor(&state, player, depth, window, ply);
        };
        let mut key = repetition.key;
        let earlier = self.occurrences(repetition.key, repetition.span as usize);
        if earlier.any() && state.count() > 0 {
            // A position that came up once before in this search will come up again: as good as the third
            // time.
            let mut again = state.clone();
            let settled = again.on_occurrence(if earlier.in_search > 0 { 3 } else { 1 + earlier.all });
            if let Some(outcome) = settled {
                self.count_node();
                return score_of(outcome, player, turns);
            }
            // Where the rule changes the board (Alapo), it does so at the true third time only.
            if earlier.all >= 2 {
                state.on_occurrence(1 + earlier.all);
                if let Some(outcome) = state.decided() {
                    self.count_node();
                    return score_of(outcome, player, turns);
                }
                key = state.repetition().map_or(key, |r| r.key);
            }
        }
        self.keys.push(key);
        let value = self.value_by_actor(&state, player, depth, window, ply);
        self.keys.pop();
        value
    }

    fn value_by_actor(
        &mut self,
        state: &G,
        player: Color,
        depth: i32,
        (alpha, beta): (Score, Score),
        ply: usize,
    ) -> Score {
        match state.actor() {
            Actor::Player(actor) if actor == player => self.pvs(state, depth, (alpha, beta), ply),
            Actor::Player(_) => -self.pvs(state, depth, (-beta, -alpha), ply),
            Actor::Chance => self.expect(state, player, depth, (alpha, beta), ply),
            Actor::Nobody => DRAW,
        }
    }

    /// A position where a player decides; the value is that player's.
    fn pvs(&mut self, state: &G, mut depth: i32, (mut alpha, mut beta): (Score, Score), ply: usize) -> Score {
        let Actor::Player(player) = state.actor() else { return DRAW };
        let turns = self.stack[ply].turns;
        if let Some(outcome) = state.decided() {
            self.count_node();
            // A counter ran out; mate goes before that.
            return score_of(state.outcome().unwrap_or(outcome), player, turns);
        }
        if const { G::SELECTIVITY.whole_turns } && self.selectivity.whole_turns && state.between_turns() {
            return self.value_of_turns(state, depth, (alpha, beta), ply);
        }
        let in_check = state.in_check();
        if in_check && self.may_extend(ply) && (depth <= 0 || !self.selectivity.cut_node_reductions) {
            depth += 1;
        }
        if depth <= 0 {
            return self.qsearch(state, (alpha, beta), ply);
        }
        self.count_node();
        if self.aborted {
            return 0;
        }
        if ply + 1 >= MAX_PLY {
            return self.static_eval(state, state.key(), player, ply);
        }
        // Mate distance pruning: no line from here ends sooner than this.
        alpha = alpha.max(lost_in(turns));
        beta = beta.min(won_in(turns + 1));
        if alpha >= beta {
            return alpha;
        }
        let pv_node = beta - alpha > 1;
        let cut_node = self.selectivity.cut_node_reductions && !pv_node && self.stack[ply].cut_node;
        let key = state.key();
        let entry = self.shared.tt.probe(key, turns);
        let excluded = self.stack[ply].excluded;
        if let Some(entry) = entry
            && !pv_node
            && excluded.is_none()
            && entry.depth >= depth
            && entry.bounds(alpha, beta)
        {
            return entry.score;
        }
        if let Some(score) = self.probe_tables(state, turns) {
            return score;
        }
        if state.wins_now() {
            return won_in(turns + 1);
        }
        let selectivity = self.selectivity;
        let eval = if in_check { None } else { Some(self.corrected_eval(state, key, player, ply)) };
        let stack = &mut self.stack[ply];
        stack.player = Some(player);
        stack.static_eval = eval;
        let improving = eval.is_some_and(|eval| self.is_improving(eval, player, ply));

        if let Some(eval) = eval
            && !pv_node
            && excluded.is_none()
            && beta.abs() < SURE_WIN
        {
            // Reverse futility pruning: so far above beta that no reply will bring it down.
            if selectivity.reverse_futility > 0 && depth <= SHALLOW {
                let margin = selectivity.reverse_futility * (depth - i32::from(improving));
                if eval - margin >= beta && !state.zugzwang_prone() {
                    return eval;
                }
            }
            // Null move pruning (C. Donninger 1993): if the opponent may move twice and it is still good, it
            // is good.
            if selectivity.null_move
                && depth >= 3
                && eval >= beta
                && !self.stack[ply - 1].null_move
                && let Some(passed) = state.null_move()
            {
                let reduction = selectivity.null_move_base
                    + depth / selectivity.null_move_depth
                    + ((eval - beta) / selectivity.null_move_margin).min(2);
                self.stack[ply + 1].cut_node = !cut_node;
                let score = self.after_null_move(passed, player, depth - 1 - reduction, beta, ply);
                if self.aborted {
                    return 0;
                }
                if score >= beta {
                    return if score >= SURE_WIN { beta } else { score };
                }
            }
        }
        let tt_decision = entry.and_then(|entry| entry.decision);
        let mut extension = 0;
        if let Some(entry) = entry
            && selectivity.singular > 0
            && depth >= selectivity.singular
            && excluded.is_none()
        {
            match self.singular(state, &entry, (depth, in_check), (alpha, beta), ply) {
                ControlFlow::Continue(plies) => extension = plies,
                ControlFlow::Break(score) => return score,
            }
        }
        // Internal iterative reduction: without the table's word the order is poor; the next iteration knows
        // better.
        if selectivity.internal_reduction && depth >= 4 && tt_decision.is_none() {
            let more = selectivity.cut_node_reductions && (pv_node || cut_node && depth >= 8);
            depth -= 1 + i32::from(more);
        }

        self.stack[ply].turn_key = state.turn_key();
        let mut list = Decisions::new();
        state.decisions(GenType::All, &mut list);
        if list.is_empty() {
            return state.ending(true).map_or(DRAW, |outcome| score_of(outcome, player, turns));
        }
        let original_alpha = alpha;
        let mut best = -INFINITE;
        let mut best_decision = None;
        let mut quiets: Decisions<G::Decision> = Decisions::new();
        let mut skip_quiets = false;
        let context = Context::new(&self.stack, ply);
        let mut picker = MovePicker::new(state, &list, tt_decision);
        let gives_check = state.gives_check();
        for index in 0.. {
            let picked = picker.next(&self.history, &context, ply, skip_quiets);
            let Some((decision, stage)) = picked else { break };
            if excluded.is_some() && excluded == Some(decision.into()) {
                continue;
            }
            let quiet = match stage {
                Stage::Table => state.mvv_lva(decision) <= 0,
                _ => stage == Stage::Quiet,
            };
            // What will be left of the depth.
            let lmr_depth = if selectivity.cut_node_reductions && quiet && index > 1 {
                (depth - self.reductions.plies(depth, index)).max(1)
            } else {
                depth
            };
            if index > 0 && best > -SURE_WIN && !pv_node && !in_check && lmr_depth <= SHALLOW {
                // Late move pruning: what stands so far back in the order is hardly ever best.
                let late = (selectivity.late_move_count + depth * depth) / if improving { 1 } else { 2 };
                skip_quiets |=
                    selectivity.late_move_pruning && depth <= SHALLOW && quiets.len() as i32 >= late.max(2);
                // Futility pruning: quiet decisions will not lift it to alpha.
                skip_quiets |= selectivity.futility > 0
                    && eval.is_some_and(|eval| eval + selectivity.futility * (lmr_depth + 1) <= alpha);
                // What loses material is not looked at near the leaves.
                let margin = match quiet {
                    true => selectivity.see_quiet * lmr_depth * lmr_depth,
                    false => selectivity.see_capture * depth,
                };
                let hopeless = quiet && skip_quiets
                    || selectivity.see && stage != Stage::Capture && !state.see_ge(decision, -margin);
                // Unless it gives check. The copy that answers that is made last.
                if hopeless && !gives_check(decision).unwrap_or_else(|| state.after(decision).in_check()) {
                    continue;
                }
            }
            let next = state.after(decision);
            if self.is_wasted(&next, ply) {
                continue;
            }
            let history_index = state.history_index(decision);
            let mut reduction = 0;
            if index >= 2 && depth >= 3 && best > -SURE_WIN {
                if quiet && selectivity.late_move_reductions {
                    let history = self.history.of::<G>(history_index, &context);
                    reduction = self.reductions.plies(depth, index) - history / selectivity.history_divisor;
                    reduction += i32::from(!improving) - i32::from(pv_node) - i32::from(in_check);
                    reduction = (reduction + i32::from(cut_node)).clamp(0, depth - 2);
                } else if !quiet && selectivity.cut_node_reductions && !in_check {
                    reduction = i32::from(cut_node) - i32::from(pv_node);
                    reduction += i32::from(stage == Stage::LosingCapture);
                    reduction = reduction.clamp(0, depth - 2);
                }
            }
            self.stack[ply].history_index = Some(history_index);
            let mut score = -INFINITE;
            let extended = extension != 0 && tt_decision == Some(decision.into());
            let depth = if extended { depth + extension } else { depth };
            if index > 0 {
                let reduced = depth - 1 - reduction;
                self.stack[ply + 1].cut_node = reduction > 0 || !cut_node;
                score = self.after(next.clone(), player, reduced, (alpha, alpha + 1), ply);
                if reduction > 0 && score > alpha && !self.aborted {
                    let mut again = depth - 1;
                    if selectivity.cut_node_reductions {
                        // Deeper where it is far better than expected, less deep where it hardly is (as in
                        // Stockfish).
                        again +=
                            i32::from(reduction > 1 && score > best + selectivity.deeper_margin + 2 * depth);
                        again -= i32::from(score < best + selectivity.shallower_margin);
                    }
                    if again > reduced {
                        self.stack[ply + 1].cut_node = !cut_node;
                        score = self.after(next.clone(), player, again, (alpha, alpha + 1), ply);
                    }
                }
            }
            self.stack[ply + 1].cut_node = index == 0 && !pv_node && !cut_node;
            if index == 0 || score > alpha && score < beta && !self.aborted {
                score = self.after(next.clone(), player, depth - 1, (alpha, beta), ply);
            }
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
                    if quiet {
                        let bonus = selectivity.history_bonus(depth);
                        self.history.update(state, decision, &quiets, &context, (ply, bonus));
                    }
                    break;
                }
            }
            if quiet {
                quiets.push(decision);
            }
        }
        if excluded.is_some() {
            return best.max(original_alpha);
        }
        if best == -INFINITE {
            // Whatever there is wastes steps.
            return self.static_eval(state, key, player, ply);
        }
        let bound = Bound::of(best, (original_alpha, beta));
        if let Some(eval) = eval
            && self.is_corrected(state)
            && contradicts(best, bound, eval)
            && best_decision.is_none_or(|decision| state.mvv_lva(decision) <= 0)
        {
            let entries = CorrectionHistory::entries(state, player, &self.stack, ply);
            self.correction.update(&entries, best - eval, depth);
        }
        let decision = best_decision.map(Into::into);
        self.shared.tt.store(key, TtEntry { decision, score: best, depth, bound }, turns);
        best
    }

    /// The value for `player`, who passes at `ply`, of what comes then: is it `beta` or more?
    pub fn after_null_move(
        &mut self,
        passed: G,
        player: Color,
        depth: i32,
        beta: Score,
        ply: usize,
    ) -> Score {
        let earlier = self.passed_at.replace(self.keys.len());
        self.stack[ply].null_move = true;
        self.stack[ply].history_index = None;
        self.stack[ply + 1].turns = self.stack[ply].turns + 1;
        let score = self.value(passed, player, depth, (beta - 1, beta), ply + 1);
        self.stack[ply].null_move = false;
        self.passed_at = earlier;
        score
    }

    /// False where extensions have stretched the line to twice the depth of the iteration: no further.
    fn may_extend(&self, ply: usize) -> bool {
        (ply as i32) < 2 * self.root_depth
    }

    /// Singular extension (T. Anantharaman, M. Campbell, F. Hsu 1988; with the bounds of Stockfish): how many
    /// plies deeper the table's decision is worth searching, because without it the position is clearly
    /// worse; or the position's value, when it refutes even so.
    fn singular(
        &mut self,
        state: &G,
        entry: &TtEntry,
        (depth, in_check): (i32, bool),
        (alpha, beta): (Score, Score),
        ply: usize,
    ) -> ControlFlow<Score, i32> {
        let reliable =
            entry.depth >= depth - 3 && entry.bound != Bound::Upper && entry.score.abs() < SURE_WIN;
        if !reliable || entry.decision.is_none() || !self.may_extend(ply) {
            return ControlFlow::Continue(0);
        }
        let floor = entry.score - self.selectivity.singular_margin * depth;
        self.stack[ply].excluded = entry.decision;
        // (In check a ply may be added there.)
        let added = in_check && !self.selectivity.cut_node_reductions;
        let rest = self.pvs(state, (depth - 1) / 2 - i32::from(added), (floor - 1, floor), ply);
        self.stack[ply].excluded = None;
        self.pv[ply].clear();
        if self.aborted {
            ControlFlow::Break(0)
        } else if rest < floor {
            // Two plies where nothing else comes near, but not again and again.
            let far = self.selectivity.double_extension_margin;
            let double = far > 0 && rest < floor - far && beta - alpha == 1 && (ply as i32) < self.root_depth;
            ControlFlow::Continue(1 + i32::from(double))
        } else if floor >= beta && beta - alpha == 1 {
            ControlFlow::Break(floor)
        } else {
            ControlFlow::Continue(if entry.score >= beta { -1 } else { 0 })
        }
    }

    /// True when the position looks better for `player` than when that player last had the move.
    fn is_improving(&self, eval: Score, player: Color, ply: usize) -> bool {
        let turns = self.stack[ply].turns;
        let earlier = self.stack[..ply].iter().rev().take(12);
        let before = earlier.filter(|entry| entry.player == Some(player) && entry.turns < turns);
        before.filter_map(|entry| entry.static_eval).next().is_some_and(|before| eval > before)
    }
}

/// True when a value that is known to be this, at most or at least, says that the evaluation is wrong.
fn contradicts(value: Score, bound: Bound, eval: Score) -> bool {
    value.abs() < SURE_WIN
        && match bound {
            Bound::Exact => true,
            Bound::Lower => value > eval,
            Bound::Upper => value < eval,
        }
}

/// What `outcome`, reached `turns` turns below the root, is worth to `player`.
pub(super) fn score_of(outcome: Outcome, player: Color, turns: i32) -> Score {
    match outcome.winner {
        None => DRAW,
        Some(winner) if winner == player => won_in(turns),
        Some(_) => lost_in(turns),
    }
}

/// `white`, White's score, as `player` sees it.
pub(super) fn for_player(white: Score, player: Color) -> Score {
    match player {
        Color::White => white,
        Color::Black => -white,
    }
}
