//! How well scores predict results.

use crate::game::WinModel;

/// The logistic curve from scores to points that fits the results of games best, and how much it explains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// The slope: a score of so many centipawns is expected to bring `1 / (1 + 1/e)` points, 73 %.
    pub k: f64,
    /// The part of the variance of the results that the scores explain (R²); negative where always expecting
    /// the mean predicts better.
    pub explained: f64,
}

/// The slopes that are tried, in centipawns.
const SLOPES: std::ops::RangeInclusive<f64> = 20.0..=5_000.0;

impl Fit {
    /// Of scores, each with the points that came of it as a part of 1; `None` where all came to the same.
    pub fn of(samples: impl IntoIterator<Item = (i16, f64)>) -> Option<Self> {
        // By score: how many positions, and their points.
        let mut scores = vec![(0.0, 0.0); 1 << 16];
        let (mut count, mut sum, mut squares) = (0.0, 0.0, 0.0);
        for (score, points) in samples {
            let entry: &mut (f64, f64) = &mut scores[usize::from(score.cast_unsigned())];
            *entry = (entry.0 + 1.0, entry.1 + points);
            count += 1.0;
            sum += points;
            squares += points * points;
        }
        let variance = squares - sum * sum / count;
        // Of no samples it is no number.
        if variance.is_nan() || variance <= 0.0 {
            return None;
        }
        let scores: Vec<_> = (0..=u16::MAX)
            .zip(scores)
            .filter(|(_, (positions, _))| *positions > 0.0)
            .map(|(score, (positions, points))| (f64::from(score.cast_signed()), positions, points))
            .collect();
        // The sum of squared errors, with the same squares of the results for all slopes.
        let error = |k: f64| {
            let error = |&(score, positions, points): &(f64, f64, f64)| {
                let expected = points_of(score, k);
                expected * (positions * expected - 2.0 * points)
            };
            squares + scores.iter().map(error).sum::<f64>()
        };
        let k = lowest((SLOPES.start().ln(), SLOPES.end().ln()), |k| error(k.exp())).exp();
        Some(Self { k, explained: 1.0 - error(k) / variance })
    }
}

/// The model that makes the results of games likeliest, from scores, each with what came of it: points 0,
/// one half, or 1. `None` where all came to the same.
pub fn win_model(samples: impl IntoIterator<Item = (i16, f64)>) -> Option<WinModel> {
    // By score: how many positions were lost, drawn and won.
    let mut scores = vec![[0.0; 3]; 1 << 16];
    let mut seen = [false; 3];
    for (score, points) in samples {
        let result = (points * 2.0).round() as usize;
        scores[usize::from(score.cast_unsigned())][result] += 1.0;
        seen[result] = true;
    }
    if seen.into_iter().filter(|seen| *seen).count() < 2 {
        return None;
    }
    let scores: Vec<(i16, [f64; 3])> = (i16::MIN..=i16::MAX)
        .map(|score| (score, scores[usize::from(score.cast_unsigned())]))
        .filter(|(_, counts)| *counts != [0.0; 3])
        .collect();
    // How unlikely the results are by the model, as a logarithm; no chance is taken to be exactly 0.
    let surprise = |model: WinModel| {
        let of = |&(score, [lost, drew, won]): &(i16, [f64; 3])| {
            let (win, loss) = (model.win(score.into()), model.win((-score).into()));
            let cost = |count: f64, chance: f64| -count * chance.max(1e-9).ln();
            cost(won, win) + cost(lost, loss) + cost(drew, 1.0 - win - loss)
        };
        scores.iter().map(of).sum::<f64>()
    };
    // The logarithm of the likelihood is concave in 1 / spread and even / spread (ordered logistic regression,
    // P. McCullagh 1980), so that the best of one number can be sought for each value of the other.
    let best_even = |spread: f64| {
        // Without draws every game is won or lost.
        if !seen[1] {
            return 0.0;
        }
        lowest((0.0, 8.0), |parts| surprise(WinModel { even: parts * spread, spread })) * spread
    };
    let cost = |spread: f64| surprise(WinModel { even: best_even(spread), spread });
    let spread = lowest((SLOPES.start().ln(), SLOPES.end().ln()), |spread| cost(spread.exp())).exp();
    Some(WinModel { even: best_even(spread), spread })
}

/// Where `cost`, which falls to one lowest value and rises again, is lowest, by the golden section.
fn lowest((mut low, mut high): (f64, f64), cost: impl Fn(f64) -> f64) -> f64 {
    let ratio = (5.0_f64.sqrt() - 1.0) / 2.0;
    for _ in 0..40 {
        let (left, right) = (high - ratio * (high - low), low + ratio * (high - low));
        if cost(left) <= cost(right) {
            high = right;
        } else {
            low = left;
        }
    }
    (low + high) / 2.0
}

/// The points that a score is expected to bring, as a part of 1.
pub fn points_of(score: f64, k: f64) -> f64 {
    1.0 / (1.0 + (-score / k).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Rng;

    #[test]
    fn the_slope_that_made_the_results_is_found() {
        for k in [90.0, 220.0, 1_100.0] {
            let mut rng = Rng::new(3);
            let samples: Vec<_> = (0..100_000)
                .map(|_| {
                    let score = rng.below(4_001) as i16 - 2_000;
                    let wins = (rng.below(1 << 20) as f64) < points_of(score.into(), k) * f64::from(1 << 20);
                    (score, if wins { 1.0 } else { 0.0 })
                })
                .collect();
            let fit = Fit::of(samples).unwrap();
            assert!((fit.k / k - 1.0).abs() < 0.05, "{k}: {fit:?}");
            // The larger the slope, the more is left to chance.
            assert!((0.1..1.0).contains(&fit.explained), "{k}: {fit:?}");
        }
    }

    #[test]
    fn the_model_that_made_the_results_is_found() {
        for model in [WinModel { even: 0.0, spread: 300.0 }, WinModel { even: 250.0, spread: 90.0 }] {
            let mut rng = Rng::new(5);
            let samples: Vec<_> = (0..100_000)
                .map(|_| {
                    let score = rng.below(2_001) as i16 - 1_000;
                    let (win, loss) = (model.win(score.into()), model.win((-score).into()));
                    let drawn = rng.below(1 << 20) as f64 / f64::from(1 << 20);
                    let lost_or_drawn = if drawn < win + loss { 0.0 } else { 0.5 };
                    (score, if drawn < win { 1.0 } else { lost_or_drawn })
                })
                .collect();
            let WinModel { even, spread } = win_model(samples).unwrap();
            assert!((spread / model.spread - 1.0).abs() < 0.05, "{model:?}: {spread}");
            assert!((even - model.even).abs() <= model.even * 0.05, "{model:?}: {even}");
        }
        assert_eq!(win_model([(30, 0.5), (-500, 0.5)]), None);
    }

    #[test]
    fn what_predicts_nothing_explains_nothing() {
        let mut rng = Rng::new(4);
        let samples: Vec<_> =
            (0..50_000).map(|_| (rng.below(4_001) as i16 - 2_000, rng.below(2) as f64)).collect();
        let fit = Fit::of(samples).unwrap();
        assert!(fit.explained < 0.01 && fit.k > 1_000.0, "{fit:?}");
    }

    #[test]
    fn without_different_results_there_is_no_fit() {
        assert_eq!(Fit::of([]), None);
        assert_eq!(Fit::of([(30, 0.5), (-500, 0.5)]), None);
    }
}
