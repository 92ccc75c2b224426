//! A `position` line of 200 turns, from the text to the state: what a user's program sends before every turn.
#![allow(clippy::unwrap_used, missing_docs)]

mod games;

use carom::base::Rng;
use carom::engine;
use carom::engine::chance::Chance;
use carom::game::{Decisions, Playable, Record, Rules, Wanted, write_token};
use carom::protocol::uci::{Command, Start};
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

struct Replay<'a>(&'a mut Criterion);

impl Visitor for Replay<'_> {
    type Output = ();

    fn visit<G: Playable>(self) {
        let line = line::<G>();
        let mut session =
            engine::open::<G>(Rules::default(), Chance::Referee, crossbeam_channel::unbounded().0);
        let mut replay = |line: &str| {
            let Some(Command::Position(position)) = Command::parse(line).unwrap().map(|p| p.message) else {
                panic!("not a position: {line}");
            };
            assert_eq!(position.start, Start::Startpos);
            session.set_up(None, &mut position.moves.iter()).unwrap();
            session.tokens_played()
        };
        assert_eq!(replay(&line), TURNS);
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
