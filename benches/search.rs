//! Searching with an empty table: positions a second, for every game from the start and from the middle.
#![allow(clippy::unwrap_used, missing_docs)]

mod games;

use carom::game::Playable;
use carom::search::{Control, Limits, STACK, Table, Task, WallClock, search};
use carom::variants::{self, Visitor};
use criterion::{BatchSize, Criterion, Throughput};
use std::time::Instant;

/// Positions visited by each search.
const NODES: u64 = 100_000;

struct Search<'a> {
    criterion: &'a mut Criterion,
    middle: &'static str,
}

impl Visitor for Search<'_> {
    type Output = ();

    fn visit<G: Playable>(self) {
        let mut group = self.criterion.benchmark_group(format!("search {}", G::facts().name));
        let table = Table::new(16).unwrap();
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        for (name, text) in [("start", None), ("middle", Some(self.middle))] {
            let state = games::state::<G>(text);
            let run = || {
                let task = Task {
                    state: &state,
                    history: &[],
                    limits: &limits,
                    only: &[],
                    table: &table,
                    control: &Control::default(),
                    clock: &WallClock(Instant::now()),
                    threads: 1,
                };
                search(&task, |_, _| ()).nodes
            };
            table.clear();
            assert_eq!(run(), NODES, "{name}: the limit is exact");
            group.throughput(Throughput::Elements(NODES));
            group.bench_function(name, |bencher| {
                bencher.iter_batched(|| table.clear(), |()| run(), BatchSize::PerIteration);
            });
        }
        group.finish();
    }
}

fn all() {
    let mut criterion = games::criterion();
    for (name, middle) in games::GAMES {
        variants::visit(name, Search { criterion: &mut criterion, middle }).unwrap();
    }
    criterion.final_summary();
}

fn main() {
    let searcher = std::thread::Builder::new().stack_size(STACK).spawn(all).unwrap();
    searcher.join().unwrap();
}
