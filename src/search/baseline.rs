//! Players to measure the search against: Monte Carlo tree search, one decision of foresight, and chance.

use super::info::{Bound, Report};
use super::pvs::{for_player, score_of};
use super::root::{SearchResult, SearchTask};
use super::searcher::{Searcher, Shared};
use super::wdl::{Mean, score_of_points};
use crate::base::score::{DRAW, Score};
use crate::base::{Color, Rng};
use crate::game::{Actor, ChanceOutcomes, Decisions, Evaluation, GenType};
use std::ops::Range;

/// Who decides for a side in a match against the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Player {
    /// The search of this program.
    #[default]
    Search,
    /// UCT (L. Kocsis, C. Szepesvári 2006) with random playouts, on one thread.
    Mcts,
    /// Whatever leads to the best static evaluation, no further.
    Greedy,
    /// A random legal decision.
    Random,
}

/// What `player`, who is not the search, decides at the root of `task`; `seed` is for what is chosen at
/// random. Of the limits all hold but the number of lines; a depth of N is N thousand playouts.
pub fn play<G: Evaluation>(
    player: Player,
    task: &SearchTask<'_, G>,
    seed: u64,
    listen: &mut dyn FnMut(&Report, &[G::Decision]),
) -> SearchResult<G::Decision> {
    let shared = Shared::new(task);
    let mut rng = Rng::new(seed ^ task.state.key());
    let mut choices = Decisions::new();
    task.state.sorted_decisions(&mut choices);
    if !task.only.is_empty() {
        choices.retain(|choice| task.only.iter().any(|beginning| beginning.first() == Some(choice)));
    }
    let Actor::Player(us) = task.state.actor() else {
        choices.clear();
        return nothing();
    };
    let Some(&first) = rng.pick(&choices) else { return nothing() };
    let (line, score) = match player {
        Player::Greedy => greedy(task, us, &choices, &mut rng),
        Player::Mcts => {
            let searcher = Searcher::new(&shared, &[], &[], true);
            return Tree { task, us, searcher, rng, nodes: Vec::new() }.grow(&choices, listen);
        }
        Player::Random | Player::Search => (first, for_player(task.state.static_eval(), us)),
    };
    let nodes = choices.len() as u64;
    listen(&report(task, 1, score, nodes), &[line]);
    SearchResult { line: vec![line], score, depth: 1, nodes }
}

const fn nothing<D>() -> SearchResult<D> {
    SearchResult { line: Vec::new(), score: DRAW, depth: 0, nodes: 0 }
}

fn report<G: Evaluation>(task: &SearchTask<'_, G>, depth: u32, score: Score, nodes: u64) -> Report {
    Report {
        depth,
        seldepth: depth,
        rank: 1,
        score,
        bound: Bound::Exact,
        nodes,
        elapsed: task.clock.elapsed(),
        table_full: 0,
    }
}

/// The best by its evaluation; where chance comes next, by the mean of what may come. One of several equals
/// at random.
fn greedy<G: Evaluation>(
    &SearchTask { state, win_model, .. }: &SearchTask<'_, G>,
    us: Color,
    choices: &[G::Decision],
    rng: &mut Rng,
) -> (G::Decision, Score) {
    let worth = |next: &G| match next.outcome() {
        Some(outcome) => score_of(outcome, us, 1),
        None => for_player(next.static_eval(), us),
    };
    let value = |&decision: &G::Decision| {
        let mut next = state.clone();
        next.apply(decision);
        if next.actor() != Actor::Chance {
            return (worth(&next), decision);
        }
        let (mut mean, mut cases) = (Mean::new(win_model), ChanceOutcomes::new());
        next.outcomes(&mut cases);
        for (case, weight) in cases {
            let mut after = next.clone();
            after.apply(case);
            mean.add(worth(&after), weight);
        }
        (mean.score(), decision)
    };
    let values: Vec<_> = choices.iter().map(value).collect();
    let best = values.iter().map(|(score, _)| *score).max().unwrap_or(DRAW);
    let equals: Vec<_> = values.iter().filter(|(score, _)| *score == best).collect();
    let (score, decision) = **rng.pick(&equals).unwrap_or(&&values[0]);
    (decision, score)
}

/// A position of the tree, by the decision that leads to it.
struct Node<D> {
    decision: D,
    visits: u32,
    /// Points that White won in the playouts through it: 1, one half, or none each.
    points: f64,
    /// What may follow; `None` until it was looked at.
    children: Option<Range<u32>>,
}

/// How much the search wants to see what it has seen little of.
const EXPLORATION: f64 = 1.0;
/// A playout that is no longer decided by then is judged by the evaluation.
const PLAYOUT_LENGTH: usize = 60;
/// The tree grows no further than this many nodes.
const MOST_NODES: usize = 4_000_000;

struct Tree<'a, 'b, G: Evaluation> {
    task: &'a SearchTask<'a, G>,
    us: Color,
    searcher: Searcher<'b, G>,
    rng: Rng,
    nodes: Vec<Node<G::Decision>>,
}

