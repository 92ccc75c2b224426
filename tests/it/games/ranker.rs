//! `carom train-ranker`: which steps of a turn are worth following is learned from those that were chosen.
use carom::base::{Color, Rng, key_for};
use carom::game::step_ranker::StepRanker;
use carom::game::{Actor, Decisions, Evaluation, Game, Notation, Record, Rules};
use carom::training::games::PlayedGame;
use carom::training::ranker::{Accuracy, RankerProgress, RankerSettings, train_ranker};
use carom::variants::hanniball::State;
use std::process::Command;

const SIZE: (usize, usize) = (State::BUCKETS, State::INPUTS);

/// What the players of these games think of a board: every input has a worth that no evaluation knows.
fn worth(state: &State, player: Color) -> i64 {
    let mut sum = 0;
    state.inputs(|side, input| {
        if side == player {
            sum += (key_for(9, input as u64) % 2_001) as i64 - 1_000;
        }
    });
    sum
}

/// A game in which every other decision is drawn, and the others lead to the board with the greatest worth.
fn played(seed: u64, rules: &Rules) -> PlayedGame {
    let mut rng = Rng::new(seed);
    let mut record = Record::new(State::start(rules));
    let mut decisions = Vec::new();
    while decisions.len() < 150 {
        let state = record.now();
        let Actor::Player(player) = state.actor() else { break };
        let mut list = Decisions::new();
        state.sorted_decisions(&mut list);
        let drawn = rng.below(2) == 0;
        let best = (0..list.len()).max_by_key(|&number| worth(&state.after(list[number]), player));
        let number = if drawn { rng.below(list.len()) } else { best.unwrap() };
        let decision = list[number];
        decisions.push((number as u16, (!drawn).then_some(0)));
        record.play(decision);
    }
    PlayedGame { name: "hanniball".to_owned(), points: 1, decisions }
}

fn learned(games: &[(PlayedGame, Rules)], seed: u64) -> (StepRanker, Vec<Accuracy>) {
    let mut epochs = Vec::new();
    let settings = RankerSettings { epochs: 3, rate: 0.1, seed };
    let ranker = train_ranker::<State>(games, settings, |step| {
        if let RankerProgress::Epoch { unseen, .. } = step {
            epochs.push(unseen);
        }
    });
    (ranker.unwrap(), epochs)
}

#[test]
fn what_the_players_looked_for_is_learned() {
    let rules = Rules::of(State::GAMES[0]);
    let games: Vec<_> = (1..81).map(|seed| (played(seed, &rules), rules.clone())).collect();
    let (ranker, epochs) = learned(&games, 1);
    let [first, .., last] = epochs.as_slice() else { panic!("{epochs:?}") };
    assert!(last.choices > 50 && last.loss < first.loss, "{epochs:?}");
    assert!(last.first > 4 * last.first_by_terms, "{epochs:?}");
    assert!(2 * last.first > last.choices, "{epochs:?}");
    assert_eq!(learned(&games, 1).0, ranker);
    assert_ne!(learned(&games, 2).0, ranker);
}

#[test]
fn a_ranker_is_read_again_and_a_damaged_one_is_refused() {
    let bytes = State::step_ranker().unwrap().to_bytes();
    assert_eq!(StepRanker::from_bytes(&bytes, SIZE).as_ref(), State::step_ranker());
    for place in [0, 17, bytes.len() / 2, bytes.len() - 1] {
        let mut changed = bytes.clone();
        changed[place] ^= 1;
        assert!(StepRanker::from_bytes(&changed, SIZE).is_none(), "byte {place}");
    }
    assert!(StepRanker::from_bytes(&bytes[..bytes.len() - 2], SIZE).is_none());
    assert!(StepRanker::from_bytes(&[], SIZE).is_none());
    assert!(StepRanker::from_bytes(&bytes, (SIZE.0, SIZE.1 + 1)).is_none());
}

#[test]
fn games_whose_turns_have_one_step_are_refused() {
    let output = Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(["train-ranker", "alapo", "-o", "/nonexistent/ranker"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("a turn of alapo has one step"), "{said}");
}

#[test]
fn games_by_other_rules_are_left_out_and_counted() {
    let rules = Rules::of(State::GAMES[0]);
    let mut other = played(2, &rules);
    other.decisions[40].0 = u16::MAX;
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (games, ranker) = (folder.join("ranked.games"), folder.join("steps.ranker"));
    std::fs::write(&games, [played(1, &rules).to_bytes(), other.to_bytes()].concat()).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(["train-ranker", "hanniball", "--epochs", "1", "-o"])
        .args([&ranker, &games])
        .output()
        .unwrap();
    assert!(output.status.success());
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("left out, as they were played by other rules: 1 games"), "{said}");
    assert!(StepRanker::from_bytes(&std::fs::read(&ranker).unwrap(), SIZE).is_some());
}
