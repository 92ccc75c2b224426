//! A position to learn from: what a network sees of it, what the search found and what came of it.

use crate::base::Color;
use crate::game::{Evaluation, Playable};

/// A position of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Inputs of who decides, and of the other side.
    pub inputs: [Vec<u16>; 2],
    /// Which of the output layers the position uses.
    pub bucket: u8,
    /// The terms set by hand, as who decides sees them.
    pub classical: i16,
    /// What the search found, as who decides sees it.
    pub score: i16,
    /// What it came to for who decides, as a part of 1; one half while that is not known.
    pub outcome: f32,
}

/// What is worth more is as good as decided: how much more teaches nothing, and it need not be true.
const DECIDED: u16 = 2500;

/// The position that a search of `player` judged when it found `best` with `score`, with who is next in it and the
/// score as that player sees it; `None` where the score says nothing of the board as it stands: the game is decided,
/// something is threatened or taken.
///
/// Where a roll begins each turn and turns are searched as a whole, boards are judged before the roll: it is the
/// board that the last decision of the turn leads to.
pub fn judged<G: Playable>(
    state: &G,
    player: Color,
    best: G::Decision,
    score: i16,
) -> Option<(G, Color, i16)> {
    if score.unsigned_abs() > DECIDED {
        return None;
    }
    if const { G::SELECTIVITY.whole_turns } && state.facts().chance {
        let mut after = state.clone();
        after.apply(best);
        let is_over = after.decided().is_some();
        return (after.between_turns() && !is_over).then_some((after, !player, -score));
    }
    (!state.in_check() && state.mvv_lva(best) <= 0).then(|| (state.clone(), player, score))
}

impl Sample {
    /// A position that was searched, for a network to learn from.
    pub fn new<G: Evaluation>(state: &G, score: i16) -> Self {
        let mut inputs = [Vec::new(), Vec::new()];
        state.inputs(|side, input| inputs[side.index()].push(input as u16));
        // Millions of them are held at once.
        inputs.iter_mut().for_each(Vec::shrink_to_fit);
        Self::naming(inputs, state, score)
    }

    /// The same with the terms in place of the inputs, for `carom tune`.
    pub fn of_terms<G: Evaluation>(state: &G, score: i16) -> Self {
        let mut terms = [Vec::new(), Vec::new()];
        state.terms(|side, term| terms[side.index()].push(term as u16));
        Self::naming(terms, state, score)
    }

    /// `inputs` are White's and Black's.
    fn naming<G: Evaluation>(mut inputs: [Vec<u16>; 2], state: &G, score: i16) -> Self {
        let us = state.perspective();
        inputs.rotate_left(us.index());
        let classical = state.classical_eval() * if us == Color::White { 1 } else { -1 };
        Self { inputs, bucket: state.bucket() as u8, classical: classical as i16, score, outcome: 0.5 }
    }
}
