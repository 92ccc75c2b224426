//! Sequential probability ratio tests: is the first player nearer to elo1 than to elo0, and may the match
//! stop?

use super::counts::{Counts, Distribution, moments};
use super::elo::draw_elo;
use super::elo::{NORMALIZED_SCALE, expected_score};
use super::solve::secular;
use std::fmt;
use std::str::FromStr;

/// The unit of a test's Elo bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// Normalized Elo: the score divided by its standard deviation in one game.
    Normalized,
    /// Logistic Elo, which depends on the expected score alone.
    Logistic,
    /// BayesElo: a model with draws, whose draw Elo is estimated from the results.
    BayesElo,
}

impl Model {
    /// The largest magnitude of a bound. Beyond it either the model cannot be fitted to every result
    /// (normalized), or the difference no longer needs a test.
    pub fn largest_bound(self) -> f64 {
        match self {
            Self::Normalized => 200.0,
            Self::Logistic | Self::BayesElo => 1000.0,
        }
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Normalized => "normalized",
            Self::Logistic => "logistic",
            Self::BayesElo => "bayeselo",
        })
    }
}

impl FromStr for Model {
    type Err = SprtError;

    /// Reads `normalized`, `logistic` or `bayeselo`; fastchess calls the last `bayesian`.
    fn from_str(text: &str) -> Result<Self, SprtError> {
        match text.to_ascii_lowercase().as_str() {
            "normalized" => Ok(Self::Normalized),
            "logistic" => Ok(Self::Logistic),
            "bayeselo" | "bayesian" => Ok(Self::BayesElo),
            _ => Err(SprtError::Model(text.to_owned())),
        }
    }
}

/// The smallest error rate that can be requested. Below it the bounds of a test come near the limits of
/// floating-point numbers, and no match is long enough.
pub const SMALLEST_SHARE: f64 = 1e-12;

/// Why a test is not possible.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// There is no such model.
    #[error("`{0}` is no model of a test: normalized, logistic or bayeselo")]
    Model(String),
    /// The bounds are in the wrong order, or equal.
    #[error("elo0 ({0}) must be less than elo1 ({1})")]
    Order(f64, f64),
    /// A bound is not a number, or too large.
    #[error("elo0 and elo1 of a {0} test must lie between -{most} and {most}", most = .0.largest_bound())]
    Bound(Model),
    /// An error rate is out of range.
    #[error("{0} must lie between {SMALLEST_SHARE:e} and 1, not {1:?}")]
    Share(&'static str, f64),
    /// The error rates are so large that the test has nothing to decide.
    #[error("alpha and beta together must be less than 1, not {0}")]
    Together(f64),
}

/// The present decision of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// H1 is accepted: the difference is taken to be elo1 or more.
    Accept,
    /// H0 is accepted and H1 rejected: the difference is taken to be elo0 or less.
    Reject,
    /// More games are needed.
    Continue,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Accept => "accept",
            Self::Reject => "reject",
            Self::Continue => "continue",
        })
    }
}

/// The present state of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Status {
    /// The log-likelihood ratio of elo1 against elo0.
    pub llr: f64,
    /// H0 is accepted at or below this ratio.
    pub lower: f64,
    /// H1 is accepted at or above this ratio.
    pub upper: f64,
    /// The decision that follows.
    pub verdict: Verdict,
}

impl Status {
    /// The decision: true for H1, `None` while more games are needed.
    pub fn decided(&self) -> Option<bool> {
        match self.verdict {
            Verdict::Accept => Some(true),
            Verdict::Reject => Some(false),
            Verdict::Continue => None,
        }
    }

    /// How far the ratio has come towards the bound on its side: 1 at the bound, negative towards the lower
    /// one.
    pub fn fraction(&self) -> f64 {
        self.llr / if self.llr < 0.0 { -self.lower } else { self.upper }
    }
}

/// A sequential probability ratio test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    model: Model,
    elo: [f64; 2],
    alpha: f64,
    beta: f64,
}

