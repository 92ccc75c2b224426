//! Ratings of several players out of all their games at once.

use super::NORMALIZED_SCALE;
use super::counts::Points;
use super::normal::quantile;
use super::solve::Cholesky;
use std::collections::BTreeMap;

/// The most players that are rated together; the work grows with the cube of their number.
pub const MOST_PLAYERS: usize = 2000;

/// What likelihood is made greatest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Expected scores of logistic Elo, a draw being half a win and half a loss; as in Ordo. The ratings are those at
    /// which everybody's points equal his expected points.
    #[default]
    Logistic,
    /// Wins, draws and losses in the model of BayesElo, its draw Elo taken from the games too.
    BayesElo,
}

/// Why there are no ratings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RatingError {
    /// Nobody played.
    #[error("no finished game between two named players")]
    NoGames,
    /// Too many players.
    #[error("{0} players are too many: {MOST_PLAYERS} can be rated together")]
    Players(usize),
    /// The equations could not be solved.
    #[error("the ratings did not settle")]
    Unsettled,
}

/// One player's rating.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerRating {
    /// The name.
    pub name: String,
    /// Elo against the average of all players.
    pub elo: f64,
    /// Half the width of the 95 % confidence interval of `elo`.
    pub error: f64,
    /// Games lost, drawn, won.
    pub games: [u64; 3],
}

impl PlayerRating {
    /// How many games he played.
    pub fn played(&self) -> u64 {
        self.games.iter().sum()
    }

    /// His points.
    pub fn points(&self) -> f64 {
        self.games[2] as f64 + self.games[1] as f64 / 2.0
    }
}

/// The ratings of a set of games.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// The best first; their average is 0.
    pub players: Vec<PlayerRating>,
    /// Elo that the first move is worth, if it was asked for.
    pub advantage: Option<f64>,
    /// The draw Elo, if the model has one and there were both draws and decided games.
    pub draw_elo: Option<f64>,
    /// What the ratings and the advantage were multiplied by: 1, or for BayesElo what makes small differences
    /// mean the same score as in logistic Elo.
    pub scale: f64,
    /// The results alone have no greatest likelihood (somebody won or lost all his games, or never met the others), so
    /// everyone was given one draw against a player of rating 0.
    pub virtual_draws: bool,
}

/// Rates everybody in `games`, given as White's name, Black's name and what White got.
///
/// # Errors
/// If there is no game, or there are too many players.
pub fn rate<'a>(
    games: impl IntoIterator<Item = (&'a str, &'a str, Points)>,
    method: Method,
    advantage: bool,
) -> Result<Ratings, RatingError> {
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    let mut pairings: BTreeMap<(usize, usize), [u64; 3]> = BTreeMap::new();
    for (white, black, points) in games {
        let [white, black] = [white, black].map(|name| {
            let next = numbers.len();
            *numbers.entry(name).or_insert(next)
        });
        pairings.entry((white, black)).or_default()[points as usize] += 1;
    }
    if numbers.is_empty() {
        return Err(RatingError::NoGames);
    }
    if numbers.len() > MOST_PLAYERS {
        return Err(RatingError::Players(numbers.len()));
    }
    let pairings: Vec<Pairing> = pairings
        .into_iter()
        .map(|((white, black), games)| Pairing { white, black, games })
        .filter(|pairing| pairing.white != pairing.black)
        .collect();
    let total = |cell: usize| pairings.iter().map(|pairing| pairing.games[cell]).sum::<u64>();
    // Without draws, or with nothing else, the draw Elo could be anything.
    let drawn_and_decided = total(1) > 0 && total(0) + total(2) > 0;
    let with_draws = method == Method::BayesElo && drawn_and_decided;
    let fit =
        Fit { players: numbers.len(), pairings: &pairings, advantage, with_draws, virtual_draws: false };
    let connected = connected(fit.players, &pairings);
    let settled = connected.then(|| fit.settle()).flatten();
    let (fit, settled) = match settled {
        Some(settled) => (fit, settled),
        None => {
            let fit = Fit { virtual_draws: true, ..fit };
            let settled = fit.settle().ok_or(RatingError::Unsettled)?;
            (fit, settled)
        }
    };
    Ok(fit.ratings(&settled, &numbers))
}

struct Pairing {
    white: usize,
    black: usize,
    games: [u64; 3],
}

/// True if from everyone one can get to everyone else by steps from a player to one he took a point or a half from;
/// only then do the results alone have a greatest likelihood (Zermelo 1929, Ford 1957).
fn connected(players: usize, pairings: &[Pairing]) -> bool {
    let mut took = vec![Vec::new(); players];
    let mut gave = vec![Vec::new(); players];
    for Pairing { white, black, games: [lost, drawn, won] } in pairings {
        if won + drawn > 0 {
            took[*white].push(*black);
            gave[*black].push(*white);
        }
        if lost + drawn > 0 {
            took[*black].push(*white);
            gave[*white].push(*black);
        }
    }
    [took, gave].iter().all(|steps| {
        let (mut seen, mut open) = (vec![false; players], vec![0]);
        while let Some(player) = open.pop() {
            if !std::mem::replace(&mut seen[player], true) {
                open.extend(&steps[player]);
            }
        }
        seen.into_iter().all(|reached| reached)
    })
}

