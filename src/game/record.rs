//! A game in progress: the states it went through, and the effect of the repetition rule.

use super::{Actor, Game, Outcome, Repetition};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

/// A game from its first position to the present one.
#[derive(Clone, Debug)]
pub struct Record<G: Game> {
    stages: Vec<Stage<G>>,
    /// The repetition keys of all stages that have one, in order.
    keys: Vec<u64>,
    /// The indices in `keys` of each key, ascending, so that an occurrence is found fast however long the
    /// game is.
    places: HashMap<u64, Vec<usize>>,
}

#[derive(Clone, Debug)]
struct Stage<G: Game> {
    state: G,
    /// The decision that led here; `None` for the first stage.
    decision: Option<G::Decision>,
    /// True when it has a key that the repetition rule compares.
    keyed: bool,
    /// The result, if repetition ended the game here.
    repeated: Option<Outcome>,
}

impl<G: Repetition> Record<G> {
    /// A game that begins with `start`; this counts as the first occurrence of its position.
    pub fn new(start: G) -> Self {
        let mut record = Self { stages: Vec::new(), keys: Vec::new(), places: HashMap::new() };
        record.push(start, None, None);
        record
    }

    fn push(&mut self, state: G, decision: Option<G::Decision>, repeated: Option<Outcome>) {
        let key = state.repetition().map(|r| r.key);
        if let Some(key) = key {
            self.places.entry(key).or_default().push(self.keys.len());
            self.keys.push(key);
        }
        self.stages.push(Stage { state, decision, keyed: key.is_some(), repeated });
    }

    fn pop(&mut self) {
        if self.stages.pop().is_some_and(|stage| stage.keyed)
            && let Some(key) = self.keys.pop()
            && let Entry::Occupied(mut places) = self.places.entry(key)
        {
            places.get_mut().pop();
            if places.get().is_empty() {
                places.remove();
            }
        }
    }

    /// The present state.
    pub fn now(&self) -> &G {
        &self.last().state
    }

    /// The first state.
    pub fn start(&self) -> &G {
        &self.stages[0].state
    }

    /// The number of decisions that have been made.
    pub fn len(&self) -> usize {
        self.stages.len() - 1
    }

    /// True before the first decision.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All decisions so far, in order.
    pub fn decisions(&self) -> impl Iterator<Item = G::Decision> + '_ {
        self.stages.iter().filter_map(|stage| stage.decision)
    }

    /// The decisions with these numbers, counted from 0, as far as they have been made.
    pub fn decisions_in(&self, numbers: Range<usize>) -> Vec<G::Decision> {
        let mut found = Vec::new();
        for number in numbers.start..numbers.end.min(self.len()) {
            found.extend(self.stages[number + 1].decision);
        }
        found
    }

    /// The state after the first `decisions` decisions; `None` beyond the present.
    pub fn state_after(&self, decisions: usize) -> Option<&G> {
        self.stages.get(decisions).map(|stage| &stage.state)
    }

    /// True when a turn begins after the first `decisions` decisions: there, or with the roll that was the last
    /// of them.
    pub fn begins_turn(&self, decisions: usize) -> bool {
        let rolled = decisions.checked_sub(1).and_then(|before| self.state_after(before));
        rolled.is_some_and(G::begins_with_chance) || self.state_after(decisions).is_some_and(G::between_turns)
    }

    /// Carries out a legal decision, and applies the repetition rule to the new position.
    pub fn play(&mut self, decision: G::Decision) {
        let mut state = self.now().clone();
        state.apply(decision);
        let mut repeated = None;
        if let Some(repetition) = state.repetition()
            && state.actor() != Actor::Nobody
        {
            let times = 1 + self.occurrences(repetition.key, repetition.span);
            // What ends the game on the board comes before repetition (mate before a third occurrence).
            if times >= 2 && state.outcome().is_none() {
                repeated = state.on_occurrence(times);
            }
        }
        self.push(state, Some(decision), repeated);
    }

    /// Takes back the last decision; false at the start.
    pub fn undo(&mut self) -> bool {
        let possible = !self.is_empty();
        if possible {
            self.pop();
        }
        possible
    }

    /// Goes back to the state after the first `decisions` decisions; does nothing if there are no more than
    /// that.
    pub fn rewind(&mut self, decisions: usize) {
        while self.len() > decisions {
            self.pop();
        }
    }

    /// How the game ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.last().repeated.or_else(|| self.now().outcome())
    }

    /// The repetition keys of the positions that may still recur, oldest first, including the present one; in
    /// the middle of a turn, those of the turn's beginning. This is what a search needs of the past.
    pub fn recent_keys(&self) -> Vec<u64> {
        let latest = self.stages.iter().rev().find_map(|stage| stage.state.repetition());
        let span = latest.map_or(0, |r| r.span) as usize;
        self.keys[self.keys.len().saturating_sub(span + 1)..].to_vec()
    }

    fn occurrences(&self, key: u64, span: u32) -> u32 {
        let first = self.keys.len().saturating_sub(span as usize);
        self.places
            .get(&key)
            .map_or(0, |places| places.len() - places.partition_point(|&place| place < first)) as u32
    }

    fn last(&self) -> &Stage<G> {
        &self.stages[self.stages.len() - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Decisions, GenType, Notation, Rules};
    use super::*;
    use crate::base::Rng;
    use crate::game::tests::sample_game::Duel;

    #[test]
    fn occurrences_are_those_within_the_span_however_the_game_went_forward_and_back() {
        let (mut most, mut taken_back) = (0, 0);
        for seed in 0..40 {
            let mut rng = Rng::new(seed);
            let mut record = Record::new(Duel::start(&Rules::default()));
            for _ in 0..300 {
                let mut list = Decisions::new();
                record.now().decisions(GenType::All, &mut list);
                match rng.pick(&list) {
                    Some(&decision) if rng.below(12) > 0 => record.play(decision),
                    _ => {
                        taken_back += 1;
                        let left = record.len().saturating_sub(rng.below(9));
                        record.rewind(left);
                        assert_eq!(record.len(), left);
                    }
                }
                let keys: Vec<u64> = record
                    .stages
                    .iter()
                    .filter_map(|stage| stage.state.repetition())
                    .map(|r| r.key)
                    .collect();
                for span in [0, 1, 2, 5, 40, u32::MAX] {
                    for &key in keys.iter().rev().take(4) {
                        let recent = keys.iter().rev().take(span as usize);
                        let walked = recent.filter(|&&earlier| earlier == key).count();
                        assert_eq!(record.occurrences(key, span) as usize, walked, "seed {seed}");
                        most = most.max(walked);
                    }
                }
            }
        }
        assert!(most >= 3 && taken_back > 100);
    }
}
