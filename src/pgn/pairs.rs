//! Finds the pairs of games in PGN files: two games of the same players from one opening, with colours
//! reversed.

use super::read::PgnGame;
use crate::base::score::Points;
use std::collections::{BTreeMap, VecDeque};

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedGame {
    /// The name of the player with the white pieces.
    pub white: String,
    /// The name of the player with the black pieces.
    pub black: String,
    /// White's result.
    pub points: Points,
    /// The round, without the part that numbers its games (`3` of `3.1`).
    pub round: Option<String>,
    /// The position that it began from, if the file names one.
    pub opening: Option<String>,
}

impl FinishedGame {
    /// What ratings need of a game; `None` when it has no result or a player has no name.
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

/// The pairs among `games`, by their indices: first games of one round that begin alike, then games of
/// different rounds that begin alike. Without a round and a position nothing shows that games belong
/// together.
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
        // The numbering of c-chess-cli.
        assert_eq!(pairs(&[("A", "B", "7.1", ""), ("B", "A", "7.2", ""), ("A", "B", "8.1", "")]), [[0, 1]]);
        // Several openings in a round, as `carom match -games 4 -repeat 2` plays them, finished in any order.
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
