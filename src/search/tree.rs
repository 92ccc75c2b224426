//! The tree below the root: principal variation search, quiescence, chance.

use super::chances::Mean;
use super::control::{Clock, Control};
use super::limits::{Deadlines, Limits};
use super::order::{Experience, Ordered};
use super::report::Bound;
use super::root::MAX_PLY;
use super::table::{Known, Table};
use crate::base::Color;
use crate::base::score::{DRAW, INFINITE, SURE_WIN, Score, lost_in, won_in};
use crate::game::{Actor, Decisions, Evaluate, Outcome, Wanted};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What all threads of one search share.
pub(super) struct Shared<'a> {
    pub table: &'a Table,
    pub control: &'a Control,
    pub clock: &'a dyn Clock,
    pub limits: &'a Limits,
    /// As the search began; see [`Shared::deadlines`].
    pub planned: Option<Deadlines>,
    /// Positions visited by all threads, brought up to date every `CHECK_EVERY` of a thread's own.
    pub nodes: AtomicU64,
    /// The first thread has ended, and so shall the others. (The stop flag is not ours to raise: a word of several
    /// decisions takes several searches.)
    pub done: AtomicBool,
}

impl Shared<'_> {
    /// What holds now; `None` when time does not matter.
    pub fn deadlines(&self) -> Option<&Deadlines> {
        self.control.deadlines().or(self.planned.as_ref())
    }
}

/// One thread's part of a search.
pub(super) struct Searcher<'a, G: Evaluate> {
    pub shared: &'a Shared<'a>,
    pub experience: Experience<G::Decision>,
    /// Repetition keys of the game, from the last change that cannot be undone to the root, each with its place; sorted.
    game_keys: Vec<(u64, usize)>,
    /// Those of the search, from the root to the present position.
    keys: Vec<u64>,
    /// The best line from each ply.
    pub lines: Vec<Vec<G::Decision>>,
    pub nodes: u64,
    reported: u64,
    pub furthest: usize,
    /// Set once the search was broken off: values found from then on mean nothing.
    pub broken_off: bool,
    /// The first thread looks at the clock and the node limit; the others only at the stop flag.
    pub leads: bool,
}

/// How often a thread looks at the clock and the stop flag.
const CHECK_EVERY: u64 = 512;

/// Where in the tree a position stands.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// Decisions since the root.
    pub ply: usize,
    /// Complete turns since the root: what distances are counted in.
    pub turns: i32,
}

impl<'a, G: Evaluate> Searcher<'a, G> {
    pub fn new(shared: &'a Shared<'a>, history: &[u64], leads: bool) -> Self {
        let mut game_keys: Vec<_> = history.iter().copied().zip(0..).collect();
        game_keys.sort_unstable();
        Self {
            shared,
            experience: Experience::new(G::SLOTS),
            game_keys,
            keys: Vec::with_capacity(MAX_PLY),
            lines: vec![Vec::new(); MAX_PLY + 1],
            nodes: 0,
            reported: 0,
            furthest: 0,
            broken_off: false,
            leads,
        }
    }

    /// Counts a position and looks, now and then, whether to break off.
    #[inline]
    fn count_node(&mut self) {
        self.nodes += 1;
        if self.leads
            && let Some(most) = self.shared.limits.nodes
            && self.shared.nodes.load(Ordering::Relaxed) + (self.nodes - self.reported) >= most
        {
            self.broken_off = true;
        }
        if self.nodes - self.reported >= CHECK_EVERY {
            self.look_up();
        }
    }

    /// Looks at the stop flag and the clock.
    #[cold]
    fn look_up(&mut self) {
        self.share_nodes();
        self.shared.control.wait_while_paused();
        if self.is_stopped() || self.leads && self.is_late(|deadlines| deadlines.hard) {
            self.broken_off = true;
        }
    }

    /// True when this thread shall end.
    pub fn is_stopped(&self) -> bool {
        self.shared.control.is_stopped() || !self.leads && self.shared.done.load(Ordering::Relaxed)
    }

    pub fn share_nodes(&mut self) {
        self.shared.nodes.fetch_add(self.nodes - self.reported, Ordering::Relaxed);
        self.reported = self.nodes;
    }

    /// True when the clock, if it runs, has passed the deadline.
    pub fn is_late(&self, which: impl Fn(&Deadlines) -> std::time::Duration) -> bool {
        let control = self.shared.control;
        match self.shared.deadlines() {
            Some(deadlines) if !control.is_pondering() => {
                self.shared.clock.elapsed().saturating_sub(control.clock_began()) >= which(deadlines)
            }
            _ => false,
        }
    }

