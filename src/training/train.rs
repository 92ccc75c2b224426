//! Gradient descent (Adam, D. Kingma and J. Ba 2014) on positions of games that were played.

use super::sample::Sample;
use crate::base::Rng;
use crate::game::network::{HIDDEN, Network, ONE, ONE_OUT, Output, SCALE};

type Row = [f32; HIDDEN];

/// How to learn.
#[derive(Clone, Copy, Debug)]
pub struct TrainSettings {
    /// Times every position is seen.
    pub epochs: u32,
    /// Positions per step.
    pub batch: usize,
    /// The first step size; it falls to nothing along a cosine.
    pub rate: f32,
    /// The part of the game's result in what is to be learned; the rest is what the search found.
    pub result: f32,
    /// Seed of the first weights and of the order.
    pub seed: u64,
}

/// The same with fractions, all in one list: inputs, bias, output layers (ours, theirs, bias).
struct Weights {
    inputs: usize,
    rows: Vec<Row>,
    output_bias: Vec<f32>,
}

impl Weights {
    fn zero(inputs: usize, buckets: usize) -> Self {
        Self { inputs, rows: vec![[0.0; HIDDEN]; inputs + 1 + 2 * buckets], output_bias: vec![0.0; buckets] }
    }
    fn random(inputs: usize, buckets: usize, seed: u64) -> Self {
        let mut weights = Self::zero(inputs, buckets);
        let mut rng = Rng::new(seed);
        let mut draw = |range: f32| (rng.below(20_001) as f32 / 10_000.0 - 1.0) * range;
        for row in &mut weights.rows[..inputs] {
            row.iter_mut().for_each(|w| *w = draw(0.08));
        }
        weights.rows[inputs] = [0.15; HIDDEN];
        for row in &mut weights.rows[inputs + 1..] {
            row.iter_mut().for_each(|w| *w = draw(0.15));
        }
        weights
    }
}

/// The largest weight that the whole numbers of [`Network`] hold.
const MOST: f32 = 1.98;

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

fn forward(weights: &Weights, sample: &Sample, neurons: &mut [Row; 2]) -> f32 {
    let outputs = weights.inputs + 1 + 2 * usize::from(sample.bucket);
    let mut sum = weights.output_bias[usize::from(sample.bucket)];
    for (side, neurons) in neurons.iter_mut().enumerate() {
        let mut row = weights.rows[weights.inputs];
        for &input in &sample.inputs[side] {
            for (sum, weight) in row.iter_mut().zip(&weights.rows[usize::from(input)]) {
                *sum += weight;
            }
        }
        *neurons = row;
        for (neuron, weight) in row.iter().zip(&weights.rows[outputs + side]) {
            let clipped = neuron.clamp(0.0, 1.0);
            sum += clipped * clipped * weight;
        }
    }
    sum
}

fn target(sample: &Sample, result: f32) -> f32 {
    let score = sigmoid(f32::from(sample.score) / SCALE as f32);
    result * f32::from(sample.points) / 2.0 + (1.0 - result) * score
}

/// The squared error of one position, and its gradient, added to `gradient`.
fn learn(
    weights: &Weights,
    sample: &Sample,
    settings: &TrainSettings,
    gradient: Option<&mut Weights>,
) -> f32 {
    let mut neurons = [[0.0; HIDDEN]; 2];
    let out = forward(weights, sample, &mut neurons) + f32::from(sample.classical) / SCALE as f32;
    let value = sigmoid(out);
    let error = value - target(sample, settings.result);
    let Some(gradient) = gradient else { return error * error };
    let slope = error * value * (1.0 - value);
    let bucket = usize::from(sample.bucket);
    gradient.output_bias[bucket] += slope;
    let outputs = weights.inputs + 1 + 2 * bucket;
    for (side, neurons) in neurons.iter().enumerate() {
        let mut back = [0.0; HIDDEN];
        for n in 0..HIDDEN {
            let raw = neurons[n];
            let clipped = raw.clamp(0.0, 1.0);
            gradient.rows[outputs + side][n] += slope * clipped * clipped;
            let inside = if raw > 0.0 && raw < 1.0 { 1.0 } else { 0.0 };
            back[n] = slope * weights.rows[outputs + side][n] * 2.0 * clipped * inside;
        }
        for (sum, slope) in gradient.rows[weights.inputs].iter_mut().zip(&back) {
            *sum += slope;
        }
        for &input in &sample.inputs[side] {
            for (sum, slope) in gradient.rows[usize::from(input)].iter_mut().zip(&back) {
                *sum += slope;
            }
        }
    }
    error * error
}

