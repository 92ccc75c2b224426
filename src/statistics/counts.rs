//! Counts of games and of pairs of games.

use crate::base::score::Points;

/// The largest number in a cell that is read. Beyond it a cell of 0.001 (see [`Counts::distribution`]) is too
/// small beside the others for six exact digits.
pub const LARGEST_CELL: u64 = 1_000_000_000;

/// Why numbers are not valid counts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CountsError {
    /// The number of cells is wrong.
    #[error("{wanted} numbers with commas between them are needed ({cells}), not {found}")]
    Cells {
        /// The number of cells required.
        wanted: usize,
        /// The names of the cells.
        cells: &'static str,
        /// The number of cells found.
        found: usize,
    },
    /// A cell is not a whole number in the range.
    #[error("`{0}` is not a whole number from 0 to {LARGEST_CELL}")]
    Number(String),
    /// The pairs and games cannot belong to one match.
    #[error("{pairs} pairs are {} games, but losses, draws and wins make {games}", 2 * pairs)]
    Games {
        /// The number of pairs in the five cells.
        pairs: u64,
        /// The number of games in the three cells.
        games: u64,
    },
    /// The points of pairs and games differ.
    #[error("the pairs are worth {} points, the games {}", half(*pairs), half(*games))]
    Points {
        /// Half points in the five cells.
        pairs: u64,
        /// Half points in the three cells.
        games: u64,
    },
    /// No such pairs can be made of these losses, draws and wins.
    #[error("{draws} draws cannot be: {least} pairs have one draw each, {even} have two or none")]
    Draws {
        /// The number of drawn games.
        draws: u64,
        /// The number of pairs with exactly one draw.
        least: u64,
        /// The number of even pairs.
        even: u64,
    },
}

fn half(points: u64) -> String {
    format!("{}{}", points / 2, if points % 2 == 1 { ".5" } else { "" })
}

/// The results of one player ("the first") against another, from the first one's side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The numbers of games lost, drawn and won, including games of broken pairs.
    pub games: [u64; 3],
    /// The numbers of pairs of games (one opening, colours reversed) by half points: LL, LD, DD or WL, DW,
    /// WW.
    pub pairs: [u64; 5],
    /// The number of pairs in the middle cell that are a win and a loss.
    pub split: u64,
    /// Whether the kind of the middle pairs was unknown when they were read: `games` and `split` take them as
    /// two draws each.
    pub evens_assumed: bool,
}

/// What a random game or pair brings: each share of the points with its probability.
#[derive(Clone, Debug)]
pub struct Distribution {
    /// The number of games or pairs (an empty cell counts 0.001).
    pub samples: f64,
    /// The number of games in a sample: 1 or 2.
    pub games_each: f64,
    /// Each share of the points (0 to 1) with its probability, ascending.
    pub cells: Vec<(f64, f64)>,
}

impl Distribution {
    /// The mean and the variance of the share of points in a sample.
    pub fn moments(&self) -> (f64, f64) {
        moments(&self.cells)
    }
}

/// The mean and the variance of (value, probability) cells.
pub fn moments(cells: &[(f64, f64)]) -> (f64, f64) {
    let mean = cells.iter().map(|(value, weight)| value * weight).sum::<f64>();
    (mean, cells.iter().map(|(value, weight)| weight * (value - mean).powi(2)).sum())
}

impl Counts {
    /// Counts of single games.
    pub fn trinomial(losses: u64, draws: u64, wins: u64) -> Self {
        Self { games: [losses, draws, wins], ..Self::default() }
    }

    /// Counts of pairs alone. An even pair is taken as two draws, and [`Counts::evens_assumed`] is set if
    /// there are any.
    pub fn pentanomial(pairs: [u64; 5]) -> Self {
        let [ll, ld, even, dw, ww] = pairs;
        let games = [2 * ll + ld, ld + 2 * even + dw, dw + 2 * ww];
        Self { games, pairs, split: 0, evens_assumed: even > 0 }
    }

    /// Counts of pairs, and of losses, draws and wins of the same games.
    ///
    /// # Errors
    /// When no match can have both.
    pub fn both(pairs: [u64; 5], games: [u64; 3]) -> Result<Self, CountsError> {
        let all: u64 = pairs.iter().sum();
        let played = games.iter().sum();
        if played != 2 * all {
            return Err(CountsError::Games { pairs: all, games: played });
        }
        let points = |cells: &[u64]| cells.iter().zip(0..).map(|(count, worth)| count * worth).sum::<u64>();
        if points(&pairs) != points(&games) {
            return Err(CountsError::Points { pairs: points(&pairs), games: points(&games) });
        }
        let (draws, least, even) = (games[1], pairs[1] + pairs[3], pairs[2]);
        // Equal numbers of games and points make `draws - least` even.
        match draws.checked_sub(least) {
            Some(left) if left / 2 <= even => {
                Ok(Self { games, pairs, split: even - left / 2, evens_assumed: false })
            }
            _ => Err(CountsError::Draws { draws, least, even }),
        }
    }

    /// Reads `L,D,W`.
    ///
    /// # Errors
    /// When the text has another form.
    pub fn read_games(text: &str) -> Result<[u64; 3], CountsError> {
        read(text, "losses, draws, wins")
    }

    /// Reads `LL,LD,DD,DW,WW`.
    ///
    /// # Errors
    /// When the text has another form.
    pub fn read_pairs(text: &str) -> Result<[u64; 5], CountsError> {
        read(text, "LL, LD, DD or WL, DW, WW")
    }

    /// The same games seen from the other side.
    #[must_use]
    pub fn swapped(mut self) -> Self {
        self.games.reverse();
        self.pairs.reverse();
        self
    }

