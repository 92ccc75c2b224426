//! The continuations of what was typed: as completions, as a list, and to mark an error.

use super::wrapped;
use crate::session::{STOP, Session, SessionError};

/// Splits a text into the complete legs and the beginning of the next one: `e1d2,c` into `e1d2` and `c`.
fn parts(text: &str) -> (&str, &str) {
    text.rsplit_once(',').unwrap_or(("", text))
}

/// The legs that may complete or follow `text`.
fn legs(session: &dyn Session, text: &str) -> Result<Vec<String>, SessionError> {
    let (before, begun) = parts(text);
    let mut legs = session.continuations_of(before)?;
    legs.retain(|leg| leg.starts_with(begun) && (leg != STOP || begun.is_empty()));
    Ok(legs)
}

/// The offset on `line` from which it can be completed, and the completions: legs after the last comma, or
/// one of the `words`.
pub fn candidates(session: &dyn Session, words: &[&str], line: &str) -> (usize, Vec<String>) {
    let asked = line.strip_prefix('?').map_or(line, str::trim_start);
    if asked.contains(char::is_whitespace) {
        return (line.len(), Vec::new());
    }
    let begun = parts(asked).1;
    let mut found = legs(session, asked).unwrap_or_default();
    found.retain(|leg| leg != STOP);
    if !asked.is_empty() && asked.len() == line.len() {
        found.extend(words.iter().filter(|word| word.starts_with(asked)).map(|&word| word.to_owned()));
    }
    (line.len() - begun.len(), found)
}

/// The continuations of `text`, in lines of at most `columns` columns.
///
/// # Errors
/// What is wrong with `text`, and where.
pub fn listing(session: &dyn Session, text: &str, columns: usize) -> Result<Vec<String>, Vec<String>> {
    let legs = legs(session, text).map_err(|error| refusal(session, text, &error))?;
    let behind = if text.is_empty() { String::new() } else { format!(" from {text}") };
    if legs.is_empty() {
        let over = session.outcome().is_some();
        return Ok(vec![if over { "The game is over.".into() } else { format!("No way on{behind}.") }]);
    }
    let ways = if legs.len() == 1 { "way" } else { "ways" };
    let stop = if legs.iter().any(|leg| leg == STOP) { "; . ends the turn here" } else { "" };
    let mut lines = wrapped(&format!("{} {ways} on{behind}{stop}:", legs.len()), columns, "");
    lines.extend(wrapped(&legs.join(" "), columns, ""));
    Ok(lines)
}

/// Why `text` was refused: the text, a mark below the place, and the reason.
pub fn refusal(session: &dyn Session, text: &str, error: &SessionError) -> Vec<String> {
    let place = match error {
        SessionError::TokenText(error) => error.column.saturating_sub(1).min(text.len()),
        _ => first_wrong_leg(session, text),
    };
    // A long text would not become clearer by a mark below it.
    if text.len() > 70 {
        return wrapped(&error.to_string(), 79, "");
    }
    let mut lines = vec![format!("  {text}"), format!("  {}^", " ".repeat(text[..place].chars().count()))];
    lines.extend(wrapped(&error.to_string(), 79, ""));
    lines
}

/// The offset of the first leg that cannot follow those before it; the end of the text when each can.
fn first_wrong_leg(session: &dyn Session, text: &str) -> usize {
    let ends = text.match_indices(',').map(|(at, _)| at).chain([text.len()]);
    let mut begin = 0;
    for end in ends {
        if session.continuations_of(&text[..end]).is_err() {
            return begin;
        }
        begin = end + 1;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;
    use crate::session::{chance::Chance, open};

    fn session(game: &str) -> Box<dyn Session> {
        let facts = crate::variants::find(game).unwrap();
        open(facts, Rules::of(facts), Chance::Own { seed: 1 })
    }

    #[test]
    fn a_turn_is_completed_leg_by_leg() {
        let session = session("hanniball");
        let of = |line| candidates(&*session, &["undo", "draw"], line);
        let (at, first) = of("e1");
        assert_eq!(at, 0);
        assert!(first.len() > 2 && first.iter().all(|leg| leg.starts_with("e1")), "{first:?}");
        let (at, second) = of("e1d2,c2");
        assert_eq!(at, 5);
        assert!(second.contains(&"c2c3".to_owned()) && second.iter().all(|leg| leg.starts_with("c2")));
        assert_eq!(of("? e1d2,c2"), (7, second));
        assert_eq!(of("un"), (0, vec!["undo".to_owned()]));
        // A command and a square may begin with the same letter.
        assert!(of("d").1.contains(&"draw".to_owned()) && of("d").1.iter().any(|leg| leg.starts_with("d4")));
        assert_eq!(of("e1e9,").1, Vec::<String>::new());
        assert_eq!(of("save x").1, Vec::<String>::new());
    }

    #[test]
    fn ways_on_are_listed_and_a_wrong_beginning_is_marked_where_it_goes_wrong() {
        let session = session("hanniball");
        let lines = listing(&*session, "e1d2,", 79).unwrap();
        assert!(lines[0].contains("ways on from e1d2,; . ends the turn here:"), "{lines:?}");
        assert!(lines[1].starts_with(". b3a2"), "{lines:?}");
        assert!(lines.iter().all(|line| line.len() <= 79));
        let wrong = listing(&*session, "e1d2,c2c9,", 79).unwrap_err();
        assert_eq!(wrong[..2], ["  e1d2,c2c9,", "       ^"]);
        let wrong = listing(&*session, "e1d2,c2%,", 79).unwrap_err();
        assert_eq!(wrong[1], "         ^", "{wrong:?}");
    }
}
