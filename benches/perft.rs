//! Bulk counting: positions a second, for every game from the start and from the middle.
#![allow(clippy::unwrap_used, missing_docs)]

mod games;

use carom::game::{Playable, perft};
use carom::variants::{self, Visitor};
use criterion::{BenchmarkId, Criterion, Throughput};
use std::hint::black_box;

/// The tree that is counted has at least so many leaves.
const LEAVES: u64 = 2_000_000;

struct Count<'a> {
    criterion: &'a mut Criterion,
    middle: &'static str,
}

impl Visitor for Count<'_> {
    type Output = ();

    fn visit<G: Playable>(self) {
        let mut group = self.criterion.benchmark_group(format!("perft {}", G::facts().name));
        for (name, text) in [("start", None), ("middle", Some(self.middle))] {
            let state = games::state::<G>(text);
            let counts = (1..).map(|depth| (depth, perft::turns(&state, depth)));
            let (depth, leaves) = counts.take(8).find(|&(_, leaves)| leaves >= LEAVES).unwrap();
            group.throughput(Throughput::Elements(leaves));
            group.bench_with_input(BenchmarkId::new(name, depth), &depth, |bencher, &depth| {
                bencher.iter(|| perft::turns(black_box(&state), depth));
            });
        }
        group.finish();
    }
}

fn main() {
    let mut criterion = games::criterion();
    for (name, middle) in games::GAMES {
        variants::visit(name, Count { criterion: &mut criterion, middle }).unwrap();
    }
    criterion.final_summary();
}
