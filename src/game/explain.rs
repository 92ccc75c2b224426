//! What may be wrong with a move in every game: there is no such square, nothing stands there, or what stands
//! there belongs to the opponent. What only one game knows is said by its [`Notation::explain`].

pub use super::notation::NOT_LEGAL;
use super::shown::cell_at;
use super::{Decisions, GenType, Notation, Piece};
use crate::base::Color;
use crate::notation::{Cell, Coordinate, Leg};

/// Why no legal decision begins with `legs`, as far as the board alone tells it; `None` where that is not
/// enough, or something else than a move is to be decided.
pub(super) fn why_no_move<G: Notation>(state: &G, legs: &[Leg]) -> Option<String> {
    let &Leg::Move { from, to, .. } = legs.first()? else { return None };
    let player = state.actor().player()?;
    let mut list = Decisions::new();
    state.decisions(GenType::All, &mut list);
    if !list.iter().any(|&decision| matches!(state.legs(decision).first(), Some(Leg::Move { .. }))) {
        return None;
    }
    for at in [from, to] {
        if cell(state, at).is_none() {
            return Some(format!("there is no square {at}"));
        }
    }
    let Some(Cell::Piece { letter, .. }) = cell(state, from) else {
        return Some(format!("there is no piece on {from}"));
    };
    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    let is_ball = state.facts().piece(letter).is_some_and(Piece::is_ball);
    match name_of(state, letter) {
        _ if is_ball => None,
        name if color != player => Some(format!("the {name} on {from} is {color}'s")),
        name if from == to => Some(format!("the {name} already stands on {to}")),
        _ => None,
    }
}

/// What is on a square; `None` where there is no square.
fn cell<G: Notation>(state: &G, at: Coordinate) -> Option<Cell> {
    cell_at(state.facts(), &state.write(), at).filter(|&cell| cell != Cell::Hole)
}

fn name_of<G: Notation>(state: &G, letter: u8) -> &'static str {
    state.facts().piece(letter).map_or("piece", |piece| piece.name)
}

/// Why a piece may not go to a square where one of the same side stands.
pub fn own_piece<G: Notation>(state: &G, at: Coordinate) -> String {
    let name = match cell(state, at) {
        Some(Cell::Piece { letter, .. }) => name_of(state, letter),
        _ => "piece",
    };
    format!("your own {name} stands on {at}")
}
