//! Games played at random, for tests and as the simplest opponent.

use super::{Actor, Chance, Decisions, Outcome, Record, Repetition};
use crate::base::Rng;

/// A random game, finished or broken off.
#[derive(Debug)]
pub struct Playout<G: Repetition> {
    /// The record of the game, decision by decision.
    pub record: Record<G>,
    /// How the game ended; `None` if it was broken off.
    pub outcome: Option<Outcome>,
}

/// Plays random decisions from `start` until the game ends or `most` decisions have been made. Chance is
/// drawn by its weights. `watch` gets every state before its decision is drawn, with the sorted list of legal
/// decisions.
pub fn playout<G: Chance + Repetition>(
    start: G,
    rng: &mut Rng,
    most: usize,
    mut watch: impl FnMut(&Record<G>, &[G::Decision]),
) -> Playout<G> {
    let mut record = Record::new(start);
    let mut list = Decisions::new();
    for _ in 0..most {
        if let Some(outcome) = record.outcome() {
            return Playout { record, outcome: Some(outcome) };
        }
        list.clear();
        record.now().sorted_decisions(&mut list);
        watch(&record, &list);
        let drawn = if record.now().actor() == Actor::Chance {
            record.now().draw(&mut |cases| rng.below(cases))
        } else {
            rng.pick(&list).copied()
        };
        match drawn {
            Some(decision) => record.play(decision),
            None => break,
        }
    }
    let outcome = record.outcome();
    Playout { record, outcome }
}
