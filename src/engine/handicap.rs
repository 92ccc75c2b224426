//! Playing below strength (`UCI_LimitStrength`, `UCI_Elo`): the search visits fewer positions, and the engine
//! does not always play the best line it found.
//!
//! How far apart levels lie was measured in all games ([`Facts::elo_scale`], `protocol-docs/studies.md`). The
//! bottom of the scale is nominal: no one has rated players at most of these games. For a fixed seed the
//! choice depends on nothing but the position and the lines that were found.

use crate::base::Rng;
use crate::base::score::{SURE_WIN, Score};
use crate::game::Facts;
use crate::search::{LEAST_ELO, Limits, MOST_ELO, Report};

/// Positions visited at the lowest level. They suffice for a first iteration with all lines in most
/// positions.
const FEWEST_NODES: u64 = 2_000;
/// Elo points that double the number of positions.
const NODES_DOUBLE: u32 = 300;
/// The margin grows with every missing Elo point, and twice as fast for each step of this many points further
/// down.
const MARGIN_DOUBLES: u32 = 450;
/// The least number of lines to choose from.
const LINES: usize = 5;

/// How much to weaken play in one game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handicap {
    /// Elo points that are missing to the top of the scale, scaled for this game.
    missing: u32,
    /// The value of [`Facts::elo_margin`].
    margin_percent: u32,
    /// The value of [`Facts::elo_lines`].
    most_lines: usize,
    seed: u64,
}

/// The best lines that were found. All of them come from the same iteration.
#[derive(Debug)]
pub(super) struct Candidates<D> {
    complete: Vec<(Score, Vec<D>)>,
    growing: Vec<(Score, Vec<D>)>,
}

impl<D> Default for Candidates<D> {
    fn default() -> Self {
        Self { complete: Vec::new(), growing: Vec::new() }
    }
}

impl<D: Clone> Candidates<D> {
    /// Takes note of a line that was found.
    pub fn note(&mut self, report: &Report, line: &[D]) {
        if report.rank == 1 {
            self.growing.clear();
        }
        if report.rank == self.growing.len() + 1 {
            self.growing.push((report.score, line.to_vec()));
        }
        // Every iteration finds the same number of lines, unless it is cut short.
        if self.growing.len() >= self.complete.len() {
            self.complete.clone_from(&self.growing);
        }
    }
}

impl Handicap {
    /// The handicap for `elo` (clamped to the range) in a game. The same `seed` makes the same mistakes.
    pub fn new(elo: u32, game: &Facts, seed: u64) -> Self {
        let missing = (MOST_ELO - elo.clamp(LEAST_ELO, MOST_ELO)) * game.elo_scale / 100;
        Self { missing, margin_percent: game.elo_margin, most_lines: game.elo_lines, seed }
    }

    /// How many positions a search may visit.
    pub const fn nodes(&self) -> u64 {
        doubled(FEWEST_NODES, (MOST_ELO - LEAST_ELO).saturating_sub(self.missing), NODES_DOUBLE)
    }

    /// How many lines there are to choose from.
    pub fn lines(&self) -> usize {
        if self.margin() == 0 {
            return 1;
        }
        let most = (MOST_ELO - LEAST_ELO) as usize;
        LINES + self.most_lines.saturating_sub(LINES) * (self.missing as usize).min(most) / most
    }

    /// How much worse than the best a line may be, in centipawns: 0 at the top of the scale, 12 where 450
    /// points are missing, and more and more below; more of them in a game where they are worth less.
    pub const fn margin(&self) -> Score {
        (doubled(25, self.missing, MARGIN_DOUBLES) as Score - 25) / 2 * self.margin_percent as Score / 100
    }

    /// Tightens the limits of a search.
    pub(super) fn restrict(&self, limits: &mut Limits) {
        limits.nodes = Some(limits.nodes.map_or(self.nodes(), |nodes| nodes.min(self.nodes())));
        limits.lines = limits.lines.max(self.lines());
    }

    /// Chooses one of the lines within the margin, better ones more often. A sure win is never passed up.
    pub(super) fn choose<'a, D>(&self, lines: &'a Candidates<D>, key: u64) -> Option<(Score, &'a [D])> {
        let (best, first) = lines.complete.first()?;
        if *best >= SURE_WIN {
            return Some((*best, first));
        }
        let weight = |score: Score| usize::try_from(score - best + self.margin() + 1).unwrap_or(0);
        let total: usize = lines.complete.iter().map(|(score, _)| weight(*score)).sum();
        let mut drawn = Rng::new(self.seed ^ key).below(total);
        let chosen = lines.complete.iter().find(|(score, _)| {
            let weight = weight(*score);
            let hit = drawn < weight;
            drawn = drawn.wrapping_sub(weight);
            hit
        });
        chosen.map(|(score, line)| (*score, line.as_slice()))
    }
}

