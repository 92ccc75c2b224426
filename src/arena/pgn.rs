//! Games as PGN (S. J. Edwards' standard of 1994), with the headers and comments that match runners add.

use super::record::GameRecord;
use super::san;
use crate::base::without_controls;
use crate::game::{Facts, Rules};
use std::fmt::Write;

/// What stands in the PGN of every game of a match.
#[derive(Clone, Debug)]
pub struct PgnStyle {
    /// The game.
    pub facts: &'static Facts,
    /// Its rules.
    pub rules: Rules,
    /// The header `Event`.
    pub event: String,
    /// The header `Site`.
    pub site: String,
    /// Chess in its usual short writing (`Nf3`), which other readers want, instead of coordinates. The other games have
    /// no other writing than ours.
    pub san: bool,
    /// No comments but the reason of the result.
    pub minimal: bool,
}

impl PgnStyle {
    /// One game, an empty line behind it.
    pub fn write(&self, game: &GameRecord) -> String {
        let mut text = String::new();
        // Writing to a String cannot fail.
        let mut tag = |name: &str, value: &str| {
            let value = without_controls(value).replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(text, "[{name} \"{value}\"]");
        };
        let is_chess = self.facts.answers_to("normal");
        tag("Event", &self.event);
        tag("Site", &self.site);
        tag("Date", &game.date);
        tag("Round", &game.round.to_string());
        tag("White", &game.names[0]);
        tag("Black", &game.names[1]);
        tag("Result", &game.result);
        if !is_chess {
            tag("Variant", self.facts.name);
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
        let short = (self.san && is_chess).then(|| san::short(start, &game.turns)).flatten();
        let black_begins = start.split_whitespace().nth(1) == Some("b");
        let mut words = Vec::new();
        for (index, turn) in game.turns.iter().enumerate() {
            let ply = index + usize::from(black_begins);
            if ply % 2 == 0 {
                words.push(format!("{}.", ply / 2 + 1));
            } else if index == 0 {
                words.push(format!("{}...", ply / 2 + 1));
            }
            words.push(short.as_ref().map_or_else(|| turn.0.clone(), |short| short[index].clone()));
            match &turn.2 {
                _ if self.minimal => {}
                None => words.push("{book}".to_owned()),
                Some(move_info) => {
                    let seconds = format!("{:.3}s", move_info.1 as f64 / 1e6);
                    words.push(format!("{{{}}}", [move_info.0.as_str(), &seconds].join(" ").trim()));
                }
            }
        }
        words.push(format!("{{{}}}", game.reason.replace(['{', '}'], "|")));
        words.push(game.result.clone());
        wrap(&mut text, &words);
        text.push_str("\n\n");
        text
    }
}

/// The words in lines of less than 80 characters.
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
