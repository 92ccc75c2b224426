//! The state of a match: points, endings, and the latency of the engines' pipes.

use super::schedule::{Format, Results, Schedule};
use super::settings::Settings;
use crate::base::Color;
use crate::base::order::sort_by;
use crate::pgn::GameRecord;
use crate::pgn::Termination;
use crate::statistics::{Counts, Points};
use litemap::LiteMap;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The fewest different games that say something about strength.
const LEAST_GAMES: u64 = 8;

/// The games between two engines, seen from the engine earlier in the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct HeadToHead {
    counts: Counts,
    /// The same without games that repeat an earlier one, and without pairs of two such games.
    telling: Counts,
    /// The first game of each incomplete pair, and whether it repeats an earlier one.
    open: LiteMap<u64, (Points, bool)>,
}

/// The results of one engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The numbers of losses, draws and wins.
    pub games: [u64; 3],
    /// Those of them that it played with White.
    pub with_white: [u64; 3],
    /// How the games ended that the engine lost by a fault of its own.
    pub faults: LiteMap<Termination, u64>,
    /// The number of answers for which the engine reported its own time.
    pub answers: u64,
    /// By how much those took longer by our clock than by the engine's, in microseconds: in total, and at
    /// most.
    pub latency: (u64, u64),
}

/// The scores of a match. They are made from game records alone, in any order; [`Scoreboard::place`] adds
/// what depends on the format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scoreboard {
    /// The number of games with each ending.
    pub endings: LiteMap<Termination, u64>,
    /// The standing of each engine, by its index in the list.
    pub standings: LiteMap<usize, Standing>,
    /// The score of each two engines that met, the one earlier in the list first.
    scores: LiteMap<(usize, usize), HeadToHead>,
    /// The games that a Swiss match counts as won because the engine had no opponent.
    pub byes: LiteMap<usize, u64>,
    /// In a knockout: the last stage that each engine reached, and the winner.
    pub knockout: Option<(LiteMap<usize, u64>, Option<usize>)>,
    /// Hashes of the games, to find repeated ones.
    games_seen: HashSet<u64>,
}

/// The endings as text: `normal 5, time forfeit 1`.
pub fn listed(endings: &LiteMap<Termination, u64>) -> String {
    endings.iter().map(|(ending, count)| format!("{ending} {count}")).collect::<Vec<_>>().join(", ")
}

/// A hash of the players' colours, the first position and every turn.
fn turns_hash(game: &GameRecord) -> u64 {
    let mut hasher = DefaultHasher::new();
    (game.engines, &game.position).hash(&mut hasher);
    game.turns.iter().for_each(|turn| turn.0.hash(&mut hasher));
    hasher.finish()
}

impl Scoreboard {
    /// Adds a game. `paired`: games come in pairs with colours reversed.
    pub fn add(&mut self, game: &GameRecord, paired: bool) {
        *self.endings.entry(game.termination).or_default() += 1;
        let new = self.games_seen.insert(turns_hash(game));
        let [white, black] = game.engines;
        let key = (white.min(black), white.max(black));
        let points = [Points::Loss, Points::Draw, Points::Win][game.half_points(key.0) as usize];
        let HeadToHead { counts, telling, open } = self.scores.entry(key).or_default();
        counts.add_game(points);
        if new {
            telling.add_game(points);
        }
        match open.remove(&game.pair) {
            Some((other, other_is_new)) => {
                counts.add_pair([other, points]);
                if new || other_is_new {
                    telling.add_pair([other, points]);
                }
            }
            None if paired => drop(open.insert(game.pair, (points, new))),
            None => {}
        }
        for color in Color::ALL {
            let engine = game.engines[color.index()];
            let standing = self.standings.entry(engine).or_default();
            standing.games[game.half_points(engine) as usize] += 1;
            if color == Color::White {
                standing.with_white[game.half_points(engine) as usize] += 1;
            }
            if game.termination.is_fault() && game.winner() == Some(!color) {
                *standing.faults.entry(game.termination).or_default() += 1;
            }
            for turn in game.turns.iter().filter(|turn| turn.1 == color.letter()) {
                if let Some(move_info) = &turn.2
                    && let Some(said) = move_info.3
                {
                    let late = move_info.1.saturating_sub(said.saturating_mul(1000));
                    standing.answers += 1;
                    standing.latency.0 = standing.latency.0.saturating_add(late);
                    standing.latency.1 = standing.latency.1.max(late);
                }
            }
        }
    }

    /// The number of finished games.
    pub fn total(&self) -> u64 {
        self.endings.values().sum()
    }

    /// The number of games that equal an earlier one turn for turn, with the same colours. They add no
    /// information.
    pub fn repeated(&self) -> u64 {
        self.total() - self.games_seen.len() as u64
    }

    /// The number of games that an engine lost by a fault of its own.
    pub fn faults(&self) -> u64 {
        self.endings.iter().filter(|(ending, _)| ending.is_fault()).map(|(_, count)| count).sum()
    }

