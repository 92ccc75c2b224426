//! Gradient descent (Adam, D. Kingma and J. Ba 2014) on positions of games that were played.

use super::sample::Sample;
use crate::base::Rng;
use crate::game::network::{HIDDEN, Network, ONE, ONE_OUT, Output, Part, SCALE};

type Row = [f32; HIDDEN];

/// The settings of a training run.
#[derive(Clone, Copy, Debug)]
pub struct TrainSettings {
    /// Times every position is seen.
    pub epochs: u32,
    /// The number of positions in a step.
    pub batch: usize,
    /// The first step size; it falls to nothing along a cosine.
    pub rate: f32,
    /// The part of [`Sample::outcome`] in what is to be learned; the rest is what the search found.
    pub result: f32,
    /// How scores become points ([`Fit::k`](super::fit::Fit::k)), so that results and scores are learned on
    /// one scale.
    pub k: f32,
    /// Seed of the first weights and of the order.
    pub seed: u64,
    /// The first of the [inputs by king bucket](crate::game::Evaluation::BY_KING), whose weights decay.
    pub by_king: usize,
}

/// The weight decay of the inputs by king bucket, per step and step size (decoupled weight decay,
/// I. Loshchilov and F. Hutter 2017). It keeps them to what differs with a king there, and from learning
/// games by heart.
const DECAY: f32 = 5.0;

/// Where learning begins.
#[derive(Clone, Debug)]
pub enum Start {
    /// With random weights.
    Random {
        /// The number of inputs.
        inputs: usize,
        /// The number of output layers.
        buckets: usize,
        /// The width of the hidden layer, in parts of [`HIDDEN`] neurons; 1 at least.
        parts: usize,
    },
    /// With an existing network.
    Network {
        /// The network.
        network: Network,
        /// The width of the hidden layer as above. Where it is wider than the network's, the neurons that are
        /// added are random and count for nothing at first (as in Net2Net, T. Chen and others 2015).
        parts: usize,
    },
}

/// How far learning has come.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// So many steps are done.
    Batch {
        /// The number of steps that are done.
        done: u64,
        /// The number of all steps.
        of: u64,
    },
    /// Every position was seen once more.
    Epoch {
        /// The number of the epoch, from 1 on.
        number: u32,
        /// The error on the positions that are learned from.
        learned: f32,
        /// The error on the positions that are held back.
        unseen: f32,
    },
}

/// The weights of a part with fractions, all in one list: inputs, bias, output layers (ours, theirs).
#[derive(Clone)]
struct Weights {
    inputs: usize,
    /// Of each row first that of the first part, then that of the second, and so on.
    rows: Vec<Row>,
    parts: usize,
    /// Of the output layers, all parts together.
    output_bias: Vec<f32>,
}

impl Weights {
    fn zero((inputs, buckets): (usize, usize), parts: usize) -> Self {
        let rows = vec![[0.0; HIDDEN]; (inputs + 1 + 2 * buckets) * parts];
        Self { inputs, rows, parts, output_bias: vec![0.0; buckets] }
    }

    fn clear(&mut self) {
        self.rows.fill([0.0; HIDDEN]);
        self.output_bias.fill(0.0);
    }

    fn random(shape: (usize, usize), parts: usize, seed: u64) -> Self {
        let mut weights = Self::zero(shape, parts);
        let mut rng = Rng::new(seed);
        let mut draw = |range: f32| (rng.below(20_001) as f32 / 10_000.0 - 1.0) * range;
        let (inputs, rest) = weights.rows.split_at_mut(shape.0 * parts);
        let (bias, outputs) = rest.split_at_mut(parts);
        inputs.as_flattened_mut().iter_mut().for_each(|w| *w = draw(0.08));
        bias.fill([0.15; HIDDEN]);
        outputs.as_flattened_mut().iter_mut().for_each(|w| *w = draw(0.15));
        weights
    }

    /// The weights of an existing network.
    fn of(network: &Network) -> Self {
        let first = &network.parts[0];
        let mut weights = Self::zero((first.inputs.len(), first.outputs.len()), network.parts.len());
        let (one, out) = (f32::from(ONE), ONE_OUT as f32);
        for (number, part) in network.parts.iter().enumerate() {
            let layers = part.inputs.iter().chain([&part.bias]).map(|layer| (layer, one));
            let outputs = part.outputs.iter().flat_map(|output| &output.weights).map(|layer| (layer, out));
            for (row, (&layer, one)) in layers.chain(outputs).enumerate() {
                let numbers: [i16; HIDDEN] = bytemuck::cast(layer);
                weights.row_mut(row)[number] = numbers.map(|weight| f32::from(weight) / one);
            }
            for (bias, output) in weights.output_bias.iter_mut().zip(&part.outputs) {
                *bias += output.bias as f32 / (out * one);
            }
        }
        weights
    }

