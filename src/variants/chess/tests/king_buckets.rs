//! Inputs by the king's square.

use super::super::State;
use super::testing::state;
use crate::base::{Color, Rng};
use crate::game::network::Network;
use crate::game::{Evaluation, Notation, Rules, playout};
use std::collections::BTreeSet;

#[test]
fn by_the_kings_square_left_and_right_are_the_same() {
    let by_king = |now: &State| {
        let mut inputs = [const { Vec::new() }; 2];
        now.inputs(|side, input| {
            if input >= State::BY_KING {
                inputs[side.index()].push(input);
            }
        });
        inputs.iter_mut().for_each(|inputs| inputs.sort_unstable());
        inputs
    };
    let mut rng = Rng::new(3);
    let mut buckets = BTreeSet::new();
    for _ in 0..50 {
        playout(State::start(&Rules::default()), &mut rng, 200, |record, _| {
            let now = record.now();
            let board = now.write().to_string();
            let (rows, turn) = board.split_once(' ').unwrap();
            let rows: Vec<String> = rows.split('/').map(|row| row.chars().rev().collect()).collect();
            let mirrored = state(&format!("{} {} - - 0 1", rows.join("/"), &turn[..1]));
            assert_eq!(by_king(now), by_king(&mirrored), "{board}");
            buckets.extend(Color::ALL.map(|side| State::king_bucket(&now.planes(), side)));
        });
    }
    assert!(buckets.into_iter().eq(0..State::KING_BUCKETS));
}

#[test]
fn a_network_from_before_the_kings_square_counted_is_read() {
    let network = State::network().unwrap();
    let mut before = network.clone();
    before.parts.iter_mut().for_each(|part| part.inputs.truncate(State::BY_KING));
    let read = Network::from_bytes::<State>(&before.to_bytes()).unwrap();
    for (part, before) in read.parts.iter().zip(before.parts) {
        let (known, new) = part.inputs.split_at(State::BY_KING);
        assert_eq!((known, &part.bias, &part.outputs), (&before.inputs[..], &before.bias, &before.outputs));
        assert_eq!(new.len(), State::KING_BUCKETS / 2 * State::PLACED_INPUTS);
        assert!(new.iter().flatten().all(|weights| weights.to_array() == [0; 16]));
    }
}
