//! Breakthrough, compared with a second program written from the rule text.

mod slow;

use crate::base::{Color, Rng};
use crate::game::{Decisions, Facts, Game, GenType, Notation, Rules, write_token};
use crate::variants::breakthrough::State;
use slow::Plain;
use std::collections::BTreeMap;

#[test]
fn random_games_are_the_same_in_both_programs() {
    let facts: &Facts = State::GAMES[0];
    let mut ends = BTreeMap::new();
    let mut rng = Rng::new(8);
    for _ in 0..300 {
        let mut state = State::start(&Rules::default());
        let mut plain = Plain::new(facts.start);
        loop {
            let mut list = Decisions::new();
            state.decisions(GenType::All, &mut list);
            let mut words: Vec<_> =
                list.iter().map(|&d| (write_token(&state, &[d]).to_string(), d)).collect();
            words.sort();
            let text = state.write();
            assert!(words.iter().map(|(word, _)| word).eq(&plain.moves()), "{text}");
            let outcome = state.outcome().map(|end| (end.rule, end.winner == Some(Color::White)));
            assert_eq!(outcome, plain.over(), "{text}");
            if let Some((rule, white)) = outcome {
                *ends.entry((rule, white)).or_insert(0) += 1;
                break;
            }
            // A player that likes to capture meets both ends.
            let takes: Vec<_> = words
                .iter()
                .filter(|(_, decision)| {
                    let mut after = state;
                    after.apply(*decision);
                    after.write().fields[3] == "0"
                })
                .collect();
            let (word, decision) =
                rng.pick(&takes).copied().unwrap_or_else(|| rng.pick(&words).unwrap()).clone();
            state.apply(decision);
            plain.play(&word);
        }
    }
    assert!(ends.len() >= 3, "{ends:?}");
}
