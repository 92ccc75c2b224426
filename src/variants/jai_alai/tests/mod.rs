//! The rules under test: worked positions, every numbered rule, set-ups, random games, fixtures.

mod check_positions;
mod ends;
mod fixtures;
mod games;
mod page;
mod reference;
mod rules;
mod setups;

use super::geometry::{OFF, bit, name};
use super::{FACTS, State};
use crate::base::Color;
use crate::game::{Decisions, Game, GenType, Notation, Rules, read_token, write_token};
use crate::notation::{parse_position, parse_token};

fn rules(switches: &[(&str, &str)]) -> Rules {
    let mut rules = Rules::default();
    for (name, value) in switches {
        rules.set(&FACTS, name, value).unwrap();
    }
    rules
}

fn at(text: &str) -> State {
    State::read(&parse_position(text).unwrap(), &Rules::default()).unwrap()
}

/// The same with first legs of no length allowed.
fn at_once(text: &str) -> State {
    State::read(&parse_position(text).unwrap(), &rules(&[("minimum-first-leg", "0")])).unwrap()
}

fn listed(position: &State) -> Decisions<super::Action> {
    let mut list = Decisions::new();
    position.decisions(GenType::All, &mut list);
    list
}

/// All legal turns, sorted.
fn turns(position: &State) -> Vec<String> {
    let mut turns: Vec<_> =
        listed(position).iter().map(|&a| write_token(position, &[a]).to_string()).collect();
    turns.sort();
    turns
}

/// What the piece on `from` can do, sorted: `b3` quiet, `xb3` by displacement, `b3xb4` a Deer's capture.
fn moves(position: &State, from: &str) -> String {
    let mut moves: Vec<_> = listed(position)
        .iter()
        .filter(|action| action.from().map(name).as_deref() == Some(from))
        .map(|action| match action.victim_ahead() {
            Some(victim) => format!("{}x{}", name(action.to()), name(victim)),
            None if position.board.occupied() & bit(action.to()) != 0 => format!("x{}", name(action.to())),
            None => name(action.to()),
        })
        .collect();
    moves.sort();
    moves.join(" ")
}

fn sorted(words: &str) -> String {
    let mut words: Vec<_> = words.split_whitespace().collect();
    words.sort_unstable();
    words.join(" ")
}

#[track_caller]
fn expect_moves(text: &str, from: &str, expected: &str) {
    assert_eq!(moves(&at(text), from), sorted(expected), "{from} in {text}");
}

/// The position after `tokens`, all of them legal.
#[track_caller]
fn after(position: &State, tokens: &str) -> State {
    tokens.split_whitespace().fold(*position, |position, token| {
        read_token(&position, &parse_token(token).unwrap()).unwrap_or_else(|e| panic!("{token}: {e}")).after
    })
}

/// Why `token` is refused.
#[track_caller]
fn refusal(position: &State, token: &str) -> String {
    match read_token(position, &parse_token(token).unwrap()) {
        Ok(_) => panic!("{token} is legal"),
        Err(illegal) => illegal.reason,
    }
}

#[track_caller]
fn allowed(position: &State, token: &str) -> bool {
    read_token(position, &parse_token(token).unwrap()).is_ok()
}

fn text(position: &State) -> String {
    position.write().to_string()
}

/// The rule and the result of a finished game.
fn ended(position: &State) -> Option<(&'static str, Option<Color>)> {
    position.outcome().map(|outcome| (outcome.rule, outcome.winner))
}
