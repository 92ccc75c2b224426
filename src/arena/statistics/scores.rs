//! The results of a match or tournament, pairing by pairing.

use super::counts::Counts;
use std::collections::BTreeMap;

/// What a game brought the first player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Points {
    /// Nothing.
    Loss,
    /// A half.
    Draw,
    /// One.
    Win,
}

impl Points {
    /// What the same game brought the other player.
    #[must_use]
    pub fn swapped(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

impl Counts {
    /// Counts a single game, or one of a pair whose other game never came to an end.
    pub fn add_game(&mut self, points: Points) {
        self.games[points as usize] += 1;
    }

    /// Counts two games with the same opening and colours swapped, both from the first player's side.
    pub fn add_pair(&mut self, [one, other]: [Points; 2]) {
        self.add_game(one);
        self.add_game(other);
        self.pairs[one as usize + other as usize] += 1;
        self.split += u64::from(one != other && one.swapped() == other);
    }
}

/// Counts by (first, second). The two orders of a pairing are one entry, that of the order seen first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scores {
    entries: BTreeMap<(String, String), Counts>,
}

impl Scores {
    /// Counts a game of `first` against `second`, with what it brought `first`.
    pub fn add_game(&mut self, first: &str, second: &str, points: Points) {
        self.add(first, second, |counts| counts.add_game(points));
    }

    /// Counts a pair of games, with what each brought `first`.
    pub fn add_pair(&mut self, first: &str, second: &str, points: [Points; 2]) {
        self.add(first, second, |counts| counts.add_pair(points));
    }

    /// Adds all of `other`, say of another part of the same match.
    pub fn merge(&mut self, other: &Self) {
        for ((first, second), more) in &other.entries {
            self.add(first, second, |counts| *counts += *more);
        }
    }

    fn add(&mut self, first: &str, second: &str, count: impl FnOnce(&mut Counts)) {
        let mut more = Counts::default();
        count(&mut more);
        let reversed = (second.to_owned(), first.to_owned());
        if first != second
            && let Some(counts) = self.entries.get_mut(&reversed)
        {
            *counts += more.swapped();
            return;
        }
        *self.entries.entry((first.to_owned(), second.to_owned())).or_default() += more;
    }

    /// The results of `first` against `second`, from the side of `first`.
    pub fn of(&self, first: &str, second: &str) -> Counts {
        let key = (first.to_owned(), second.to_owned());
        if let Some(counts) = self.entries.get(&key) {
            return *counts;
        }
        self.entries.get(&(key.1, key.0)).map_or_else(Counts::default, |counts| counts.swapped())
    }

    /// All results of one player, from his side.
    pub fn of_player(&self, name: &str) -> Counts {
        let sides = self.entries.iter().filter_map(|((first, second), counts)| {
            if first == name {
                Some(*counts)
            } else if second == name {
                Some(counts.swapped())
            } else {
                None
            }
        });
        sides.sum()
    }

    /// The pairings with their counts, in alphabetical order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str, &Counts)> {
        self.entries.iter().map(|((first, second), counts)| (first.as_str(), second.as_str(), counts))
    }
}

#[cfg(test)]
mod tests {
    use super::Points::{Draw, Loss, Win};
    use super::*;

    #[test]
    fn pairs_fall_into_their_cells() {
        let mut counts = Counts::default();
        let all = [Loss, Draw, Win];
        for one in all {
            for other in all {
                counts.add_pair([one, other]);
            }
        }
        assert_eq!((counts.pairs, counts.split, counts.games), ([1, 2, 3, 2, 1], 2, [6, 6, 6]));
        assert_eq!(Counts::both(counts.pairs, counts.games), Ok(counts));
        counts.add_game(Win);
        assert_eq!((counts.pairs_played(), counts.games_played()), (9, 19));
    }

    #[test]
    fn both_orders_of_a_pairing_are_one() {
        let mut scores = Scores::default();
        scores.add_pair("A", "B", [Win, Draw]);
        scores.add_pair("B", "A", [Loss, Loss]);
        scores.add_game("C", "A", Win);
        assert_eq!(scores.iter().count(), 2);
        assert_eq!(scores.of("A", "B").pairs, [0, 0, 0, 1, 1]);
        assert_eq!(scores.of("B", "A").pairs, [1, 1, 0, 0, 0]);
        assert_eq!(scores.of_player("A").games, [1, 1, 3]);
        assert_eq!(scores.of("B", "C"), Counts::default());
        let mut parts = Scores::default();
        parts.add_pair("B", "A", [Loss, Draw]);
        let mut rest = Scores::default();
        rest.add_pair("A", "B", [Win, Win]);
        rest.add_game("A", "C", Loss);
        parts.merge(&rest);
        for (first, second) in [("A", "B"), ("C", "A")] {
            assert_eq!(parts.of(first, second), scores.of(first, second));
        }
    }
}
