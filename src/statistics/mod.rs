//! What results say about strength: counts of games and pairs, Elo, sequential tests, ratings of many players.
//!
//! Pure arithmetic, no engine and no game. Formulas, their sources and reference values: `protocol-docs/statistics.md`.

mod counts;
mod elo;
mod normal;
mod rating;
mod solve;
mod sprt;
mod summary;

pub use crate::base::score::Points;
pub use counts::{Counts, CountsError, LARGEST_CELL};
pub use elo::{Estimate, LARGEST_ELO, estimate};
pub use rating::{MOST_PLAYERS, Method, PlayerRating, RatingError, Ratings, rate};
pub use sprt::{Model, Sprt, SprtError, Status, Verdict};
pub use summary::{LlrLine, summary};

/// Elo that make the odds ten times better, over ln 10 and twice: the scale between normalized score and normalized
/// Elo, 800 / ln 10 (Van den Bergh, "Comments on Normalized Elo").
const NORMALIZED_SCALE: f64 = 800.0 / std::f64::consts::LN_10;

/// The expected score (0 to 1) of a player `elo` Elo stronger than the opponent.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}