    /// Counts a single game, or one of a pair whose other game was not finished.
    pub fn add_game(&mut self, points: Points) {
        self.games[points as usize] += 1;
    }

    /// Counts a pair, after its two games were counted: one opening, colours reversed, both results from the
    /// first player's side.
    pub fn add_pair(&mut self, [one, other]: [Points; 2]) {
        self.pairs[one as usize + other as usize] += 1;
        self.split += u64::from(one as usize + other as usize == 2 && one != other);
    }

    /// The number of games.
    pub fn games_played(&self) -> u64 {
        self.games.iter().sum()
    }

    /// The number of pairs.
    pub fn pairs_played(&self) -> u64 {
        self.pairs.iter().sum()
    }

    /// The points of the first player, where a draw counts a half.
    pub fn points(&self) -> f64 {
        self.games[2] as f64 + self.games[1] as f64 / 2.0
    }

    /// True when statistics are based on pairs.
    pub fn paired(&self) -> bool {
        self.pairs.iter().any(|&count| count > 0)
    }

    /// The frequencies of the pairs, if there are any, else of the games. An empty cell counts 0.001, as in
    /// fishtest and fastchess, so that no logarithm or quotient fails.
    pub fn distribution(&self) -> Distribution {
        if self.paired() { distribution(&self.pairs) } else { distribution(&self.games) }
    }
}

/// The frequencies of `counts`, whose cells go from no points to all points.
pub fn distribution(counts: &[u64]) -> Distribution {
    let filled: Vec<f64> = counts.iter().map(|&count| if count == 0 { 1e-3 } else { count as f64 }).collect();
    let samples: f64 = filled.iter().sum();
    let last = (counts.len() - 1) as f64;
    let cells = filled.iter().zip(0..).map(|(count, i)| (f64::from(i) / last, count / samples)).collect();
    Distribution { samples, games_each: last / 2.0, cells }
}

fn read<const N: usize>(text: &str, cells: &'static str) -> Result<[u64; N], CountsError> {
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    let found = parts.len();
    let parts: [&str; N] = parts.try_into().map_err(|_| CountsError::Cells { wanted: N, cells, found })?;
    let mut counts = [0; N];
    for (count, part) in counts.iter_mut().zip(parts) {
        // `parse` would accept a plus sign.
        let digits = !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let number = part.parse().ok().filter(|&number| digits && number <= LARGEST_CELL);
        *count = number.ok_or_else(|| CountsError::Number(part.to_owned()))?;
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading() {
        assert_eq!(Counts::read_games("40,100,60"), Ok([40, 100, 60]));
        assert_eq!(Counts::read_pairs(" 1, 2,3 ,4,5"), Ok([1, 2, 3, 4, 5]));
        let refused = |text: &str| Counts::read_games(text).unwrap_err().to_string();
        assert_eq!(
            refused("1,2"),
            "3 numbers with commas between them are needed (losses, draws, wins), not 2"
        );
        assert_eq!(refused("1,-2,3"), "`-2` is not a whole number from 0 to 1000000000");
        for text in ["", "1,2,3,4", "1,,3", "1,2.5,3", "1,2,1000000001", "+1,2,3", "1,2,99999999999999999999"]
        {
            assert!(Counts::read_games(text).is_err(), "{text}");
        }
    }

    #[test]
    fn pairs_and_games_must_agree() {
        // LL, LD, three even (one of them WL), DW, WW.
        let counts = Counts::both([1, 1, 3, 1, 1], [4, 6, 4]).unwrap();
        assert_eq!((counts.split, counts.evens_assumed), (1, false));
        let refused = |pairs, games| Counts::both(pairs, games).unwrap_err().to_string();
        assert_eq!(
            refused([1, 0, 0, 0, 0], [1, 0, 0]),
            "1 pairs are 2 games, but losses, draws and wins make 1"
        );
        assert_eq!(refused([0, 1, 0, 0, 0], [2, 0, 0]), "the pairs are worth 0.5 points, the games 0");
        assert_eq!(
            refused([1, 0, 0, 0, 1], [1, 2, 1]),
            "2 draws cannot be: 0 pairs have one draw each, 0 have two or none"
        );
        assert!(Counts::both([0, 1, 0, 1, 0], [2, 0, 2]).is_err(), "no draw, but two pairs with one");
    }

    #[test]
    fn swapping() {
        let counts = Counts::both([1, 0, 2, 1, 2], [3, 3, 6]).unwrap();
        assert_eq!((counts.games_played(), counts.pairs_played(), counts.points()), (12, 6, 7.5));
        assert_eq!(counts.swapped().swapped(), counts);
        assert_eq!(counts.swapped().points(), 4.5);
    }

    #[test]
    fn pairs_fall_into_their_cells() {
        use Points::{Draw, Loss, Win};
        let mut counts = Counts::default();
        let all = [Loss, Draw, Win];
        for one in all {
            for other in all {
                [one, other].into_iter().for_each(|points| counts.add_game(points));
                counts.add_pair([one, other]);
            }
        }
        assert_eq!((counts.pairs, counts.split, counts.games), ([1, 2, 3, 2, 1], 2, [6, 6, 6]));
        assert_eq!(Counts::both(counts.pairs, counts.games), Ok(counts));
        counts.add_game(Win);
        assert_eq!((counts.pairs_played(), counts.games_played()), (9, 19));
    }

    #[test]
    fn moments_of_pairs() {
        let (mean, variance) = Counts::pentanomial([1, 1, 1, 1, 1]).distribution().moments();
        assert!((mean - 0.5).abs() < 1e-15 && (variance - 0.125).abs() < 1e-15);
        let (mean, variance) = Counts::trinomial(1, 0, 3).distribution().moments();
        assert!((mean - 0.75).abs() < 1e-4 && (variance - 0.1875).abs() < 1e-4);
    }
}
