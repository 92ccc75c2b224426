//! From a score to the chances of winning, drawing and losing.
//!
//! The model is the usual logistic one: a win is as likely as `1 / (1 + exp((EVEN - score) / SPREAD))`, a loss as likely as
//! a win with the opposite score, and what is left is a draw. The two constants were chosen, not fitted to games, and are
//! the same for every game: the numbers rise and fall with the score and sum to 1000; more they do not promise.

use crate::base::score::{SURE_WIN, Score};

/// The score, in centipawns, at which winning is as likely as not winning.
const EVEN: f64 = 100.0;
/// How fast the chances change: at `EVEN + SPREAD` a win is 73 % likely.
const SPREAD: f64 = 120.0;

/// Wdl in thousandths; the three sum to 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wdl {
    /// Of winning.
    pub win: u32,
    /// Of a draw.
    pub draw: u32,
    /// Of losing.
    pub loss: u32,
}

impl Wdl {
    /// The game is drawn.
    pub const DRAWN: Self = Self { win: 0, draw: 1000, loss: 0 };

    /// What `score` promises whom it belongs to. 1000 for what is sure, and only for that.
    pub fn of(score: Score) -> Self {
        let win = match score {
            SURE_WIN.. => 1000,
            _ if score <= -SURE_WIN => 0,
            _ => logistic(score),
        };
        let loss = match score {
            SURE_WIN.. => 0,
            _ if score <= -SURE_WIN => 1000,
            _ => logistic(-score),
        };
        Self { win, draw: 1000 - win - loss, loss }
    }
}

fn logistic(score: Score) -> u32 {
    // Rounded down, so that wins and losses never sum to more than 1000.
    let chance = 1000.0 / (1.0 + ((EVEN - f64::from(score)) / SPREAD).exp());
    (chance as u32).min(999)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::score::{WIN, lost_in, won_in};

    #[test]
    fn chances_sum_to_a_thousand_and_follow_the_score() {
        let mut before = Wdl::of(-WIN);
        assert_eq!(before, Wdl { win: 0, draw: 0, loss: 1000 });
        for score in -WIN..=WIN {
            let now = Wdl::of(score);
            assert_eq!(now.win + now.draw + now.loss, 1000, "{score}");
            assert!(now.win >= before.win && now.loss <= before.loss, "{score}");
            let opposite = Wdl::of(-score);
            assert_eq!((opposite.win, opposite.loss), (now.loss, now.win), "{score}");
            assert_eq!(now.win == 1000, score >= SURE_WIN, "{score}");
            before = now;
        }
        assert_eq!(Wdl::of(won_in(7)), Wdl { win: 1000, draw: 0, loss: 0 });
        assert_eq!(Wdl::of(lost_in(0)), Wdl { win: 0, draw: 0, loss: 1000 });
    }

    #[test]
    fn the_two_constants_mean_what_they_say() {
        assert_eq!(Wdl::of(100).win, 500);
        assert_eq!(Wdl::of(220).win, 731);
        // 1000 / (1 + e^(100/120)) = 302.9…
        assert_eq!(Wdl::of(0), Wdl { win: 302, draw: 396, loss: 302 });
    }
}
