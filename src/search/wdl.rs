//! What scores promise, in chances ([`WinModel`]): shown by UCI and the page, and averaged where chance decides.
//!
//! It is the chances that are averaged, not the scores ([`Mean`]): twice as many centipawns are not twice as
//! good, and a win is no 32,000 of them.

use crate::base::score::{INFINITE, SURE_WIN, Score};
use crate::game::WinModel;

/// Chances in thousandths; the three sum to 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wdl {
    /// The chance of winning, in thousandths.
    pub win: u32,
    /// The chance of a draw, in thousandths.
    pub draw: u32,
    /// The chance of losing, in thousandths.
    pub loss: u32,
}

impl Wdl {
    /// The game is drawn.
    pub const DRAWN: Self = Self { win: 0, draw: 1000, loss: 0 };

    /// What `score` promises the side it belongs to, in a game with `model`. 1000 for what is sure, and only
    /// for that.
    pub fn of(score: Score, model: WinModel) -> Self {
        if score.abs() >= SURE_WIN {
            let win = if score > 0 { 1000 } else { 0 };
            return Self { win, draw: 0, loss: 1000 - win };
        }
        // Rounded down, so that wins and losses never sum to more than 1000.
        let chance = |score: Score| ((1000.0 * model.win(score.into())) as u32).min(999);
        let (mut win, mut loss) = (chance(score), chance(-score));
        if model.even == 0.0 {
            // Nothing is drawn: what the rounding leaves belongs to the side that is worse off.
            let left = 1000 - win - loss;
            *(if score < 0 { &mut win } else { &mut loss }) += left;
        }
        Self { win, draw: 1000 - win - loss, loss }
    }
}

/// The mean of several scores by what they promise: a win counts 1, a draw one half, a loss nothing.
///
/// Points won and lost are summed each for itself, so that nothing is lost where one of them is nearly
/// nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mean {
    model: WinModel,
    won: f64,
    lost: f64,
}

impl Mean {
    /// Of no scores yet.
    pub const fn new(model: WinModel) -> Self {
        Self { model, won: 0.0, lost: 0.0 }
    }

    /// One more score, which stands for `weight` equally likely cases.
    pub fn add(&mut self, score: Score, weight: u32) {
        let weight = f64::from(weight);
        let (won, lost) = match score {
            SURE_WIN.. => (1.0, 0.0),
            _ if score <= -SURE_WIN => (0.0, 1.0),
            _ => (self.model.points(score.into()), self.model.points((-score).into())),
        };
        self.won += weight * won;
        self.lost += weight * lost;
    }

    /// The score that promises as much; never one of a sure win or loss.
    pub fn score(self) -> Score {
        let (least, most) = (1 - SURE_WIN, SURE_WIN - 1);
        let score = if self.won < self.lost {
            -self.model.score_at_odds(self.lost / self.won)
        } else if self.won > 0.0 {
            self.model.score_at_odds(self.won / self.lost)
        } else {
            0.0
        };
        (score.round() as Score).clamp(least, most)
    }

    /// Between which scores the next case, of `weight`, must lie so that the mean may still lie in the window
    /// when `rest` more cases follow it (Star1, B. Ballard 1983). A point of the score wider on both sides
    /// than need be, for the rounding.
    pub fn window(self, (alpha, beta): (Score, Score), weight: u32, rest: u32) -> (Score, Score) {
        let (cases, weight, rest) =
            (self.won + self.lost + f64::from(weight + rest), f64::from(weight), f64::from(rest));
        let low = (self.model.points(alpha.into()) * cases - self.won - rest) / weight;
        let high = (self.model.points(beta.into()) * cases - self.won) / weight;
        let low = if low > 0.0 { score_of_points(low.min(1.0), self.model) - 1 } else { -INFINITE };
        let high = if high < 1.0 { score_of_points(high.max(0.0), self.model) + 1 } else { INFINITE };
        (low, high)
    }
}

