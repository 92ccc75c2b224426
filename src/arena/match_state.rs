//! Where a match stands: what was played, what it counts, and whether its test has decided.

use super::record::GameRecord;
use super::schedule::Results;
use super::settings::Settings;
use super::{Scoreboard, strength};
use std::collections::BTreeSet;

/// Where a match stands. Made from its games, in the order they were finished in.
#[derive(Clone, Debug, Default)]
pub struct MatchState {
    /// The numbers of the games that are finished.
    pub done: BTreeSet<u64>,
    /// Their results, for forms of a match that go by them.
    pub results: Results,
    /// Their scores.
    pub scoreboard: Scoreboard,
    /// The sequential test has decided: for the alternative or not. Games that ran then are finished and counted, but
    /// change it no more.
    pub decided: Option<bool>,
}

impl MatchState {
    /// A game is finished.
    pub fn add(&mut self, settings: &Settings, game: &GameRecord) {
        self.done.insert(game.number);
        self.scoreboard.add(game, settings.schedule.is_paired());
        if !settings.schedule.is_fixed() {
            self.results.insert(game.number, game.half_points(game.engines[0]));
            self.scoreboard.place(&settings.schedule, &self.results);
        }
        if self.decided.is_none()
            && let (Some(test), Some(score)) = (&settings.sprt, self.scoreboard.score(0, 1))
        {
            self.decided = strength(&score, Some(test)).decided;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::scoreboard::tests::game;
    use crate::arena::settings::SettingsTable;

    #[test]
    fn what_the_test_has_decided_stays_decided() {
        let words = [("", "games=2"), ("", "rounds=100"), ("sprt", "elo0=0"), ("sprt", "elo1=200")];
        let mut given = SettingsTable::default();
        words.iter().for_each(|(group, word)| given.set_word(group, 0, word).unwrap());
        let settings = Settings::read(&given, 1).unwrap();
        let mut state = MatchState::default();
        let mut number = 0;
        while state.decided.is_none() {
            number += 1;
            state.add(
                &settings,
                &game(number, [[0, 1], [1, 0]][number as usize % 2], ["1-0", "0-1"][number as usize % 2]),
            );
            assert!(number < 200);
        }
        assert_eq!(state.decided, Some(true));
        // Games that ran then are lost, all of them.
        for more in 1..=40 {
            let number = number + more;
            state.add(
                &settings,
                &game(number, [[0, 1], [1, 0]][number as usize % 2], ["0-1", "1-0"][number as usize % 2]),
            );
        }
        let score = state.scoreboard.score(0, 1).unwrap();
        assert_ne!(strength(&score, settings.sprt.as_ref()).decided, Some(true));
        assert_eq!((state.decided, state.scoreboard.total()), (Some(true), number + 40));
    }
}
