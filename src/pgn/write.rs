//! Writes games as PGN (S. J. Edwards' standard of 1994), with the tags and comments that match runners add.

use super::record::{GameRecord, TurnRecord};
use crate::base::without_controls;
use crate::game::{Facts, Rules};
use crate::variants::chess::{CHESS960, san};
use std::fmt::Write;

/// How the games of a match are written as PGN.
#[derive(Clone, Debug)]
pub struct PgnStyle {
    /// The game that is played.
    pub facts: &'static Facts,
    /// The rule switches that are set.
    pub rules: Rules,
    /// The `Event` tag.
    pub event: String,
    /// The `Site` tag.
    pub site: String,
    /// Whether chess is written in standard algebraic notation (`Nf3`), as other readers require, instead of
    /// coordinates. Other games have no notation but ours.
    pub san: bool,
    /// Whether to leave out all comments but the reason of the result.
    pub minimal: bool,
    /// Whether comments give the number of positions searched.
    pub nodes: bool,
    /// Whether comments give the selective depth.
    pub selective_depth: bool,
}

impl PgnStyle {
    /// A game as PGN, followed by an empty line.
    pub fn write(&self, game: &GameRecord) -> String {
        self.write_tree(game, &[])
    }

    /// The same with variations, each from the first turn of the game on.
    pub fn write_tree(&self, game: &GameRecord, variations: &[Vec<TurnRecord>]) -> String {
        let mut text = String::new();
        // Writing to a String cannot fail.
        let mut tag = |name: &str, value: &str| {
            let value = without_controls(value).replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(text, "[{name} \"{value}\"]");
        };
        let is_chess = self.facts.is_chess();
        tag("Event", &self.event);
        tag("Site", &self.site);
        tag("Date", &game.date);
        tag("Round", &game.round.to_string());
        tag("White", &game.names[0]);
        tag("Black", &game.names[1]);
        tag("Result", &game.result);
        if !is_chess {
            tag("Variant", self.facts.name);
        } else if self.rules.is_on(CHESS960) {
            tag("Variant", "Chess960");
        }
        for (name, value) in self.rules.iter() {
            tag("Rule", &format!("{name}={value}"));
        }
        tag("GameNumber", &game.number.to_string());
        if self.facts.chance {
            tag("ChanceSeed", &game.seed.to_string());
        }
        if game.position.is_some() || !is_chess {
            tag("SetUp", "1");
            tag("FEN", game.position.as_deref().unwrap_or(self.facts.start));
        }
        let [white, black] = &game.controls;
        tag("TimeControl", white);
        if white != black {
            tag("WhiteTimeControl", white);
            tag("BlackTimeControl", black);
        }
        tag("PlyCount", &game.turns.len().to_string());
        tag("Termination", game.termination.pgn());
        text.push('\n');
        let start = game.position.as_deref().unwrap_or(self.facts.start);
        let line = |turns| Line {
            turns,
            short: (self.san && is_chess)
                .then(|| san::write_line(start, turns.iter().map(|turn| turn.0.as_str())))
                .flatten(),
            black_begins: start.split_whitespace().nth(1) == Some("b"),
        };
        let variations: Vec<Line<'_>> = variations.iter().map(|turns| line(turns)).collect();
        let mut words = Vec::new();
        self.movetext(&line(&game.turns), &variations.iter().collect::<Vec<_>>(), 0, &mut words);
        words.push(format!("{{{}}}", game.reason.replace(['{', '}'], "|")));
        words.push(game.result.clone());
        wrap(&mut text, &words);
        text.push_str("\n\n");
        text
    }

    /// Writes the turns of `main` from `begin` on. At each it adds, as variations, what the `others`, which
    /// share the turns before, have in its place.
    fn movetext(&self, main: &Line<'_>, others: &[&Line<'_>], begin: usize, words: &mut Vec<String>) {
        let mut others: Vec<&Line<'_>> = others.to_vec();
        let mut apart = true;
        for (index, turn) in main.turns.iter().enumerate().skip(begin) {
            let ply = index + usize::from(main.black_begins);
            if ply % 2 == 0 {
                words.push(format!("{}.", ply / 2 + 1));
            } else if apart {
                words.push(format!("{}...", ply / 2 + 1));
            }
            let short = main.short.as_ref().map(|short| short[index].clone());
            words.push(short.unwrap_or_else(|| turn.0.clone()));
            match &turn.2 {
                _ if self.minimal => {}
                None => words.push("{book}".to_owned()),
                Some(move_info) => {
                    let seconds = format!("{:.3}s", move_info.1 as f64 / 1e6);
                    let mut comment = [move_info.0.as_str(), &seconds].join(" ").trim().to_owned();
                    // In fastchess's format and order: 0 for what the engine does not report.
                    for (wanted, name, count) in [
                        (self.nodes, "n", move_info.4),
                        (self.selective_depth, "sd", move_info.5.map(u64::from)),
                    ] {
                        if wanted {
                            let _ = write!(comment, ", {name}={}", count.unwrap_or_default());
                        }
                    }
                    words.push(format!("{{{comment}}}"));
                }
            }
            // A line that goes on where this one ends becomes a variation of the last turn, with which it
            // begins.
            let last = index + 1 == main.turns.len();
            let leaves =
                |line: &&Line<'_>| line.turn(index) != Some(&turn.0) || last && line.turns.len() > index + 1;
            let (mut left, on): (Vec<_>, Vec<_>) = others.into_iter().partition(leaves);
            others = on;
            apart = !left.is_empty();
            while let Some(first) = left.first().copied() {
                let (same, rest) =
                    left.into_iter().skip(1).partition(|line| line.turn(index) == first.turn(index));
                left = rest;
                let from = words.len();
                self.movetext(first, &same, index, words);
                if let [begin, .., end] = &mut words[from..] {
                    begin.insert(0, '(');
                    end.push(')');
                }
            }
        }
    }
}

/// A line of turns from the first of the game on.
struct Line<'a> {
    turns: &'a [TurnRecord],
    /// The turns in standard algebraic notation.
    short: Option<Vec<String>>,
    black_begins: bool,
}

impl Line<'_> {
    fn turn(&self, index: usize) -> Option<&str> {
        self.turns.get(index).map(|turn| turn.0.as_str())
    }
}

/// Appends the words in lines of at most 79 characters.
fn wrap(text: &mut String, words: &[String]) {
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() > 79 {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        let word = without_controls(word);
        text.push_str(&word);
        column += word.len();
    }
}
