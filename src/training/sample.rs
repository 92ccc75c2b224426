//! A position to learn from, as bytes: what a network sees of it, and what came of it.
//!
//! ```text
//! number of inputs of who decides, of the other side, output layer, points of who decides (0, 1, 2): a byte each
//! terms set by hand, value found by the search: two bytes each, centipawns, as who decides sees them
//! the inputs, two bytes each
//! ```
//! Little-endian throughout. In a file the positions of each game stand behind a head, so that games can be added, files joined, and
//! what is damaged left out; Carom 0.1.0 wrote positions alone:
//!
//! ```text
//! "Carom's samples\n", the length of the positions, their checksum (CRC-32): four bytes each
//! ```

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
    /// Of a position that was searched, for a network to learn from; nothing is known of the result yet.
    pub fn new<G: Evaluation>(state: &G, score: i32) -> Self {
        let mut inputs = [Vec::new(), Vec::new()];
        state.inputs(|side, input| inputs[side.index()].push(input as u16));
        Self::naming(inputs, state, score)
    }

    /// The same with the terms in place of the inputs, for `carom tune`.
    pub fn of_terms<G: Evaluation>(state: &G, score: i32) -> Self {
        let mut terms = [Vec::new(), Vec::new()];
        state.terms(|side, term| terms[side.index()].push(term as u16));
        Self::naming(terms, state, score)
    }

    /// `inputs` are White's and Black's.
    fn naming<G: Evaluation>(mut inputs: [Vec<u16>; 2], state: &G, score: i32) -> Self {
        let us = state.perspective();
        inputs.rotate_left(us.index());
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

/// What each game of a file begins with; no position does, as no game has so many output layers.
const MAGIC: &[u8; 16] = b"Carom's samples\n";

/// The head that a game's positions stand behind in a file.
pub fn head(positions: &[u8]) -> Vec<u8> {
    let numbers = [positions.len() as u32, crc32fast::hash(positions)];
    [MAGIC.as_slice(), numbers.map(u32::to_le_bytes).as_flattened()].concat()
}

/// The positions of a file, and how many games were left out as they are damaged or break off.
pub fn read_file(bytes: &[u8]) -> (Vec<Sample>, usize) {
    let next = |bytes: &[u8]| bytes.windows(MAGIC.len()).position(|window| window == MAGIC);
    let (mut samples, mut damaged) = (Vec::new(), 0);
    // What an older version wrote stands before the first head.
    let (old, mut rest) = bytes.split_at(next(bytes).unwrap_or(bytes.len()));
    damaged += usize::from(!read_positions(old, &mut samples));
    while let Some(behind) = rest.strip_prefix(MAGIC) {
        let game = behind.split_first_chunk::<4>().and_then(|(length, behind)| {
            let (checksum, behind) = behind.split_first_chunk::<4>()?;
            let (positions, behind) = behind.split_at_checked(u32::from_le_bytes(*length) as usize)?;
            (crc32fast::hash(positions) == u32::from_le_bytes(*checksum)).then_some((positions, behind))
        });
        rest = match game {
            Some((positions, behind)) => {
                damaged += usize::from(!read_positions(positions, &mut samples));
                behind
            }
            None => {
                damaged += 1;
                behind
            }
        };
        if !rest.is_empty() && !rest.starts_with(MAGIC) {
            // A head in between is damaged, or the game that follows one.
            damaged += usize::from(game.is_some());
            rest = &rest[next(rest).unwrap_or(rest.len())..];
        }
    }
    (samples, damaged)
}

/// Reads positions one after the other; false when the last breaks off.
fn read_positions(mut bytes: &[u8], samples: &mut Vec<Sample>) -> bool {
    while let Some((sample, rest)) = Sample::read(bytes) {
        samples.push(sample);
        bytes = rest;
    }
    bytes.is_empty()
}
