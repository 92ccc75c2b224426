//! What tools ask of the game in progress: UGI's `query`, and more of the kind.

use super::{Uci, tell};
use crate::base::Color;
use crate::engine::controller::Replies;

use crate::game::Actor;
use crate::protocol::uci::Reply;
use crate::session::{MOST_TOKENS, SessionError};

/// The answer where there is nothing to tell.
const NONE: &str = "none";

impl Uci {
    /// Every `query` gets one `response`, or the other side waits for ever.
    pub(super) fn answer(&self, question: &str, arguments: &str, out: &mut Replies) {
        let session = self.engine.session();
        let answer = match question {
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
                    tell(out, &format!("more than {MOST_TOKENS} turns begin so; ask for continuations"));
                    "toomany".to_owned()
                }
                Err(error) => refused(&error, out),
            },
            "continuations" => match session.continuations_of(arguments) {
                Ok(legs) => listed(&legs),
                Err(error) => refused(&error, out),
            },
            "odds" => {
                let odds = session.odds();
                listed(&odds.iter().map(|(token, weight)| format!("{token}:{weight}")).collect::<Vec<_>>())
            }
            _ => {
                tell(
                    out,
                    "query: expected gameover, p1turn, result, reason, actor, fen, game, legal, continuations or odds",
                );
                "unknown".to_owned()
            }
        };
        out.say(Reply::Response(&answer));
    }
}

fn listed(words: &[String]) -> String {
    if words.is_empty() { NONE.to_owned() } else { words.join(" ") }
}

fn refused(error: &SessionError, out: &mut Replies) -> String {
    tell(out, &format!("query: {error}"));
    "illegal".to_owned()
}
