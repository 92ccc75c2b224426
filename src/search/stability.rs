//! How much of the time that is planned for a turn is used.

use crate::base::score::{INFINITE, Score};

/// How settled the choice is, from iteration to iteration: what has long been best needs less time, what was
/// just found or has just lost worth needs more (as in Stockfish).
pub(super) struct Stability<D> {
    best: Option<D>,
    score: Score,
    /// Iterations since the best decision last changed.
    iterations: usize,
    /// What the last iteration took off its score.
    drop: Score,
}

impl<D> Default for Stability<D> {
    fn default() -> Self {
        Self { best: None, score: -INFINITE, iterations: 0, drop: 0 }
    }
}

impl<D: Copy + Eq> Stability<D> {
    /// An iteration has ended with this decision as the best, and this score.
    pub fn update(&mut self, best: D, score: Score) {
        self.iterations = if self.best == Some(best) { self.iterations + 1 } else { 0 };
        self.drop = if self.score == -INFINITE { 0 } else { self.score - score };
        self.best = Some(best);
        self.score = score;
    }

    /// Of the time that is planned for a turn.
    pub fn percent(&self) -> u32 {
        let settled = [130, 110, 100, 85, 75][self.iterations.min(4)];
        let falling = self.drop.clamp(0, 40) as u32;
        settled * (100 + falling) / 100
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_long_been_best_needs_less_time_and_what_lost_worth_more() {
        let mut stability = Stability::default();
        let mut after = |best, score| {
            stability.update(best, score);
            stability.percent()
        };
        assert_eq!([0, 1, 2, 3, 4, 5].map(|_| after('a', 10)), [130, 110, 100, 85, 75, 75]);
        assert_eq!(after('a', -10), 75 * 120 / 100);
        assert_eq!(after('a', -500), 75 * 140 / 100);
        assert_eq!(after('b', -480), 130);
    }
}
