//! The sums of the network's first layer, kept from position to position (the accumulator of NNUE, Y. Nasu
//! 2018): a decision changes two or three squares, so few weights are added and taken away.

use super::Evaluation;
use super::network::{Layer, MAX_ON, Network, Part, in_centipawns};
use super::planes::{Planes, difference, placed};
use crate::base::Color;
use arrayvec::ArrayVec;

/// The inputs of some squares, as White's view and Black's have them.
type Inputs = ArrayVec<[u16; 2], 64>;

/// How the sums of a view change.
#[derive(Clone, Copy)]
struct Change<'a> {
    /// The first of the weights for the bucket of the player's own king.
    first: usize,
    /// Whether the sums are made anew.
    anew: bool,
    /// The inputs that are off now.
    gone: &'a [[u16; 2]],
    /// The inputs that are on now.
    come: &'a [[u16; 2]],
}

/// The sums of the positions of a line, one for each ply.
#[derive(Default)]
pub struct Accumulators {
    /// The boards that the sums are of; without any pieces at first.
    boards: Vec<Planes>,
    /// For each ply White's view, all parts of the layer, then Black's.
    sums: Vec<Layer>,
}

impl Accumulators {
    /// [`Evaluation::static_eval`] of a position at this `ply` of a search.
    #[inline]
    pub fn static_eval<G: Evaluation>(&mut self, state: &G, ply: usize) -> i32 {
        if const { G::PLANES == 0 } {
            state.static_eval()
        } else {
            state.static_eval_by(|network| self.evaluate(network, state, ply))
        }
    }

    /// The same as [`Network::evaluate`].
    #[inline]
    fn evaluate<G: Evaluation>(&mut self, network: &Network, state: &G, ply: usize) -> (i32, i32) {
        let mut on = [const { ArrayVec::<u16, MAX_ON>::new_const() }; 2];
        let classical =
            state.other_inputs_and_classical_eval(|side, input| on[side.index()].push(input as u16));
        let (own, other) = (state.perspective().index(), state.perspective().other().index());
        let views = [on[own].as_slice(), on[other].as_slice()];
        let kept = self.update(network, state, ply);
        let part = |(number, part): (usize, &Part)| {
            part.sum([kept[own][number], kept[other][number]], views, state.bucket())
        };
        (classical, in_centipawns(network.parts.iter().enumerate().map(part).sum()))
    }

    /// Brings the sums of `ply` up to date, and gives those of White's view and of Black's, part by part. They
    /// do not depend on what was asked before: sums of whole numbers are the same in any order.
    #[inline]
    fn update<G: Evaluation>(&mut self, network: &Network, state: &G, ply: usize) -> [&[Layer]; 2] {
        while self.boards.len() <= ply {
            self.boards.push(Planes::default());
            for _ in Color::ALL {
                self.sums.extend(network.parts.iter().map(|part| part.bias));
            }
        }
        let board = state.planes();
        // From the position before, or from one that stood at this ply: whichever is nearer.
        let differs = |&ply: &usize| difference(G::PLANES, &self.boards[ply], &board).count_ones();
        let from = [ply, ply.saturating_sub(1)].into_iter().min_by_key(differs).unwrap_or(ply);
        let before = self.boards[from];
        self.boards[ply] = board;
        let changed = difference(G::PLANES, &before, &board);
        let [mut gone, mut come, mut all] = [const { Inputs::new_const() }; 3];
        let note = |inputs: &mut Inputs, board: &Planes, squares: u64| {
            for (code, square) in placed(G::PLANES, board, squares) {
                inputs.push(Color::ALL.map(|side| state.placed_input(code, square, side) as u16));
            }
        };
        note(&mut gone, &before, changed);
        note(&mut come, &board, changed);
        let [earlier, buckets] =
            [&before, &board].map(|board| Color::ALL.map(|side| G::king_bucket(board, side)));
        // A king in another bucket changes every weight of its side's view.
        if buckets != earlier {
            note(&mut all, &board, u64::MAX);
        }
        let change = |view: usize| {
            let first = buckets[view] * G::PLACED_INPUTS;
            if buckets[view] == earlier[view] {
                Change { first, anew: false, gone: &gone, come: &come }
            } else {
                Change { first, anew: true, gone: &[], come: &all }
            }
        };
        self.change(network, [from, ply], [change(0), change(1)])
    }

    /// Gives `ply` the sums of another ply with the changes of White's view and of Black's. It is the same for
    /// every game, and compiled once.
    fn change(
        &mut self,
        network: &Network,
        [from, ply]: [usize; 2],
        changes: [Change<'_>; 2],
    ) -> [&[Layer]; 2] {
        let parts = network.parts.len();
        for (view, Change { first, anew, gone, come }) in changes.into_iter().enumerate() {
            let at = |ply: usize| (2 * ply + view) * parts;
            for (number, part) in network.parts.iter().enumerate() {
                let weights = &network.placed(number)[first..];
                let [mut low, mut high] = if anew { part.bias } else { self.sums[at(from) + number] };
                for inputs in gone {
                    let layer = &weights[usize::from(inputs[view])];
                    low -= layer[0];
                    high -= layer[1];
                }
                for inputs in come {
                    let layer = &weights[usize::from(inputs[view])];
                    low += layer[0];
                    high += layer[1];
                }
                self.sums[at(ply) + number] = [low, high];
            }
        }
        let (white, black) = self.sums[2 * ply * parts..][..2 * parts].split_at(parts);
        [white, black]
    }
}
