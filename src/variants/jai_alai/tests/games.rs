//! Random games, looked at in every state. `CAROM_RANDOM_GAMES` says how many (40 if it is not set).

use super::*;
use crate::base::{Bits, Rng, score};
use crate::game::{Actor, Evaluation, Playout, Record, playout};
use crate::notation::{Cell, Position};
use crate::variants::jai_alai::{Action, Kind};
use std::collections::{BTreeMap, HashSet};

/// Where a runner breaks a game off.
const CAP: usize = 5_000;

fn wanted_games() -> u64 {
    std::env::var("CAROM_RANDOM_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(40)
}

#[test]
fn every_state_of_random_games() {
    let mut ends = BTreeMap::new();
    for game in 0..wanted_games() {
        let layout = ["standard", "alt-1", "alt-2", "alt-3"][game as usize % 4];
        let leg = if game % 3 == 2 { "0" } else { "1" };
        let rules = rules(&[("layout", layout), ("minimum-first-leg", leg)]);
        let mut editor = Rng::new(1_000_000 + game);
        let Playout { record, outcome } =
            playout(State::start(&rules), &mut Rng::new(game), CAP, |record, list| {
                look_at(record.now(), list, &rules);
                if record.len() % 16 == 5 {
                    no_edit_is_legal(record.now(), list, &mut editor);
                }
            });
        texts_replay(&record);
        let end = outcome.map_or("broken off", |outcome| outcome.rule);
        assert!(outcome.is_some() || record.len() == CAP);
        *ends.entry(end).or_insert(0) += 1;
    }
    let games: i32 = ends.values().sum();
    assert_eq!(games as u64, wanted_games(), "{ends:?}");
    let named = ["R72", "R73", "R75", "R76", "R77", "broken off"];
    assert!(ends.keys().all(|rule| named.contains(rule)), "{ends:?}");
}

/// All that must hold of any position.
fn look_at(position: &State, list: &[Action], rules: &Rules) {
    let text = text(position);
    let different: HashSet<_> = list.iter().collect();
    assert_eq!(different.len(), list.len(), "{text}");
    assert_eq!(position.count(), list.len() as u64, "{text}");
    let again = State::read(&parse_position(&text).unwrap(), rules).unwrap();
    assert_eq!(again.write().to_string(), text);
    assert_eq!((again.key(), again.board), (position.key(), position.board), "{text}");
    // One King and at most one Reducer a side, no more pieces than promotion makes, one piece a square.
    for color in Color::ALL {
        for kind in Kind::ALL {
            let count = position.board.of(color, kind).count_ones();
            assert!(count <= kind.most() && (count == 1 || kind != Kind::King), "{text}");
        }
    }
    let pieces: u32 = Kind::ALL.iter().map(|kind| position.board.kind(*kind).count_ones()).sum();
    assert_eq!(pieces, position.board.occupied().count_ones(), "{text}");
    assert_eq!(position.board.pieces(Color::White) & position.board.pieces(Color::Black), 0, "{text}");
    // R71, R78.
    assert!(!position.attacked(!position.side), "{text}");
    noisy_ones_are_listed(position, list);
    applied(position, list);
    mirrored(position, list, rules);
}

fn noisy_ones_are_listed(position: &State, list: &[Action]) {
    let mut noisy = Decisions::new();
    position.decisions(GenType::Noisy, &mut noisy);
    noisy.sort_unstable();
    let expected: Vec<_> = list
        .iter()
        .filter(|action| {
            let enemies = position.board.pieces(!position.side);
            let takes = action.victim_ahead().is_some() || enemies & bit(action.to()) != 0;
            let kind = action.from().and_then(|from| position.board.kind_at(from));
            let last = matches!((position.side, action.to()), (Color::White, 63..) | (Color::Black, ..9));
            takes || (kind == Some(Kind::Boy) && last) || position.in_check()
        })
        .collect();
    assert_eq!(noisy.iter().collect::<Vec<_>>(), expected, "{}", text(position));
}

/// Every listed action can be carried out: one piece goes or none, nothing grows, the evaluation stays in its
/// bounds.
fn applied(position: &State, list: &[Action]) {
    let before = [Color::White, Color::Black].map(|color| position.owned(color));
    for action in list {
        let mut after = *position;
        after.apply(*action);
        let lost: u32 = [Color::White, Color::Black]
            .iter()
            .zip(before)
            .map(|(color, owned)| owned - after.owned(*color))
            .sum();
        let victim = action.victim_ahead().unwrap_or(action.to());
        let taken = position.board.occupied() & bit(victim) != 0;
        assert_eq!(lost, u32::from(taken), "{action:?} in {}", text(position));
        assert!(after.static_eval().abs() < score::SURE_WIN / 2);
        assert!(position.history_index(*action) < State::HISTORY_SIZE);
        let enemy = position.board.pieces(!position.side) & bit(victim) != 0;
        assert_eq!(
            position.mvv_lva(*action) > 0,
            enemy || promotes(position, *action),
            "{action:?} in {}",
            text(position)
        );
        assert_eq!(after.side, !position.side);
        assert!(after.actor() == Actor::Nobody || after.actor() == Actor::Player(after.side));
    }
}

fn promotes(position: &State, action: Action) -> bool {
    let kind = action.from().and_then(|from| position.board.kind_at(from));
    let rank = action.to() / 9;
    kind == Some(Kind::Boy) && rank == if position.side == Color::White { 7 } else { 0 }
}

/// Left and right exchanged, and the colours with top and bottom: the lists must be the same pictures.
fn mirrored(position: &State, list: &[Action], rules: &Rules) {
    let flip_files = |square: u8| square / 9 * 9 + 8 - square % 9;
    let flip_ranks = |square: u8| (7 - square / 9) * 9 + square % 9;
    for (swap, map) in [(false, &flip_files as &dyn Fn(u8) -> u8), (true, &flip_ranks)] {
        let original = position.write();
        let mut image = original.clone();
        for square in 0..72_u8 {
            let cell = original.placement.at(square % 9, square / 9);
            let cell = match cell {
                Cell::Piece { letter, plus } if swap => Cell::Piece { letter: letter ^ 0x20, plus },
                other => other,
            };
            image.placement.set(map(square) % 9, map(square) / 9, cell);
        }
        if swap {
            swap_sides(&mut image);
        }
        let image = State::read(&image, rules).unwrap();
        let mut expected: Vec<_> = list
            .iter()
            .map(|action| match (action.from(), action.victim_ahead()) {
                (None, _) => Action::step(OFF, map(action.to())),
                (Some(from), None) => Action::step(map(from), map(action.to())),
                (Some(from), Some(_)) => Action::approach(map(from), map(action.to())),
            })
            .collect();
        expected.sort_unstable();
        let mut found = listed(&image);
        found.sort_unstable();
        assert_eq!(found.as_slice(), expected, "{}", text(position));
        let sign = if swap { -1 } else { 1 };
        assert_eq!(image.classical_eval(), sign * position.classical_eval(), "{}", text(position));
        // The network tells left from right.
        if swap {
            assert_eq!(image.static_eval(), -position.static_eval(), "{}", text(position));
        }
        assert_eq!(image.in_check(), position.in_check(), "{}", text(position));
    }
}

fn swap_sides(image: &mut Position) {
    for (letter, _) in image.hand.iter_mut().flatten() {
        *letter ^= 0x20;
    }
    image.fields[0] = if image.fields[0] == "w" { "b".into() } else { "w".into() };
}

/// Every text that differs from a listed one in one place is refused, unless it is listed itself.
fn no_edit_is_legal(position: &State, list: &[Action], rng: &mut Rng) {
    let tokens: HashSet<_> = list
        .iter()
        .map(|action| write_token(position, &[*action]).to_string().to_ascii_lowercase())
        .collect();
    let Some(chosen) = rng.pick(list) else { return };
    let token = write_token(position, &[*chosen]).to_string();
    assert_eq!(after(position, &token).key(), after(position, &token.to_ascii_uppercase()).key());
    for edited in edits(&token) {
        // A comma at the end says that more follows; whether it may is not for the game to say.
        if tokens.contains(&edited.to_ascii_lowercase()) || edited.ends_with(',') {
            continue;
        }
        let Ok(tree) = parse_token(&edited) else { continue };
        let reading = read_token(position, &tree);
        assert!(reading.is_err(), "{edited} (from {token}) is read in {}", text(position));
        let reason = reading.map_or_else(|illegal| illegal.reason, |_| String::new());
        assert!(!reason.is_empty() && !reason.ends_with('.'), "{edited}: {reason}");
    }
}

fn edits(token: &str) -> Vec<String> {
    const ALPHABET: &str = "abcdefghijk0123456789tTsSx@,-=+?";
    let mut edits = Vec::new();
    for place in 0..=token.len() {
        let (head, tail) = token.split_at(place);
        edits.extend(ALPHABET.chars().map(|letter| format!("{head}{letter}{tail}")));
        if let Some(rest) = tail.get(1..) {
            edits.push(format!("{head}{rest}"));
            edits.extend(ALPHABET.chars().map(|letter| format!("{head}{letter}{rest}")));
        }
    }
    edits
}

/// The tokens of the whole game lead to its end again.
fn texts_replay(record: &Record<State>) {
    let mut position = *record.start();
    for (index, action) in record.decisions().enumerate() {
        let token = write_token(&position, &[action]).to_string();
        let reading = read_token(&position, &parse_token(&token).unwrap()).unwrap();
        assert_eq!(reading.decisions.as_slice(), [action]);
        position = reading.after;
        assert_eq!(Some(&position), record.state_after(index + 1));
    }
}

/// Simulated annealing over all armies that can be set up found nothing with more actions than this (twelve
/// runs of 300,000 steps).
#[test]
fn lists_have_room() {
    let position = at("2k1S1B1G/R8/2S1S1S1S/9/1A2M1S1M/8A/2S3B1K/2G1D1D2[TTTTtttt] w 0 1");
    assert_eq!(position.count(), 412);
    assert_eq!(listed(&position).len(), 412);
    assert_eq!(Bits(position.board.kind(Kind::Superball)).count(), 7);
}