    /// The same weights in a layer of so many parts. Those that are added change no value yet.
    fn widened(&self, parts: usize, settings: &TrainSettings) -> Self {
        let mut wide = Self::random((self.inputs, self.output_bias.len()), parts, settings.seed);
        wide.output_bias.clone_from(&self.output_bias);
        for row in 0..self.rows.len() / self.parts {
            let (known, added) = wide.row_mut(row).split_at_mut(self.parts);
            known.copy_from_slice(self.row(row));
            if row > self.inputs || (settings.by_king..self.inputs).contains(&row) {
                added.fill([0.0; HIDDEN]);
            }
        }
        wide
    }

    /// The parts of a row: an input, the bias (`inputs`), or one of the two rows of an output layer.
    fn row(&self, row: usize) -> &[Row] {
        &self.rows[row * self.parts..][..self.parts]
    }

    fn row_mut(&mut self, row: usize) -> &mut [Row] {
        &mut self.rows[row * self.parts..][..self.parts]
    }

    /// Where the row of an output layer is for who decides; that for the other side is the next.
    fn output(&self, bucket: u8) -> usize {
        self.inputs + 1 + 2 * usize::from(bucket)
    }
}

/// The largest weight that the whole numbers of [`Network`] hold.
const MOST: f32 = 1.98;

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The output, and into `neurons` the sums of both views.
fn forward(weights: &Weights, sample: &Sample, neurons: &mut [Vec<Row>; 2]) -> f32 {
    let mut sum = weights.output_bias[usize::from(sample.bucket)];
    for (side, neurons) in neurons.iter_mut().enumerate() {
        neurons.clear();
        neurons.extend_from_slice(weights.row(weights.inputs));
        for &input in &sample.inputs[side] {
            add(neurons, weights.row(usize::from(input)));
        }
        let output = weights.row(weights.output(sample.bucket) + side);
        for (neuron, weight) in neurons.as_flattened().iter().zip(output.as_flattened()) {
            let clipped = neuron.clamp(0.0, 1.0);
            sum += clipped * clipped * weight;
        }
    }
    sum
}

/// `sum += row`, part by part.
fn add(sum: &mut [Row], row: &[Row]) {
    for (sum, row) in sum.iter_mut().zip(row) {
        for (sum, weight) in sum.iter_mut().zip(row) {
            *sum += weight;
        }
    }
}

fn target(sample: &Sample, settings: &TrainSettings) -> f32 {
    let score = sigmoid(f32::from(sample.score) / settings.k);
    settings.result * sample.outcome + (1.0 - settings.result) * score
}

/// The squared error of one position, and its gradient, added to `gradient`. `neurons` is room to work in.
fn learn(
    weights: &Weights,
    sample: &Sample,
    settings: &TrainSettings,
    neurons: &mut [Vec<Row>; 2],
    gradient: Option<&mut Weights>,
) -> f32 {
    let out = forward(weights, sample, neurons) + f32::from(sample.classical) / SCALE as f32;
    let steepness = SCALE as f32 / settings.k;
    let value = sigmoid(out * steepness);
    let error = value - target(sample, settings);
    let Some(gradient) = gradient else { return error * error };
    let slope = error * value * (1.0 - value) * steepness;
    gradient.output_bias[usize::from(sample.bucket)] += slope;
    for (side, neurons) in neurons.iter_mut().enumerate() {
        let output = weights.output(sample.bucket) + side;
        let (weight, learned) =
            (weights.row(output).as_flattened(), gradient.row_mut(output).as_flattened_mut());
        for ((neuron, weight), learned) in neurons.as_flattened_mut().iter_mut().zip(weight).zip(learned) {
            let clipped = neuron.clamp(0.0, 1.0);
            *learned += slope * clipped * clipped;
            let inside = if *neuron > 0.0 && *neuron < 1.0 { 1.0 } else { 0.0 };
            // From here on the slope of the neuron.
            *neuron = slope * weight * 2.0 * clipped * inside;
        }
        add(gradient.row_mut(weights.inputs), neurons);
        for &input in &sample.inputs[side] {
            add(gradient.row_mut(usize::from(input)), neurons);
        }
    }
    error * error
}

