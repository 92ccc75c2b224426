//! Gradient descent on the terms set by hand (P. Österlund's "Texel tuning", 2014, with Adam instead of local
//! search).

use super::fit::points_of;
use super::sample::Sample;

/// The number of samples in a step.
const BATCH: usize = 8_192;
/// The first step size, in parts of the slope; it falls to nothing along a cosine.
const RATE: f64 = 0.01;

/// What came of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Tuned {
    /// The worth of each term, in centipawns.
    pub terms: Vec<i32>,
    /// Mean squared errors with the terms as they were: learned, held back.
    pub before: [f64; 2],
    /// The same with the new ones.
    pub after: [f64; 2],
}

/// Learns worths for the terms that [`Sample::inputs`] counts, beginning with `terms`, such that they predict
/// best what `samples` came to: `result` of the game's result, and for the rest what the search found. Scores
/// become points by the slope `k` ([`Fit::k`](super::fit::Fit::k)). The last tenth is held back. `done` hears
/// how many steps are done, and of how many. A term that never occurs keeps its worth.
pub fn tune(
    terms: &[i32],
    samples: &[Sample],
    epochs: u32,
    result: f64,
    k: f64,
    mut done: impl FnMut(u64, u64),
) -> Tuned {
    let (learned, held_back) = samples.split_at(samples.len() - samples.len() / 10);
    let mut weights: Vec<f64> = terms.iter().map(|&term| f64::from(term) / k).collect();
    let errors = |weights: &[f64]| {
        [learned, held_back].map(|part| {
            let sum: f64 = part.iter().map(|sample| error(weights, sample, result, k).0.powi(2)).sum();
            sum / part.len().max(1) as f64
        })
    };
    let before = errors(&weights);
    let (mut first, mut second) = (vec![0.0; terms.len()], vec![0.0; terms.len()]);
    let batches = learned.len().div_ceil(BATCH).max(1);
    let steps = (batches * epochs as usize).max(1);
    for step in 0..steps {
        let mut gradient = vec![0.0; terms.len()];
        // Samples far apart, so that a batch is of many games.
        let batch = || learned.iter().skip(step % batches).step_by(batches);
        for sample in batch() {
            let (error, slope) = error(&weights, sample, result, k);
            let [ours, theirs] = &sample.inputs;
            ours.iter().for_each(|&term| gradient[usize::from(term)] += error * slope);
            theirs.iter().for_each(|&term| gradient[usize::from(term)] -= error * slope);
        }
        let rate = RATE * 0.5 * (1.0 + (std::f64::consts::PI * step as f64 / steps as f64).cos());
        let size = 1.0 / batch().count().max(1) as f64;
        let power = step as i32 + 1;
        for (term, gradient) in gradient.into_iter().enumerate() {
            let gradient = gradient * size;
            first[term] = 0.9 * first[term] + 0.1 * gradient;
            second[term] = 0.999 * second[term] + 0.001 * gradient * gradient;
            let (mean, square) =
                (first[term] / (1.0 - 0.9_f64.powi(power)), second[term] / (1.0 - 0.999_f64.powi(power)));
            weights[term] -= rate * mean / (square.sqrt() + 1e-9);
        }
        done(step as u64 + 1, steps as u64);
    }
    let terms = weights.iter().map(|weight| (weight * k).round() as i32).collect();
    Tuned { terms, before, after: errors(&weights) }
}

/// How much more is expected than came, in points, and how that changes with the evaluation.
fn error(weights: &[f64], sample: &Sample, result: f64, k: f64) -> (f64, f64) {
    let sum = |inputs: &[u16]| inputs.iter().map(|&term| weights[usize::from(term)]).sum::<f64>();
    let [ours, theirs] = &sample.inputs;
    let expected = points_of(sum(ours) - sum(theirs), 1.0);
    let found = points_of(sample.score.into(), k);
    let came = result * f64::from(sample.outcome) + (1.0 - result) * found;
    (expected - came, expected * (1.0 - expected))
}
