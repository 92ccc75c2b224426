//! Estimates of how much stronger the first player is.

use super::counts;
use super::counts::Counts;
use super::normal::{REACH_95, cumulative};

/// Twice the 400 Elo that multiply the odds by ten, divided by ln 10: the scale between normalized score and
/// normalized Elo (Van den Bergh, "Comments on Normalized Elo").
pub(super) const NORMALIZED_SCALE: f64 = 800.0 / std::f64::consts::LN_10;

/// The expected score (0 to 1) of a player `elo` Elo stronger than the opponent.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The Elo of a score of 0.999, about 1199.83, which also stands for a score of all points. As in fishtest,
/// scores beyond are clamped, at the ends of the confidence interval too.
pub const LARGEST_ELO: f64 = 1_199.826_195_290_385_4;

/// Strength estimated from counts. Every value but the two ratios is finite, whatever the counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The share of the points, 0 to 1; a half if nothing was played.
    pub score: f64,
    /// The logistic Elo difference, within ±[`LARGEST_ELO`].
    pub elo: f64,
    /// Half the width of its 95 % confidence interval.
    pub elo_error: f64,
    /// The normalized Elo difference: expected points relative to their standard deviation, in units near
    /// those of Elo.
    pub normalized: f64,
    /// Half the width of its 95 % confidence interval.
    pub normalized_error: f64,
    /// The likelihood of superiority, 0 to 1.
    pub superiority: f64,
    /// The share of even pairs among the pairs, or without pairs that of draws among the games; `None` if
    /// nothing was played.
    pub draw_ratio: Option<f64>,
    /// Pairs won divided by pairs lost: infinite if none was lost, `None` if none was won or lost.
    pub pairs_ratio: Option<f64>,
    /// Among the even pairs, those of a win and a loss divided by those of two draws: infinite without the
    /// latter, `None` if there are no even pairs or their kind is unknown.
    pub split_ratio: Option<f64>,
}

/// The Elo difference that corresponds to a share of the points.
pub fn elo_of_score(score: f64) -> f64 {
    -400.0 * (1.0 / score.clamp(1e-3, 1.0 - 1e-3) - 1.0).log10()
}

/// Estimates strength from the pairs if there are any, else from the single games.
pub fn estimate(counts: &Counts) -> Estimate {
    let distribution = counts.distribution();
    let (score, variance) = distribution.moments();
    let deviation = (variance / distribution.samples).sqrt();
    let reach = REACH_95 * deviation;
    // The deviation of a single game, if the games of a pair were independent.
    let game_deviation = (variance * distribution.games_each).sqrt();
    let ratio = |above: u64, below: u64| (above + below > 0).then_some(above as f64 / below as f64);
    let [ll, ld, even, dw, ww] = counts.pairs;
    let (drawn, all) = if counts.paired() {
        (even, counts.pairs_played())
    } else {
        (counts.games[1], counts.games_played())
    };
    Estimate {
        score: if counts.games_played() == 0 { 0.5 } else { counts.points() / counts.games_played() as f64 },
        elo: elo_of_score(score),
        elo_error: (elo_of_score(score + reach) - elo_of_score(score - reach)) / 2.0,
        normalized: (score - 0.5) / game_deviation * NORMALIZED_SCALE,
        normalized_error: reach / game_deviation * NORMALIZED_SCALE,
        superiority: cumulative((score - 0.5) / deviation),
        draw_ratio: (all > 0).then(|| drawn as f64 / all as f64),
        pairs_ratio: ratio(dw + ww, ll + ld),
        split_ratio: if counts.evens_assumed { None } else { ratio(counts.split, even - counts.split) },
    }
}

