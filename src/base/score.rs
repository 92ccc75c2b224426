//! Search values: centipawns, with wins at the far end of the scale.
//!
//! A score is seen by somebody; who that is, the holder must say. A win that takes `n` more turns (both players
//! counted) is `WIN - n`, a loss `-(WIN - n)`.

/// A value in centipawns, or a distance to a win or loss.
pub type Score = i32;

/// Beyond every score.
pub const INFINITE: Score = 32_500;
/// The game is won now.
pub const WIN: Score = 32_000;
/// The longest win a search can see, in turns.
pub const LONGEST: i32 = 1_000;
/// Scores at or beyond this are wins with a distance.
pub const SURE_WIN: Score = WIN - LONGEST;
/// Nobody is better.
pub const DRAW: Score = 0;

/// The score of losing in `turns` turns.
pub const fn lost_in(turns: i32) -> Score {
    turns - WIN
}

/// The score of winning in `turns` turns.
pub const fn won_in(turns: i32) -> Score {
    WIN - turns
}

/// How far off the end is, if the score says so: turns of both players, negative when the viewer loses.
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

/// What a game brought a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Points {
    /// Nothing.
    Loss,
    /// A half.
    Draw,
    /// One.
    Win,
}
