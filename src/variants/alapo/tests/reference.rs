//! Alapo and its demotion game, compared with a second program written from the rule text.

mod slow;

use crate::base::{Color, Rng};
use crate::game::{Decisions, GenType, Notation, Playable, Record, Rules, perft, write_token};
use crate::notation::parse_position;
use crate::variants::alapo::{Demotion, Standard};
use slow::Plain;
use std::collections::BTreeMap;

const START: &str = "rlbqqblr/wsfkkfsw/8/8/8/8/WSFKKFSW/RLBQQBLR w - - 0 1";

fn read<G: Notation>(text: &str, rules: &Rules) -> G {
    G::read(&parse_position(text).unwrap(), rules).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// Plays one game in both programs, comparing lists, positions and results; counts how it went.
fn play<G: Playable>(
    (start, rules): (&str, &Rules),
    demotion: bool,
    rng: &mut Rng,
    calm: usize,
    met: &mut BTreeMap<String, u32>,
) {
    let mut plain = Plain::new(start, demotion);
    let mut record = Record::new(read::<G>(start, rules));
    let mut list = Decisions::new();
    for _ in 0..600 {
        let state = record.now();
        let text = plain.text();
        assert_eq!(state.write().to_string(), text);
        let outcome = record.outcome().map(|o| (o.winner.unwrap() == Color::White, o.rule));
        assert_eq!(outcome, plain.over, "{text}");
        if let Some((_, rule)) = outcome {
            *met.entry(rule.to_owned()).or_default() += 1;
            break;
        }
        list.clear();
        state.decisions(GenType::All, &mut list);
        let mut words: Vec<_> = list.iter().map(|&d| (write_token(state, &[d]).to_string(), d)).collect();
        words.sort();
        assert_eq!(words.iter().map(|(word, _)| word.clone()).collect::<Vec<_>>(), plain.moves(), "{text}");
        assert_eq!(state.count(), words.len() as u64, "{text}");
        // A calm player mostly goes to and fro on free squares of the middle, so that removals come about.
        let calm_words: Vec<_> = words
            .iter()
            .filter(|(word, d)| {
                let to = word.as_bytes()[word.len() - 1];
                (b'3'..=b'6').contains(&to) && state.mvv_lva(*d) == 0
            })
            .collect();
        let chosen = match rng.pick(&calm_words) {
            Some(chosen) if rng.below(100) < calm => chosen,
            _ => rng.pick(&words).unwrap(),
        };
        let (word, decision) = chosen.clone();
        let before = plain.removals;
        plain.play(&word);
        record.play(decision);
        let count =
            |what: &str, met: &mut BTreeMap<String, u32>| *met.entry(what.to_owned()).or_default() += 1;
        if plain.removals.0 > before.0 {
            count("third occurrence", met);
        }
        if plain.removals.1 > before.1 {
            count("hundredth move", met);
        }
        if !demotion && plain.over.is_none() && record.now().in_check() {
            count("runner", met);
        }
        if word.contains('@') {
            count("demotion", met);
        }
    }
}

/// A position with a few pieces of each side in the middle rows.
fn scatter(rng: &mut Rng, demotion: bool, most: usize) -> String {
    let mut cells = ['1'; 64];
    for (letters, first) in [("WFKSRBQL", "WFKS"), ("wfksrbql", "wfks")] {
        for piece in 0..1 + rng.below(most) {
            let letters: Vec<char> = if piece == 0 && demotion { first } else { letters }.chars().collect();
            let square = 8 + rng.below(48);
            if cells[square] == '1' || piece == 0 {
                cells[square] = *rng.pick(&letters).unwrap();
            }
        }
    }
    let ranks: Vec<String> = cells.chunks(8).map(|rank| rank.iter().collect()).collect();
    let side = rng.pick(&["w", "b"]).unwrap();
    let text = format!("{} {side} - - {} 7", ranks.join("/"), rng.below(100));
    // Through a board, which writes neighbouring free squares as one number.
    Plain::new(&text, demotion).text()
}

fn games<G: Playable>(demotion: bool, needed: &[&str]) {
    let mut rng = Rng::new(50 + u64::from(demotion));
    let mut met = BTreeMap::new();
    for _ in 0..20 {
        play::<G>((START, &Rules::default()), demotion, &mut rng, 0, &mut met);
    }
    for game in 0..240 {
        let calm = [0, 60, 95, 100][game % 4];
        let text = scatter(&mut rng, demotion, 1 + game % 7);
        // The second side's first piece may have replaced the first side's only one.
        let Ok(state) = G::read(&parse_position(&text).unwrap(), &Rules::default()) else { continue };
        assert_eq!(state.write().to_string(), text);
        play::<G>((&text, &Rules::default()), demotion, &mut rng, calm, &mut met);
    }
    // The games must have met what is special.
    for what in needed {
        assert!(met.get(*what).is_some_and(|&n| n >= 3), "{what} is missing: {met:?}");
    }
}

#[test]
fn standard_games_agree() {
    games::<Standard>(false, &["R6", "R10", "R14", "third occurrence", "hundredth move", "runner"]);
}

#[test]
fn demotion_games_agree() {
    games::<Demotion>(true, &["R21", "R22", "R24", "third occurrence", "hundredth move", "demotion"]);
}

/// Games from the starts of the smaller boards (R26).
fn small_games<G: Playable>(demotion: bool, needed: &[&str]) {
    let mut rng = Rng::new(60);
    let mut met = BTreeMap::new();
    for (size, start) in [
        ("6x6", "rbqqbr/wfkkfw/6/6/WFKKFW/RBQQBR w - - 0 1"),
        ("6x5", "rbqqbr/wfkkfw/6/WFKKFW/RBQQBR w - - 0 1"),
        ("5x6", "rbqbr/wfkfw/5/5/WFKFW/RBQBR w - - 0 1"),
        ("5x5", "rbqbr/wfkfw/5/WFKFW/RBQBR w - - 0 1"),
        ("4x4", "rqqr/wkkw/WKKW/RQQR w - - 0 1"),
    ] {
        let mut rules = Rules::of(G::GAMES[0]);
        rules.set(G::GAMES[0], "board-size", size).unwrap();
        assert_eq!(G::start(&rules).write().to_string(), start);
        for _ in 0..40 {
            play::<G>((start, &rules), demotion, &mut rng, 0, &mut met);
        }
        assert_eq!(Plain::new(start, demotion).perft(3), perft::turns(&G::start(&rules), 3), "{size}");
    }
    for what in needed {
        assert!(met.get(*what).is_some_and(|&n| n >= 3), "{what} is missing: {met:?}");
    }
}

#[test]
fn games_on_smaller_boards_agree() {
    small_games::<Standard>(false, &["R6", "runner"]);
    small_games::<Demotion>(true, &["R21", "R22", "demotion"]);
}

#[test]
fn counts_agree() {
    let mut rng = Rng::new(52);
    for round in 0..24 {
        let demotion = round % 2 == 1;
        let text = scatter(&mut rng, demotion, 6);
        let position = parse_position(&text).unwrap();
        let fast = if demotion {
            Demotion::read(&position, &Rules::default()).map(|state| perft::turns(&state, 3))
        } else {
            Standard::read(&position, &Rules::default()).map(|state| perft::turns(&state, 3))
        };
        let Ok(count) = fast else { continue };
        assert_eq!(Plain::new(&text, demotion).perft(3), count, "{text}");
    }
}
