//! Bulk counting: positions a second, for every game from the start and from the middle.
#![allow(clippy::unwrap_used, missing_docs)]

mod games;

use carom::game::{Facts, Playable, perft};
use carom::variants::{self, Visitor};
use divan::Bencher;
use divan::counter::ItemsCount;
use games::Place;
use std::hint::black_box;

/// The tree that is counted has at least so many leaves.
const LEAVES: u64 = 2_000_000;

struct Count<'a, 'b>(Bencher<'a, 'b>, &'a Place);

impl Visitor for Count<'_, '_> {
    type Output = ();

    fn visit<G: Playable>(self, game: &'static Facts) {
        let state = games::state::<G>(game, self.1.text);
        let counts = (1..).map(|depth| (depth, perft::turns(&state, depth)));
        let (depth, leaves) = counts.take(8).find(|&(_, leaves)| leaves >= LEAVES).unwrap();
        self.0.counter(ItemsCount::new(leaves)).bench_local(|| perft::turns(black_box(&state), depth));
    }
}

#[divan::bench(args = games::places())]
fn turns(bencher: Bencher<'_, '_>, place: &Place) {
    variants::visit(place.game, Count(bencher, place)).unwrap();
}

fn main() {
    games::divan().main();
}
