//! Search scores: centipawns, with wins and losses at the ends of the scale.
//!
//! A score is relative to a side, and the code that holds it must define which. A win that takes `n` more
//! turns (both players counted) is `WIN - n`, a loss `-(WIN - n)`.

/// An evaluation in centipawns, or a distance to a win or loss.
pub type Score = i32;

/// A bound above every score; its negative is below every score.
pub const INFINITE: Score = 32_500;
/// The score of a game that is won already.
pub const WIN: Score = 32_000;
/// The longest win that a search can see, in turns of both players.
pub const LONGEST: i32 = 1_000;
/// Scores at or above this are wins with a known distance; at or below its negative, losses.
pub const SURE_WIN: Score = WIN - LONGEST;
/// The score of a draw.
pub const DRAW: Score = 0;

/// The score of losing in `turns` turns of both players.
pub const fn lost_in(turns: i32) -> Score {
    turns - WIN
}

/// The score of winning in `turns` turns of both players.
pub const fn won_in(turns: i32) -> Score {
    WIN - turns
}

/// The distance to the end of the game, if the score holds one: turns of both players, negative for a loss.
///
/// ```
/// use carom::base::score::*;
/// assert_eq!(distance(won_in(3)), Some(3));
/// assert_eq!(distance(lost_in(2)), Some(-2));
/// assert_eq!(distance(150), None);
/// ```
pub const fn distance(score: Score) -> Option<i32> {
    if score >= SURE_WIN {
        Some(WIN - score)
    } else if score <= -SURE_WIN {
        Some(-(WIN + score))
    } else {
        None
    }
}

/// The points a player got for a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Points {
    /// A lost game: no points.
    Loss,
    /// A drawn game: half a point.
    Draw,
    /// A won game: one point.
    Win,
}