impl Sprt {
    /// A test of `elo1` against `elo0` in the model's Elo. `alpha` is the probability of accepting elo1 when
    /// elo0 is true, `beta` that of accepting elo0 when elo1 is true.
    ///
    /// # Errors
    /// When these numbers do not define a test.
    pub fn new(model: Model, elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Self, SprtError> {
        for (name, share) in [("alpha", alpha), ("beta", beta)] {
            if !(SMALLEST_SHARE..1.0).contains(&share) {
                return Err(SprtError::Share(name, share));
            }
        }
        if alpha + beta >= 1.0 {
            return Err(SprtError::Together(alpha + beta));
        }
        if [elo0, elo1].iter().any(|elo| elo.is_nan() || elo.abs() > model.largest_bound()) {
            return Err(SprtError::Bound(model));
        }
        if elo0 >= elo1 {
            return Err(SprtError::Order(elo0, elo1));
        }
        Ok(Self { model, elo: [elo0, elo1], alpha, beta })
    }

    /// The unit of the bounds.
    pub fn model(&self) -> Model {
        self.model
    }

    /// The bounds elo0 and elo1.
    pub fn elo(&self) -> [f64; 2] {
        self.elo
    }

    /// The ratios that end the test: ln(beta / (1 - alpha)) and ln((1 - beta) / alpha).
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The state of the test after `counts`, by pairs if there are any, else by single games. Without games
    /// the ratio is 0.
    pub fn status(&self, counts: &Counts) -> Status {
        let (lower, upper) = self.bounds();
        let llr = if counts.games_played() == 0 { 0.0 } else { self.ratio(counts) };
        let verdict = if llr >= upper {
            Verdict::Accept
        } else if llr <= lower {
            Verdict::Reject
        } else {
            Verdict::Continue
        };
        Status { llr, lower, upper, verdict }
    }

    fn ratio(&self, counts: &Counts) -> f64 {
        let distribution = counts.distribution();
        let [zero, one] = self.elo.map(|elo| self.fitted(elo, &distribution, counts));
        let gain = distribution.cells.iter().zip(zero.iter().zip(&one));
        distribution.samples * gain.map(|((_, p), (p0, p1))| p * (p1.ln() - p0.ln())).sum::<f64>()
    }

    /// The probabilities of the cells that make the results likeliest, among those of strength `elo`.
    fn fitted(&self, elo: f64, distribution: &Distribution, counts: &Counts) -> Vec<f64> {
        let cells = &distribution.cells;
        match self.model {
            Model::Logistic => with_mean(cells, expected_score(elo)),
            Model::BayesElo => with_mean(cells, score_with_draws(elo, draw_elo(counts.games))),
            Model::Normalized => with_t_value(cells, elo / NORMALIZED_SCALE * distribution.games_each.sqrt()),
        }
    }
}

/// The expected score in the BayesElo model.
fn score_with_draws(elo: f64, draw_elo: f64) -> f64 {
    let (win, loss) = (expected_score(elo - draw_elo), expected_score(-elo - draw_elo));
    win + (1.0 - win - loss) / 2.0
}

/// The likeliest distribution with this mean: pᵢ / (1 + x·(aᵢ - mean)) (Van den Bergh, "The generalized
/// maximum likelihood ratio for the expectation value of a multinomial distribution", proposition 1.1).
fn with_mean(cells: &[(f64, f64)], mean: f64) -> Vec<f64> {
    let centred: Vec<_> = cells.iter().map(|(value, p)| (value - mean, *p)).collect();
    reweighed(&centred).unwrap_or_else(|| cells.iter().map(|cell| cell.1).collect())
}

/// The likeliest distribution whose (mean - 1/2) / deviation is `t`: the equation of "Comments on Normalized
/// Elo", section 4.1, solved by fixed-point iteration until only rounding changes. Most results need ten
/// rounds.
fn with_t_value(cells: &[(f64, f64)], t: f64) -> Vec<f64> {
    let mut now = vec![1.0 / cells.len() as f64; cells.len()];
    let mut last_change = f64::INFINITY;
    for _ in 0..1000 {
        let guess: Vec<_> = cells.iter().zip(&now).map(|((value, _), p)| (*value, *p)).collect();
        let (mean, variance) = moments(&guess);
        let deviation = variance.sqrt();
        let condition =
            |value: f64| value - 0.5 - t * deviation * (1.0 + ((mean - value) / deviation).powi(2)) / 2.0;
        let conditions: Vec<_> = cells.iter().map(|(value, p)| (condition(*value), *p)).collect();
        let Some(next) = reweighed(&conditions) else { break };
        let change = next.iter().zip(&now).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        now = next;
        if change < 1e-13 || (change < 1e-9 && change >= last_change) {
            break;
        }
        last_change = change;
    }
    now
}

fn reweighed(conditions: &[(f64, f64)]) -> Option<Vec<f64>> {
    let x = secular(conditions)?;
    Some(conditions.iter().map(|(a, p)| p / (1.0 + x * a)).collect())
}

#[cfg(test)]
mod tests {
    use super::super::Points;
    use super::*;
    use crate::base::Rng;

