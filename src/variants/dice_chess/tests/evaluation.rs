//! What the evaluation and the network see, compared with the moves that dice allow and with exchanged colours.

use crate::base::{Bits, Color, Rng};
use crate::game::{Actor, Decisions, Evaluation, Game, Notation, Rules, playout};
use crate::variants::dice_chess::attacks::Attacks;
use crate::variants::dice_chess::{Decision, State};

/// Positions between turns, from random games.
fn positions(mut each: impl FnMut(&State)) -> usize {
    let (mut rng, mut count) = (Rng::new(12), 0);
    for _ in 0..30 {
        playout(State::start(&Rules::default()), &mut rng, 200, |record, _| {
            if record.now().actor() == Actor::Chance {
                count += 1;
                each(record.now());
            }
        });
    }
    count
}

#[test]
fn a_square_is_attacked_by_as_many_kinds_as_can_take_there() {
    let mut attacked = [0; 4];
    let count = positions(|state| {
        let us = state.turn;
        let enemies = state.board.of(!us);
        let mut kinds = [0_usize; 64];
        for face in 1..=6 {
            let (mut rolled, mut moves) = (*state, Decisions::new());
            rolled.apply(Decision::roll(111 * face));
            rolled.moves(&mut moves);
            let taken = moves.iter().fold(0, |set, step| set | 1 << step.to()) & enemies;
            Bits(taken).for_each(|square| kinds[usize::from(square)] += 1);
        }
        let attacks = Attacks::new(&state.board);
        for square in Bits(enemies) {
            let number = kinds[usize::from(square)];
            assert_eq!(attacks.attacking_kinds(us, square), number, "{}: {square}", state.write());
            attacked[number.min(3)] += 1;
        }
    });
    assert!(count > 300 && attacked.into_iter().all(|squares| squares > 20), "{count} {attacked:?}");
}

/// The same position with colours exchanged and the board upside down, made from its text.
fn exchanged(state: &State) -> State {
    let text = state.write().to_string();
    let fields: Vec<_> = text.split(' ').collect();
    let exchange = |text: &str| -> String {
        let other =
            |c: char| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
        text.chars().map(other).collect()
    };
    let board = fields[0].split('/').rev().map(exchange).collect::<Vec<_>>().join("/");
    let turn = if fields[1] == "w" { "b" } else { "w" };
    let passed = fields[3].replace('3', "x").replace('6', "3").replace('x', "6");
    let text = [&board, turn, &exchange(fields[2]), &passed, fields[4], fields[5]].join(" ");
    State::read(&text.parse().unwrap(), &Rules::default()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn with_colours_exchanged_everything_is_seen_by_the_other_side() {
    let count = positions(|state| {
        let other = exchanged(state);
        assert_eq!(other.static_eval(), -state.static_eval(), "{}", state.write());
        let seen = |state: &State, side: Color| {
            let mut seen = Vec::new();
            state.inputs(|by, input| {
                if by == side {
                    seen.push(input)
                }
            });
            seen.sort_unstable();
            seen
        };
        for side in Color::ALL {
            assert_eq!(seen(state, side), seen(&other, !side), "{}", state.write());
        }
        assert!(!seen(state, Color::White).is_empty());
    });
    assert!(count > 300, "{count}");
}