    /// Adds what the format of the match makes of its results.
    pub fn place(&mut self, schedule: &Schedule, results: &Results) {
        match schedule.format {
            Format::RoundRobin | Format::Pyramid | Format::Gauntlet { .. } => {}
            Format::Swiss => self.byes = schedule.byes(results),
            Format::Knockout => self.knockout = Some(schedule.knocked_out(results)),
        }
    }

    /// The points of an engine, byes included.
    pub fn points(&self, engine: usize) -> f64 {
        let [_, draws, wins] = self.standings[&engine].games;
        let byes = self.byes.get(&engine).copied().unwrap_or_default();
        (wins + byes) as f64 + draws as f64 / 2.0
    }

    /// The points per game, byes included.
    pub fn share(&self, engine: usize) -> f64 {
        let games: u64 = self.standings[&engine].games.iter().sum();
        let byes = self.byes.get(&engine).copied().unwrap_or_default();
        self.points(engine) / (games + byes).max(1) as f64
    }

    /// The engines that played, best first. In a knockout the winner comes first, then those that lasted
    /// longer; then the share of points decides, then the place in the list.
    pub fn ranking(&self) -> Vec<usize> {
        let stayed = |engine: usize| {
            self.knockout.as_ref().map(|(rounds, winner)| {
                (*winner == Some(engine), rounds.get(&engine).copied().unwrap_or_default())
            })
        };
        let mut order: Vec<usize> = self.standings.keys().copied().collect();
        sort_by(&mut order, |&one, &other| {
            stayed(other).cmp(&stayed(one)).then(self.share(other).total_cmp(&self.share(one)))
        });
        order
    }

    /// The notes that the table needs: lines, or an empty string.
    pub fn footnote(&self, names: &[String]) -> String {
        let mut text = String::new();
        if let Some((_, Some(winner))) = &self.knockout {
            text.push_str(&format!("{} wins the knockout\n", names[*winner]));
        }
        if !self.byes.is_empty() {
            let byes: Vec<String> =
                self.byes.iter().map(|(engine, games)| format!("{} {games}", names[*engine])).collect();
            text.push_str(&format!("Points of free rounds are counted: {}\n", byes.join(", ")));
        }
        text
    }

    /// The score of `one` against `other`; `None` when they have not met.
    pub fn score(&self, one: usize, other: usize) -> Option<Counts> {
        let counts = self.scores.get(&(one.min(other), one.max(other)))?.counts;
        Some(if one < other { counts } else { counts.swapped() })
    }

    /// The score of an engine against all others.
    pub fn all_scores(&self, engine: usize) -> Counts {
        let met = self.standings.keys().filter_map(|other| self.score(engine, *other));
        met.fold(Counts::default(), |mut all, score| {
            all.games.iter_mut().zip(score.games).for_each(|(sum, games)| *sum += games);
            all.pairs.iter_mut().zip(score.pairs).for_each(|(sum, pairs)| *sum += pairs);
            all
        })
    }

    /// The score from which strength is estimated: games that repeat others do not make the estimate surer,
    /// and a few games tell nothing at all.
    pub fn telling(&self, one: usize, other: usize) -> Option<Counts> {
        let counts = self.scores.get(&(one.min(other), one.max(other)))?.telling;
        let counts = if one < other { counts } else { counts.swapped() };
        (counts.games_played() >= LEAST_GAMES).then_some(counts)
    }
}

/// The state of a match, made from its games in the order in which they finished.
#[derive(Clone, Debug, Default)]
pub struct MatchState {
    /// The numbers of the finished games.
    pub done: HashSet<u64>,
    /// Their results, for formats that depend on them.
    pub results: Results,
    /// The scores of the engines.
    pub scoreboard: Scoreboard,
    /// The decision of the sequential test: whether it is for the alternative. Games that were under way are
    /// finished and counted, but do not change it.
    pub decided: Option<bool>,
}

