//! Which games of PGN files are pairs: two games of the same players from one opening, colours exchanged.

use super::read::PgnGame;
use crate::base::score::Points;
use std::collections::{BTreeMap, VecDeque};

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedGame {
    /// Who played White.
    pub white: String,
    /// Who played Black.
    pub black: String,
    /// What White got.
    pub points: Points,
    /// The round, without what numbers its games (`3` of `3.1`).
    pub round: Option<String>,
    /// The position it began from, if it was said.
    pub opening: Option<String>,
}

impl FinishedGame {
    /// What ratings want to know; `None` for a game that has no result or a player without a name.
    pub fn read(game: &PgnGame<'_>) -> Option<Self> {
        let (white, black, points) = game.result()?;
        let said = |name| game.tag(name).map(str::trim).filter(|value| !matches!(*value, "" | "?" | "-"));
        Some(Self {
            white: white.to_owned(),
            black: black.to_owned(),
            points,
            round: said("Round").map(|round| round.split('.').next().unwrap_or(round).to_owned()),
            opening: said("FEN").map(str::to_owned),
        })
    }
}

/// The pairs among `games`, by their places: in a round those that begin alike, then those that begin alike in different rounds.
/// Without a round and a position nothing says that games belong together.
pub fn find_pairs(games: &[FinishedGame]) -> Vec<[usize; 2]> {
    let mut pairs = Vec::new();
    let mut single = vec![true; games.len()];
    for in_one_round in [true, false] {
        let mut waiting: BTreeMap<_, [VecDeque<usize>; 2]> = BTreeMap::new();
        for (at, game) in games.iter().enumerate() {
            let said = if in_one_round { &game.round } else { &game.opening };
            if !single[at] || said.is_none() || game.white == game.black {
                continue;
            }
            let exchanged = game.white > game.black;
            let [first, second] =
                if exchanged { [&game.black, &game.white] } else { [&game.white, &game.black] };
            let round = game.round.as_ref().filter(|_| in_one_round);
            let alike = waiting.entry((first, second, &game.opening, round)).or_default();
            match alike[usize::from(!exchanged)].pop_front() {
                Some(other) => {
                    (single[at], single[other]) = (false, false);
                    pairs.push([other, at]);
                }
                None => alike[usize::from(exchanged)].push_back(at),
            }
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::super::read::read_pgn;
    use super::*;

    fn pairs(games: &[(&str, &str, &str, &str)]) -> Vec<[usize; 2]> {
        let text: String = games
            .iter()
            .map(|(white, black, round, opening)| {
                format!(
                    "[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[FEN \"{opening}\"]\n\n1-0\n\n"
                )
            })
            .collect();
        let games: Vec<_> = read_pgn(&text).filter_map(|game| FinishedGame::read(&game)).collect();
        find_pairs(&games)
    }

    #[test]
    fn games_of_a_round_with_colours_exchanged_are_pairs() {
        let games = [("A", "B", "1", ""), ("A", "C", "1", ""), ("B", "A", "1", ""), ("C", "A", "2", "")];
        assert_eq!(pairs(&games), [[0, 2]]);
        // As c-chess-cli numbers them.
        assert_eq!(pairs(&[("A", "B", "7.1", ""), ("B", "A", "7.2", ""), ("A", "B", "8.1", "")]), [[0, 1]]);
        // Several openings in a round: as `carom match -games 4 -repeat 2` plays them, in whatever order they end.
        let games = [("A", "B", "1", "x"), ("A", "B", "1", "y"), ("B", "A", "1", "y"), ("B", "A", "1", "x")];
        assert_eq!(pairs(&games), [[1, 2], [0, 3]]);
    }

    #[test]
    fn games_from_one_position_are_pairs_where_rounds_do_not_say() {
        assert_eq!(pairs(&[("A", "B", "1", "x"), ("B", "A", "2", "x")]), [[0, 1]]);
        assert_eq!(pairs(&[("A", "B", "?", "x"), ("A", "B", "?", "y"), ("B", "A", "?", "y")]), [[1, 2]]);
    }

    #[test]
    fn games_that_nothing_holds_together_are_no_pairs() {
        for games in [
            [("A", "B", "?", ""), ("B", "A", "?", "")],
            [("A", "B", "1", ""), ("B", "A", "2", "")],
            [("A", "B", "1", ""), ("A", "B", "1", "")],
            [("A", "B", "1", "x"), ("B", "A", "1", "y")],
            [("A", "A", "1", "x"), ("A", "A", "1", "x")],
        ] {
            assert!(pairs(&games).is_empty(), "{games:?}");
        }
    }
}
