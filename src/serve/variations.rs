//! The lines beside a game, taken back or from a record, as a tree. They can be looked at and continued.

use super::view::{Branch, Said};
use crate::live_game::{Line, Turn};

/// The most lines kept beside a game.
const MOST_LINES: usize = 50;

/// The lines beside the game, each from its first turn on.
#[derive(Default)]
pub struct Variations(Vec<Line>);

impl Variations {
    /// Keeps `line`, unless it is the beginning of another one. The oldest line makes way when there are too
    /// many.
    pub fn keep(&mut self, line: Line) {
        if self.0.iter().any(|own| own.tokens.starts_with(&line.tokens)) {
            return;
        }
        self.0.retain(|own| !line.tokens.starts_with(&own.tokens));
        self.0.push(line);
        if self.0.len() > MOST_LINES {
            self.0.remove(0);
        }
    }

    /// All lines, each from its first token on.
    pub fn tokens(&self) -> Vec<Vec<String>> {
        self.0.iter().map(|line| line.tokens.clone()).collect()
    }

    /// Removes all lines.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The line with this number.
    pub fn get(&self, number: usize) -> Result<&Line, String> {
        self.0.get(number).ok_or_else(|| "there is no such variation".to_owned())
    }

    /// The lines that are not contained in `played`.
    pub fn beside(&self, played: &Line) -> Vec<Line> {
        self.0.iter().filter(|line| !played.tokens.starts_with(&line.tokens)).cloned().collect()
    }

    /// Each line from where it leaves the game as it was `played`, or an earlier line that it follows
    /// further.
    pub fn tree(&self, played: &Line) -> Vec<Branch> {
        let mut tree = Vec::new();
        for (number, line) in self.0.iter().enumerate() {
            if played.tokens.starts_with(&line.tokens) {
                continue;
            }
            let mut of = None;
            let mut shared = common(&played.turns, &line.turns);
            for (other, earlier) in self.0[..number].iter().enumerate() {
                let further = common(&earlier.turns, &line.turns);
                if further > shared {
                    (of, shared) = (Some(other), further);
                }
            }
            let at = shared.checked_sub(1).map_or(0, |last| line.turns[last].end);
            let turns = line.turns[shared..].iter().cloned().map(Said::from).collect();
            tree.push(Branch { number, of, at, turns });
        }
        tree
    }
}

/// The number of turns with which both begin.
fn common(one: &[Turn], other: &[Turn]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Color;

    fn line(text: &str) -> Line {
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        let owner = |index| if index % 2 == 0 { Color::White } else { Color::Black };
        let turn = |(index, word): (usize, &String)| Turn {
            owner: owner(index),
            text: word.clone(),
            end: index + 1,
        };
        Line { turns: words.iter().enumerate().map(turn).collect(), tokens: words }
    }

    #[test]
    fn each_line_hangs_where_it_leaves_the_one_it_follows_furthest() {
        let mut variations = Variations::default();
        for text in ["a b c d", "a x", "a x y z", "a x y w", "a b c", "m"] {
            variations.keep(line(text));
        }
        let told = |played: &str| -> Vec<_> {
            let text = |branch: &Branch| {
                branch.turns.iter().map(|turn| turn.text.as_str()).collect::<Vec<_>>().join(" ")
            };
            variations.tree(&line(played)).iter().map(|own| (own.number, own.of, own.at, text(own))).collect()
        };
        assert_eq!(
            told("a b e"),
            [
                (0, None, 2, "c d".to_owned()),
                (1, None, 1, "x y z".to_owned()),
                (2, Some(1), 3, "w".to_owned()),
                (3, None, 0, "m".to_owned()),
            ]
        );
        assert_eq!(told("a x y z q").iter().map(|own| own.0).collect::<Vec<_>>(), [0, 2, 3], "it was played");
    }
}