/// The score that is worth so many points; never one of a sure win or loss.
pub(super) fn score_of_points(points: f64, model: WinModel) -> Score {
    Mean { model, won: points, lost: 1.0 - points }.score()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::score::{WIN, lost_in, won_in};

    const MODEL: WinModel = WinModel::UNFITTED;

    #[test]
    fn chances_sum_to_a_thousand_and_follow_the_score() {
        let mut before = Wdl::of(-WIN, MODEL);
        assert_eq!(before, Wdl { win: 0, draw: 0, loss: 1000 });
        for score in -WIN..=WIN {
            let now = Wdl::of(score, MODEL);
            assert_eq!(now.win + now.draw + now.loss, 1000, "{score}");
            assert!(now.win >= before.win && now.loss <= before.loss, "{score}");
            let opposite = Wdl::of(-score, MODEL);
            assert_eq!((opposite.win, opposite.loss), (now.loss, now.win), "{score}");
            assert_eq!(now.win == 1000, score >= SURE_WIN, "{score}");
            before = now;
        }
        assert_eq!(Wdl::of(won_in(7), MODEL), Wdl { win: 1000, draw: 0, loss: 0 });
        assert_eq!(Wdl::of(lost_in(0), MODEL), Wdl { win: 0, draw: 0, loss: 1000 });
    }

    #[test]
    fn without_draws_what_is_not_won_is_lost() {
        let model = WinModel { even: 0.0, spread: 200.0 };
        for score in (1 - SURE_WIN..SURE_WIN).step_by(11) {
            let Wdl { win, draw, loss } = Wdl::of(score, model);
            assert_eq!((draw, win + loss), (0, 1000), "{score}");
            assert!(win > 0 && loss > 0, "{score}");
            let opposite = Wdl::of(-score, model);
            assert_eq!((opposite.win, opposite.loss), (loss, win), "{score}");
        }
        assert_eq!(Wdl::of(0, model), Wdl { win: 500, draw: 0, loss: 500 });
        assert_eq!(Wdl::of(won_in(3), model), Wdl { win: 1000, draw: 0, loss: 0 });
    }

    fn mean(scores: &[(Score, u32)]) -> Score {
        let mut mean = Mean::new(MODEL);
        scores.iter().for_each(|&(score, weight)| mean.add(score, weight));
        mean.score()
    }

    #[test]
    fn the_mean_of_equal_scores_is_that_score() {
        for score in (1 - SURE_WIN..SURE_WIN).step_by(7) {
            assert_eq!(mean(&[(score, 1), (score, 5)]), score);
        }
        assert_eq!(Mean::new(MODEL).score(), 0);
    }

    #[test]
    fn what_lies_outside_its_window_settles_the_mean() {
        let scores = [-WIN, -2000, -300, -1, 0, 40, 300, 2000, won_in(9)];
        let (mut settled, mut open) = ([0; 2], 0);
        for alpha in (-700..700).step_by(35) {
            let window = (alpha, alpha + 1);
            for (first, second) in scores.into_iter().flat_map(|a| scores.map(|b| (a, b))) {
                for (weight, rest) in [(1, 5), (3, 3), (4, 2)] {
                    let mut before = Mean::new(MODEL);
                    let (low, high) = before.window(window, weight, rest);
                    assert!(low < high);
                    let found = mean(&[(first, weight), (second, rest)]);
                    if first <= low {
                        assert!(found <= alpha, "{first} {second} {found} {alpha}");
                        settled[0] += 1;
                        continue;
                    }
                    if first >= high {
                        assert!(found > alpha, "{first} {second} {found} {alpha}");
                        settled[1] += 1;
                        continue;
                    }
                    before.add(first, weight);
                    let (low, high) = before.window(window, rest, 0);
                    assert!(second > low || found <= alpha, "{first} {second} {found} {alpha}");
                    assert!(second < high || found > alpha, "{first} {second} {found} {alpha}");
                    open += 1;
                }
            }
        }
        assert!(settled.into_iter().all(|cases| cases > 1000) && open > 1000, "{settled:?} {open}");
    }

    #[test]
    fn the_mean_agrees_with_the_chances_that_are_shown() {
        for scores in [[0, 300], [-50, 120], [-400, 90], [220, 230]] {
            let points = |score| {
                let Wdl { win, draw, .. } = Wdl::of(score, MODEL);
                f64::from(win) + f64::from(draw) / 2.0
            };
            let wanted = scores.map(points).iter().sum::<f64>() / 2.0;
            let found = points(mean(&scores.map(|score| (score, 3))));
            // Wdl are whole thousandths, scores whole centipawns.
            assert!((found - wanted).abs() <= 3.0, "{scores:?}: {found} is not {wanted}");
        }
    }

    #[test]
    fn a_throw_that_wins_two_times_in_six_is_not_worth_a_queen() {
        let throw = mean(&[(won_in(1), 2), (0, 4)]);
        assert!((50..200).contains(&throw), "{throw}");
        // Behind by a queen it is; and five times in six it is worth nearly all.
        let last_throw = mean(&[(won_in(1), 2), (-900, 4)]);
        assert!(last_throw > -900 + 300, "{last_throw}");
        assert!(mean(&[(won_in(1), 5), (-900, 1)]) > 100);
    }

    #[test]
    fn the_mean_lies_between_and_is_the_same_from_both_sides() {
        let scores = [-WIN, -31_500, -5000, -900, -77, 0, 1, 350, 12_000, SURE_WIN - 1, won_in(3)];
        // What is no sure win for all cases is none.
        let unsure = |score: Score| score.clamp(1 - SURE_WIN, SURE_WIN - 1);
        for low in scores {
            for high in scores.into_iter().filter(|&high| high >= low) {
                for weights in [(1, 1), (1, 5), (35, 1)] {
                    let found = mean(&[(low, weights.0), (high, weights.1)]);
                    assert!((unsure(low)..=unsure(high)).contains(&found), "{low} {high} {found}");
                    assert_eq!(mean(&[(-low, weights.0), (-high, weights.1)]), -found);
                }
            }
        }
    }

    #[test]
    fn the_two_constants_mean_what_they_say() {
        assert_eq!(Wdl::of(100, MODEL).win, 500);
        assert_eq!(Wdl::of(220, MODEL).win, 731);
        // 1000 / (1 + e^(100/120)) = 302.9…
        assert_eq!(Wdl::of(0, MODEL), Wdl { win: 302, draw: 396, loss: 302 });
    }
}
