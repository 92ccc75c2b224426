//! A `position` line of 200 turns, what a user's program sends before every turn: the parsers alone, then from the text to
//! the state.
#![allow(clippy::unwrap_used, missing_docs)]

mod games;

use carom::base::Rng;
use carom::engine;
use carom::engine::chance::Chance;
use carom::game::{Decisions, Playable, Record, Rules, Wanted, write_token};
use carom::notation::parse_token;
use carom::protocol::uci::{Command, Position, Start};
use carom::variants::{self, Visitor};
use criterion::{Criterion, Throughput};
use std::hint::black_box;

/// How many turns the line has.
const TURNS: usize = 200;

/// `position startpos moves …`: a game drawn at random, the turns that would end it left out.
fn line<G: Playable>() -> String {
    let mut rng = Rng::new(1);
    let mut record = Record::new(games::state::<G>(None));
    while record.len() < TURNS {
        let mut list = Decisions::new();
        record.now().decisions(Wanted::All, &mut list);
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

struct Replay<'a>(&'a mut Criterion);

impl Visitor for Replay<'_> {
    type Output = ();

    fn visit<G: Playable>(self) {
        let line = line::<G>();
        let mut session =
            engine::open::<G>(Rules::default(), Chance::Referee, crossbeam_channel::unbounded().0);
        let mut replay = |line: &str| {
            let position = parse(line);
            assert_eq!(position.start, Start::Startpos);
            session.set_up(None, &mut position.moves.iter()).unwrap();
            session.tokens_played()
        };
        assert_eq!(replay(&line), TURNS);
        let legs = |line: &str| -> usize {
            parse(line).moves.iter().map(|token| parse_token(token).unwrap().legs.len()).sum()
        };
        assert!(legs(&line) >= TURNS);
        let mut group = self.0.benchmark_group("position lines");
        group.throughput(Throughput::BytesDecimal(line.len() as u64));
        group.bench_function(format!("{} as words", G::facts().name), |bencher| {
            bencher.iter(|| parse(black_box(&line)).moves.iter().count());
        });
        group.bench_function(format!("{} as tokens", G::facts().name), |bencher| {
            bencher.iter(|| legs(black_box(&line)));
        });
        group.finish();
        let mut group = self.0.benchmark_group("position line of 200 turns");
        group.throughput(Throughput::Elements(TURNS as u64));
        group.bench_function(G::facts().name, |bencher| bencher.iter(|| replay(black_box(&line))));
        group.finish();
    }
}

fn main() {
    let mut criterion = games::criterion();
    for (name, _) in games::GAMES {
        variants::visit(name, Replay(&mut criterion)).unwrap();
    }
    criterion.final_summary();
}