impl MatchState {
    /// Takes in a finished game.
    pub fn add(&mut self, settings: &Settings, game: &GameRecord) {
        self.done.insert(game.number);
        self.scoreboard.add(game, settings.pentanomial && settings.schedule.is_paired());
        if !settings.schedule.is_fixed() {
            self.results.insert(game.number, game.half_points(game.engines[0]));
            self.scoreboard.place(&settings.schedule, &self.results);
        }
        if self.decided.is_none()
            && let (Some(test), Some(score)) = (&settings.sprt, self.scoreboard.score(0, 1))
        {
            self.decided = test.status(&score).decided();
        }
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::arena::settings::SettingsTable;
    use crate::pgn::{MoveInfoRecord, TurnRecord};

    /// A game of a match, for tests of what is made from records.
    pub fn game(number: u64, engines: [usize; 2], result: &str) -> GameRecord {
        let move_info =
            |spent| Some(MoveInfoRecord("+0.10/3".to_owned(), spent, Some(9000), Some(2), None, None, None));
        GameRecord {
            number,
            round: number.div_ceil(2),
            pair: number.div_ceil(2),
            engines,
            names: engines.map(|engine| format!("E{engine}")),
            result: result.to_owned(),
            termination: Termination::Normal,
            reason: "somebody mates".to_owned(),
            position: None,
            seed: 5,
            controls: ["10".to_owned(), "10".to_owned()],
            date: "2026.11.21".to_owned(),
            turns: vec![
                TurnRecord("e2e4".to_owned(), 'w', move_info(2500)),
                TurnRecord("e7e5".to_owned(), 'b', move_info(1000)),
            ],
            last: "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2".to_owned(),
        }
    }

    #[test]
    fn games_pairs_and_latency_are_counted() {
        let mut scoreboard = Scoreboard::default();
        scoreboard.add(&game(1, [0, 1], "1-0"), true);
        scoreboard.add(&game(3, [0, 1], "0-1"), true);
        scoreboard.add(&game(4, [1, 0], "1-0"), true);
        scoreboard.add(&game(2, [1, 0], "1/2-1/2"), true);
        let late = GameRecord { termination: Termination::TimeForfeit, ..game(5, [0, 1], "1-0") };
        scoreboard.add(&late, true);
        let score = scoreboard.score(0, 1).unwrap();
        assert_eq!((score.games, score.pairs), ([2, 1, 2], [1, 0, 0, 1, 0]));
        assert_eq!((score.games_played(), score.points()), (5, 2.5));
        assert_eq!(scoreboard.score(1, 0).unwrap().pairs, [0, 1, 0, 0, 1]);
        assert_eq!(scoreboard.standings[&1].faults, LiteMap::from_iter([(Termination::TimeForfeit, 1)]));
        assert!(scoreboard.standings[&0].faults.is_empty());
        let (first, second) = (&scoreboard.standings[&0], &scoreboard.standings[&1]);
        assert_eq!(first.answers + second.answers, 10);
        assert_eq!((first.latency.1, scoreboard.total(), scoreboard.faults()), (500, 5, 1));
        assert_eq!(scoreboard.ranking(), [0, 1]);
        // Each of the two had White once.
        assert_eq!(scoreboard.repeated(), 3);
        let mut other = game(6, [0, 1], "1-0");
        other.turns[1].0 = "c7c5".to_owned();
        scoreboard.add(&other, true);
        assert_eq!((scoreboard.total(), scoreboard.repeated()), (6, 3));
        assert_eq!(scoreboard.telling(0, 1), None, "three games tell nothing");
        for number in 7..30 {
            let mut game = game(number, [0, 1], "1-0");
            game.turns[1].0 = format!("a7a{}", 6 - number % 7);
            scoreboard.add(&game, false);
        }
        // The three different games from before, and seven more; a pair of repeated games is left out.
        let telling = scoreboard.telling(0, 1).unwrap();
        assert_eq!((scoreboard.total(), telling.games_played()), (29, 10));
        assert_eq!(telling, scoreboard.telling(1, 0).unwrap().swapped());
    }

    #[test]
    fn free_rounds_and_the_stages_of_a_knockout_rank() {
        let mut scoreboard = Scoreboard::default();
        for (number, engines, result) in [(1, [0, 1], "1-0"), (2, [0, 2], "1/2-1/2"), (3, [2, 1], "1-0")] {
            scoreboard.add(&game(number, engines, result), false);
        }
        assert_eq!((scoreboard.ranking(), scoreboard.points(1)), (vec![0, 2, 1], 0.0));
        scoreboard.byes = LiteMap::from_iter([(1, 8)]);
        assert_eq!(
            (scoreboard.ranking(), scoreboard.points(1), scoreboard.share(1)),
            (vec![1, 0, 2], 8.0, 0.8)
        );
        let names = ["A", "B", "C"].map(str::to_owned);
        assert_eq!(scoreboard.footnote(&names), "Points of free rounds are counted: B 8\n");
        let stages = LiteMap::from_iter([(0, 1), (1, 2), (2, 2)]);
        scoreboard = Scoreboard { byes: LiteMap::new(), knockout: Some((stages, Some(2))), ..scoreboard };
        assert_eq!(scoreboard.ranking(), [2, 1, 0]);
        assert_eq!(scoreboard.footnote(&names), "C wins the knockout\n");
    }

    #[test]
    fn the_order_of_games_does_not_matter() {
        let games: Vec<GameRecord> = (1..=6)
            .map(|n| {
                game(n, if n % 2 == 1 { [0, 1] } else { [1, 0] }, ["1-0", "0-1", "1/2-1/2"][n as usize % 3])
            })
            .collect();
        let scoreboard = |games: &mut dyn Iterator<Item = &GameRecord>| {
            let mut scoreboard = Scoreboard::default();
            games.for_each(|game| scoreboard.add(game, true));
            scoreboard
        };
        assert_eq!(scoreboard(&mut games.iter()), scoreboard(&mut games.iter().rev()));
    }

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
        // The games under way are all lost.
        for more in 1..=40 {
            let number = number + more;
            state.add(
                &settings,
                &game(number, [[0, 1], [1, 0]][number as usize % 2], ["0-1", "1-0"][number as usize % 2]),
            );
        }
        let score = state.scoreboard.score(0, 1).unwrap();
        assert_ne!(settings.sprt.unwrap().status(&score).decided(), Some(true));
        assert_eq!((state.decided, state.scoreboard.total()), (Some(true), number + 40));
    }
}
