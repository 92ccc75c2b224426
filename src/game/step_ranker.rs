//! What tells which steps of a turn are worth following, where a turn has several of them.
//!
//! In the middle of a turn a board is not yet worth what the turn will make of it. A search that follows the
//! boards with the best evaluation drops those from which the best turn would have come. So the steps of turns
//! that searches chose are learned from (D. J. Wu, "Move Ranking and Evaluation in the Game of Arimaa",
//! 2011): each input of the network has a weight, and their sum is added to the terms set by hand wherever
//! boards are chosen from; what a board is worth stays as it is.

/// The first bytes of a ranker's file.
const MAGIC: &[u8; 16] = b"Carom's ranker\n\n";
/// So many stand for a centipawn.
pub const PARTS_OF_A_CENTIPAWN: i32 = 16;

/// The weights of a game's inputs for ranking steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepRanker {
    /// By bucket, as the network's output layers are, by input.
    weights: Vec<i16>,
    /// The number of inputs.
    inputs: usize,
}

/// The ranker of a game with so many buckets and inputs, from a file beside the code that asks for it, read
/// once; `None` where it is damaged.
macro_rules! embedded_ranker {
    ($file:literal, $size:expr) => {{
        static RANKER: std::sync::LazyLock<Option<$crate::game::step_ranker::StepRanker>> =
            std::sync::LazyLock::new(|| {
                $crate::game::step_ranker::StepRanker::from_bytes(include_bytes!($file), $size)
            });
        RANKER.as_ref()
    }};
}
pub(crate) use embedded_ranker;

impl StepRanker {
    /// A ranker for so many buckets and inputs, with weights in [`PARTS_OF_A_CENTIPAWN`]: by bucket, by input.
    /// `None` where their number is another.
    pub fn new(weights: Vec<i16>, (buckets, inputs): (usize, usize)) -> Option<Self> {
        (weights.len() == buckets * inputs && inputs > 0).then_some(Self { weights, inputs })
    }

    /// Reads what [`StepRanker::to_bytes`] wrote for so many buckets and inputs. `None` when the file is damaged
    /// or does not fit.
    pub fn from_bytes(bytes: &[u8], size: (usize, usize)) -> Option<Self> {
        let (checksum, weights) = bytes.strip_prefix(MAGIC)?.split_first_chunk()?;
        if crc32fast::hash(weights) != u32::from_le_bytes(*checksum) {
            return None;
        }
        let (pairs, []) = weights.as_chunks::<2>() else { return None };
        Self::new(pairs.iter().copied().map(i16::from_le_bytes).collect(), size)
    }

    /// The contents of a ranker's file: the first bytes that all rankers share, the checksum of the weights
    /// (CRC-32), and the weights as little-endian numbers of 16 bits.
    pub fn to_bytes(&self) -> Vec<u8> {
        let weights: Vec<u8> = self.weights.iter().copied().flat_map(i16::to_le_bytes).collect();
        [MAGIC.as_slice(), &crc32fast::hash(&weights).to_le_bytes(), &weights].concat()
    }

    /// The weights of a bucket's inputs, in [`PARTS_OF_A_CENTIPAWN`].
    #[inline]
    pub fn weights(&self, bucket: usize) -> &[i16] {
        &self.weights[bucket * self.inputs..][..self.inputs]
    }
}
