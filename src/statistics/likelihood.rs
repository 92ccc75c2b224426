//! The likelihood of results by ratings, and its maximum.

use super::Points;
use super::solve::Cholesky;
use std::collections::BTreeMap;

/// The games of two players with the same colours.
pub(super) struct Pairing {
    /// The number of the player with White.
    pub white: usize,
    /// The number of the player with Black.
    pub black: usize,
    /// Games lost, drawn and won by White.
    pub games: [u64; 3],
}

/// How often each two players scored the points of a pair in each way: the first player's points with White,
/// then the second player's with White.
pub(super) struct PairCounts(pub BTreeMap<[usize; 2], [[u64; 3]; 3]>);

impl PairCounts {
    pub fn of(played: &[(usize, usize, Points)], pairs: &[[usize; 2]]) -> Self {
        let mut counts: BTreeMap<_, [[u64; 3]; 3]> = BTreeMap::new();
        for pair in pairs {
            let mut games = pair.map(|index| played[index]);
            if games[1].0 < games[0].0 {
                games.swap(0, 1);
            }
            let [(first, second, points), (.., other)] = games;
            counts.entry([first, second]).or_default()[points as usize][other as usize] += 1;
        }
        Self(counts)
    }

    /// All results with their counts. If a sum of points never occurred, its results count 0.001 together.
    fn cells(&self) -> impl Iterator<Item = ([usize; 2], [usize; 2], f64)> {
        self.0.iter().flat_map(|(players, counts)| {
            let mut cells = Vec::new();
            // By what the first player scored: with White, and with Black as the rest of the second one's
            // game.
            for sum in 0..=4 {
                let ways =
                    (0..=2).filter(|own| sum >= *own && sum - own <= 2).map(|own| [own, own + 2 - sum]);
                let ways: Vec<_> = ways.map(|points| (points, counts[points[0]][points[1]])).collect();
                let never = ways.iter().all(|(_, count)| *count == 0);
                let share = if never { 1e-3 / ways.len() as f64 } else { 0.0 };
                cells.extend(ways.iter().map(|(points, count)| (*players, *points, *count as f64 + share)));
            }
            cells
        })
    }
}

/// The likelihood of results, in natural units (an Elo is ln 10 / 400): Σ over pairings of A·ln F(x - d) +
/// B·ln F(-x - d) + D·ln(e²ᵈ - 1), where F(x) = 1/(1 + e⁻ˣ), x is the difference plus the advantage, and d is
/// the draw Elo. If draws are modelled, A is wins and draws, and B losses and draws; else d is 0, A is wins
/// and half the draws, B the rest, and the last term is left out. Both forms are concave, so Newton's steps,
/// halved when they go too far, find the one maximum.
pub(super) struct Fit<'a> {
    pub players: usize,
    pub pairings: &'a [Pairing],
    pub pairs: Option<&'a PairCounts>,
    pub advantage: bool,
    pub with_draws: bool,
    pub virtual_draws: bool,
}

/// The contribution of a pairing: games lost, drawn and won by White. `None` stands for a player of rating 0.
#[derive(Clone, Copy)]
struct Term {
    white: Option<usize>,
    black: Option<usize>,
    moves_first: bool,
    games: [f64; 3],
}

pub(super) struct Solution {
    pub values: Vec<f64>,
    pub curvature: Cholesky,
}