/// Learns from `samples`. After each epoch `tell` is called with the mean errors (learned, held back).
pub fn train(
    start: Start,
    samples: &[Sample],
    settings: &TrainSettings,
    mut tell: impl FnMut(Step),
) -> Network {
    // The rows that decay.
    let by_king = |weights: &Weights| {
        let end = weights.inputs * weights.parts;
        settings.by_king.saturating_mul(weights.parts).min(end)..end
    };
    let mut weights = match start {
        Start::Random { inputs, buckets, parts } => {
            let mut weights = Weights::random((inputs, buckets), parts, settings.seed);
            let decaying = by_king(&weights);
            weights.rows[decaying].fill([0.0; HIDDEN]);
            weights
        }
        Start::Network { network, parts } => {
            let weights = Weights::of(&network);
            if parts > weights.parts { weights.widened(parts, settings) } else { weights }
        }
    };
    let zero = Weights::zero((weights.inputs, weights.output_bias.len()), weights.parts);
    let (mut first, mut second) = (zero.clone(), zero.clone());
    let mut rng = Rng::new(settings.seed ^ 0x5EED);
    let mut order: Vec<u32> = (0..samples.len() as u32).collect();
    // The last, so that no game is on both sides.
    let held_back = order.split_off(order.len() - order.len() / 20);
    let steps = (order.len().div_ceil(settings.batch) * settings.epochs as usize).max(1);
    let mut step = 0;
    // Two threads learn, each from one half of every batch.
    let mut gradients = [zero.clone(), zero];
    for epoch in 1..=settings.epochs {
        shuffle(&mut order, &mut rng);
        let mut sum = 0.0_f64;
        for batch in order.chunks(settings.batch) {
            let halves = batch.split_at(batch.len().div_ceil(2));
            sum += std::thread::scope(|scope| {
                let jobs: Vec<_> = [halves.0, halves.1]
                    .into_iter()
                    .zip(&mut gradients)
                    .map(|(half, gradient)| {
                        let weights = &weights;
                        scope.spawn(move || {
                            gradient.clear();
                            let mut neurons = Default::default();
                            let mut sum = 0.0;
                            for &index in half {
                                let sample = &samples[index as usize];
                                let gradient = Some(&mut *gradient);
                                sum += f64::from(learn(weights, sample, settings, &mut neurons, gradient));
                            }
                            sum
                        })
                    })
                    .collect();
                jobs.into_iter().filter_map(|job| job.join().ok()).sum::<f64>()
            });
            step += 1;
            tell(Step::Batch { done: step as u64, of: steps as u64 });
            let progress = step as f32 / steps as f32;
            let rate = settings.rate * 0.5 * (1.0 + (std::f32::consts::PI * progress).cos());
            let (beta1, beta2) = (0.9_f32, 0.999_f32);
            let correct = (1.0 - beta2.powi(step)).sqrt() / (1.0 - beta1.powi(step));
            let size = 1.0 / batch.len() as f32;
            let adam = |weight: &mut f32, m: &mut f32, v: &mut f32, gradient: f32, decay: f32| {
                let gradient = gradient * size;
                *m = beta1 * *m + (1.0 - beta1) * gradient;
                *v = beta2 * *v + (1.0 - beta2) * gradient * gradient;
                let step = correct * *m / (v.sqrt() + 1e-8) + decay * *weight;
                *weight = (*weight - rate * step).clamp(-MOST, MOST);
            };
            let decaying = by_king(&weights);
            for row in 0..weights.rows.len() {
                let decay = if decaying.contains(&row) { DECAY } else { 0.0 };
                for n in 0..HIDDEN {
                    let gradient = gradients.iter().map(|half| half.rows[row][n]).sum();
                    adam(
                        &mut weights.rows[row][n],
                        &mut first.rows[row][n],
                        &mut second.rows[row][n],
                        gradient,
                        decay,
                    );
                }
            }
            for n in 0..weights.output_bias.len() {
                let gradient = gradients.iter().map(|half| half.output_bias[n]).sum();
                adam(
                    &mut weights.output_bias[n],
                    &mut first.output_bias[n],
                    &mut second.output_bias[n],
                    gradient,
                    0.0,
                );
            }
        }
        let mut neurons = Default::default();
        let mut error =
            |&index: &u32| f64::from(learn(&weights, &samples[index as usize], settings, &mut neurons, None));
        let unseen: f64 = held_back.iter().map(&mut error).sum();
        let learned = (sum / order.len() as f64) as f32;
        tell(Step::Epoch { number: epoch, learned, unseen: (unseen / held_back.len().max(1) as f64) as f32 });
    }
    rounded(&weights)
}

fn shuffle(order: &mut [u32], rng: &mut Rng) {
    for end in (1..order.len()).rev() {
        order.swap(end, rng.below(end + 1));
    }
}

/// The weights rounded to the whole numbers that a network is stored with.
fn rounded(weights: &Weights) -> Network {
    let part = |part: usize| {
        let layer = |row: usize, one: f32| {
            bytemuck::cast(weights.row(row)[part].map(|weight| (weight * one).round() as i16))
        };
        let (first, out) = (f32::from(ONE), ONE_OUT as f32);
        let output = |(bucket, &bias): (usize, &f32)| {
            let row = weights.output(bucket as u8);
            // The first part carries the bias of all.
            let bias = if part == 0 { (bias * out * first).round() as i32 } else { 0 };
            Output { weights: [layer(row, out), layer(row + 1, out)], bias }
        };
        Part {
            inputs: (0..weights.inputs).map(|row| layer(row, first)).collect(),
            bias: layer(weights.inputs, first),
            outputs: weights.output_bias.iter().enumerate().map(output).collect(),
        }
    };
    Network::new((0..weights.parts).map(part).collect())
}
