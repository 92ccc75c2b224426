//! From numbers to steps: a proof walked through once more, position by position.

use super::numbers::INFINITE;
use super::{Prover, Verdict};
use crate::game::winning::{Step, Winning, ended, identity};
use crate::game::{Actor, Decisions, Evaluation, GenType};
use std::collections::HashMap;

/// What the winner decides in a position of a proof.
#[derive(Clone, Debug)]
pub struct ProvedStep<G: Evaluation> {
    /// The position.
    pub state: G,
    /// What is decided there.
    pub step: Step<G::Decision>,
}

/// A walk through a proof.
struct Walk<'w, 'k, G: Evaluation> {
    known: &'w Winning<'k, G::Decision>,
    /// The distance of each position of the winner that was walked through; `None` while that goes on.
    seen: HashMap<u64, Option<u32>>,
    steps: Vec<ProvedStep<G>>,
}

impl<G: Evaluation> Prover<G> {
    /// The steps of the proof of `state`, which was found before. What the table has lost is searched again.
    /// `None` where that does not succeed.
    pub(super) fn record(&mut self, state: &G, known: &Winning<'_, G::Decision>) -> Option<Verdict<G>> {
        // What was lost may take as much again.
        self.most = self.most.saturating_add(self.nodes);
        let mut walk = Walk { known, seen: HashMap::new(), steps: Vec::new() };
        let distance = self.walk(state, &mut walk, 0)?;
        let room = state.counter_room();
        let in_time = room.is_none_or(|room| distance <= room);
        in_time.then_some(Verdict::Won(distance, walk.steps))
    }

    /// Within how many decisions `state` is won, with all steps for it.
    fn walk(&mut self, state: &G, walk: &mut Walk<'_, '_, G>, ply: usize) -> Option<u32> {
        if ply > self.longest {
            return None;
        }
        let mut list = Decisions::new();
        state.decisions(GenType::All, &mut list);
        if let Some(outcome) = ended(state, &list) {
            return (outcome.winner == Some(self.winner)).then_some(0);
        }
        if state.actor() != Actor::Player(self.winner) {
            let mut longest = 0;
            for &reply in &list {
                longest = longest.max(self.walk(&state.after(reply), walk, ply + 1)?);
            }
            return Some(1 + longest);
        }
        if let Some(distance) = walk.known.distance(state) {
            return Some(distance);
        }
        let position = identity(state);
        match walk.seen.get(&position) {
            Some(&Some(distance)) => return Some(distance),
            // Numbers of different searches have led round in a circle.
            Some(None) => return None,
            None => {}
        }
        walk.seen.insert(position, None);
        let decision = self.winning_decision(state, &list, walk)?;
        let distance = 1 + self.walk(&state.after(decision), walk, ply + 1)?;
        walk.seen.insert(position, Some(distance));
        // Where the game ends at once nothing need be written.
        if distance > 1 {
            walk.steps.push(ProvedStep { state: state.clone(), step: Step { decision, distance } });
        }
        Some(distance)
    }

    /// The decision that wins soonest, as far as the table still knows.
    fn winning_decision(
        &mut self,
        state: &G,
        list: &Decisions<G::Decision>,
        walk: &Walk<'_, '_, G>,
    ) -> Option<G::Decision> {
        for searched in [false, true] {
            if searched {
                self.search_again(state, walk.known);
            }
            self.line.clear();
            let distances = list.iter().filter_map(|&decision| {
                let after = state.after(decision);
                let numbers = self.look(&after, identity(&after), walk.known);
                numbers.distance().map(|distance| (distance, decision))
            });
            if let Some((_, decision)) = distances.min_by_key(|(distance, _)| *distance) {
                return Some(decision);
            }
        }
        None
    }

    /// Searches a position of a proof once more, as the first of a line.
    fn search_again(&mut self, state: &G, known: &Winning<'_, G::Decision>) {
        self.begin_line();
        self.visit(state, known, [INFINITE; 2]);
    }
}
