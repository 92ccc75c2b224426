//! Cards: the user is asked for one in a box, which he may close. It is his ply all the while, so that XBoard lets him lift
//! a man, take back and go on; and whatever he does then, he is asked again.

use super::steps::decides_by_cards;
use super::{Mode, Xboard};
use crate::engine::controller::Replies;
use crate::game::Actor;
use crate::notation::{Leg, parse_token};
use crate::protocol::xboard::Reply;
use crate::session::Look;
use std::time::Instant;

/// What a question about a card is answered with.
pub(super) const CARD: &str = "carom-card";

impl Xboard {
    /// True when the user must play a card.
    pub(super) fn waits_for_card(&self) -> bool {
        let session = self.host.session();
        let theirs =
            matches!((self.mode, session.actor()), (Mode::Plays(own), Actor::Player(next)) if own != next);
        theirs && self.leads() && !self.over && self.steps.is_some() && decides_by_cards(session)
    }

    /// Asks the user for a card where he must play one.
    pub(super) fn ask_for_card(&mut self, out: &mut Replies) {
        if self.waits_for_card() {
            self.ask("", out);
        }
    }

    fn ask(&self, refusal: &str, out: &mut Replies) {
        let cards: Vec<String> = self.host.session().continuations();
        let playable: Vec<&str> = cards.iter().filter_map(|token| token.strip_prefix('=')).collect();
        let stop = if playable.len() < cards.len() { "; or stop" } else { "" };
        let text = format!("{refusal}Play a card (A, the ace, is the 1): {}{stop}", playable.join(" "));
        out.say(Reply::AskUser { tag: CARD, text: &text });
    }

    /// The answer to that question.
    pub(super) fn card(&mut self, word: &str, when: Instant, out: &mut Replies) {
        if !self.waits_for_card() {
            return super::error(out, "no card is asked for", CARD);
        }
        let token = token_of(word);
        let said = token.as_deref().and_then(|token| parse_token(token).ok());
        let wanted = said.as_ref().and_then(|said| said.legs.first().copied());
        let mut found = None;
        self.host.session().explore(&mut |path, prospect| {
            let leg = prospect.legs.first().copied().unwrap_or(Leg::Pass);
            if wanted == Some(leg) {
                found = Some(path.to_vec());
                return Look::End;
            }
            Look::Aside
        });
        if let Some(path) = found {
            self.with_steps(|steps, session| steps.decide(session, &path));
            return self.after_ply(when, out);
        }
        let reason = match (wanted, token) {
            (Some(_), Some(token)) => self.objection(&token),
            _ if word.is_empty() => "no card was named".to_owned(),
            _ => format!("`{word}` is no card, they are written Ac, 2d, 9h, Ts"),
        };
        self.ask(&format!("Refused: {reason}. "), out);
    }
}

/// What the user says in our writing. People write the ace as 1, and T as 10.
fn token_of(word: &str) -> Option<String> {
    if word.eq_ignore_ascii_case("stop") {
        return Some("0000".to_owned());
    }
    let word = word.trim_start_matches('=');
    let (value, suit) = word.split_at_checked(word.len().checked_sub(1)?)?;
    let value = match value {
        "1" => "A",
        "10" => "T",
        value => value,
    };
    Some(format!("={value}{suit}"))
}

/// The cards a token plays.
pub(super) fn cards_in(token: &str) -> String {
    let played: Vec<&str> = token.split(',').filter_map(|leg| leg.strip_prefix('=')).collect();
    if played.is_empty() { "no more".to_owned() } else { played.join(", ") }
}
