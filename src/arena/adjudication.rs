//! Ending games early, by score or by length.

use super::SearchInfo;
use crate::base::Color;
use crate::client::Score;
use crate::game::Horizon;
use crate::pgn::{Ending, Termination};

/// A draw rule: the game is drawn when the scores of both players stay near zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRule {
    /// The earliest turn of each player at which the rule applies.
    pub turn: u32,
    /// How many turns in a row each player's score must be near zero.
    pub count: u32,
    /// The largest distance from zero that counts as near, in centipawns.
    pub score: i32,
}

impl Default for DrawRule {
    fn default() -> Self {
        Self { turn: 40, count: 8, score: 10 }
    }
}

/// A resignation rule: a player whose score stays low has lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResignRule {
    /// How many turns in a row the player's score must be low.
    pub count: u32,
    /// A score of minus this or less is low, in centipawns.
    pub score: i32,
    /// Whether the opponent must agree, with scores at least this high over as many turns.
    pub both: bool,
}

impl Default for ResignRule {
    fn default() -> Self {
        Self { count: 4, score: 600, both: false }
    }
}

/// The adjudication rules of a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Adjudication {
    /// When a game is drawn by its scores.
    pub draw: Option<DrawRule>,
    /// When a game is lost by its scores.
    pub resign: Option<ResignRule>,
    /// The number of tokens, of both players together, after which a game is a draw.
    pub length: Option<usize>,
    /// How far to look for a forced win.
    pub exact: Option<Horizon>,
}

/// What the rules count in one game.
#[derive(Clone, Debug, Default)]
pub struct Adjudicator {
    turns: [u32; 2],
    near_zero: [u32; 2],
    low: [u32; 2],
    high: [u32; 2],
}

