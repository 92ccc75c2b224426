//! Ratings of several players from all their games at once.

use super::Points;
use super::elo::NORMALIZED_SCALE;
use super::likelihood::{Fit, PairCounts, Pairing, Solution};
use super::normal::REACH_95;
use crate::base::order::sort_by;
use std::collections::BTreeMap;

/// The most players that are rated together; the work grows with the cube of their number.
pub const MOST_PLAYERS: usize = 2000;

/// The model whose likelihood is maximized.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Expected scores of logistic Elo, where a draw is half a win and half a loss, as in Ordo. The ratings
    /// are those at which each player's points equal the expected points.
    #[default]
    Logistic,
    /// Wins, draws and losses in the model of BayesElo; its draw Elo is estimated from the games too.
    BayesElo,
}

/// Why there are no ratings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RatingError {
    /// There are no finished games.
    #[error("no finished game between two named players")]
    NoGames,
    /// There are too many players.
    #[error("{0} players are too many: {MOST_PLAYERS} can be rated together")]
    Players(usize),
    /// The equations could not be solved.
    #[error("the ratings did not settle")]
    Unsettled,
}

/// One player's rating.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerRating {
    /// The player's name.
    pub name: String,
    /// The Elo relative to the average of all players.
    pub elo: f64,
    /// Half the width of the 95 % confidence interval of `elo`.
    pub error: f64,
    /// The numbers of games lost, drawn and won.
    pub games: [u64; 3],
}

impl PlayerRating {
    /// The number of games played.
    pub fn played(&self) -> u64 {
        self.games.iter().sum()
    }

    /// The points, where a draw counts a half.
    pub fn points(&self) -> f64 {
        self.games[2] as f64 + self.games[1] as f64 / 2.0
    }
}

/// The ratings of a set of games.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// The players, the best first; the average of their ratings is 0.
    pub players: Vec<PlayerRating>,
    /// The value of the first move in Elo, if it was asked for.
    pub advantage: Option<f64>,
    /// The draw Elo, if the model has one and there are both draws and decided games.
    pub draw_elo: Option<f64>,
    /// The factor applied to the ratings and the advantage: 1, or for BayesElo the one with which small
    /// differences mean the same score as in logistic Elo.
    pub scale: f64,
    /// Whether each player was given one draw against a player of rating 0, because the likelihood of the
    /// results alone has no maximum: a player won or lost every game, or never met the others.
    pub virtual_draws: bool,
    /// The number of pairs of games (one opening, colours reversed) that the errors are based on: then what
    /// the games of a pair have in common counts once. `None` if the errors are based on single games.
    pub pairs: Option<u64>,
}

/// Rates the players of `games`, given as White's name, Black's name and White's result. If each game belongs
/// to one of `pairs`, the errors are based on these.
///
/// # Errors
/// When there is no game, there are too many players, or the equations cannot be solved.
pub fn rate<'a>(
    games: impl IntoIterator<Item = (&'a str, &'a str, Points)>,
    pairs: &[[usize; 2]],
    method: Method,
    advantage: bool,
) -> Result<Ratings, RatingError> {
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    let mut pairings: BTreeMap<(usize, usize), [u64; 3]> = BTreeMap::new();
    let mut played = Vec::new();
    for (white, black, points) in games {
        let [white, black] = [white, black].map(|name| {
            let next = numbers.len();
            *numbers.entry(name).or_insert(next)
        });
        pairings.entry((white, black)).or_default()[points as usize] += 1;
        played.push((white, black, points));
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
    // With no draws, or with draws alone, the draw Elo could have any value.
    let drawn_and_decided = total(1) > 0 && total(0) + total(2) > 0;
    let with_draws = method == Method::BayesElo && drawn_and_decided;
    let games: u64 = pairings.iter().flat_map(|pairing| pairing.games).sum();
    let pairs = (games > 0 && games == 2 * pairs.len() as u64).then(|| PairCounts::of(&played, pairs));
    let mut fit = Fit {
        players: numbers.len(),
        pairings: &pairings,
        pairs: pairs.as_ref(),
        advantage,
        with_draws,
        virtual_draws: false,
    };
    let settled = if connected(fit.players, &pairings) { fit.settle() } else { None };
    let settled = match settled {
        Some(settled) => settled,
        None => {
            fit.virtual_draws = true;
            fit.settle().ok_or(RatingError::Unsettled)?
        }
    };
    Ok(ratings(&fit, &settled, &numbers))
}

/// True if every player can be reached from every other by steps from a player to one that lost a point or
/// half a point to that player. Only then does the likelihood of the results alone have a maximum (Zermelo
/// 1929, Ford 1957).
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

fn ratings(fit: &Fit<'_>, settled: &Solution, numbers: &BTreeMap<&str, usize>) -> Ratings {
    let Solution { values, curvature } = settled;
    let elo = NORMALIZED_SCALE / 2.0;
    // BayesElo's scale: the slope of its expected score at 0 relative to that of logistic Elo.
    let x = (-fit.draws(values)).exp();
    let scale = 4.0 * x / (1.0 + x).powi(2);
    let average = values[..fit.players].iter().sum::<f64>() / fit.players as f64;
    let variances = fit.variances(values, curvature);
    let mut players: Vec<PlayerRating> = numbers
        .iter()
        .map(|(name, &number)| PlayerRating {
            name: (*name).to_owned(),
            elo: (values[number] - average) * elo * scale,
            error: REACH_95 * variances[number].max(0.0).sqrt() * elo * scale,
            games: fit.results(number),
        })
        .collect();
    sort_by(&mut players, |a, b| b.elo.total_cmp(&a.elo).then_with(|| a.name.cmp(&b.name)));
    Ratings {
        players,
        advantage: fit.advantage_at().map(|i| values[i] * elo * scale),
        draw_elo: fit.draws_at().map(|i| values[i] * elo),
        scale,
        virtual_draws: fit.virtual_draws,
        pairs: fit.pairs.map(|pairs| pairs.0.values().flatten().flatten().sum()),
    }
}

#[cfg(test)]
mod tests;
