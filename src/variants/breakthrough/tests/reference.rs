//! Breakthrough, compared with a second program written from the rule text.

mod slow;

use crate::base::{Color, Rng};
use crate::game::gui::GuiBoard;
use crate::game::{Decisions, Game, GenType, Notation, Rules, write_token};
use crate::notation::parse_position;
use crate::variants::breakthrough::State;
use slow::Plain;
use std::collections::BTreeMap;

/// The rules with a board of this size (R7).
fn with_board(size: &str) -> Rules {
    let mut rules = Rules::of(State::GAMES[0]);
    rules.set(State::GAMES[0], "board-size", size).unwrap();
    rules
}

#[test]
fn random_games_are_the_same_in_both_programs() {
    random_games(&Rules::default(), State::GAMES[0].start, 300);
}

#[test]
fn random_games_on_smaller_boards_are_the_same_in_both_programs() {
    for (size, start) in [
        ("6x6", "pppppp/pppppp/6/6/PPPPPP/PPPPPP w - - 0 1"),
        ("6x5", "pppppp/pppppp/6/PPPPPP/PPPPPP w - - 0 1"),
        ("5x6", "ppppp/ppppp/5/5/PPPPP/PPPPP w - - 0 1"),
        ("5x5", "ppppp/ppppp/5/PPPPP/PPPPP w - - 0 1"),
        ("4x4", "pppp/pppp/PPPP/PPPP w - - 0 1"),
    ] {
        random_games(&with_board(size), start, 100);
    }
}

#[test]
fn a_position_has_the_size_of_the_board() {
    let read = |text: &str, size| State::read(&parse_position(text).unwrap(), &with_board(size));
    let small = "ppppp/pp1pp/2p2/PPPPP/PPPPP w - - 1 2";
    assert_eq!(read(small, "5x5").unwrap().write().to_string(), small);
    assert_eq!(read(small, "6x5").unwrap_err().to_string(), "board: must be 6x5, not 5x5");
    assert_eq!(read(small, "8x8").unwrap_err().to_string(), "board: must be 8x8, not 5x5");
    // It is shown with the squares that it has, on a board of 8x8.
    let state = read(small, "5x5").unwrap();
    let shown = "********/********/********/ppppp***/pp1pp***/2p2***/PPPPP***/PPPPP*** w - - 1 2";
    assert_eq!(state.shown().to_string(), shown);
    let back = state.read_shown(&state.shown()).unwrap();
    assert_eq!(back.to_string(), small.replace("1 2", "0 1"));
}

/// Plays games from `start` in both programs.
fn random_games(rules: &Rules, start: &str, games: usize) {
    let mut ends = BTreeMap::new();
    let mut rng = Rng::new(8);
    for _ in 0..games {
        let mut state = State::start(rules);
        let mut plain = Plain::new(start);
        assert_eq!(state.write().to_string(), start);
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