/// The likelihood of results, in natural units (an Elo is ln 10 / 400): Σ over pairings of
/// A·ln F(x - d) + B·ln F(-x - d) + D·ln(e²ᵈ - 1), F(x) = 1/(1 + e⁻ˣ), x the difference and the advantage, d the draw Elo.
/// With draws modelled A is wins and draws, B losses and draws; else d is 0, A wins and half the draws, B the rest, and
/// the last term is left out. Both are concave, so Newton's steps, halved when they go too far, find the one summit.
struct Fit<'a> {
    players: usize,
    pairings: &'a [Pairing],
    advantage: bool,
    with_draws: bool,
    virtual_draws: bool,
}

/// A pairing's share of the likelihood: who plays (`None`: somebody of rating 0), with A, B and D.
struct Term {
    white: Option<usize>,
    black: Option<usize>,
    moves_first: bool,
    a: f64,
    b: f64,
    d: f64,
}

struct Solution {
    values: Vec<f64>,
    curvature: Cholesky,
}

impl Fit<'_> {
    fn size(&self) -> usize {
        self.players + usize::from(self.advantage) + usize::from(self.with_draws)
    }

    /// Where the advantage stands among the values.
    fn advantage_at(&self) -> Option<usize> {
        self.advantage.then_some(self.players)
    }

    /// Where the draw Elo stands among the values.
    fn draws_at(&self) -> Option<usize> {
        self.with_draws.then_some(self.size() - 1)
    }

    fn terms(&self) -> Vec<Term> {
        let term = |white, black, moves_first, [lost, drawn, won]: [f64; 3]| {
            let part = if self.with_draws { drawn } else { drawn / 2.0 };
            Term { white, black, moves_first, a: won + part, b: lost + part, d: drawn }
        };
        let mut terms: Vec<Term> = self
            .pairings
            .iter()
            .map(|p| term(Some(p.white), Some(p.black), true, p.games.map(|count| count as f64)))
            .collect();
        if self.virtual_draws {
            let draw = [0.0, 1.0, 0.0];
            // Played without a first move, so that nobody's colour counts; and one that holds the advantage.
            terms.extend((0..self.players).map(|player| term(Some(player), None, false, draw)));
            terms.extend(self.advantage.then(|| term(None, None, true, draw)));
        }
        terms
    }

    /// The values a term's difference is made of, with their signs.
    fn parts(&self, term: &Term) -> impl Iterator<Item = (usize, f64)> + Clone + use<> {
        let advantage = self.advantage_at().filter(|_| term.moves_first);
        let parts =
            [term.white.map(|i| (i, 1.0)), term.black.map(|i| (i, -1.0)), advantage.map(|i| (i, 1.0))];
        parts.into_iter().flatten()
    }

    fn difference(&self, term: &Term, values: &[f64]) -> f64 {
        self.parts(term).map(|(i, sign)| sign * values[i]).sum()
    }

    fn draws(&self, values: &[f64]) -> f64 {
        self.draws_at().map_or(0.0, |i| values[i])
    }

    fn likelihood(&self, terms: &[Term], values: &[f64]) -> f64 {
        let d = self.draws(values);
        let logarithm = |x: f64| if x > 0.0 { -(-x).exp().ln_1p() } else { x - x.exp().ln_1p() };
        let draws = if self.with_draws { (2.0 * d).exp_m1().ln() } else { 0.0 };
        let of_term = |term: &Term| {
            let x = self.difference(term, values);
            let drawn = if self.with_draws { term.d * draws } else { 0.0 };
            term.a * logarithm(x - d) + term.b * logarithm(-x - d) + drawn
        };
        // A negative draw Elo is no model: NaN, which no comparison prefers.
        terms.iter().map(of_term).sum()
    }

    /// The slope of the likelihood, and its curvature turned positive.
    fn slope_and_curvature(&self, terms: &[Term], values: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let size = self.size();
        let (mut slope, mut curvature) = (vec![0.0; size], vec![0.0; size * size]);
        let d = self.draws(values);
        let odds = (2.0 * d).exp();
        for term in terms {
            let x = self.difference(term, values);
            let (p, q) = (logistic(x - d), logistic(-x - d));
            let (u, v) = (term.a * p * (1.0 - p), term.b * q * (1.0 - q));
            let parts = self.parts(term);
            for (i, sign) in parts.clone() {
                slope[i] += sign * (term.a * (1.0 - p) - term.b * (1.0 - q));
                for (j, other) in parts.clone() {
                    curvature[i * size + j] += sign * other * (u + v);
                }
            }
            let Some(at) = self.draws_at() else { continue };
            slope[at] += term.d * 2.0 * odds / (odds - 1.0) - term.a * (1.0 - p) - term.b * (1.0 - q);
            curvature[at * size + at] += u + v + term.d * 4.0 * odds / (odds - 1.0).powi(2);
            for (i, sign) in parts {
                curvature[i * size + at] += sign * (v - u);
                curvature[at * size + i] += sign * (v - u);
            }
        }
        if !self.virtual_draws {
            // Only differences matter: hold the sum of the ratings, which is 0 at the start.
            let hold = (0..self.players).map(|i| curvature[i * size + i]).sum::<f64>() / self.players as f64;
            for i in 0..self.players {
                for j in 0..self.players {
                    curvature[i * size + j] += hold / self.players as f64;
                }
            }
        }
        (slope, curvature)
    }

    /// The summit; `None` if there seems to be none.
    fn settle(&self) -> Option<Solution> {
        let terms = self.terms();
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
                // Newton's last step squares the error: what is left is below every digit.
                return Some(Solution { values: moved(1.0), curvature });
            }
            let mut share = 1.0;
            let next = loop {
                let next = moved(share);
                let there = self.likelihood(&terms, &next);
                // Rounding may make the summit's own surroundings look a little lower.
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
            // 30 is more than 5000 Elo.
            if values.iter().any(|value| value.abs() > 30.0) {
                return None;
            }
        }
        None
    }

    fn ratings(&self, settled: &Solution, numbers: &BTreeMap<&str, usize>) -> Ratings {
        let Solution { values, curvature } = settled;
        let elo = NORMALIZED_SCALE / 2.0;
        // BayesElo's scale: the slope of its expected score at 0 against that of logistic Elo.
        let x = (-self.draws(values)).exp();
        let scale = 4.0 * x / (1.0 + x).powi(2);
        let average = values[..self.players].iter().sum::<f64>() / self.players as f64;
        let variances = self.variances(values, curvature);
        let mut players: Vec<PlayerRating> = numbers
            .iter()
            .map(|(name, &number)| PlayerRating {
                name: (*name).to_owned(),
                elo: (values[number] - average) * elo * scale,
                error: quantile(0.975) * variances[number].max(0.0).sqrt() * elo * scale,
                games: self.results(number),
            })
            .collect();
        players.sort_by(|a, b| b.elo.total_cmp(&a.elo).then_with(|| a.name.cmp(&b.name)));
        Ratings {
            players,
            advantage: self.advantage_at().map(|i| values[i] * elo * scale),
            draw_elo: self.draws_at().map(|i| values[i] * elo),
            scale,
            virtual_draws: self.virtual_draws,
        }
    }

    fn results(&self, player: usize) -> [u64; 3] {
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

    /// The variances of the ratings against their average. With draws modelled the inverse of the curvature gives them.
    /// A draw as half a win and half a loss is not what happened, so there the spread of the real results stands between
    /// two inverses (White, "Maximum Likelihood Estimation of Misspecified Models", 1982); for two players that is the
    /// margin of logistic Elo.
    fn variances(&self, values: &[f64], curvature: &Cholesky) -> Vec<f64> {
        let size = self.size();
        let spread = (!self.with_draws).then(|| self.spread(values));
        let centred = |player: usize| -> Vec<f64> {
            let mut right = vec![0.0; size];
            right[..self.players].fill(-1.0 / self.players as f64);
            right[player] += 1.0;
            right
        };
        let variance = |player: usize| -> f64 {
            let right = centred(player);
            let left = curvature.solve(&right);
            match &spread {
                None => left.iter().zip(&right).map(|(a, b)| a * b).sum(),
                Some(terms) => terms
                    .iter()
                    .map(|(term, spread)| {
                        let along: f64 = self.parts(term).map(|(i, sign)| sign * left[i]).sum();
                        along * along * spread
                    })
                    .sum(),
            }
        };
        (0..self.players).map(variance).collect()
    }

    /// For each pairing the sum over its games of (points - expected points)², empty cells counting 0.001.
    fn spread(&self, values: &[f64]) -> Vec<(Term, f64)> {
        let with_spread = |term: Term| {
            let expected = logistic(self.difference(&term, values));
            let [lost, drawn, won] = [term.b - term.d / 2.0, term.d, term.a - term.d / 2.0];
            let cells = [(lost, 0.0), (drawn, 0.5), (won, 1.0)];
            let spread =
                cells.iter().map(|(count, points)| count.max(1e-3) * (points - expected).powi(2)).sum();
            (term, spread)
        };
        self.terms().into_iter().map(with_spread).collect()
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests;
