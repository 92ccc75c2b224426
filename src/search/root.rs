//! The root: iterations, several best lines, the end of thinking.

use super::beam::{TURN, beam_width, is_hopeless, turns_followed, unproved};
use super::control::{Clock, Control};
use super::info::{Bound, Report};
use super::limits::{Deadlines, Limits};
use super::searcher::Searcher;
use super::stability::Stability;
use super::tt::TranspositionTable;
use crate::base::order::sort_by_cached_key;
use crate::base::score::{DRAW, INFINITE, SURE_WIN, Score, distance};
use crate::game::{Actor, Decisions, Evaluation, GenType, Notation, Selectivity, Tables, WinModel};
use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::atomic::Ordering;

/// No line is followed further than this.
pub(super) const MAX_PLY: usize = 200;
/// The deepest iteration.
pub const MAX_DEPTH: u32 = 120;

/// A search to be done.
pub struct SearchTask<'a, G: Evaluation> {
    /// The position; a player decides there.
    pub state: &'a G,
    /// Repetition keys of the game up to and including this position ([`crate::game::Record::recent_keys`]).
    pub history: &'a [u64],
    /// What stood on the board earlier in the turn that is in progress ([`Evaluation::turn_key`]); empty
    /// between turns and when it is not known.
    pub turn_keys: &'a [u64],
    /// What ends the search.
    pub limits: &'a Limits,
    /// Consider only what begins with one of these (legal decisions from `state` on, all of the player who
    /// decides there, none the beginning of another); empty for everything.
    pub only: &'a [Vec<G::Decision>],
    /// What to remember in.
    pub table: &'a TranspositionTable,
    /// What it leaves out; the game's own [`Evaluation::SELECTIVITY`] but where numbers are tuned.
    pub selectivity: &'a Selectivity,
    /// How its scores are averaged where chance decides.
    pub win_model: WinModel,
    /// Endgame tables to look into.
    pub tables: Option<&'a Tables>,
    /// How to be stopped.
    pub control: &'a Control,
    /// The clock that it looks at.
    pub clock: &'a dyn Clock,
    /// Threads to search with; 0 counts as 1. Only one thread searches reproducibly.
    pub threads: usize,
}

impl<'a, G: Evaluation> SearchTask<'a, G> {
    /// A position without a past, for one thread, in a game whose results nobody has fitted.
    pub(super) fn unfitted(
        state: &'a G,
        limits: &'a Limits,
        table: &'a TranspositionTable,
        control: &'a Control,
        clock: &'a dyn Clock,
    ) -> Self {
        Self {
            state,
            history: &[],
            turn_keys: &[],
            limits,
            only: &[],
            table,
            selectivity: &G::SELECTIVITY,
            win_model: WinModel::UNFITTED,
            tables: None,
            control,
            clock,
            threads: 1,
        }
    }

    /// A position without a past, for one thread.
    pub fn new(
        state: &'a G,
        limits: &'a Limits,
        table: &'a TranspositionTable,
        control: &'a Control,
        clock: &'a dyn Clock,
    ) -> Self
    where
        G: Notation,
    {
        Self { win_model: state.facts().win_model, ..Self::unfitted(state, limits, table, control, clock) }
    }
}

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchResult<D> {
    /// The best line, as far as it is known; empty only when there is nothing to decide.
    pub line: Vec<D>,
    /// Its value for the player who decides at the root.
    pub score: Score,
    /// The last full iteration.
    pub depth: u32,
    /// Positions visited by all threads.
    pub nodes: u64,
}

/// A decision at the root, with what is known of it.
#[derive(Clone)]
pub(super) struct RootDecision<G: Evaluation> {
    /// Where it is made: the root, or behind a beginning that was asked for.
    before: G,
    decision: G::Decision,
    /// How many decisions of `line` were given, this one included.
    given: usize,
    /// Turns completed between the root and `before`.
    turns: i32,
    score: Score,
    line: Vec<G::Decision>,
    /// Of a whole turn, what the position after it is worth by evaluation, and its key.
    end: Option<(Score, u64)>,
}

