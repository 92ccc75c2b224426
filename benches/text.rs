//! A `position` line of 200 turns, what a user's program sends before every turn: the parsers alone, then from the text to
//! the state.
#![allow(clippy::unwrap_used, missing_docs)]

mod games;

use carom::base::Rng;
use carom::game::{Decisions, Facts, GenType, Playable, Record, Rules, write_token};
use carom::notation::parse_token;
use carom::protocol::uci::{Command, Position, Start};
use carom::session;
use carom::session::chance::Chance;
use carom::variants::{self, Visitor};
use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use std::hint::black_box;

/// How many turns the line has.
const TURNS: usize = 200;

/// `position startpos moves …`: a game drawn at random, the turns that would end it left out.
fn line<G: Playable>(game: &'static Facts) -> String {
    let mut rng = Rng::new(1);
    let mut record = Record::new(games::state::<G>(game, None));
    while record.len() < TURNS {
        let mut list = Decisions::new();
        record.now().decisions(GenType::All, &mut list);
        record.play(*rng.pick(&list).unwrap());
        // Now and then every turn is a last one: the way out begins some turns earlier.
        let back = if record.outcome().is_some() { 1 + rng.below(8) } else { 0 };
        record.rewind(record.len().saturating_sub(back));
    }
    let tokens = record.decisions().enumerate().map(|(index, decision)| {
        let token = write_token(record.state_after(index).unwrap(), &[decision]);
        format!(" {token}")
    });
    format!("position startpos moves{}", tokens.collect::<String>())
}

fn parse(line: &str) -> Position<'_> {
    match Command::parse(line).unwrap().map(|parsed| parsed.message) {
        Some(Command::Position(position)) => position,
        _ => panic!("not a position: {line}"),
    }
}

/// What is measured.
#[derive(Clone, Copy)]
enum What {
    Words,
    Tokens,
    Replay,
}

struct Measure<'a, 'b>(Bencher<'a, 'b>, What);

impl Visitor for Measure<'_, '_> {
    type Output = ();

    fn visit<G: Playable>(self, game: &'static Facts) {
        let line = line::<G>(game);
        let bytes = BytesCount::new(line.len());
        match self.1 {
            What::Words => {
                self.0.counter(bytes).bench_local(|| parse(black_box(&line)).moves.iter().count());
            }
            What::Tokens => {
                let legs = |line: &str| -> usize {
                    parse(line).moves.iter().map(|token| parse_token(token).unwrap().legs.len()).sum()
                };
                assert!(legs(&line) >= TURNS);
                self.0.counter(bytes).bench_local(|| legs(black_box(&line)));
            }
            What::Replay => {
                let mut session = session::open(game, Rules::of(game), Chance::Referee);
                let mut replay = |line: &str| {
                    let position = parse(line);
                    assert_eq!(position.start, Start::Startpos);
                    session.set_up(None, &mut position.moves.iter()).unwrap();
                    session.tokens_played()
                };
                assert_eq!(replay(&line), TURNS);
                self.0.counter(ItemsCount::new(TURNS)).bench_local(|| replay(black_box(&line)));
            }
        }
    }
}

fn measure(bencher: Bencher<'_, '_>, game: &str, what: What) {
    variants::visit(game, Measure(bencher, what)).unwrap();
}

/// The line cut into words.
#[divan::bench(args = games::names())]
fn position_lines_as_words(bencher: Bencher<'_, '_>, game: &str) {
    measure(bencher, game, What::Words);
}

/// Every leg of every word parsed.
#[divan::bench(args = games::names())]
fn position_lines_as_tokens(bencher: Bencher<'_, '_>, game: &str) {
    measure(bencher, game, What::Tokens);
}

/// Turns played, from the text to the state.
#[divan::bench(args = games::names())]
fn position_lines_replayed(bencher: Bencher<'_, '_>, game: &str) {
    measure(bencher, game, What::Replay);
}

fn main() {
    games::divan().main();
}