/// Learns from `samples`; tells the mean errors (learned, held back) after each epoch.
pub fn train(
    (inputs, buckets): (usize, usize),
    samples: &[Sample],
    settings: &TrainSettings,
    mut tell: impl FnMut(u32, f32, f32),
) -> Network {
    let mut weights = Weights::random(inputs, buckets, settings.seed);
    let (mut first, mut second) = (Weights::zero(inputs, buckets), Weights::zero(inputs, buckets));
    let mut rng = Rng::new(settings.seed ^ 0x5EED);
    let mut order: Vec<u32> = (0..samples.len() as u32).collect();
    // The last, so that no game is on both sides.
    let held_back = order.split_off(order.len() - order.len() / 20);
    let steps = (order.len().div_ceil(settings.batch) * settings.epochs as usize).max(1);
    let mut step = 0;
    for epoch in 1..=settings.epochs {
        shuffle(&mut order, &mut rng);
        let mut sum = 0.0_f64;
        for batch in order.chunks(settings.batch) {
            let halves: Vec<&[u32]> = batch.chunks(batch.len().div_ceil(2)).collect();
            let parts: Vec<(Weights, f64)> = std::thread::scope(|scope| {
                let jobs: Vec<_> = halves
                    .into_iter()
                    .map(|half| {
                        let weights = &weights;
                        scope.spawn(move || {
                            let mut gradient = Weights::zero(inputs, buckets);
                            let mut sum = 0.0;
                            for &index in half {
                                let sample = &samples[index as usize];
                                sum += f64::from(learn(weights, sample, settings, Some(&mut gradient)));
                            }
                            (gradient, sum)
                        })
                    })
                    .collect();
                jobs.into_iter().filter_map(|job| job.join().ok()).collect()
            });
            sum += parts.iter().map(|part| part.1).sum::<f64>();
            step += 1;
            let progress = step as f32 / steps as f32;
            let rate = settings.rate * 0.5 * (1.0 + (std::f32::consts::PI * progress).cos());
            let (beta1, beta2) = (0.9_f32, 0.999_f32);
            let correct = (1.0 - beta2.powi(step)).sqrt() / (1.0 - beta1.powi(step));
            let size = 1.0 / batch.len() as f32;
            let adam = |weight: &mut f32, m: &mut f32, v: &mut f32, gradient: f32| {
                let gradient = gradient * size;
                *m = beta1 * *m + (1.0 - beta1) * gradient;
                *v = beta2 * *v + (1.0 - beta2) * gradient * gradient;
                *weight = (*weight - rate * correct * *m / (v.sqrt() + 1e-8)).clamp(-MOST, MOST);
            };
            for row in 0..weights.rows.len() {
                for n in 0..HIDDEN {
                    let gradient = parts.iter().map(|part| part.0.rows[row][n]).sum();
                    adam(
                        &mut weights.rows[row][n],
                        &mut first.rows[row][n],
                        &mut second.rows[row][n],
                        gradient,
                    );
                }
            }
            for n in 0..buckets {
                let gradient = parts.iter().map(|part| part.0.output_bias[n]).sum();
                adam(
                    &mut weights.output_bias[n],
                    &mut first.output_bias[n],
                    &mut second.output_bias[n],
                    gradient,
                );
            }
        }
        let unseen: f64 = held_back
            .iter()
            .map(|&index| f64::from(learn(&weights, &samples[index as usize], settings, None)))
            .sum();
        tell(epoch, (sum / order.len() as f64) as f32, (unseen / held_back.len().max(1) as f64) as f32);
    }
    rounded(&weights)
}

fn shuffle(order: &mut [u32], rng: &mut Rng) {
    for end in (1..order.len()).rev() {
        order.swap(end, rng.below(end + 1));
    }
}

/// As whole numbers.
fn rounded(weights: &Weights) -> Network {
    let layer = |row: &Row, one: f32| row.map(|weight| (weight * one).round() as i16);
    let (inputs, rest) = weights.rows.split_at(weights.inputs);
    let (bias, outputs) = rest.split_at(1);
    let (first, out) = (f32::from(ONE), ONE_OUT as f32);
    Network {
        inputs: inputs.iter().map(|row| layer(row, first)).collect(),
        bias: layer(&bias[0], first),
        outputs: outputs
            .chunks_exact(2)
            .zip(&weights.output_bias)
            .map(|(rows, bias)| Output {
                weights: [layer(&rows[0], out), layer(&rows[1], out)],
                bias: (bias * out * first).round() as i32,
            })
            .collect(),
    }
}
