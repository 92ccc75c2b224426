//! Turns of several steps: alpha-beta over whole turns, which a beam search proposes (B. Lowerre 1976).
//!
//! A turn of four steps has some hundred thousand sequences and still some ten thousand results. Looking at
//! single steps, a search spends its depth inside one turn and judges boards in the middle of it. Here a turn
//! is grown step by step, keeping the most promising boards (each once, however it came about), and
//! what is searched, ordered and judged are boards at the ends of turns.
//!
//! Depth counts two for each turn; one more widens every beam to the double.

use super::info::Bound;
use super::pvs::score_of;
use super::root::MAX_PLY;
use super::searcher::Searcher;
use super::tt::TtEntry;
use crate::base::Color;
use crate::base::score::{DRAW, INFINITE, SURE_WIN, Score, WIN, lost_in, won_in};
use crate::game::{Actor, Decisions, Evaluation, GenType};
use std::cmp::Reverse;
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

/// What a turn takes off the depth.
pub(super) const TURN: i32 = 2;

/// How many boards are kept after each step of a turn that is `depth` deep. Half of it loses by 240 Elo,
/// twice as many gains nothing (`protocol-docs/studies.md`).
pub(super) fn beam_width(depth: i32) -> usize {
    1 << (depth - 1).clamp(0, 5)
}

/// How many turns are followed where the search goes on behind them; those refuted at once are not counted.
pub(super) fn turns_followed(depth: i32) -> usize {
    match depth {
        ..=3 => 4,
        4 => 6,
        5 => 8,
        _ => 12,
    }
}

/// Keys of boards, which are hashes already.
type KeySet = HashSet<u64, BuildHasherDefault<KeyHasher>>;

#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = self.0.rotate_left(8) ^ u64::from(byte));
    }
}

/// How many turns are evaluated in full, by the width of the beam: those that look most promising. The network
/// knows better what they are worth, and takes much of the time.
const TURNS_EVALUATED: usize = 4;

/// A board in the middle of a turn.
struct Node<G: Evaluation> {
    state: G,
    /// Where it came from: the number of another node, and the decision; `None` for those the search began
    /// with.
    step: Option<(usize, G::Decision)>,
}

/// The last step of a turn.
#[derive(Clone, Copy)]
pub(super) struct TurnEnd<D> {
    node: usize,
    pub decision: D,
    /// What the board after it is worth to whose turn it was; how promising it is, where it was not evaluated.
    pub eval: Score,
    /// Of the state after it.
    pub key: u64,
}

/// The turns that a beam search proposes, the best by evaluation first, no two with the same result.
pub(super) struct Turns<G: Evaluation> {
    nodes: Vec<Node<G>>,
    pub ends: Vec<TurnEnd<G::Decision>>,
    /// Boards were left aside.
    narrowed: bool,
}

impl<G: Evaluation> Turns<G> {
    /// The best comes first. Equals stay in their order, so that it is the same everywhere.
    fn sort_ends(&mut self) {
        self.ends.sort_by_key(|end| Reverse(end.eval));
    }

    /// The state in which the last step is made.
    pub fn before(&self, end: &TurnEnd<G::Decision>) -> &G {
        &self.nodes[end.node].state
    }

    /// The state after the turn.
    pub fn after(&self, end: &TurnEnd<G::Decision>) -> G {
        let mut next = self.before(end).clone();
        next.apply(end.decision);
        next
    }

    /// The steps, and the number of the state that the turn began with.
    pub fn line(&self, end: &TurnEnd<G::Decision>) -> (usize, Vec<G::Decision>) {
        let (mut line, mut number) = (vec![end.decision], end.node);
        while let Some((parent, decision)) = self.nodes[number].step {
            line.push(decision);
            number = parent;
        }
        line.reverse();
        (number, line)
    }
}

