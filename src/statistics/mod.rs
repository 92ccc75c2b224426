//! What results tell about strength: counts of games and pairs, Elo, sequential tests, ratings of many
//! players.
//!
//! This is pure arithmetic, without engines or games. Formulas, their sources and reference values are in
//! `protocol-docs/statistics.md`.

mod counts;
mod elo;
mod likelihood;
mod normal;
mod rating;
mod solve;
mod sprt;
mod summary;

pub use crate::base::score::Points;
pub use counts::{Counts, CountsError, LARGEST_CELL};
pub use elo::{Estimate, LARGEST_ELO, estimate, expected_score};
pub use normal::cumulative;
pub use rating::{MOST_PLAYERS, Method, PlayerRating, RatingError, Ratings, rate};
pub use sprt::{Model, Sprt, SprtError, Status, Verdict};
pub use summary::{LlrLine, summary};
