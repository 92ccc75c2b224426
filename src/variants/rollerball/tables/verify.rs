//! Checks a table in the forward direction: the value of every position must follow from the values of the
//! positions after it.

use super::super::state::State;
use super::{Build, DRAWN, ILLEGAL, LONGEST, Pieces, Placed, number, size};
use crate::game::{Decisions, Game, GenType};

/// The first position of a table whose value disagrees with its successors; `None` when all agree or there is
/// no such table.
pub fn verify(build: &Build, pieces: &Pieces) -> Option<State> {
    let table = build.tables[number(pieces)].as_ref()?;
    let wrong = |index: &usize| {
        let state = Placed::at(*index, pieces.len()).state(pieces, build.clockwise_sideways);
        state.filter(|state| table[*index] != expected(build, state))
    };
    let mut parts =
        build.in_parts(size(pieces.len()), |part| part.into_iter().find_map(|index| wrong(&index)));
    parts.drain(..).flatten().next()
}

fn expected(build: &Build, state: &State) -> u8 {
    if state.king_attacked(state.turn.other()) || state.on_throne(state.turn) {
        return ILLEGAL;
    }
    if let Some(outcome) = state.outcome() {
        return if outcome.winner.is_some() { 0 } else { DRAWN };
    }
    let mut list = Decisions::new();
    state.decisions(GenType::All, &mut list);
    let after = list.into_iter().map(|decision| {
        let mut next = *state;
        next.apply(decision);
        build.byte(&next)
    });
    // The shortest win, else a draw, else the longest loss.
    after.fold(0, |best: u8, next| match next {
        ILLEGAL => ILLEGAL,
        _ if best == ILLEGAL => ILLEGAL,
        lost if lost <= LONGEST && lost % 2 == 0 => {
            if best % 2 == 1 {
                best.min(lost + 1)
            } else {
                lost + 1
            }
        }
        _ if best % 2 == 1 => best,
        DRAWN => DRAWN,
        won => {
            if best == DRAWN {
                DRAWN
            } else {
                best.max(won + 1)
            }
        }
    })
}
