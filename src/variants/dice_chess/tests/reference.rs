//! Random games in Dice Chess and in the slow program written from its rules. `CAROM_REFERENCE_POSITIONS`
//! says in how many states they are compared.

mod slow;

use crate::base::{Color, Rng};
use crate::game::{Actor, Chance, ChanceOutcomes, Decisions, Game, GenType, Notation, Rules, write_token};
use crate::notation::Leg;
use crate::variants::dice_chess::State;
use slow::Slow;
use std::collections::BTreeMap;

#[test]
fn random_games_are_the_same_in_both_programs() {
    let states = std::env::var("CAROM_REFERENCE_POSITIONS").ok().and_then(|text| text.parse().ok());
    let states = states.unwrap_or(2_000);
    let mut rng = Rng::new(3);
    let (mut seen, mut passes, mut left_out, mut en_passant) = (0, 0, 0, 0);
    let mut ends = BTreeMap::new();
    while seen < states {
        let mut fast = State::start(&Rules::default());
        let mut slow = Slow::start();
        // Players that like to move pawns and to spare the king meet more of the rules.
        let spares = rng.below(4) > 0;
        loop {
            seen += 1;
            let text = slow.text();
            assert_eq!(fast.write().to_string(), text);
            let outcome =
                fast.outcome().map(|end| (end.rule, end.winner.map(|winner| winner == Color::White)));
            assert_eq!(outcome, slow.over, "{text}");
            if let Some(end) = outcome {
                *ends.entry(end).or_insert(0) += 1;
                break;
            }
            if fast.actor() == Actor::Chance {
                let roll = fast.draw(&mut |cases| rng.below(cases)).unwrap();
                let [Leg::Roll(number)] = *fast.legs(roll).as_slice() else { panic!("{roll:?}") };
                fast.apply(roll);
                slow.roll(&number.to_string());
                passes += usize::from(slow.turns.is_empty());
                continue;
            }
            let mut list = Decisions::new();
            fast.decisions(GenType::All, &mut list);
            let mut moves: Vec<_> = list
                .iter()
                .map(|&step| (write_token(&fast, &[step]).to_string().trim_end_matches(',').to_owned(), step))
                .collect();
            moves.sort();
            assert!(
                moves.iter().map(|(text, _)| text).eq(&slow.next()),
                "{text}: {moves:?} {:?}",
                slow.next()
            );
            let mut all = Decisions::new();
            fast.moves(&mut all);
            left_out += usize::from(all.len() > list.len());
            en_passant += usize::from(moves.iter().any(|(_, step)| fast.passed >> step.to() & 1 == 1));
            if spares && moves.iter().any(|(_, step)| !fast.takes_king(*step)) {
                moves.retain(|(_, step)| !fast.takes_king(*step));
            }
            let (text, step) = rng.pick(&moves).unwrap().clone();
            fast.apply(step);
            slow.play(&text);
        }
    }
    println!(
        "{seen} states, {passes} passed turns, {left_out} with fewer moves by R5, {en_passant} en passant, {ends:?}"
    );
    // Not a comparison: each of the rare rules must have come up. The bounds were set below what these games
    // show (R5 in 1.8 % of 50,653 states, en passant in 0.6 %).
    assert!(passes > states / 200 && left_out > states / 100 && en_passant > states / 400);
}

/// The lines of a file of fixtures that begin with one of `words`, in order: the word, and what follows.
fn lines(file: &str, words: &[&str]) -> Vec<(String, String)> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(file);
    let text = std::fs::read_to_string(path).unwrap();
    let parted = text.lines().map(|line| line.split_once(' ').unwrap_or((line, "")));
    let kept = parted.filter(|(word, _)| words.contains(word));
    kept.map(|(word, rest)| (word.to_owned(), rest.to_owned())).collect()
}

#[test]
fn the_files_of_numbers_are_those_of_the_slow_program() {
    let mut slow = Slow::start();
    for (word, rest) in lines("positions/dice-chess.positions", &["position", "after", "turns"]) {
        match word.as_str() {
            "position" => slow = Slow::read(&rest),
            "after" => rest.split([' ', ',']).filter(|leg| !leg.is_empty()).for_each(|leg| {
                match leg.strip_prefix('=') {
                    Some(roll) => slow.roll(roll),
                    None => slow.play(leg),
                }
            }),
            _ => assert_eq!(
                slow.decisions().into_iter().collect::<Vec<_>>().join(" "),
                rest,
                "{}",
                slow.text()
            ),
        }
    }
    for (word, rest) in lines("perft/dice-chess.perft", &["position", "1"]) {
        match word.as_str() {
            "position" => slow = Slow::read(&rest),
            _ => assert_eq!(slow.count_turns().to_string(), rest, "{}", slow.text()),
        }
    }
}

#[test]
fn there_are_56_rolls_of_216() {
    let mut outcomes = ChanceOutcomes::new();
    State::start(&Rules::default()).outcomes(&mut outcomes);
    assert_eq!((outcomes.len(), outcomes.iter().map(|(_, ways)| ways).sum::<u32>()), (56, 216));
}