/// The decisions at the root.
pub(super) fn roots<G: Evaluation>(task: &SearchTask<'_, G>) -> Vec<RootDecision<G>> {
    let root = |before: G, decision, turns, line: Vec<G::Decision>| {
        let given = line.len();
        RootDecision { before, decision, given, turns, score: -INFINITE, line, end: None }
    };
    let mut roots = Vec::new();
    if task.only.is_empty() {
        let mut list = Decisions::new();
        task.state.decisions(GenType::All, &mut list);
        roots.extend(list.into_iter().map(|d| root(task.state.clone(), d, 0, vec![d])));
    }
    for beginning in task.only {
        let Some((&last, given)) = beginning.split_last() else { continue };
        let (mut before, mut turns) = (task.state.clone(), 0);
        for &decision in given {
            before.apply(decision);
            turns += i32::from(before.between_turns());
        }
        roots.push(root(before, last, turns, beginning.clone()));
    }
    sort_by_cached_key(&mut roots, |root| -root.before.mvv_lva(root.decision));
    if task.only.is_empty() && !task.turn_keys.is_empty() {
        // To bring back what stood there before wastes steps; unless nothing else is left.
        let wasted = |root: &RootDecision<G>| {
            let mut next = root.before.clone();
            next.apply(root.decision);
            !next.between_turns() && next.turn_key().is_some_and(|key| task.turn_keys.contains(&key))
        };
        if !roots.iter().all(wasted) {
            roots.retain(|root| !wasted(root));
        }
    }
    roots
}

/// One thread's search from the root.
pub(super) struct Root<'a, G: Evaluation> {
    pub task: &'a SearchTask<'a, G>,
    pub searcher: Searcher<'a, G>,
    pub roots: Vec<RootDecision<G>>,
}

