//! A small neural network that corrects the hand-written evaluation: one hidden layer, computed anew for
//! every position, or brought up to date from the one before
//! ([`Accumulators`](super::accumulator::Accumulators)).
//!
//! The inputs are features of the position, each counted as often as it holds, seen from each side. Both
//! views go through the same first layer (the two "perspectives" of NNUE, Y. Nasu 2018), are clipped,
//! squared, and summed up by one of several output layers. All numbers are integers, so the value is the same
//! on every machine.

use super::Evaluation;
use arrayvec::ArrayVec;
use wide::i16x16;

/// The number of neurons in a part of the hidden layer, for each of the two views: two registers of 256 bits.
pub const HIDDEN: usize = 32;
/// The number that stands for 1.0 in the first layer.
pub const ONE: i16 = 255;
/// The number that stands for 1.0 among the weights of the output layers.
pub const ONE_OUT: i32 = 64;
/// The value of an output of 1.0, in centipawns.
pub const SCALE: i32 = 400;

/// The first bytes of a network's file.
const MAGIC: &[u8; 16] = b"Carom's network\n";

/// The most inputs that may be on for a side; a [sample](crate::training::sample) holds no more.
pub const MAX_ON: usize = 255;

/// How many numbers an output layer of a part has.
const OUTPUT_SIZE: usize = 2 * HIDDEN + 2;

/// A number for each neuron of a part. This type uses the processor's vector registers at every level of
/// optimization: loops over arrays were unrolled in releases and took twenty times as long in tests. (With
/// registers of 512 bits it reached 0.93 of the nodes per second.)
pub(super) type Layer = [i16x16; 2];

/// The weights, in parts of [`HIDDEN`] neurons whose outputs are summed: the parts act as one layer, as wide
/// as all of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    /// The parts, at least one.
    pub parts: Vec<Part>,
    /// For each part, the weights of the [placed inputs](Evaluation::placed_input) by king bucket: those for
    /// any king and those for this bucket added up. Empty in games without king buckets.
    placed_by_king: Vec<Vec<Layer>>,
}

/// The weights of a part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The weights of each input to all neurons.
    pub inputs: Vec<Layer>,
    /// The bias of each neuron.
    pub bias: Layer,
    /// The output layers, one for each bucket.
    pub outputs: Vec<Output>,
}

/// The weights of an output layer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Output {
    /// The weights of the neurons of the side that decides, and of those of the other side.
    pub weights: [Layer; 2],
    /// The bias, scaled like the weights and multiplied by [`ONE`].
    pub bias: i32,
}

/// The network of the game `$game` from a file beside the code that asks for it, read once; `None` where it
/// is damaged.
macro_rules! embedded {
    ($game:ty, $file:literal) => {{
        static NETWORK: std::sync::LazyLock<Option<$crate::game::network::Network>> =
            std::sync::LazyLock::new(|| {
                $crate::game::network::Network::from_bytes::<$game>(include_bytes!($file))
            });
        NETWORK.as_ref()
    }};
}
pub(crate) use embedded;

impl Network {
    /// A network of such parts, to be [written](Network::to_bytes).
    pub fn new(parts: Vec<Part>) -> Self {
        Self { parts, placed_by_king: Vec::new() }
    }

    /// Reads what [`Network::to_bytes`] wrote, or Carom 0.1.0, which wrote the weights alone. A file from
    /// before there were inputs by king bucket is read with weights of 0 for them. `None` when the
    /// file is damaged or its length does not fit this game.
    pub fn from_bytes<G: Evaluation>(bytes: &[u8]) -> Option<Self> {
        let weights = match bytes.strip_prefix(MAGIC) {
            Some(behind) => {
                let (checksum, weights) = behind.split_first_chunk()?;
                Some(weights).filter(|weights| crc32fast::hash(weights) == u32::from_le_bytes(*checksum))?
            }
            None => bytes,
        };
        let (pairs, rest) = weights.as_chunks::<2>();
        let numbers: Vec<i16> = pairs.iter().copied().map(i16::from_le_bytes).collect();
        if !rest.is_empty() || numbers.is_empty() {
            return None;
        }
        let size = |inputs: usize| (inputs + 1) * HIDDEN + G::BUCKETS * OUTPUT_SIZE;
        let size =
            [G::INPUTS, G::BY_KING].map(size).into_iter().find(|size| numbers.len().is_multiple_of(*size))?;
        let parts: Vec<Part> =
            numbers.chunks_exact(size).map(Part::from_numbers::<G>).collect::<Option<_>>()?;
        let placed_by_king = if G::KING_BUCKETS == 0 {
            Vec::new()
        } else {
            parts.iter().map(Part::placed_by_king::<G>).collect()
        };
        Some(Self { parts, placed_by_king })
    }