    /// The value, for `player`, of the position that `decision` leads to from `state`, where `player` decides.
    pub fn after(
        &mut self,
        state: &G,
        decision: G::Decision,
        player: Color,
        depth: i32,
        (alpha, beta): (Score, Score),
        place: Place,
    ) -> Score {
        let mut next = state.clone();
        next.apply(decision);
        let place = Place { ply: place.ply + 1, turns: place.turns + i32::from(next.between_turns()) };
        self.value(next, player, depth, (alpha, beta), place)
    }

    /// The value of a position for `player`, whoever decides there.
    fn value(
        &mut self,
        mut state: G,
        player: Color,
        depth: i32,
        (alpha, beta): (Score, Score),
        place: Place,
    ) -> Score {
        self.lines[place.ply].clear();
        self.furthest = self.furthest.max(place.ply);
        if let Some(outcome) = state.decided()
            && (outcome.winner.is_some() || state.actor() == Actor::Nobody)
        {
            self.count_node();
            return score_of(outcome, player, place.turns);
        }
        let Some(repetition) = state.repetition() else {
            return self.value_by_actor(&state, player, depth, (alpha, beta), place);
        };
        let mut key = repetition.key;
        let earlier = self.occurrences(repetition.key, repetition.span as usize);
        if earlier.any() && state.count() > 0 {
            // A position that came up once before in this search will come up again: as good as the third time.
            let mut again = state.clone();
            let settled = again.on_occurrence(if earlier.in_search > 0 { 3 } else { 1 + earlier.all });
            if let Some(outcome) = settled {
                self.count_node();
                return score_of(outcome, player, place.turns);
            }
            // Where the rule changes the board (Alapo), it does so at the true third time only.
            if earlier.all >= 2 {
                state.on_occurrence(1 + earlier.all);
                if let Some(outcome) = state.decided() {
                    self.count_node();
                    return score_of(outcome, player, place.turns);
                }
                key = state.repetition().map_or(key, |r| r.key);
            }
        }
        self.keys.push(key);
        let value = self.value_by_actor(&state, player, depth, (alpha, beta), place);
        self.keys.pop();
        value
    }

    fn value_by_actor(
        &mut self,
        state: &G,
        player: Color,
        depth: i32,
        (alpha, beta): (Score, Score),
        place: Place,
    ) -> Score {
        match state.actor() {
            Actor::Player(actor) if actor == player => self.decide(state, depth, (alpha, beta), place),
            Actor::Player(_) => -self.decide(state, depth, (-beta, -alpha), place),
            Actor::Chance => self.expect(state, player, depth, place),
            Actor::Nobody => DRAW,
        }
    }

    /// A position where chance decides: the mean of what may come (expectiminimax, D. Michie 1966), in expected points.
    /// Every case is searched with an open window: bounds of some of them would be none of the mean.
    fn expect(&mut self, state: &G, player: Color, depth: i32, place: Place) -> Score {
        self.count_node();
        let mut list = Decisions::new();
        state.decisions(Wanted::All, &mut list);
        if place.ply + 1 >= MAX_PLY {
            return for_player(state.evaluate(), player);
        }
        let (mut sum, mut cases) = (0_i64, 0_i64);
        let (mut least, mut most) = (INFINITE, -INFINITE);
        let mut mean = Mean::default();
        for decision in list {
            let weight = state.weight(decision);
            let value = self.after(state, decision, player, depth, (-INFINITE, INFINITE), place);
            if self.broken_off {
                return 0;
            }
            mean.add(value, weight);
            sum += i64::from(weight) * i64::from(value);
            cases += i64::from(weight);
            least = least.min(value);
            most = most.max(value);
        }
        // A win whatever comes has a distance; what needs luck is no sure win.
        if least >= SURE_WIN || most <= -SURE_WIN { (sum / cases.max(1)) as Score } else { mean.score() }
    }