impl<G: Evaluation> Searcher<'_, G> {
    /// Turns of `player` from `starts` on, in the middle of which they may be, found with such a beam; if the
    /// search is aborted, those that were found until then.
    pub fn propose_turns(
        &mut self,
        starts: Vec<G>,
        player: Color,
        width: usize,
        seen_before: &[u64],
    ) -> Turns<G> {
        // What wins within the turn is known, nothing else is looked at, and one such board is enough.
        let wins = starts.iter().any(|state| state.wins_now());
        let width = if wins { 1 } else { width };
        let mut seen: KeySet = seen_before.iter().copied().collect();
        seen.extend(starts.iter().filter_map(|state| state.turn_key()));
        let nodes: Vec<_> = starts.into_iter().map(|state| Node { state, step: None }).collect();
        let mut turns = Turns { nodes, ends: Vec::new(), narrowed: wins };
        let (mut level, mut grown) = (0..turns.nodes.len(), Vec::new());
        while !level.is_empty() {
            grown.clear();
            for number in level.clone() {
                let mut list = Decisions::new();
                turns.nodes[number].state.decisions(GenType::All, &mut list);
                for decision in list {
                    let mut next = turns.nodes[number].state.clone();
                    next.apply(decision);
                    self.count_node();
                    if self.aborted {
                        turns.sort_ends();
                        return turns;
                    }
                    let key = next.key();
                    if let Some(outcome) = next.decided() {
                        let end = TurnEnd { node: number, decision, eval: score_of(outcome, player, 1), key };
                        if outcome.winner == Some(player) {
                            turns.ends = vec![end];
                            return turns;
                        }
                        turns.ends.push(end);
                    } else if next.between_turns() {
                        if seen.insert(key) && !wins {
                            // It wins nothing, however promising.
                            let eval = next.promise(player).clamp(1 - SURE_WIN, SURE_WIN - 1);
                            turns.ends.push(TurnEnd { node: number, decision, eval, key });
                        }
                    } else if seen.insert(next.turn_key().unwrap_or(key)) && (!wins || next.wins_now()) {
                        grown.push((next.promise(player), number, decision));
                    }
                }
            }
            turns.narrowed |= grown.len() > width;
            // Stable: the first of equals, so that the order is the same everywhere.
            grown.sort_by_key(|&(promise, ..)| Reverse(promise));
            grown.truncate(width);
            let first = turns.nodes.len();
            for &(_, parent, decision) in &grown {
                let mut state = turns.nodes[parent].state.clone();
                state.apply(decision);
                turns.nodes.push(Node { state, step: Some((parent, decision)) });
            }
            level = first..turns.nodes.len();
        }
        turns.sort_ends();
        let mut worst = INFINITE;
        for index in 0..turns.ends.len() {
            let end = turns.ends[index];
            if index >= TURNS_EVALUATED * width {
                // No better than what was evaluated.
                turns.ends[index].eval = end.eval.min(worst);
            } else if end.eval.abs() < SURE_WIN {
                let eval = self.static_eval(&turns.after(&end), end.key, player, 0);
                turns.ends[index].eval = eval;
                worst = worst.min(eval);
            }
        }
        turns.sort_ends();
        turns
    }

    /// The value of a position between turns for who decides there.
    pub fn value_of_turns(
        &mut self,
        state: &G,
        depth: i32,
        (mut alpha, mut beta): (Score, Score),
        ply: usize,
    ) -> Score {
        let Actor::Player(player) = state.actor() else { return DRAW };
        let turns = self.stack[ply].turns;
        self.count_node();
        if self.aborted {
            return 0;
        }
        alpha = alpha.max(lost_in(turns));
        beta = beta.min(won_in(turns + 1));
        if alpha >= beta {
            return alpha;
        }
        let key = state.key();
        let entry = self.shared.tt.probe(key, turns);
        if let Some(entry) = entry
            && beta - alpha == 1
            && entry.depth >= depth
            && entry.bounds(alpha, beta)
        {
            return entry.score;
        }
        if state.wins_now() {
            return won_in(turns + 1);
        }
        if depth <= 0 || ply + 1 >= MAX_PLY {
            return self.static_eval(state, key, player, ply);
        }
        let width = beam_width(depth) * self.selectivity.reply_breadth;
        let mut proposed = self.propose_turns(vec![state.clone()], player, width, &[]);
        if self.aborted {
            return 0;
        }
        if depth > TURN
            && let Some(known) = entry.and_then(|entry| entry.decision)
            && let Some(place) = proposed.ends.iter().position(|end| end.key as u32 == known)
        {
            proposed.ends[..=place].rotate_right(1);
        }
        let original_alpha = alpha;
        let (mut best, mut best_key) = (-INFINITE, None);
        let mut followed = 0;
        for (index, end) in proposed.ends.iter().enumerate() {
            if is_hopeless(end.eval, depth, alpha, index) {
                best = best.max(end.eval);
                break;
            }
            if followed >= turns_followed(depth) {
                break;
            }
            let next = proposed.after(end);
            let mut score = -INFINITE;
            if index > 0 {
                score = self.after(next.clone(), player, depth - TURN, (alpha, alpha + 1), ply);
            }
            if index == 0 || score > alpha && score < beta && !self.aborted {
                score = self.after(next, player, depth - TURN, (alpha, beta), ply);
            }
            if self.aborted {
                return 0;
            }
            followed += usize::from(score > -SURE_WIN);
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_key = Some(end.key as u32);
                    self.update_pv(&proposed.line(end).1, ply);
                }
                if score >= beta {
                    break;
                }
            }
        }
        if best == -INFINITE {
            let stuck = state.ending(true);
            return stuck.map_or(DRAW, |outcome| score_of(outcome, player, turns));
        }
        if best <= -SURE_WIN && proposed.narrowed {
            best = unproved(best);
        }
        let bound = Bound::of(best, (original_alpha, beta));
        self.shared.tt.store(key, TtEntry { decision: best_key, score: best, depth, bound }, turns);
        best
    }
}

/// A loss whatever was proposed is none that is proved: another turn may save the game. The later, the better
/// still.
pub(super) const fn unproved(loss: Score) -> Score {
    loss + (WIN - SURE_WIN) + 1
}

/// True when a turn, the `index`th by evaluation, cannot lift `alpha`: behind it nothing is searched any
/// more, and it is worth what it seems or less. Only repetition could make it a draw: that is looked at for
/// the first few.
pub(super) fn is_hopeless(eval: Score, depth: i32, alpha: Score, index: usize) -> bool {
    depth <= TURN && eval <= alpha && (alpha >= DRAW || index >= 8)
}