/// The draw Elo of BayesElo for losses, draws and wins (an empty cell counts 0.001): the Elo advantage with
/// which a player wins every second game.
pub fn draw_elo(games: [u64; 3]) -> f64 {
    let cells = counts::distribution(&games).cells;
    let (loss, win) = (cells[0].1, cells[2].1);
    200.0 * ((1.0 - loss) / loss * (1.0 - win) / win).log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, wanted: f64, tolerance: f64) {
        assert!((found - wanted).abs() <= tolerance, "{found} is not {wanted}");
    }

    #[test]
    fn reference_values_of_fishtest() {
        let long = estimate(&Counts::pentanomial([379, 10170, 21828, 10640, 343]));
        near(long.elo, 1.5946, 5e-5);
        near(long.elo_error, 1.2087, 5e-5);
        near(long.superiority, 0.99514, 5e-6);
        let short = estimate(&Counts::pentanomial([5, 20, 50, 25, 6]));
        near(short.elo, 11.476, 5e-4);
        near(short.elo_error, 30.334, 5e-4);
    }

    /// Unit tests of fastchess (app/tests/elo_test.cpp, commit 74deac2), which allow 1 %. Here the digits
    /// printed there are required.
    #[test]
    fn values_of_fastchess() {
        let expect = |counts: Counts, elo: Option<(f64, f64)>, normalized: (f64, f64), los: f64| {
            let found = estimate(&counts);
            if let Some((elo, error)) = elo {
                near(found.elo, elo, 0.005);
                near(found.elo_error, error, 0.005);
            }
            near(found.normalized, normalized.0, 0.01);
            near(found.normalized_error, normalized.1, 0.005);
            near(found.superiority * 100.0, los, 0.005);
        };
        let tri = Counts::trinomial;
        expect(tri(89, 123, 76), None, (-20.76, 40.13), 15.53);
        expect(tri(96, 111, 136), Some((40.70, 30.43)), (49.77, 36.77), 99.60);
        let penta = Counts::pentanomial;
        expect(penta([34, 54, 63, 64, 75]), Some((55.58, 27.65)), (57.94, 28.28), 100.0);
        expect(penta([332, 433, 498, 333, 334]), Some((-8.64, 10.33)), (-9.17, 10.96), 5.05);
        expect(penta([7895, 8757, 5685, 568, 9999]), Some((-21.04, 2.95)), (-19.01, 2.65), 0.0);
    }

    #[test]
    fn swapping_sides_negates() {
        for counts in [Counts::trinomial(3, 1, 8), Counts::pentanomial([0, 3, 4, 9, 2]), Counts::default()] {
            let (one, other) = (estimate(&counts), estimate(&counts.swapped()));
            near(one.elo, -other.elo, 1e-9);
            near(one.elo_error, other.elo_error, 1e-9);
            near(one.normalized, -other.normalized, 1e-9);
            near(one.superiority, 1.0 - other.superiority, 1e-12);
        }
    }

    #[test]
    fn whatever_the_counts_the_numbers_are_finite() {
        let big = super::super::LARGEST_CELL;
        let cases = [
            Counts::default(),
            Counts::trinomial(0, 0, 1),
            Counts::trinomial(0, 10, 0),
            Counts::trinomial(big, 0, 0),
            Counts::pentanomial([0, 0, 1, 0, 0]),
            Counts::pentanomial([0, 0, 0, 0, big]),
            Counts::pentanomial([big; 5]),
        ];
        for counts in cases {
            let e = estimate(&counts);
            for number in [e.elo, e.elo_error, e.normalized, e.normalized_error, e.superiority, e.score] {
                assert!(number.is_finite(), "{counts:?}: {e:?}");
            }
        }
        let nothing = estimate(&Counts::default());
        near(nothing.elo, 0.0, 1e-12);
        near(nothing.elo_error, LARGEST_ELO, 1e-9);
        assert_eq!((nothing.draw_ratio, nothing.pairs_ratio, nothing.superiority), (None, None, 0.5));
        let won = estimate(&Counts::trinomial(0, 0, 10));
        near(won.elo, LARGEST_ELO, 1e-9);
        near(400.0 * 999f64.log10(), LARGEST_ELO, 1e-9);
        assert!(won.superiority > 0.9999);
        let drawn = estimate(&Counts::pentanomial([0, 0, 5, 0, 0]));
        near(drawn.elo, 0.0, 1e-9);
        assert!(drawn.elo_error > 0.0 && drawn.elo_error < 10.0);
    }

    #[test]
    fn ratios() {
        let counts = Counts::both([1, 0, 3, 2, 2], [3, 6, 7]).unwrap();
        let e = estimate(&counts);
        assert_eq!((e.draw_ratio, e.pairs_ratio, e.split_ratio), (Some(0.375), Some(4.0), Some(0.5)));
        assert_eq!(
            estimate(&Counts::trinomial(counts.games[0], counts.games[1], counts.games[2])).draw_ratio,
            Some(6.0 / 16.0)
        );
        assert_eq!(estimate(&Counts::pentanomial([0, 0, 3, 2, 2])).pairs_ratio, Some(f64::INFINITY));
        assert_eq!(estimate(&Counts::pentanomial([0, 0, 3, 2, 2])).split_ratio, None);
    }

    #[test]
    fn draw_elo_of_even_thirds() {
        near(draw_elo([10, 10, 10]), 400.0 * 2f64.log10(), 1e-9);
    }
}
