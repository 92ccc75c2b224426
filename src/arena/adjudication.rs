//! Ending games early: by score, by length.

use super::player::Opinion;
use super::{Ending, Termination};
use crate::base::Color;

/// When both scores stay near zero, the game is a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRule {
    /// Not before this turn of each player.
    pub turn: u32,
    /// So many turns of each player in a row.
    pub count: u32,
    /// No score further from zero than this, in centipawns.
    pub score: i32,
}

/// When a player's score stays low, the player has lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResignRule {
    /// So many turns of the player in a row.
    pub count: u32,
    /// No score above minus this, in centipawns.
    pub score: i32,
    /// The opponent must agree, by scores as high.
    pub both: bool,
}

/// The rules in force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Adjudication {
    /// Draws.
    pub draw: Option<DrawRule>,
    /// Wins.
    pub resign: Option<ResignRule>,
    /// Tokens of both players together after which a game is a draw.
    pub length: Option<usize>,
    /// Turns within which a win that can be forced is looked for, and the positions to look at.
    pub exact: Option<(u32, u64)>,
}

/// What the rules have seen of a game.
#[derive(Clone, Debug, Default)]
pub struct Judge {
    turns: [u32; 2],
    near_zero: [u32; 2],
    low: [u32; 2],
    high: [u32; 2],
}

impl Judge {
    /// `color` has just spoken with this opinion of the position; `tokens` were played.
    pub fn look(
        &mut self,
        rules: &Adjudication,
        color: Color,
        opinion: &Opinion,
        tokens: usize,
    ) -> Option<Ending> {
        let own = color.index();
        let other = (!color).index();
        self.turns[own] += 1;
        let score = opinion.score.map(super::Score::centipawns);
        let count = |counters: &mut [u32; 2], holds: bool| {
            counters[own] = if holds { counters[own] + 1 } else { 0 };
        };
        if let Some(rule) = rules.draw {
            count(&mut self.near_zero, score.is_some_and(|score| score.saturating_abs() <= rule.score));
            let long = self.near_zero.iter().all(|near| *near >= rule.count.max(1));
            if long && self.turns.iter().all(|turns| *turns >= rule.turn) {
                return Some(Ending {
                    winner: None,
                    termination: Termination::DrawAdjudication,
                    reason: "Draw by adjudication".to_owned(),
                });
            }
        }
        if let Some(rule) = rules.resign {
            count(&mut self.low, score.is_some_and(|score| score <= -rule.score));
            count(&mut self.high, score.is_some_and(|score| score >= rule.score));
            let enough = rule.count.max(1);
            for (loser, winner, color) in [(own, other, color), (other, own, !color)] {
                if self.low[loser] >= enough && (!rule.both || self.high[winner] >= enough) {
                    return Some(Ending::loss(color, Termination::WinAdjudication, "loses by adjudication"));
                }
            }
        }
        rules.length.filter(|most| tokens >= *most).map(|most| Ending {
            winner: None,
            termination: Termination::LengthAdjudication,
            reason: format!("Draw by adjudication: {most} turns"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Score;
    use super::*;

    /// The ending after these scores, White's first, and how many were needed.
    fn after(rules: &Adjudication, scores: &[Option<i32>]) -> Option<(usize, Ending)> {
        let mut judge = Judge::default();
        scores.iter().enumerate().find_map(|(index, score)| {
            let color = if index % 2 == 0 { Color::White } else { Color::Black };
            let opinion = Opinion { score: score.map(Score::Centipawns), ..Opinion::default() };
            Some((index + 1, judge.look(rules, color, &opinion, index + 1)?))
        })
    }

    #[test]
    fn draws_need_both_players_in_a_row_and_late_enough() {
        let rule = DrawRule { turn: 3, count: 2, score: 10 };
        let rules = Adjudication { draw: Some(rule), ..Adjudication::default() };
        let (number, ending) = after(&rules, &[Some(0); 8]).unwrap();
        assert_eq!((number, ending.winner), (6, None));
        let broken = [0, 0, 0, 0, 0, 11, 0, 0, 0, -10].map(Some);
        assert_eq!(after(&rules, &broken).unwrap().0, 10, "one high score begins the count again");
        assert_eq!(after(&rules, &[Some(0), None, Some(0), None, Some(0), None, Some(0)]), None);
    }

    #[test]
    fn scores_at_the_ends_of_the_scale_are_far_from_a_draw() {
        let rules =
            Adjudication { draw: Some(DrawRule { turn: 1, count: 1, score: 10 }), ..Adjudication::default() };
        assert_eq!(after(&rules, &[Some(i32::MIN), Some(i32::MAX)]), None);
        for turns in [0, 1, i32::MAX as u32, 1 << 31, u32::MAX] {
            assert!(Score::Wins(turns).centipawns() >= 100_000, "{turns}");
            assert!(Score::Loses(turns).centipawns() <= -100_000, "{turns}");
        }
    }

    #[test]
    fn wins_need_a_loser_and_if_wanted_a_winner_who_sees_it() {
        let rule = ResignRule { count: 2, score: 300, both: false };
        let rules = Adjudication { resign: Some(rule), ..Adjudication::default() };
        let scores = [0, -300, 100, -400].map(Some);
        let (number, ending) = after(&rules, &scores).unwrap();
        assert_eq!((number, ending.winner), (4, Some(Color::White)));
        assert_eq!(ending.reason, "Black loses by adjudication");
        let both = Adjudication { resign: Some(ResignRule { both: true, ..rule }), ..rules };
        assert_eq!(after(&both, &scores), None);
        assert_eq!(after(&both, &[300, -300, 500, -400].map(Some)).unwrap().0, 4);
        let last = [-1000, 0, -1000, 500].map(Some);
        assert_eq!(after(&rules, &last).unwrap().1.winner, Some(Color::Black));
    }

    #[test]
    fn length_is_counted_in_tokens() {
        let rules = Adjudication { length: Some(3), ..Adjudication::default() };
        assert_eq!(after(&rules, &[None; 5]).unwrap().0, 3);
    }
}