    /// The weights of the placed inputs in a part, by king bucket where the game has such buckets.
    pub(super) fn placed(&self, part: usize) -> &[Layer] {
        self.placed_by_king.get(part).unwrap_or(&self.parts[part].inputs)
    }

    /// The contents of a network's file: the first bytes that all networks share, the checksum of the weights
    /// (CRC-32), and the weights as little-endian numbers of 16 bits. For each part, these are the inputs'
    /// weights, the bias, then each output layer with its bias.
    pub fn to_bytes(&self) -> Vec<u8> {
        let weights: Vec<u8> = self.parts.iter().flat_map(Part::numbers).flat_map(i16::to_le_bytes).collect();
        [MAGIC.as_slice(), &crc32fast::hash(&weights).to_le_bytes(), &weights].concat()
    }

    /// The value of the terms set by hand for White, and the value the network adds for the side from whose
    /// perspective the position is seen, in centipawns.
    #[inline]
    pub fn evaluate<G: Evaluation>(&self, state: &G) -> (i32, i32) {
        // First the list of inputs, then the sums: a sum that nothing else touches stays in the processor's
        // vector registers.
        let mut on = [const { ArrayVec::<u16, MAX_ON>::new_const() }; 2];
        let classical = state.inputs_and_classical_eval(|side, input| on[side.index()].push(input as u16));
        let (own, other) = (state.perspective().index(), state.perspective().other().index());
        let views = [on[own].as_slice(), on[other].as_slice()];
        let sum = self.parts.iter().map(|part| part.sum([part.bias; 2], views, state.bucket())).sum();
        (classical, in_centipawns(sum))
    }
}

/// What the sum of the parts' outputs is worth.
pub(super) fn in_centipawns(sum: i32) -> i32 {
    // The product is 64 bits wide, enough for any weights a file may have.
    let learned = i64::from(sum) * i64::from(SCALE) / i64::from(i32::from(ONE) * ONE_OUT);
    learned as i32
}

impl Part {
    fn from_numbers<G: Evaluation>(numbers: &[i16]) -> Option<Self> {
        let (first, outputs) = numbers.split_at(numbers.len() - G::BUCKETS * OUTPUT_SIZE);
        let mut layers: Vec<Layer> =
            first.as_chunks::<HIDDEN>().0.iter().copied().map(bytemuck::cast).collect();
        let bias = layers.pop()?;
        layers.resize(G::INPUTS, Layer::default());
        let output = |numbers: &[i16]| {
            let (weights, bias) = numbers.split_at(2 * HIDDEN);
            let weights = weights.as_chunks::<HIDDEN>().0;
            Output {
                weights: [weights[0], weights[1]].map(bytemuck::cast),
                bias: i32::from(bias[0] as u16) | i32::from(bias[1]) << 16,
            }
        };
        Some(Self { inputs: layers, bias, outputs: outputs.chunks_exact(OUTPUT_SIZE).map(output).collect() })
    }

    /// The weights of [`Network::placed_by_king`].
    fn placed_by_king<G: Evaluation>(&self) -> Vec<Layer> {
        let in_bucket = |bucket| {
            (0..G::PLACED_INPUTS).map(move |placed| {
                let ([low, high], by_king) =
                    (self.inputs[placed], self.inputs[G::placed_by_king(bucket, placed)]);
                [low + by_king[0], high + by_king[1]]
            })
        };
        (0..G::KING_BUCKETS).flat_map(in_bucket).collect()
    }

    fn numbers(&self) -> impl Iterator<Item = i16> {
        let first = self.inputs.iter().chain([&self.bias]).flatten().flat_map(|some| some.to_array());
        let outputs = self.outputs.iter().flat_map(|output| {
            let bias = [output.bias as i16, (output.bias >> 16) as i16];
            output.weights.into_iter().flatten().flat_map(i16x16::to_array).chain(bias)
        });
        first.chain(outputs)
    }

    /// What this part adds to the output, times [`ONE`] and [`ONE_OUT`], for the side that decides and the
    /// other side: with these sums so far, and the inputs that are to be added to them.
    #[inline]
    pub(super) fn sum(&self, sums: [Layer; 2], views: [&[u16]; 2], bucket: usize) -> i32 {
        let output = &self.outputs[bucket];
        let mut sum = output.bias;
        for (([mut low, mut high], on), weights) in sums.into_iter().zip(views).zip(&output.weights) {
            for &input in on {
                let layer = &self.inputs[usize::from(input)];
                low += layer[0];
                high += layer[1];
            }
            let squared = |neurons: i16x16, weights: i16x16| {
                let clipped = neurons.max(i16x16::ZERO).min(i16x16::splat(ONE));
                clipped.dot(clipped * weights)
            };
            let squares = (squared(low, weights[0]) + squared(high, weights[1])).reduce_add();
            sum += squares / i32::from(ONE);
        }
        sum
    }
}
