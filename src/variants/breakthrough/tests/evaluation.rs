//! What the network is shown, and the terms.

use crate::base::{Color, Rng};
use crate::game::{Evaluation, Notation, Rules, playout};
use crate::variants::breakthrough::State;

/// The same position with colours changed and the board turned.
fn turned(state: &State) -> State {
    let [white, black] = state.pieces.map(u64::swap_bytes);
    State::new(state.size, [black, white], !state.turn, state.quiet, state.number)
}

/// What is named for White and for Black, in order.
fn named(name: impl FnOnce(&mut dyn FnMut(Color, usize))) -> [Vec<usize>; 2] {
    let mut all = [Vec::new(), Vec::new()];
    name(&mut |side, which| all[side.index()].push(which));
    all.each_mut().into_iter().for_each(|side| side.sort_unstable());
    all
}

#[test]
fn both_colours_are_seen_alike() {
    let mut rng = Rng::new(11);
    for _ in 0..20 {
        playout(State::start(&Rules::default()), &mut rng, 200, |record, _| {
            let (state, turned) = (record.now(), turned(record.now()));
            let [inputs, mut other] = [state, &turned].map(|state| named(|name| state.inputs(name)));
            other.reverse();
            assert_eq!(inputs, other, "{state:?}");
            let [terms, mut other] = [state, &turned].map(|state| named(|name| state.terms(name)));
            other.reverse();
            assert_eq!(terms, other, "{state:?}");
            assert_eq!(state.static_eval(), -turned.static_eval(), "{state:?}");
        });
    }
}
