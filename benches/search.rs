//! Searching with an empty table: positions a second, for every game from the start and from the middle.
#![allow(clippy::unwrap_used, missing_docs)]

mod games;

use carom::game::{Facts, Playable};
use carom::search::{Control, Limits, STACK, SearchTask, TranspositionTable, WallClock, search};
use carom::variants::{self, Visitor};
use divan::Bencher;
use divan::counter::ItemsCount;
use games::Place;
use std::time::Instant;

/// Positions visited by each search.
const NODES: u64 = 100_000;

struct Search<'a, 'b>(Bencher<'a, 'b>, &'a Place);

impl Visitor for Search<'_, '_> {
    type Output = ();

    fn visit<G: Playable>(self, game: &'static Facts) {
        let table = TranspositionTable::new(16).unwrap();
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        let state = games::state::<G>(game, self.1.text);
        let (control, clock) = (Control::default(), WallClock(Instant::now()));
        let run = || {
            let task = SearchTask::new(&state, &limits, &table, &control, &clock);
            search(&task, &mut |_, _| ()).nodes
        };
        table.clear(1);
        assert_eq!(run(), NODES, "{}: the limit is exact", self.1);
        self.0.counter(ItemsCount::new(NODES)).with_inputs(|| table.clear(1)).bench_local_values(|()| run());
    }
}

// Every search begins with an empty table, so no two may be measured as one.
#[divan::bench(args = games::places(), sample_size = 1)]
fn nodes(bencher: Bencher<'_, '_>, place: &Place) {
    variants::visit(place.game, Search(bencher, place)).unwrap();
}

fn main() {
    let searcher = std::thread::Builder::new().stack_size(STACK).spawn(|| games::divan().main()).unwrap();
    searcher.join().unwrap();
}