/// `least`, doubled for every `step` of `points`, with linear interpolation in between.
const fn doubled(least: u64, points: u32, step: u32) -> u64 {
    let whole = least << (points / step);
    whole + whole * (points % step) as u64 / step as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::score::won_in;
    use crate::search::Bound;
    use std::time::Duration;

    fn lines(scores: &[Score]) -> Candidates<usize> {
        let mut lines = Candidates::default();
        for (index, &score) in scores.iter().enumerate() {
            let report = Report {
                depth: 1,
                seldepth: 1,
                rank: index + 1,
                score,
                bound: Bound::Exact,
                nodes: 1,
                elapsed: Duration::ZERO,
                table_full: 0,
            };
            lines.note(&report, &[index]);
        }
        lines
    }

    fn chosen(elo: u32, scores: &[Score]) -> Vec<usize> {
        let lines = lines(scores);
        (0..200).map(|key| Handicap::new(elo, &game(100, 5), 9).choose(&lines, key).unwrap().1[0]).collect()
    }

    fn game(elo_scale: u32, elo_lines: usize) -> Facts {
        Facts { elo_scale, elo_lines, ..Facts::PLAIN }
    }

    #[test]
    fn more_points_are_never_weaker() {
        for game in [game(50, 5), game(70, 5), game(100, 13), game(115, 5), game(130, 20)] {
            for elo in LEAST_ELO..MOST_ELO {
                let (lower, higher) = (Handicap::new(elo, &game, 1), Handicap::new(elo + 1, &game, 1));
                assert!(lower.nodes() <= higher.nodes() && lower.margin() >= higher.margin(), "{elo}");
                assert!(lower.lines() >= higher.lines(), "{elo}");
            }
        }
        let [weakest, top] = [LEAST_ELO, MOST_ELO].map(|elo| Handicap::new(elo, &game(100, 13), 1));
        assert_eq!((weakest.nodes(), weakest.margin(), weakest.lines()), (2_000, 276, 13));
        assert_eq!((top.nodes(), top.margin(), top.lines()), (213_333, 0, 1));
        let half = Handicap::new(LEAST_ELO, &game(50, 13), 1);
        assert_eq!(half, Handicap::new((LEAST_ELO + MOST_ELO) / 2, &game(100, 13), 1));
        assert_eq!(half.lines(), 9);
        let wide = Facts { elo_margin: 300, ..game(100, 13) };
        assert_eq!(Handicap::new(LEAST_ELO, &wide, 1).margin(), 3 * weakest.margin());
        assert_eq!(Handicap::new(0, &game(100, 13), 1), weakest);
    }

    #[test]
    fn what_is_within_the_margin_is_chosen_sometimes_and_the_rest_never() {
        // The margin is 276 here.
        let found = chosen(LEAST_ELO, &[50, 0, -150, -227, -900]);
        for (line, most) in [(0, 120), (1, 110), (2, 60)] {
            let times = found.iter().filter(|&&l| l == line).count();
            assert!((10..most).contains(&times), "{line}: {times}");
        }
        assert!(found.iter().all(|&line| line < 3));
        assert!(chosen(MOST_ELO, &[50, 49]).iter().all(|&line| line == 0));
        assert_eq!(chosen(LEAST_ELO, &[50, 0]), chosen(LEAST_ELO, &[50, 0]));
    }

    #[test]
    fn a_sure_win_is_taken() {
        assert!(chosen(LEAST_ELO, &[won_in(3), won_in(5), 20]).iter().all(|&line| line == 0));
    }

    #[test]
    fn an_iteration_that_was_broken_off_does_not_count() {
        let mut found = lines(&[10, 5]);
        let report = Report {
            depth: 2,
            seldepth: 2,
            rank: 1,
            score: 70,
            bound: Bound::Exact,
            nodes: 9,
            elapsed: Duration::ZERO,
            table_full: 0,
        };
        found.note(&report, &[7]);
        assert_eq!(found.complete, [(10, vec![0]), (5, vec![1])]);
    }
}