impl<G: Evaluation> Root<'_, G> {
    /// Searches deeper and deeper, from `first_depth` on.
    pub fn iterate(
        mut self,
        first_depth: u32,
        listen: &mut dyn FnMut(&Report, &[G::Decision]),
    ) -> SearchResult<G::Decision> {
        let limits = self.task.limits;
        let deepest = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let (mut finished, mut improved) = (0, false);
        let mut stability = Stability::default();
        let state = self.task.state;
        if let Some(player) = state.actor().player().filter(|_| !state.in_check()) {
            self.searcher.stack[0].static_eval =
                Some(self.searcher.corrected_eval(state, state.key(), player, 0));
        }
        for depth in first_depth.min(deepest)..=deepest {
            // Asked of a constant, so that what proposes turns is compiled for the games that want it.
            if const { G::SELECTIVITY.whole_turns } && self.searcher.selectivity.whole_turns {
                self.widen(depth);
            }
            for rank in 0..limits.lines.clamp(1, self.roots.len()) {
                improved = self.best_of(rank, depth);
                if self.searcher.aborted {
                    break;
                }
                self.report(rank, depth, listen);
            }
            if self.searcher.aborted {
                // What was found before breaking off counts; and the last line shows the full effort.
                if improved || finished > 0 {
                    self.report(0, if improved { depth } else { finished }, listen);
                }
                break;
            }
            finished = depth;
            stability.update(self.roots[0].decision, self.roots[0].score);
            if self.is_enough(depth, &stability) {
                break;
            }
        }
        self.searcher.share_nodes();
        self.complete_line();
        let best = &self.roots[0];
        let score = if best.score == -INFINITE { DRAW } else { best.score };
        let nodes = self.searcher.shared.nodes.load(Ordering::Relaxed);
        let found = SearchResult { line: best.line.clone(), score, depth: finished, nodes };
        self.searcher.keep_workspace();
        found
    }

    /// Where whole turns are searched: adds those that a beam of this depth proposes. What was searched stays
    /// in front.
    fn widen(&mut self, depth: u32) {
        let task = self.task;
        let Actor::Player(player) = task.state.actor() else { return };
        let mut starts = vec![(task.state.clone(), Vec::new())];
        if !task.only.is_empty() {
            starts.clear();
            for beginning in task.only {
                let mut state = task.state.clone();
                beginning.iter().for_each(|&decision| state.apply(decision));
                if state.between_turns() {
                    // Whole turns are asked for.
                    return;
                }
                starts.push((state, beginning.clone()));
            }
        }
        let (states, given): (Vec<_>, Vec<_>) = starts.into_iter().unzip();
        let width = beam_width(depth as i32) * self.searcher.selectivity.root_breadth;
        let turns = self.searcher.propose_turns(states, player, width, task.turn_keys);
        if turns.ends.is_empty() {
            return;
        }
        self.roots.retain(|root| root.end.is_some());
        let known: HashSet<_> = self.roots.iter().filter_map(|root| Some(root.end?.1)).collect();
        for end in turns.ends.iter().filter(|end| !known.contains(&end.key)) {
            let (start, steps) = turns.line(end);
            let line = [given[start].as_slice(), &steps].concat();
            self.roots.push(RootDecision {
                before: turns.before(end).clone(),
                decision: end.decision,
                given: line.len(),
                turns: 0,
                score: -INFINITE,
                line,
                end: Some((end.eval, end.key)),
            });
        }
        let searched = self.roots.iter().take_while(|root| root.score > -INFINITE).count();
        sort_by_cached_key(&mut self.roots[searched..], |root| Reverse(root.end));
    }

    /// Finds the best of the root decisions from `rank` on and moves it to `rank`. False when broken off
    /// before any value was found.
    fn best_of(&mut self, rank: usize, depth: u32) -> bool {
        let before = self.roots[rank].score;
        let mut half = self.searcher.selectivity.aspiration;
        let (mut low, mut high) = (-INFINITE, INFINITE);
        if half > 0 && depth >= 4 && before.abs() < SURE_WIN {
            // Aspiration: the value is most likely near that of the iteration before.
            (low, high) = (before - half, before + half);
        }
        let mut improved = false;
        loop {
            let score = self.search_window(rank, depth, (low, high));
            improved |= score.is_some();
            if self.searcher.aborted {
                return improved;
            }
            half = half * self.searcher.selectivity.aspiration_growth / 100;
            let wide = half > 600;
            match score {
                None if low > -INFINITE => low = if wide { -INFINITE } else { low - half },
                Some(score) if score >= high && high < INFINITE => {
                    high = if wide { INFINITE } else { high + half };
                }
                _ => return improved,
            }
        }
    }

    /// Searches the root decisions from `rank` on within a window and moves the best to `rank`. Its value;
    /// `None` when none is above `alpha`.
    fn search_window(&mut self, rank: usize, depth: u32, (mut alpha, beta): (Score, Score)) -> Option<Score> {
        let Actor::Player(player) = self.task.state.actor() else { return None };
        let selectivity = self.searcher.selectivity;
        let &Selectivity { whole_turns, root_turns, .. } = selectivity;
        let depth = depth as i32;
        let most_turns = root_turns * turns_followed(depth);
        self.searcher.root_depth = depth;
        let below = if whole_turns { depth - TURN } else { depth - 1 };
        let mut order = Vec::new();
        let mut followed = 0;
        for index in rank..self.roots.len() {
            let RootDecision { before, decision, turns, end, .. } = &self.roots[index];
            if let Some((eval, _)) = *end
                && (is_hopeless(eval, depth, alpha, index - rank) || followed >= most_turns)
            {
                break;
            }
            let stack = &mut self.searcher.stack[0];
            stack.turns = *turns;
            stack.player = Some(player);
            stack.turn_key = before.turn_key();
            stack.history_index = Some(before.history_index(*decision));
            let mut next = before.clone();
            next.apply(*decision);
            let window = if index == rank { (alpha, beta) } else { (alpha, alpha + 1) };
            self.searcher.stack[1].cut_node = index > rank;
            let reduction = if alpha > -SURE_WIN && before.mvv_lva(*decision) <= 0 {
                self.searcher.reductions.at_the_root(selectivity, depth, index - rank)
            } else {
                0
            };
            let mut score = self.searcher.after(next.clone(), player, below - reduction, window, 0);
            if reduction > 0 && score > alpha && !self.searcher.aborted {
                score = self.searcher.after(next.clone(), player, below, window, 0);
            }
            if index > rank && score > alpha && !self.searcher.aborted {
                score = self.searcher.after(next, player, below, (alpha, beta), 0);
            }
            if self.searcher.aborted {
                break;
            }
            if whole_turns && score <= -SURE_WIN {
                score = unproved(score);
            } else {
                followed += 1;
            }
            if score > alpha {
                alpha = score;
                order.push(index);
                let root = &mut self.roots[index];
                root.score = score;
                root.line.truncate(root.given);
                root.line.extend_from_slice(&self.searcher.pv[1]);
                if score >= beta {
                    break;
                }
            }
        }
        // The best goes to the front, the one it displaced behind it, and so on; the rest keep their order.
        let found = (!order.is_empty()).then_some(alpha);
        for index in order {
            let better = self.roots.remove(index);
            self.roots.insert(rank, better);
        }
        found
    }

    /// True when no further iteration is worth its time.
    fn is_enough(&self, depth: u32, stability: &Stability<G::Decision>) -> bool {
        let limits = self.task.limits;
        let end = distance(self.roots[0].score);
        if let (Some(wanted), Some(turns)) = (limits.win_in, end)
            && turns > 0
            && i64::from((turns + 1) / 2) <= i64::from(wanted)
        {
            return true;
        }
        if self.searcher.is_stopped() {
            return true;
        }
        if limits.infinite || self.task.control.is_pondering() || self.searcher.shared.deadlines().is_none() {
            return false;
        }
        // An end that lies within the searched depth will not change any more.
        let settled = end.is_some_and(|turns| turns.unsigned_abs() < depth);
        let forced = self.roots.len() == 1 && limits.lines <= 1;
        let on_the_clock = matches!(limits.budget, super::Budget::Clock { .. });
        let late = |&Deadlines { soft, hard }: &Deadlines| {
            let percent = stability.percent() * G::SELECTIVITY.time_share / 100;
            // A fixed time is used to its end.
            if soft == hard { hard } else { (soft * percent / 100).min(hard) }
        };
        settled || on_the_clock && forced || self.searcher.is_late(late)
    }

    fn report(&mut self, rank: usize, depth: u32, listen: &mut dyn FnMut(&Report, &[G::Decision])) {
        self.searcher.share_nodes();
        let root = &self.roots[rank];
        let report = Report {
            depth,
            seldepth: (self.searcher.seldepth as u32).max(depth),
            rank: rank + 1,
            score: root.score,
            bound: Bound::Exact,
            nodes: self.searcher.shared.nodes.load(Ordering::Relaxed),
            elapsed: self.task.clock.elapsed(),
            table_full: self.task.table.fullness(),
        };
        listen(&report, &root.line);
    }

    /// Lengthens a line that ends where the search began by what the table knows, so that there is something
    /// to ponder on.
    fn complete_line(&mut self) {
        let root = &mut self.roots[0];
        if root.line.len() != root.given {
            return;
        }
        let mut next = root.before.clone();
        next.apply(root.decision);
        let mut list = Decisions::new();
        if matches!(next.actor(), Actor::Player(_)) && next.outcome().is_none() {
            next.decisions(GenType::All, &mut list);
        }
        if let Some(known) = self.task.table.probe(next.key(), 1).and_then(|entry| entry.decision) {
            // Only what is legal: another position may share the key.
            root.line.extend(list.into_iter().find(|&d| known == d.into()));
        }
    }
}