impl Adjudicator {
    /// Counts a move of `color` with this opinion of the position, after which `tokens` tokens have been
    /// played. Returns the ending if a rule applies.
    pub fn after_move(
        &mut self,
        rules: &Adjudication,
        color: Color,
        search_info: &SearchInfo,
        tokens: usize,
    ) -> Option<Ending> {
        let own = color.index();
        let other = (!color).index();
        self.turns[own] += 1;
        let score = search_info.score.map(Score::centipawns);
        let count = |counters: &mut [u32; 2], holds: bool| {
            counters[own] = if holds { counters[own] + 1 } else { 0 };
        };
        if let Some(rule) = rules.draw {
            count(
                &mut self.near_zero,
                score.is_some_and(|score| i64::from(score).abs() <= rule.score.into()),
            );
            let long = self.near_zero.iter().all(|near| *near >= rule.count.max(1));
            if long && self.turns.iter().all(|turns| *turns >= rule.turn) {
                return Some(Ending::draw(Termination::DrawAdjudication, "Draw by adjudication"));
            }
        }
        if let Some(rule) = rules.resign {
            count(&mut self.low, score.is_some_and(|score| i64::from(score) <= -i64::from(rule.score)));
            count(&mut self.high, score.is_some_and(|score| score >= rule.score));
            let enough = rule.count.max(1);
            for (loser, winner, color) in [(own, other, color), (other, own, !color)] {
                if self.low[loser] >= enough && (!rule.both || self.high[winner] >= enough) {
                    return Some(Ending::loss(color, Termination::WinAdjudication, "loses by adjudication"));
                }
            }
        }
        rules.length.filter(|most| tokens >= *most).map(|most| {
            Ending::draw(Termination::LengthAdjudication, format!("Draw by adjudication: {most} turns"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;
    use crate::variants;
    use std::sync::atomic::AtomicBool;

    /// How many of these scores are needed for an ending, and that ending. White's score comes first.
    fn after(rules: &Adjudication, scores: &[Option<i32>]) -> Option<(usize, Ending)> {
        let mut adjudicator = Adjudicator::default();
        scores.iter().enumerate().find_map(|(index, score)| {
            let color = if index % 2 == 0 { Color::White } else { Color::Black };
            let search_info = SearchInfo { score: score.map(Score::Centipawns), ..SearchInfo::default() };
            Some((index + 1, adjudicator.after_move(rules, color, &search_info, index + 1)?))
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

    #[test]
    fn scores_at_the_end_of_the_numbers_are_judged() {
        let rule = DrawRule { turn: 1, count: 1, score: i32::MAX };
        let rules = Adjudication { draw: Some(rule), ..Adjudication::default() };
        assert_eq!(after(&rules, &[Some(i32::MIN); 4]), None);
        let rule = ResignRule { count: 1, score: i32::MIN, both: true };
        let rules = Adjudication { resign: Some(rule), ..Adjudication::default() };
        assert!(after(&rules, &[Some(i32::MIN); 4]).is_some());
        let turns =
            [0, 1, 499_999, 500_000, i32::MAX as u32, u32::MAX].map(Score::Wins).map(Score::centipawns);
        assert!(turns.windows(2).all(|two| two[0] >= two[1]) && turns[5] >= 500_000, "{turns:?}");
        assert_eq!(Score::Loses(u32::MAX).centipawns(), -Score::Wins(u32::MAX).centipawns());
    }

    fn proved(session: &dyn crate::session::Session, turns: u32, positions: u64) -> Option<Color> {
        session.forced_win(Horizon { turns, positions }, &AtomicBool::new(false))
    }

    #[test]
    fn mates_are_proved_and_nothing_else() {
        let mut session = crate::arena::referee(variants::find("chess").unwrap(), &Rules::default());
        for (position, turns, winner) in [
            // Mate in one, in two (three turns), and none.
            ("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", 1, Some(Color::White)),
            ("k7/8/8/8/8/8/1R6/2R4K w - - 0 1", 3, Some(Color::White)),
            ("7k/8/8/8/8/8/RR6/7K w - - 0 1", 2, None),
            ("7k/8/8/8/8/8/RR6/7K w - - 0 1", 3, Some(Color::White)),
            // Black is to move and cannot prevent it.
            ("k7/2K5/8/8/8/8/8/1R6 b - - 0 1", 2, Some(Color::White)),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3, None),
        ] {
            session.set_up(Some(position), &mut std::iter::empty()).unwrap();
            assert_eq!(proved(&*session, turns, 1_000_000), winner, "{position}");
            assert_eq!(proved(&*session, turns, 1), None, "{position}: too few positions");
            let horizon = Horizon { turns: 30, positions: u64::MAX };
            assert_eq!(session.forced_win(horizon, &AtomicBool::new(true)), None, "given up at once");
        }
    }

    /// The text of a position describes the start of a turn. In the middle of a turn fewer steps are left,
    /// and a proof must not use more.
    #[test]
    fn in_the_middle_of_a_turn_only_what_is_left_of_it_counts() {
        let mut session = crate::arena::referee(variants::find("hanniball").unwrap(), &Rules::default());
        // The Horse needs two moves and a shot; a turn has four steps.
        let position = "***3***/9/2m6/9/9/4+H4/9/9/9/9/9/9/9/L8/***3*** w 4 0 5";
        for (said, winner) in [("", Some(Color::White)), ("a2a3,", Some(Color::White)), ("a2a3,a3a4,", None)]
        {
            session.set_up(Some(position), &mut said.split_whitespace()).unwrap();
            assert_eq!(proved(&*session, 1, 10_000_000), winner, "after {said}");
            // The list of all legal tokens must agree.
            let tokens = session.tokens("", 10_000_000).unwrap().unwrap();
            assert_eq!(tokens.iter().any(|token| token.contains("@e15")), winner.is_some());
        }
        let by_text = session.position().to_string();
        session.set_up(Some(&by_text), &mut std::iter::empty()).unwrap();
        assert_eq!(proved(&*session, 1, 10_000_000), Some(Color::White), "{by_text}");
    }
}
