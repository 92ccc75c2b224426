//! From a score to the chances of winning, drawing and losing.

/// How the scores of a game become chances: a win is as likely as `1 / (1 + exp((even - score) / spread))`, a
/// loss as likely as a win with the opposite score, and what is left is a draw. Both in centipawns.
///
/// `carom train` fits the two numbers to the results of games by the greatest likelihood.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WinModel {
    /// The score at which winning is as likely as not winning; 0 where no game is drawn.
    pub even: f64,
    /// How fast the chances change: at `even + spread` a win is 73 % likely.
    pub spread: f64,
}

impl WinModel {
    /// Of a game whose results nobody has fitted.
    pub const UNFITTED: Self = Self { even: 100.0, spread: 120.0 };

    /// How likely the side with `score` is to win, as a part of 1.
    pub fn win(self, score: f64) -> f64 {
        1.0 / (1.0 + ((self.even - score) / self.spread).exp())
    }

    // With `x` for `exp(score / spread)` and `a` for `exp(even / spread)` the chances make the expected score
    // `(1 + win - loss) / 2`, and the odds of it, expected points won to points lost,
    // `x (2ax + a² + 1) / ((a² + 1) x + 2a)`.

    /// The points that a score is expected to bring, as a part of 1.
    pub fn points(self, score: f64) -> f64 {
        let a = (self.even / self.spread).exp();
        // For the worse side: the other one's is what is left of 1.
        let x = (-score.abs() / self.spread).exp();
        let worse = x * (2.0 * a * x + a * a + 1.0) / (2.0 * (x + a) * (1.0 + a * x));
        if score < 0.0 { worse } else { 1.0 - worse }
    }

    /// The score whose expected points are won and lost at `odds` (1 or more) to 1.
    pub fn score_at_odds(self, odds: f64) -> f64 {
        let a = (self.even / self.spread).exp();
        let middle = (odds - 1.0) * (a * a + 1.0);
        let x = (middle + (middle * middle + 16.0 * a * a * odds).sqrt()) / (4.0 * a);
        self.spread * x.ln()
    }
}