    fn llr(model: Model, elo0: f64, elo1: f64, counts: &Counts) -> f64 {
        Sprt::new(model, elo0, elo1, 0.05, 0.05).unwrap().status(counts).llr
    }

    fn near(found: f64, wanted: f64, tolerance: f64) {
        assert!((found - wanted).abs() <= tolerance, "{found} is not {wanted}");
    }

    /// Computed with the Python of fishtest. The values are also in protocol-docs/statistics.md, whose table
    /// is recomputed by tests/it/matches/statistics.rs.
    #[test]
    fn reference_values_of_fishtest() {
        let penta = [
            ([379, 10170, 21828, 10640, 343], (0.0, 2.0), 2.945495, 3.125676),
            ([5, 20, 50, 25, 6], (0.0, 5.0), 0.133284, 0.187397),
            ([0, 0, 10, 5, 1], (-3.0, 1.0), 0.122747, 0.184676),
            ([1, 1, 1, 0, 2], (0.0, 10.0), 0.021375, 0.019324),
            ([100, 400, 900, 450, 120], (-1.75, 0.25), 0.830550, 1.290043),
        ];
        for (pairs, (elo0, elo1), normalized, logistic) in penta {
            let counts = Counts::pentanomial(pairs);
            near(llr(Model::Normalized, elo0, elo1, &counts), normalized, 5.1e-7);
            near(llr(Model::Logistic, elo0, elo1, &counts), logistic, 5.1e-7);
        }
        let counts = Counts::trinomial(40, 100, 60);
        near(llr(Model::Normalized, 0.0, 5.0, &counts), 0.386431, 5.1e-7);
        near(llr(Model::Logistic, 0.0, 5.0, &counts), 0.534944, 5.1e-7);
    }

    /// Unit tests of fastchess (app/tests/sprt_test.cpp, commit 74deac2), which allow 1 %.
    #[test]
    fn values_of_fastchess() {
        let tri = |wins, losses, draws| Counts::trinomial(losses, draws, wins);
        let penta = |ll, ld, wl: u64, dd: u64, wd, ww| Counts::pentanomial([ll, ld, wl + dd, wd, ww]);
        let cases = [
            (Model::Normalized, 0.0, 2.0, tri(36433, 36027, 68692), 0.92),
            (Model::Normalized, -1.75, 0.25, tri(10871, 10650, 20431), 2.30),
            (Model::Normalized, 0.0, 10.0, tri(4250, 0, 0), 120.56),
            (Model::Logistic, 0.5, 2.5, tri(21404, 21184, 40708), -1.57),
            (Model::Logistic, 0.0, 2.0, tri(57433, 57030, 106593), -2.59),
            (Model::BayesElo, 0.0, 2.0, tri(68965, 68526, 128429), -1.26),
            (Model::BayesElo, 0.5, 2.5, tri(21629, 21484, 41111), -1.13),
            (Model::Normalized, 0.0, 2.0, penta(365, 16618, 36029, 200, 16974, 390), 2.25),
            (Model::Normalized, -1.75, 0.25, penta(127, 4883, 10311, 401, 5150, 104), 3.01),
            (Model::Normalized, 0.0, 5.0, penta(0, 0, 0, 0, 0, 5550), 111.82),
            (Model::Logistic, 0.5, 2.5, penta(223, 9863, 20279, 1000, 10037, 246), -3.07),
            (Model::Logistic, 0.0, 2.0, penta(871, 26175, 55003, 980, 26678, 821), -4.98),
        ];
        for (model, elo0, elo1, counts, wanted) in cases {
            near(llr(model, elo0, elo1, &counts), wanted, 0.01 * wanted.abs());
        }
    }

    const MODELS: [Model; 3] = [Model::Normalized, Model::Logistic, Model::BayesElo];

    /// Counts with empty, small and large cells.
    fn random_counts(rng: &mut Rng) -> Counts {
        let mut cell = || {
            let most = [1, 2, 10, 1000, 100_000][rng.below(5)];
            rng.below(most) as u64
        };
        let pairs: [u64; 5] = std::array::from_fn(|_| cell());
        if rng.below(2) == 0 {
            Counts::pentanomial(pairs)
        } else {
            Counts::trinomial(pairs[0], pairs[1], pairs[2])
        }
    }