impl Fit<'_> {
    fn size(&self) -> usize {
        self.players + usize::from(self.advantage) + usize::from(self.with_draws)
    }

    /// The index of the advantage among the values.
    pub fn advantage_at(&self) -> Option<usize> {
        self.advantage.then_some(self.players)
    }

    /// The index of the draw Elo among the values.
    pub fn draws_at(&self) -> Option<usize> {
        self.with_draws.then_some(self.size() - 1)
    }

    fn terms(&self) -> impl Iterator<Item = Term> + use<'_> {
        let played = self.pairings.iter().map(|p| Term {
            white: Some(p.white),
            black: Some(p.black),
            moves_first: true,
            games: p.games.map(|count| count as f64),
        });
        // A virtual draw is played without a first move, so that colours do not matter; one more draw keeps
        // the advantage finite.
        let draw = |white, moves_first| Term { white, black: None, moves_first, games: [0.0, 1.0, 0.0] };
        let virtual_draws = (0..self.players).map(move |player| draw(Some(player), false));
        let virtual_draws = virtual_draws.chain(self.advantage.then(|| draw(None, true)));
        played.chain(virtual_draws.filter(|_| self.virtual_draws))
    }

    /// A, B and D of a term, as in [`Fit`].
    fn shares(&self, term: &Term) -> [f64; 3] {
        let [lost, drawn, won] = term.games;
        let part = if self.with_draws { drawn } else { drawn / 2.0 };
        [won + part, lost + part, drawn]
    }

    /// The values that add up to a term's difference, with their signs.
    fn parts(&self, term: &Term) -> impl Iterator<Item = (usize, f64)> + Clone + use<> {
        let advantage = self.advantage_at().filter(|_| term.moves_first);
        let parts =
            [term.white.map(|i| (i, 1.0)), term.black.map(|i| (i, -1.0)), advantage.map(|i| (i, 1.0))];
        parts.into_iter().flatten()
    }

    fn difference(&self, term: &Term, values: &[f64]) -> f64 {
        self.parts(term).map(|(i, sign)| sign * values[i]).sum()
    }

    pub fn draws(&self, values: &[f64]) -> f64 {
        self.draws_at().map_or(0.0, |i| values[i])
    }

    fn likelihood(&self, terms: &[Term], values: &[f64]) -> f64 {
        let d = self.draws(values);
        let logarithm = |x: f64| if x > 0.0 { -(-x).exp().ln_1p() } else { x - x.exp().ln_1p() };
        let draws = if self.with_draws { (2.0 * d).exp_m1().ln() } else { 0.0 };
        let of_term = |term: &Term| {
            let x = self.difference(term, values);
            let [above, below, drawn] = self.shares(term);
            let drawn = if self.with_draws { drawn * draws } else { 0.0 };
            above * logarithm(x - d) + below * logarithm(-x - d) + drawn
        };
        // A negative draw Elo is outside the model: it gives NaN, which loses every comparison.
        terms.iter().map(of_term).sum()
    }

    /// The slope of a term's likelihood along its difference and along the draw Elo.
    fn gradient(&self, term: &Term, values: &[f64]) -> (f64, f64) {
        let (x, d) = (self.difference(term, values), self.draws(values));
        let [above, below, drawn] = self.shares(term);
        let (above, below) = (above * (1.0 - logistic(x - d)), below * (1.0 - logistic(-x - d)));
        let odds = (2.0 * d).exp();
        let drawn = if self.with_draws { drawn * 2.0 * odds / (odds - 1.0) } else { 0.0 };
        (above - below, drawn - above - below)
    }

    /// The slope of the likelihood, and the negative of its curvature.
    fn slope_and_curvature(&self, terms: &[Term], values: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let size = self.size();
        let (mut slope, mut curvature) = (vec![0.0; size], vec![0.0; size * size]);
        let d = self.draws(values);
        let odds = (2.0 * d).exp();
        for term in terms {
            let x = self.difference(term, values);
            let (p, q) = (logistic(x - d), logistic(-x - d));
            let [above, below, drawn] = self.shares(term);
            let (u, v) = (above * p * (1.0 - p), below * q * (1.0 - q));
            let gradient = self.gradient(term, values);
            let parts = self.parts(term);
            for (i, sign) in parts.clone() {
                slope[i] += sign * gradient.0;
                for (j, other) in parts.clone() {
                    curvature[i * size + j] += sign * other * (u + v);
                }
            }
            let Some(at) = self.draws_at() else { continue };
            slope[at] += gradient.1;
            curvature[at * size + at] += u + v + drawn * 4.0 * odds / (odds - 1.0).powi(2);
            for (i, sign) in parts {
                curvature[i * size + at] += sign * (v - u);
                curvature[at * size + i] += sign * (v - u);
            }
        }
        if !self.virtual_draws {
            // Only differences matter, so this fixes the sum of the ratings, which is 0 at the start.
            let hold = (0..self.players).map(|i| curvature[i * size + i]).sum::<f64>() / self.players as f64;
            for i in 0..self.players {
                for j in 0..self.players {
                    curvature[i * size + j] += hold / self.players as f64;
                }
            }
        }
        (slope, curvature)
    }

    /// The maximum; `None` if there seems to be none.
    pub fn settle(&self) -> Option<Solution> {
        let terms: Vec<Term> = self.terms().collect();
        let mut values = vec![0.0; self.size()];
        if let Some(at) = self.draws_at() {
            values[at] = 0.5;
        }
        let mut height = self.likelihood(&terms, &values);
        for _ in 0..200 {
            let (slope, curvature) = self.slope_and_curvature(&terms, &values);
            let curvature = Cholesky::of(self.size(), &curvature)?;
            let step = curvature.solve(&slope);
            let length = step.iter().fold(0.0, |most: f64, part| most.max(part.abs()));
            let moved =
                |share: f64| -> Vec<f64> { values.iter().zip(&step).map(|(v, s)| v + share * s).collect() };
            if length < 1e-9 {
                // Newton's last step squares the error, so what is left is below every digit.
                return Some(Solution { values: moved(1.0), curvature });
            }
            let mut share = 1.0;
            let next = loop {
                let next = moved(share);
                let there = self.likelihood(&terms, &next);
                // Rounding may make the likelihood next to the maximum a little lower.
                if there >= height - 1e-12 * height.abs() {
                    height = there;
                    break next;
                }
                share /= 2.0;
                if share < 1e-12 {
                    return None;
                }
            };
            values = next;
            // 30 in natural units is more than 5000 Elo.
            if values.iter().any(|value| value.abs() > 30.0) {
                return None;
            }
        }
        None
    }

    pub fn results(&self, player: usize) -> [u64; 3] {
        let mut games = [0; 3];
        for pairing in self.pairings {
            for i in 0..3 {
                if pairing.white == player {
                    games[i] += pairing.games[i];
                } else if pairing.black == player {
                    games[2 - i] += pairing.games[i];
                }
            }
        }
        games
    }

    /// The variances of the ratings relative to their average. If draws are modelled, the inverse of the
    /// curvature gives them. But a draw taken as half a win and half a loss is not what happened, and the
    /// games of a pair are not independent. There the spread of the real results stands between two inverses
    /// (White, "Maximum Likelihood Estimation of Misspecified Models", 1982); for two players that is the
    /// margin of logistic Elo.
    pub fn variances(&self, values: &[f64], curvature: &Cholesky) -> Vec<f64> {
        let size = self.size();
        let samples = self.samples();
        let centred = |player: usize| -> Vec<f64> {
            let mut right = vec![0.0; size];
            right[..self.players].fill(-1.0 / self.players as f64);
            right[player] += 1.0;
            right
        };
        let variance = |player: usize| -> f64 {
            let right = centred(player);
            let left = curvature.solve(&right);
            if self.with_draws && self.pairs.is_none() {
                return left.iter().zip(&right).map(|(a, b)| a * b).sum();
            }
            let pull = |term: &Term| {
                let (difference, draws) = self.gradient(term, values);
                let along: f64 = self.parts(term).map(|(i, sign)| sign * left[i]).sum();
                difference * along + self.draws_at().map_or(0.0, |at| draws * left[at])
            };
            samples.iter().map(|(terms, count)| count * terms.iter().map(pull).sum::<f64>().powi(2)).sum()
        };
        (0..self.players).map(variance).collect()
    }

    /// The independent samples with their counts: pairs if the errors are based on them, else games. An empty
    /// cell counts 0.001.
    fn samples(&self) -> Vec<(Vec<Term>, f64)> {
        let one = |term: Term, points: usize| {
            let games = std::array::from_fn(|cell| f64::from(u8::from(cell == points)));
            Term { games, ..term }
        };
        let mut samples = Vec::new();
        for ([first, second], points, count) in self.pairs.iter().flat_map(|pairs| pairs.cells()) {
            let term = |white, black| Term {
                white: Some(white),
                black: Some(black),
                moves_first: true,
                games: [0.0; 3],
            };
            let both = vec![one(term(first, second), points[0]), one(term(second, first), points[1])];
            samples.push((both, count));
        }
        // Virtual draws do not come in pairs.
        let single = |term: &Term| self.pairs.is_none() || term.white.is_none() || term.black.is_none();
        for term in self.terms().filter(single) {
            samples.extend((0..3).map(|points| (vec![one(term, points)], term.games[points].max(1e-3))));
        }
        samples
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}
