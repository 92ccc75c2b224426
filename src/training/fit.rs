//! How well scores predict results.

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
        // The golden section of the logarithm: the error falls to one lowest value and rises again.
        let ratio = (5.0_f64.sqrt() - 1.0) / 2.0;
        let (mut low, mut high) = (SLOPES.start().ln(), SLOPES.end().ln());
        for _ in 0..40 {
            let (left, right) = (high - ratio * (high - low), low + ratio * (high - low));
            if error(left.exp()) <= error(right.exp()) {
                high = right;
            } else {
                low = left;
            }
        }
        let k = ((low + high) / 2.0).exp();
        Some(Self { k, explained: 1.0 - error(k) / variance })
    }
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