    #[test]
    fn swapping_sides_and_bounds_negates() {
        let mut rng = Rng::new(5);
        for _ in 0..300 {
            let counts = random_counts(&mut rng);
            for model in MODELS {
                let one = llr(model, -1.0, 4.0, &counts);
                let other = llr(model, -4.0, 1.0, &counts.swapped());
                near(one, -other, 1e-6 + 1e-8 * one.abs());
            }
        }
    }

    #[test]
    fn the_middle_decides_nothing_and_the_sides_do() {
        let even = Counts::trinomial(1000, 2000, 1000);
        for model in MODELS {
            near(llr(model, -5.0, 5.0, &even), 0.0, 1e-9);
            assert!(llr(model, 0.0, 5.0, &even) < 0.0 && llr(model, -5.0, 0.0, &even) > 0.0);
        }
        // The points lie exactly between the expected scores of the bounds, so the ratio is close to 0.
        let middle = Counts::trinomial(97_000, 200_000, 103_000);
        let elo = super::super::elo::elo_of_score(0.5075);
        near(llr(Model::Logistic, elo - 2.0, elo + 2.0, &middle), 0.0, 0.002);
    }

    #[test]
    fn whatever_the_counts_the_ratio_is_finite_and_the_model_is_met() {
        let mut rng = Rng::new(6);
        for _ in 0..1500 {
            let counts = random_counts(&mut rng);
            for model in MODELS {
                let bound = model.largest_bound();
                for (elo0, elo1) in [(0.0, 2.0), (-bound, bound)] {
                    assert!(llr(model, elo0, elo1, &counts).is_finite(), "{model} {counts:?}");
                }
            }
            let cells = counts.distribution().cells;
            for t in [-0.8, -0.1, 0.0, 0.01, 0.8] {
                let fitted = with_t_value(&cells, t);
                let fitted: Vec<_> = cells.iter().zip(&fitted).map(|(cell, p)| (cell.0, *p)).collect();
                let (mean, variance) = moments(&fitted);
                near((mean - 0.5) / variance.sqrt(), t, 1e-6);
                near(fitted.iter().map(|cell| cell.1).sum(), 1.0, 1e-6);
            }
        }
        for model in MODELS {
            let test = Sprt::new(model, 0.0, 2.0, 0.05, 0.05).unwrap();
            assert_eq!(test.status(&Counts::default()).llr, 0.0);
        }
    }

    /// With three cells both conditions leave one free number, the draws; a plain search finds the greatest
    /// likelihood.
    #[test]
    fn greatest_likelihood_by_plain_search() {
        let search = |cells: &[(f64, f64)], difference: &dyn Fn(f64) -> f64| -> f64 {
            let likelihood = |draws: f64| {
                let difference = difference(draws);
                let fitted = [(1.0 - draws - difference) / 2.0, draws, (1.0 - draws + difference) / 2.0];
                let logarithm = |p: f64| if p > 0.0 { p.ln() } else { f64::NEG_INFINITY };
                cells.iter().zip(fitted).map(|((_, p), fitted)| p * logarithm(fitted)).sum::<f64>()
            };
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..300 {
                let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
                if likelihood(left) < likelihood(right) { low = left } else { high = right }
            }
            likelihood((low + high) / 2.0)
        };
        for counts in [[40, 100, 60], [3, 8, 30], [500, 20, 480], [7, 0, 5]] {
            let counts = Counts::trinomial(counts[0], counts[1], counts[2]);
            let cells = counts.distribution().cells;
            let samples = counts.distribution().samples;
            let with_mean = |elo: f64| search(&cells, &move |_| 2.0 * expected_score(elo) - 1.0);
            near(
                llr(Model::Logistic, -3.0, 20.0, &counts),
                samples * (with_mean(20.0) - with_mean(-3.0)),
                1e-7,
            );
            let with_t = |elo: f64| {
                let t = elo / NORMALIZED_SCALE;
                // For m = wins - losses, t² = m²/(1 - d - m²).
                search(&cells, &move |draws| t.signum() * (t * t * (1.0 - draws) / (1.0 + t * t)).sqrt())
            };
            near(llr(Model::Normalized, -3.0, 20.0, &counts), samples * (with_t(20.0) - with_t(-3.0)), 1e-7);
        }
    }

