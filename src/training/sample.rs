//! A position to learn from, as bytes: what a network sees of it, and what came of it.
//!
//! ```text
//! number of inputs of who decides, of the other side, output layer, points of who decides (0, 1, 2): a byte each
//! terms set by hand, value found by the search: two bytes each, centipawns, as who decides sees them
//! the inputs, two bytes each
//! ```
//! Little-endian throughout.

use crate::base::Color;
use crate::game::Evaluation;

/// What is known of a position while its game is still going on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Inputs of who decides, and of the other side.
    pub inputs: [Vec<u16>; 2],
    /// The output layer.
    pub bucket: u8,
    /// The terms set by hand, as who decides sees them.
    pub classical: i16,
    /// What the search found, as who decides sees it.
    pub score: i16,
    /// What the game brought to who decides: 0, 1 or 2 half points.
    pub points: u8,
}

impl Sample {
    /// Of a position that was searched; nothing is known of the result yet.
    pub fn new<G: Evaluation>(state: &G, score: i32) -> Self {
        let us = state.perspective();
        let mut inputs = [Vec::new(), Vec::new()];
        state.inputs(|side, input| inputs[usize::from(side != us)].push(input as u16));
        let classical = state.classical_eval() * if us == Color::White { 1 } else { -1 };
        Self {
            inputs,
            bucket: state.bucket() as u8,
            classical: classical as i16,
            score: score as i16,
            points: 1,
        }
    }

    /// Appends the bytes.
    pub fn write(&self, out: &mut Vec<u8>) {
        let [ours, theirs] = &self.inputs;
        out.extend([ours.len() as u8, theirs.len() as u8, self.bucket, self.points]);
        out.extend(self.classical.to_le_bytes());
        out.extend(self.score.to_le_bytes());
        out.extend(ours.iter().chain(theirs).flat_map(|input| input.to_le_bytes()));
    }

    /// Reads one and says what comes behind it; `None` at the end or where the bytes break off.
    pub fn read(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (&[ours, theirs, bucket, points, a, b, c, d], rest) = bytes.split_first_chunk()?;
        let length = 2 * (usize::from(ours) + usize::from(theirs));
        let (inputs, rest) = rest.split_at_checked(length)?;
        let numbers: Vec<u16> =
            inputs.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
        let (ours, theirs) = numbers.split_at(usize::from(ours));
        let sample = Self {
            inputs: [ours.to_vec(), theirs.to_vec()],
            bucket,
            classical: i16::from_le_bytes([a, b]),
            score: i16::from_le_bytes([c, d]),
            points,
        };
        Some((sample, rest))
    }
}
