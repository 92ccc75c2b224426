//! What tools ask about the game in progress: UGI's `query`, with further questions of our own.

use crate::base::Color;
use crate::game::Actor;
use crate::session::{MOST_TOKENS, Session, SessionError};

/// The answer where there is nothing to report.
const NONE: &str = "none";

/// The answer to a query.
pub struct Answer {
    /// The text that follows `response`.
    pub response: String,
    /// Why the response says no more, if it does not.
    pub explanation: Option<String>,
}

/// The answer to `query QUESTION ARGUMENTS`.
pub fn answer(session: &dyn Session, question: &str, arguments: &str) -> Answer {
    let mut explanation = None;
    let mut explained = |text: String| explanation = Some(text);
    let response = match question {
        "gameover" => session.outcome().is_some().to_string(),
        "p1turn" => (session.on_turn() == Color::White).to_string(),
        "result" => {
            let result = session.outcome().map(|outcome| match outcome.winner {
                Some(Color::White) => "p1win",
                Some(Color::Black) => "p2win",
                None => "draw",
            });
            result.unwrap_or(NONE).to_owned()
        }
        "reason" => match session.outcome() {
            Some(outcome) => format!("{} {}", outcome.rule, outcome.reason),
            None => NONE.to_owned(),
        },
        "actor" => match session.actor() {
            _ if session.outcome().is_some() => "nobody".to_owned(),
            Actor::Player(Color::White) => "p1".to_owned(),
            Actor::Player(Color::Black) => "p2".to_owned(),
            other => other.to_string().to_ascii_lowercase(),
        },
        "fen" => session.position().to_string(),
        "game" => session.facts().name.to_owned(),
        "legal" => match session.tokens(arguments, MOST_TOKENS) {
            Ok(Some(tokens)) => listed(&tokens),
            Ok(None) => {
                explained(format!("more than {MOST_TOKENS} turns begin so; ask for continuations"));
                "toomany".to_owned()
            }
            Err(error) => refused(&error, &mut explained),
        },
        "continuations" => match session.continuations_of(arguments) {
            Ok(legs) => listed(&legs),
            Err(error) => refused(&error, &mut explained),
        },
        "odds" => {
            let odds = session.odds();
            listed(&odds.iter().map(|(token, weight)| format!("{token}:{weight}")).collect::<Vec<_>>())
        }
        _ => {
            explained(
                    "query: expected gameover, p1turn, result, reason, actor, fen, game, legal, continuations or odds"
                        .to_owned(),
                );
            "unknown".to_owned()
        }
    };
    Answer { response, explanation }
}

fn listed(words: &[String]) -> String {
    if words.is_empty() { NONE.to_owned() } else { words.join(" ") }
}

fn refused(error: &SessionError, explained: &mut dyn FnMut(String)) -> String {
    explained(format!("query: {error}"));
    "illegal".to_owned()
}