impl<G: Evaluation> Tree<'_, '_, G> {
    fn grow(
        mut self,
        choices: &[G::Decision],
        listen: &mut dyn FnMut(&Report, &[G::Decision]),
    ) -> SearchResult<G::Decision> {
        let limits = self.task.limits;
        let most = limits.depth.map_or(u64::MAX, |depth| u64::from(depth) * 1000);
        let root = Node { decision: choices[0], visits: 0, points: 0.0, children: None };
        self.nodes.push(root);
        self.add_children(0, choices);
        let mut next_report = 1000;
        for playout in 1..=most {
            self.playout();
            if playout == next_report {
                self.tell(listen);
                next_report *= 2;
            }
            if self.searcher.aborted {
                break;
            }
            let on_the_clock = !limits.infinite && playout % 64 == 0;
            if on_the_clock && (choices.len() == 1 || self.searcher.is_late(|deadlines| deadlines.soft)) {
                break;
            }
        }
        self.tell(listen)
    }

    fn tell(&mut self, listen: &mut dyn FnMut(&Report, &[G::Decision])) -> SearchResult<G::Decision> {
        let (line, score) = self.best_line();
        let (depth, nodes) = (line.len() as u32, self.searcher.nodes);
        listen(&report(self.task, depth, score, nodes), &line);
        SearchResult { line, score, depth, nodes }
    }

    fn add_children(&mut self, node: usize, decisions: &[G::Decision]) {
        let begin = self.nodes.len() as u32;
        let child = |&decision| Node { decision, visits: 0, points: 0.0, children: None };
        self.nodes.extend(decisions.iter().map(child));
        self.nodes[node].children = Some(begin..self.nodes.len() as u32);
    }

    /// Follows the tree to its edge, goes on at random, and remembers who won.
    fn playout(&mut self) {
        let mut state = self.task.state.clone();
        let mut path = vec![0];
        let mut list = Decisions::new();
        let points = loop {
            let here = path[path.len() - 1];
            if path.len() > 1
                && let Some(outcome) = state.decided()
            {
                break points_for_white(outcome.winner);
            }
            if self.nodes[here].children.is_none() {
                if self.nodes[here].visits == 0 || self.nodes.len() > MOST_NODES {
                    break self.at_random(state);
                }
                list.clear();
                state.decisions(GenType::All, &mut list);
                self.add_children(here, &list);
            }
            let Some(child) = self.select(here, &state) else {
                break points_for_white(state.ending(true).and_then(|outcome| outcome.winner));
            };
            state.apply(self.nodes[child].decision);
            self.searcher.count_node();
            path.push(child);
        };
        for node in path {
            self.nodes[node].visits += 1;
            self.nodes[node].points += points;
        }
    }

    /// The child to follow: chance draws; a player takes the one with the highest upper bound of confidence
    /// (UCB1).
    fn select(&mut self, node: usize, state: &G) -> Option<usize> {
        let Node { visits, children, .. } = &self.nodes[node];
        let children = children.clone()?;
        let (begin, end) = (children.start as usize, children.end as usize);
        let Actor::Player(player) = state.actor() else {
            let drawn = state.draw(&mut |cases| self.rng.below(cases))?;
            return (begin..end).find(|&child| self.nodes[child].decision == drawn);
        };
        let logarithm = f64::from((*visits).max(1)).ln();
        let bound = |child: &Node<G::Decision>| {
            if child.visits == 0 {
                return f64::INFINITY;
            }
            let visits = f64::from(child.visits);
            let points = child.points / visits;
            let points = if player == Color::White { points } else { 1.0 - points };
            points + EXPLORATION * (logarithm / visits).sqrt()
        };
        let bounds = self.nodes[begin..end].iter().map(bound);
        let best = bounds.enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b));
        best.map(|(index, _)| begin + index)
    }

    fn at_random(&mut self, mut state: G) -> f64 {
        let mut list = Decisions::new();
        for _ in 0..PLAYOUT_LENGTH {
            if let Some(outcome) = state.decided() {
                return points_for_white(outcome.winner);
            }
            let drawn = if state.actor() == Actor::Chance {
                state.draw(&mut |cases| self.rng.below(cases))
            } else {
                list.clear();
                state.decisions(GenType::All, &mut list);
                self.rng.pick(&list).copied()
            };
            let Some(decision) = drawn else {
                return points_for_white(state.ending(true).and_then(|outcome| outcome.winner));
            };
            state.apply(decision);
            self.searcher.count_node();
        }
        self.task.win_model.points(state.static_eval().into())
    }

    /// The most visited line, as far as it is our and the opponent's to choose; and what it is worth to us.
    fn best_line(&self) -> (Vec<G::Decision>, Score) {
        let mut line = Vec::new();
        let mut state = self.task.state.clone();
        let (mut here, mut points) = (0, 0.5);
        while matches!(state.actor(), Actor::Player(_))
            && let Some(children) = &self.nodes[here].children
        {
            // The first of equals, so that there is always one at the root.
            let visited = |&child: &u32| (self.nodes[child as usize].visits, std::cmp::Reverse(child));
            let Some(best) = children.clone().max_by_key(visited).map(|child| child as usize) else { break };
            let node = &self.nodes[best];
            if node.visits == 0 && !line.is_empty() {
                break;
            }
            if line.is_empty() && node.visits > 0 {
                points = node.points / f64::from(node.visits);
            }
            line.push(node.decision);
            state.apply(node.decision);
            here = best;
        }
        // Below the root the tree holds all decisions: the next step of a beginning is searched for by
        // itself.
        let only = self.task.only;
        if !only.is_empty() && !only.iter().any(|beginning| line.starts_with(beginning)) {
            line.truncate(1);
        }
        (line, for_player(score_of_points(points, self.task.win_model), self.us))
    }
}

fn points_for_white(winner: Option<Color>) -> f64 {
    match winner {
        None => 0.5,
        Some(Color::White) => 1.0,
        Some(Color::Black) => 0.0,
    }
}
