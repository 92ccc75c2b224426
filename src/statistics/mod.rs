//! What results tell about strength: counts of games and pairs, Elo, sequential tests, ratings of many
//! players.
//!
//! This is pure arithmetic, without engines or games. Formulas, their sources and reference values are in
//! `protocol-docs/statistics.md`.

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

/// Twice the 400 Elo that multiply the odds by ten, divided by ln 10: the scale between normalized score and
/// normalized Elo (Van den Bergh, "Comments on Normalized Elo").
const NORMALIZED_SCALE: f64 = 800.0 / std::f64::consts::LN_10;

/// The expected score (0 to 1) of a player `elo` Elo stronger than the opponent.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}
