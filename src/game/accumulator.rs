//! The sums of the network's first layer, kept from position to position (the accumulator of NNUE, Y. Nasu
//! 2018): a decision changes two or three squares, so few weights are added and taken away.

use super::Evaluation;
use super::network::{Layer, Network};
use crate::base::{Bits, Color};
use arrayvec::ArrayVec;

/// What stands on up to 64 squares, in as many bitboards as [`Evaluation::PLANES`] says; the others are
/// empty. Bit n of all of them together, the first the lowest, is the code of what stands on square n, 0
/// where that is no input.
pub type Planes = [u64; 6];

/// The squares on which two boards differ.
#[inline]
fn difference<G: Evaluation>(one: &Planes, other: &Planes) -> u64 {
    (0..G::PLANES).fold(0, |squares, plane| squares | (one[plane] ^ other[plane]))
}

/// The codes of what stands on the squares of `set`, each with its square.
#[inline]
pub(super) fn placed<G: Evaluation>(board: &Planes, set: u64) -> impl Iterator<Item = (usize, u8)> {
    let occupied = (0..G::PLANES).fold(0, |all, plane| all | board[plane]);
    Bits(set & occupied).map(|square| {
        let bit = |plane: usize| (board[plane] >> square & 1) as usize;
        ((0..G::PLANES).fold(0, |code, plane| code | bit(plane) << plane), square)
    })
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
    /// Brings the sums of `ply` up to date, and gives those of White's view and of Black's, part by part. They
    /// do not depend on what was asked before: sums of whole numbers are the same in any order.
    #[inline]
    pub fn update<G: Evaluation>(&mut self, network: &Network, state: &G, ply: usize) -> [&[Layer]; 2] {
        while self.boards.len() <= ply {
            self.boards.push(Planes::default());
            for _ in Color::ALL {
                self.sums.extend(network.parts.iter().map(|part| part.bias));
            }
        }
        let board = state.planes();
        // From the position before, or from one that stood at this ply: whichever is nearer.
        let differs = |&ply: &usize| difference::<G>(&self.boards[ply], &board).count_ones();
        let from = [ply, ply.saturating_sub(1)].into_iter().min_by_key(differs).unwrap_or(ply);
        let before = self.boards[from];
        self.boards[ply] = board;
        let changed = difference::<G>(&before, &board);
        let [mut gone, mut come] = [const { ArrayVec::<[u16; 2], 64>::new_const() }; 2];
        for (inputs, board) in [(&mut gone, &before), (&mut come, &board)] {
            for (code, square) in placed::<G>(board, changed) {
                let [white, black] =
                    [Color::White, Color::Black].map(|view| state.placed_input(code, square, view));
                inputs.push([white as u16, black as u16]);
            }
        }
        let parts = network.parts.len();
        for view in 0..2 {
            let at = |ply: usize| (2 * ply + view) * parts;
            for (number, part) in network.parts.iter().enumerate() {
                let [mut low, mut high] = self.sums[at(from) + number];
                for inputs in &gone {
                    let layer = &part.inputs[usize::from(inputs[view])];
                    low -= layer[0];
                    high -= layer[1];
                }
                for inputs in &come {
                    let layer = &part.inputs[usize::from(inputs[view])];
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
