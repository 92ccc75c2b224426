//! Turns and positions: the grammar, and what the games make of it.

use carom::base::{Color, Rng, score};
use carom::game::{Decisions, Facts, GenType, Playable, Rules, read_token, write_token};
use carom::notation::{SyntaxError, parse_coordinate, parse_position, parse_token};
use carom::variants::{self, Visitor};

/// No game needs longer texts.
const LONGEST: usize = 4096;
/// How many decisions of a position are tried.
const TRIED: usize = 40;

/// The first line may name a game and rule switches; then the second is a position of it and the others are turns.
/// Otherwise every line is a turn, a position and a square.
pub fn text(data: &[u8]) {
    let text = String::from_utf8_lossy(&data[..data.len().min(LONGEST)]);
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let (game, switches) = first.split_once(' ').unwrap_or((first, ""));
    if variants::find(game).is_ok() {
        let position = lines.next().unwrap_or_default();
        let turns: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
        variants::visit(game, Play { switches, position, turns }).unwrap();
    } else {
        text.split(['\n', '\r']).for_each(grammar);
    }
}

/// What is read is written so that it is read again; what is refused is refused with a place and in words.
fn grammar(text: &str) {
    match parse_token(text) {
        Ok(token) => {
            let written = token.to_string();
            assert_eq!(parse_token(&written).as_ref(), Ok(&token), "{text:?}");
            assert_eq!(parse_token(&written.to_ascii_lowercase()).as_ref(), Ok(&token), "{text:?}");
        }
        Err(error) => explained(text, &error),
    }
    match parse_position(text) {
        Ok(position) => assert_eq!(parse_position(&position.to_string()), Ok(position), "{text:?}"),
        Err(error) => explained(text, &error),
    }
    match parse_coordinate(text) {
        Ok(square) => assert_eq!(parse_coordinate(&square.to_string()), Ok(square)),
        Err(error) => explained(text, &error),
    }
}

fn explained(text: &str, error: &SyntaxError) {
    assert!(
        (1..=text.len() + 1).contains(&error.column) && text.is_char_boundary(error.column - 1),
        "{text:?}: {error}"
    );
    assert!(error.expected != "something else" && error.found.len() < 200, "{text:?}: {error}");
}

struct Play<'a> {
    switches: &'a str,
    position: &'a str,
    turns: Vec<&'a str>,
}

impl Visitor for Play<'_> {
    type Output = ();

    fn visit<G: Playable>(self, game: &'static Facts) {
        let mut rules = Rules::of(game);
        for switch in self.switches.split_whitespace() {
            let (name, value) = switch.split_once('=').unwrap_or((switch, ""));
            // One that does not exist is a refusal like any other.
            drop(rules.set(game, name, value));
        }
        let state = match self.position {
            "startpos" => Ok(G::start(&rules)),
            text => match parse_position(text) {
                Ok(position) => G::read(&position, &rules),
                Err(error) => return explained(text, &error),
            },
        };
        let mut state = match state {
            Ok(state) => state,
            Err(refusal) => return assert!(!refusal.field.is_empty() && !refusal.reason.is_empty()),
        };
        sound(&state, &rules);
        for turn in self.turns {
            let Ok(token) = parse_token(turn) else { continue };
            match read_token(&state, &token) {
                Ok(reading) => {
                    state = reading.after;
                    sound(&state, &rules);
                }
                Err(refusal) => assert!(!refusal.reason.is_empty() && refusal.legs_read <= token.legs.len()),
            }
        }
    }
}

/// What holds for every legal position, between turns or in the middle of one.
fn sound<G: Playable>(state: &G, rules: &Rules) {
    let written = state.write().to_string();
    let name = state.facts().name;
    let place = || format!("{name} {rules:?} {written}");
    assert!(state.static_eval().abs() < score::SURE_WIN, "{}: {}", place(), state.static_eval());
    let mut list = Decisions::new();
    state.decisions(GenType::All, &mut list);
    assert_eq!(state.count(), list.len() as u64, "{}", place());
    let mut sorted = list.clone();
    sorted.sort_unstable();
    assert!(sorted.windows(2).all(|pair| pair[0] != pair[1]), "{}: a decision is listed twice", place());
    assert!(!list.is_empty() || state.outcome().is_some(), "{}: nothing to do, and not over", place());
    let mut noisy = Decisions::new();
    state.decisions(GenType::Noisy, &mut noisy);
    for decision in &noisy {
        assert!(sorted.binary_search(decision).is_ok(), "{}: {decision:?} is noisy and not legal", place());
    }
    for color in [Color::White, Color::Black] {
        let view = state.view(color);
        assert!(parse_position(&view.write().to_string()).is_ok(), "{}", place());
        let sample = view.sample(&mut Rng::new(1));
        assert_eq!(sample.write().placement, view.write().placement, "{}: as {color:?} guesses", place());
        assert_eq!(view.view(color).write(), view.write(), "{}: seen by {color:?} twice", place());
    }
    if state.between_turns() && state.outcome().is_none() {
        let again = G::read(&parse_position(&written).unwrap(), rules);
        match again {
            Ok(again) => {
                assert_eq!(again.write().to_string(), written, "{}", place());
                assert_eq!(again.count(), state.count(), "{}", place());
                assert_eq!(again.key(), state.key(), "{}", place());
            }
            Err(refusal) => panic!("{}: {refusal}", place()),
        }
    }
    let step = list.len().div_ceil(TRIED).max(1);
    for &decision in list.iter().step_by(step) {
        let mut after = state.clone();
        after.apply(decision);
        let token = write_token(state, &[decision]);
        if token.legs.is_empty() {
            continue;
        }
        let text = token.to_string();
        assert_eq!(parse_token(&text).as_ref(), Ok(&token), "{}", place());
        match read_token(state, &token) {
            Ok(reading) => assert_eq!(reading.after.key(), after.key(), "{}: {text}", place()),
            Err(refusal) => panic!("{}: {text}: {refusal}", place()),
        }
    }
}
