//! Writes games as PGN (S. J. Edwards' standard of 1994), with the tags and comments that match runners add.

use super::record::{GameRecord, MoreInfoRecord, MoveInfoRecord, TurnRecord};
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
    /// How chess is written. Other games have no notation but ours.
    pub notation: ChessNotation,
    /// Whether to leave out all comments but the reason of the result.
    pub minimal: bool,
    /// What comments give besides score, depth and time.
    pub extras: CommentFields,
}

/// How the turns of chess are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChessNotation {
    /// Standard algebraic notation, `Nf3`, as other readers require.
    #[default]
    Short,
    /// With the square that a piece comes from: `Ng1f3`.
    Long,
    /// Coordinates: `g1f3`.
    Coordinates,
}

/// What comments give besides score, depth and time, as fastchess names it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a word of the command line")]
pub struct CommentFields {
    /// `tl`: the time left.
    pub time_left: bool,
    /// `latency`: how much longer the turn took by our clock than by the engine's.
    pub latency: bool,
    /// `n`: positions searched.
    pub nodes: bool,
    /// `sd`: the selective depth.
    pub selective_depth: bool,
    /// `nps`: positions a second.
    pub nps: bool,
    /// `hashfull`: how full the hash table was, in thousandths.
    pub hash_full: bool,
    /// `tbhits`: positions found in endgame tables.
    pub table_hits: bool,
    /// `pv`: the turns that were expected.
    pub pv: bool,
}

impl CommentFields {
    /// The fields for a turn, each with a comma before it, in fastchess's form and order: 0 for what the
    /// engine does not report.
    fn write(self, info: &MoveInfoRecord) -> String {
        let MoveInfoRecord(_, spent, left, own_time, nodes, depth, more) = info;
        let none = MoreInfoRecord::default();
        let more = more.as_deref().unwrap_or(&none);
        let mut text = String::new();
        let mut add = |wanted: bool, name: &str, value: String| {
            if wanted {
                text.push_str(&format!(", {name}={value}"));
            }
        };
        let seconds = |milliseconds: f64| format!("{:.3}s", milliseconds / 1000.0);
        let spent = *spent as f64 / 1000.0;
        add(self.time_left, "tl", seconds(left.unwrap_or_default() as f64));
        add(self.latency, "latency", seconds(own_time.map_or(0.0, |own| spent - own as f64)));
        add(self.nodes, "n", nodes.unwrap_or_default().to_string());
        add(self.selective_depth, "sd", depth.unwrap_or_default().to_string());
        let computed =
            || nodes.unwrap_or_default().saturating_mul(1000).checked_div(own_time.unwrap_or_default());
        add(self.nps, "nps", more.nps.or_else(computed).unwrap_or_default().to_string());
        add(self.hash_full, "hashfull", more.hashfull.unwrap_or_default().to_string());
        add(self.table_hits, "tbhits", more.tbhits.unwrap_or_default().to_string());
        add(self.pv, "pv", format!("\"{}\"", plain(more.pv.as_deref().unwrap_or_default())));
        for line in &more.lines {
            add(true, "line", format!("\"{}\"", plain(line)));
        }
        text
    }
}

/// A text of an engine as a comment may hold it between quotation marks.
fn plain(text: &str) -> String {
    text.replace(['{', '}'], "|").replace('"', "'")
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
        if game.position.is_some() || !is_chess && !self.facts.start.is_empty() {
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
            short: (self.notation != ChessNotation::Coordinates && is_chess)
                .then(|| san::write_line(start, turns.iter().map(|turn| turn.0.as_str())))
                .flatten(),
            long: self.notation == ChessNotation::Long,
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
            words.push(main.written(index));
            match &turn.2 {
                _ if self.minimal => {}
                None => words.push("{book}".to_owned()),
                Some(move_info) => {
                    let seconds = format!("{:.3}s", move_info.1 as f64 / 1e6);
                    let opinion = [move_info.0.as_str(), &seconds].join(" ");
                    words.push(format!("{{{}{}}}", opinion.trim(), self.extras.write(move_info)));
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
    /// Whether they are written with the square that a piece comes from.
    long: bool,
    black_begins: bool,
}

impl Line<'_> {
    /// The turn as it is written.
    fn written(&self, index: usize) -> String {
        let turn = &self.turns[index].0;
        let Some(short) = self.short.as_ref().map(|short| &short[index]) else { return turn.clone() };
        if self.long { san::with_squares(short, turn) } else { short.clone() }
    }

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