    #[test]
    fn bounds_and_verdicts() {
        let test = Sprt::new(Model::Logistic, 0.0, 10.0, 0.05, 0.1).unwrap();
        let (lower, upper) = test.bounds();
        near(lower, (0.1f64 / 0.95).ln(), 1e-12);
        near(upper, 18f64.ln(), 1e-12);
        let verdict = |losses, wins| test.status(&Counts::trinomial(losses, 1000, wins)).verdict;
        assert_eq!(verdict(500, 700), Verdict::Accept);
        assert_eq!(verdict(700, 500), Verdict::Reject);
        assert_eq!(verdict(500, 510), Verdict::Continue);
        let status = test.status(&Counts::trinomial(700, 1000, 500));
        assert!(status.fraction() < -1.0);
    }

    #[test]
    fn refusals() {
        let refused = |model, elo0, elo1, alpha, beta| {
            Sprt::new(model, elo0, elo1, alpha, beta).unwrap_err().to_string()
        };
        let m = Model::Logistic;
        assert_eq!(refused(m, 2.0, 2.0, 0.05, 0.05), "elo0 (2) must be less than elo1 (2)");
        assert_eq!(refused(m, 0.0, 2.0, 0.0, 0.05), "alpha must lie between 1e-12 and 1, not 0.0");
        assert_eq!(refused(m, 0.0, 2.0, 0.05, 1.0), "beta must lie between 1e-12 and 1, not 1.0");
        assert_eq!(refused(m, 0.0, 2.0, 0.5, 0.5), "alpha and beta together must be less than 1, not 1");
        for (model, elo1) in [(m, 1001.0), (Model::Normalized, 201.0), (m, f64::NAN), (m, f64::INFINITY)] {
            assert!(refused(model, 0.0, elo1, 0.05, 0.05).contains("must lie between -"), "{elo1}");
        }
        assert!(refused(m, 0.0, 1.0, f64::NAN, 0.05).starts_with("alpha"));
        assert!(refused(m, 0.0, 1.0, 1e-320, 0.05).starts_with("alpha"));
        let (low, high) =
            Sprt::new(m, 0.0, 1.0, SMALLEST_SHARE, 1.0 - 2.0 * SMALLEST_SHARE).unwrap().bounds();
        assert!(low.is_finite() && high.is_finite() && low < high, "{low} {high}");
        assert_eq!("Bayesian".parse(), Ok(Model::BayesElo));
        assert!("elo".parse::<Model>().is_err());
    }

    /// Plays whole tests at random. At most a share alpha or beta of them may go wrong, within three standard
    /// deviations of 2,000 tests; the overshoot makes it fewer.
    #[test]
    fn error_rates() {
        const TESTS: u32 = 2000;
        let mut rng = Rng::new(7);
        for model in MODELS {
            let test = Sprt::new(model, 0.0, 20.0, 0.05, 0.1).unwrap();
            for (truth, wrong, share) in [(0.0, Verdict::Accept, 0.05), (20.0, Verdict::Reject, 0.1)] {
                // Half of the games are draws.
                let score = match model {
                    Model::Logistic => expected_score(truth),
                    Model::Normalized => 0.5 + truth / NORMALIZED_SCALE * 0.125f64.sqrt(),
                    // A draw Elo with half of the games drawn: wins and losses are a quarter each at 0 Elo.
                    Model::BayesElo => score_with_draws(truth, 400.0 * 3f64.log10()),
                };
                let mut faults = 0;
                for _ in 0..TESTS {
                    let mut counts = Counts::default();
                    let verdict = loop {
                        for _ in 0..8 {
                            let mut game = || {
                                let random = rng.bits() as f64 / 2f64.powi(64);
                                if random < score - 0.25 {
                                    Points::Win
                                } else if random < score + 0.25 {
                                    Points::Draw
                                } else {
                                    Points::Loss
                                }
                            };
                            let pair = [game(), game()];
                            pair.into_iter().for_each(|points| counts.add_game(points));
                            counts.add_pair(pair);
                        }
                        let verdict = test.status(&counts).verdict;
                        if verdict != Verdict::Continue {
                            break verdict;
                        }
                    };
                    faults += u32::from(verdict == wrong);
                }
                let most = share + 3.0 * (share * (1.0 - share) / f64::from(TESTS)).sqrt();
                let found = f64::from(faults) / f64::from(TESTS);
                assert!(found < most && found > share / 5.0, "{model}, {truth}: {found} of {share}");
            }
        }
    }
}
