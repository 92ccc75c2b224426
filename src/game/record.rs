//! A game in progress: the states it went through and what repetition makes of them.

use super::{Actor, Game, Outcome};

/// A game from its first position to now.
#[derive(Clone, Debug)]
pub struct Record<G: Game> {
    stages: Vec<Stage<G>>,
}

#[derive(Clone, Debug)]
struct Stage<G: Game> {
    state: G,
    /// The decision that led here; `None` for the first stage.
    decision: Option<G::Decision>,
    /// The key the repetition rule compares, where there is one.
    key: Option<u64>,
    /// The game ended by repetition.
    repeated: Option<Outcome>,
}

impl<G: Game> Record<G> {
    /// A game that begins with `start`; its position counts as occurring for the first time.
    pub fn new(start: G) -> Self {
        let key = start.repetition().map(|r| r.key);
        Self { stages: vec![Stage { state: start, decision: None, key, repeated: None }] }
    }

    /// The present state.
    pub fn now(&self) -> &G {
        &self.last().state
    }

    /// The first state.
    pub fn start(&self) -> &G {
        &self.stages[0].state
    }

    /// How many decisions have been made.
    pub fn len(&self) -> usize {
        self.stages.len() - 1
    }

    /// True before the first decision.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All decisions so far.
    pub fn decisions(&self) -> impl Iterator<Item = G::Decision> + '_ {
        self.stages.iter().filter_map(|stage| stage.decision)
    }

    /// The state after the first `decisions` of them.
    pub fn state_after(&self, decisions: usize) -> Option<&G> {
        self.stages.get(decisions).map(|stage| &stage.state)
    }

    /// Carries out a legal decision and what the repetition rule makes of the new position.
    pub fn play(&mut self, decision: G::Decision) {
        let mut state = self.now().clone();
        state.apply(decision);
        let mut repeated = None;
        if let Some(repetition) = state.repetition()
            && state.actor() != Actor::Nobody
        {
            let times = 1 + self.occurrences(repetition.key, repetition.span);
            // What ends the game on the board goes before repetition (mate before a third occurrence).
            if times >= 2 && state.outcome().is_none() {
                repeated = state.on_occurrence(times);
            }
        }
        let key = state.repetition().map(|r| r.key);
        self.stages.push(Stage { state, decision: Some(decision), key, repeated });
    }

    /// Takes back the last decision; false at the start.
    pub fn undo(&mut self) -> bool {
        let possible = !self.is_empty();
        if possible {
            self.stages.pop();
        }
        possible
    }

    /// Goes back to the state after the first `decisions` decisions; beyond the present nothing happens.
    pub fn rewind(&mut self, decisions: usize) {
        self.stages.truncate(decisions + 1);
    }

    /// How the game ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.last().repeated.or_else(|| self.now().outcome())
    }

    /// The repetition keys of earlier positions that the present one may still meet again, oldest first, the present
    /// one included. In the middle of a turn, those the turn began with. What a search needs of the past.
    pub fn recent_keys(&self) -> Vec<u64> {
        let latest = self.stages.iter().rev().find_map(|stage| stage.state.repetition());
        let span = latest.map_or(0, |r| r.span) as usize;
        let mut keys: Vec<u64> = self.stages.iter().rev().filter_map(|s| s.key).take(span + 1).collect();
        keys.reverse();
        keys
    }

    fn occurrences(&self, key: u64, span: u32) -> u32 {
        let earlier = self.stages.iter().rev().filter_map(|stage| stage.key).take(span as usize);
        earlier.filter(|earlier| *earlier == key).count() as u32
    }

    fn last(&self) -> &Stage<G> {
        &self.stages[self.stages.len() - 1]
    }
}
