//! Turns as a file records them and as a person enters them: the one place that knows what may be left out or
//! written otherwise than in Carom's notation.

use super::contract::Session;
use super::error::SessionError;
use crate::game::Actor;
use crate::variants::chess::san;

/// How [`LegalTokens::continuations`](super::LegalTokens::continuations) writes that the player may stop or
/// decline. In a token that is [`DECLINED`].
pub const STOP: &str = ".";
/// The token of a player who stops or declines.
pub const DECLINED: &str = "0000";

/// Plays a turn of a file: in Carom's notation, or in chess also in algebraic notation.
///
/// # Errors
/// When the turn is not legal; the reason is that of Carom's own notation.
pub fn play_recorded(session: &mut dyn Session, text: &str) -> Result<(), SessionError> {
    let played = session.play(text);
    if played.is_err()
        && session.facts().is_chess()
        && let Some(token) = san::token(&session.position(), text)
    {
        return session.play(&token);
    }
    played
}

/// Plays what a person enters: a turn as in [`play_recorded`]; the beginning of one, with or without the
/// comma at its end; [`STOP`]; or the answer to a question as people write it (`10h` for the card `=Th`).
///
/// # Errors
/// When it is nothing of that; the reason is that of Carom's own notation.
pub fn play_entered(session: &mut dyn Session, text: &str) -> Result<(), SessionError> {
    let text = if text == STOP { DECLINED } else { text };
    let Err(refused) = play_recorded(session, text) else { return Ok(()) };
    if session.play(&format!("{text},")).is_ok() {
        return Ok(());
    }
    let asked =
        session.actor() != Actor::Chance && session.prompt(&[]).is_some_and(|prompt| prompt.is_typed());
    match session.typed(text) {
        Ok(decision) if asked && session.decide(decision) => Ok(()),
        _ => Err(refused),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;
    use crate::session::{chance::Chance, open};

    fn begin(game: &str, position: Option<&str>) -> Box<dyn Session> {
        let facts = crate::variants::find(game).unwrap();
        let mut session = open(facts, Rules::of(facts), Chance::Own { seed: 5 });
        session.set_up(position, &mut std::iter::empty()).unwrap();
        session
    }

    #[test]
    fn a_beginning_needs_no_comma_and_a_point_declines() {
        let mut session = begin("hanniball", None);
        play_entered(&mut *session, "e1d2,").unwrap();
        play_entered(&mut *session, STOP).unwrap();
        assert_eq!(session.as_text().1, ["e1d2,", "0000"]);
        let throw = "****1***/4k1r1/5ppp/8/8/8/2B5/PPP2PPP/3RK3/****1*** w - - c3:e1/e8:g8 0 30 \
                     W=2d3c5c6h6d7d8s9c9dTh/B=2c3d4c5d6c7c8c9sTsAc/S=?20/D=-";
        let mut session = begin("wickets-cards", Some(throw));
        play_entered(&mut *session, "c3a5,O@e9").unwrap();
        // No such card is written in the notation, but people write it so.
        assert!(session.play("10h").is_err());
        play_entered(&mut *session, "10h").unwrap();
        assert!(session.last_token().unwrap().starts_with("=Th"), "{:?}", session.last_token());
    }

    #[test]
    fn chess_is_read_in_algebraic_notation_and_a_refusal_speaks_of_what_was_entered() {
        let mut session = begin("chess", None);
        play_recorded(&mut *session, "Nf3").unwrap();
        play_entered(&mut *session, "d5").unwrap();
        assert_eq!(session.as_text().1, ["g1f3", "d7d5"]);
        let refused = session.play("e7e9").unwrap_err();
        assert_eq!(play_entered(&mut *session, "e7e9"), Err(refused));
        assert!(play_recorded(&mut *session, STOP).is_err(), "no file declines like this");
    }
}