    /// A position where a player decides; the value is that player's.
    fn decide(
        &mut self,
        state: &G,
        mut depth: i32,
        (mut alpha, beta): (Score, Score),
        place: Place,
    ) -> Score {
        let Actor::Player(player) = state.actor() else { return DRAW };
        if let Some(outcome) = state.decided() {
            self.count_node();
            // A counter ran out; mate goes before that.
            return score_of(state.outcome().unwrap_or(outcome), player, place.turns);
        }
        if state.threatened() {
            depth += 1;
        }
        if depth <= 0 {
            return self.quiesce(state, (alpha, beta), place);
        }
        self.count_node();
        if self.broken_off {
            return 0;
        }
        if place.ply + 1 >= MAX_PLY {
            return evaluate(state);
        }
        let exact = beta - alpha > 1;
        let key = state.key();
        let known = self.shared.table.probe(key, place.turns);
        if let Some(known) = known
            && !exact
            && known.depth >= depth
            && match known.bound {
                Bound::Exact => true,
                Bound::Lower => known.score >= beta,
                Bound::Upper => known.score <= alpha,
            }
        {
            return known.score;
        }

        let mut list = Decisions::new();
        state.decisions(Wanted::All, &mut list);
        if list.is_empty() {
            return score_of(state.stuck(), player, place.turns);
        }
        let before = alpha;
        let mut best = -INFINITE;
        let mut best_decision = None;
        let mut quiet: Decisions<G::Decision> = Decisions::new();
        let decisions =
            Ordered::new(state, list, known.and_then(|k| k.decision), &self.experience, place.ply);
        for (index, decision) in decisions.enumerate() {
            let mut score = -INFINITE;
            if index > 0 {
                score = self.after(state, decision, player, depth - 1, (alpha, alpha + 1), place);
            }
            if index == 0 || score > alpha && score < beta && !self.broken_off {
                score = self.after(state, decision, player, depth - 1, (alpha, beta), place);
            }
            if self.broken_off {
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_decision = Some(decision);
                    self.extend_line(decision, place.ply);
                }
                if score >= beta {
                    if state.gain(decision) <= 0 {
                        self.experience.learn(state, decision, &quiet, place.ply, depth);
                    }
                    break;
                }
            }
            if state.gain(decision) <= 0 {
                quiet.push(decision);
            }
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > before {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let decision = best_decision.map(Into::into);
        self.shared.table.store(key, Known { decision, score: best, depth, bound }, place.turns);
        best
    }

    /// Only decisions that change the balance, until none is left that does.
    fn quiesce(&mut self, state: &G, (mut alpha, beta): (Score, Score), place: Place) -> Score {
        self.count_node();
        if self.broken_off {
            return 0;
        }
        let Actor::Player(player) = state.actor() else { return DRAW };
        let threatened = state.threatened();
        let mut best = -INFINITE;
        if !threatened || place.ply + 1 >= MAX_PLY {
            best = evaluate(state);
            if best >= beta || place.ply + 1 >= MAX_PLY {
                return best;
            }
            alpha = alpha.max(best);
        }
        let mut list = Decisions::new();
        state.decisions(Wanted::Noisy, &mut list);
        if threatened && list.is_empty() {
            // Nothing answers the threat: lost, either at once or with the next decision.
            let stuck = state.count() == 0;
            return if stuck {
                score_of(state.stuck(), player, place.turns)
            } else {
                lost_in(place.turns + 1)
            };
        }
        for decision in Ordered::by_gain(state, list) {
            let mut next = state.clone();
            next.apply(decision);
            let below = Place { ply: place.ply + 1, turns: place.turns + i32::from(next.between_turns()) };
            self.lines[below.ply].clear();
            self.furthest = self.furthest.max(below.ply);
            let score = match next.decided() {
                Some(outcome) => {
                    self.count_node();
                    score_of(next.outcome().unwrap_or(outcome), player, below.turns)
                }
                None => match next.actor() {
                    Actor::Player(actor) if actor == player => self.quiesce(&next, (alpha, beta), below),
                    Actor::Player(_) => -self.quiesce(&next, (-beta, -alpha), below),
                    // What luck brings is not searched here.
                    Actor::Chance | Actor::Nobody => for_player(next.evaluate(), player),
                },
            };
            if self.broken_off {
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    self.extend_line(decision, place.ply);
                }
                if score >= beta {
                    break;
                }
            }
        }
        best
    }

    fn extend_line(&mut self, decision: G::Decision, ply: usize) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(decision);
        line.extend_from_slice(&lower[0]);
    }

    fn occurrences(&self, key: u64, span: usize) -> Occurrences {
        let recent = &self.keys[self.keys.len().saturating_sub(span)..];
        let in_search = recent.iter().filter(|&&earlier| earlier == key).count() as u32;
        // A game may be long, and this is asked at every position: no walking through it.
        let from = self.game_keys.len().saturating_sub(span - recent.len());
        let begin = self.game_keys.partition_point(|&earlier| earlier < (key, from));
        let in_game =
            self.game_keys[begin..].iter().take_while(|(earlier, _)| *earlier == key).take(2).count();
        Occurrences { all: in_search + in_game as u32, in_search }
    }
}

struct Occurrences {
    /// In the game up to 2 are counted: more change nothing.
    all: u32,
    in_search: u32,
}

impl Occurrences {
    fn any(&self) -> bool {
        self.in_search > 0 || self.all >= 2
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

fn for_player(white: Score, player: Color) -> Score {
    match player {
        Color::White => white,
        Color::Black => -white,
    }
}

fn evaluate<G: Evaluate>(state: &G) -> Score {
    let player = state.actor().player().unwrap_or(Color::White);
    for_player(state.evaluate(), player).clamp(1 - SURE_WIN, SURE_WIN - 1)
}
