//! Games as PGN.

use super::{Game, TimeControl};
use crate::game::{Facts, Rules};
use std::fmt::Write;

/// One game as PGN. Turns stand in Carom's own writing (for chess, coordinates), each with its player's score, depth
/// and seconds; other readers get every header. `seed` is that of the game's dice and cards, where it has any.
pub fn pgn(
    game: &Game,
    facts: &Facts,
    rules: &Rules,
    control: TimeControl,
    seed: u64,
    round: usize,
    date: &str,
) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    tag("Event", "Carom match");
    tag("Site", "?");
    tag("Date", date);
    tag("Round", &round.to_string());
    tag("White", &game.names[0]);
    tag("Black", &game.names[1]);
    tag("Result", game.ending.result());
    if !facts.answers_to("normal") {
        tag("Variant", facts.name);
    }
    for (name, value) in rules.iter() {
        tag("Rule", &format!("{name}={value}"));
    }
    if facts.chance {
        tag("ChanceSeed", &seed.to_string());
    }
    if game.position.is_some() || !facts.answers_to("normal") {
        tag("SetUp", "1");
        tag("FEN", game.position.as_deref().unwrap_or(facts.start));
    }
    tag("TimeControl", &control.to_string());
    tag("Termination", &game.ending.termination.to_string());
    text.push('\n');
    let start = game.position.as_deref().unwrap_or(facts.start);
    let black_begins = start.split_whitespace().nth(1) == Some("b");
    let mut words = Vec::new();
    for (index, answer) in game.answers.iter().enumerate() {
        let ply = index + usize::from(black_begins);
        if ply % 2 == 0 {
            words.push(format!("{}.", ply / 2 + 1));
        } else if index == 0 {
            words.push(format!("{}...", ply / 2 + 1));
        }
        words.push(answer.token.clone());
        let seconds = format!("{:.3}s", answer.spent.as_secs_f64());
        words.push(format!("{{{}}}", [answer.comment.as_str(), &seconds].join(" ").trim()));
    }
    words.push(format!("{{{}}}", game.ending.reason.replace('}', ")")));
    words.push(game.ending.result().to_owned());
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() > 79 {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(&word);
        column += word.len();
    }
    text.push_str("\n\n");
    text
}
