//! Tokens read and written in any game.

use super::explain::why_no_move;
use super::{Actor, Decisions, Game, GenType, Notation};
use crate::base::Color;
use crate::notation::{Leg, MAX_LEGS, Token};
use arrayvec::ArrayVec;

/// Why a token is not legal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Illegal {
    /// The number of legs that were legal.
    pub legs_read: usize,
    /// What is wrong with the next leg, or with stopping there.
    pub reason: String,
}

/// The meaning of a token.
#[derive(Clone, Debug)]
pub struct Reading<G: Game> {
    /// The decisions, including those that are not written.
    pub decisions: ArrayVec<G::Decision, { 2 * MAX_LEGS }>,
    /// The state after these decisions.
    pub after: G,
}

/// Reads one token in `state`.
///
/// A token that is not open is completed by the decision that is not written (declining, stopping) where
/// there is one. It may run over the end of a turn as long as the same player goes on, with chance in
/// between.
///
/// # Errors
/// When a leg is not legal, or the player must still decide something.
pub fn read_token<G: Notation>(state: &G, token: &Token) -> Result<Reading<G>, Illegal> {
    // When chance begins, the token belongs to the player who goes on.
    let mut speaker = state.actor().player();
    let mut after = state.clone();
    let mut decisions = ArrayVec::new();
    let mut list = Decisions::new();
    let mut read = 0;
    while read < token.legs.len() {
        let rest = &token.legs[read..];
        list.clear();
        after.decisions(GenType::All, &mut list);
        speaker = speaker.or(after.actor().player());
        let complete = read > 0 && after.begins_with_chance();
        if complete || !list.is_empty() && !may_speak(&after, speaker) {
            let reason = why_not_go_on(state, &decisions, &after, rest);
            return Err(Illegal { legs_read: read, reason });
        }
        let listed = longest(&after, &list, rest);
        let (decision, used) = match listed.or_else(|| after.reads_unlisted(rest)) {
            Some(found) => found,
            None => match unwritten(&after, &list) {
                // When a token begins in the middle of a turn, declining is written.
                Some(decision) if read == 0 && rest == [Leg::Pass] => (decision, 1),
                Some(decision) => (decision, 0),
                None => return Err(Illegal { legs_read: read, reason: why(&after, rest) }),
            },
        };
        if decisions.try_push(decision).is_err() {
            return Err(Illegal { legs_read: read, reason: "too many decisions in one token".into() });
        }
        if used == 0 {
            // An unwritten decision must not leave the remaining legs to another player.
            let mut declined = after.clone();
            declined.apply(decision);
            if !may_speak(&declined, speaker) {
                let reason = match rest {
                    [Leg::Pass] => "0000 is not written here: what is not said is declined".to_owned(),
                    _ => why(&after, rest),
                };
                return Err(Illegal { legs_read: read, reason });
            }
        }
        after.apply(decision);
        read += used;
    }
    let goes_on = match after.actor() {
        Actor::Chance | Actor::Nobody => true,
        Actor::Player(next) => speaker.is_none_or(|speaker| speaker == next),
    };
    if token.open && !goes_on {
        let reason = "nothing can follow here, the last comma must go";
        return Err(Illegal { legs_read: read, reason: reason.into() });
    }
    while !token.open && must_go_on(&after, speaker) {
        list.clear();
        after.decisions(GenType::All, &mut list);
        match unwritten(&after, &list) {
            Some(decision) if !decisions.is_full() => {
                decisions.push(decision);
                after.apply(decision);
            }
            _ => {
                let declining = list.iter().any(|&decision| *after.legs(decision) == [Leg::Pass]);
                let how = if declining { ": 0000 declines what may follow" } else { "" };
                return Err(Illegal { legs_read: read, reason: format!("the turn is not finished{how}") });
            }
        }
    }
    Ok(Reading { decisions, after })
}

/// The decision that the most of `legs` mean, and how many of them; `None` when no decision begins so.
fn longest<G: Notation>(state: &G, list: &[G::Decision], legs: &[Leg]) -> Option<(G::Decision, usize)> {
    let mut best = None;
    for &decision in list {
        let used = state.reads(decision, legs);
        if used > best.map_or(0, |(_, used)| used) {
            best = Some((decision, used));
            if used == legs.len() {
                break;
            }
        }
    }
    best
}

/// True when the next leg may stand in a token of `speaker`: it is that player's own, or chance's.
fn may_speak<G: Game>(state: &G, speaker: Option<Color>) -> bool {
    match state.actor() {
        Actor::Player(color) => speaker.is_none_or(|speaker| speaker == color),
        Actor::Chance => true,
        Actor::Nobody => false,
    }
}

/// True when `speaker` must decide something before any other actor does.
fn must_go_on<G: Game>(state: &G, speaker: Option<Color>) -> bool {
    !state.between_turns() && speaker.is_some() && state.actor().player() == speaker
}

fn unwritten<G: Notation>(state: &G, list: &[G::Decision]) -> Option<G::Decision> {
    list.iter().copied().find(|&d| state.legs(d).is_empty())
}

fn why<G: Notation>(state: &G, legs: &[Leg]) -> String {
    match state.outcome() {
        Some(outcome) if state.count() == 0 => format!("the game is over: {outcome}"),
        _ if state.actor() == Actor::Chance => "chance decides here".to_owned(),
        _ => why_no_move(state, legs).unwrap_or_else(|| state.explain(legs)),
    }
}

/// Why `rest` cannot follow `decisions` in a token that began in `state`: in `after`, another actor decides.
fn why_not_go_on<G: Notation>(state: &G, decisions: &[G::Decision], after: &G, rest: &[Leg]) -> String {
    let next = format!("{} speaks next", after.actor());
    let Some((&last, before)) = decisions.split_last() else { return next };
    let mut at = state.clone();
    before.iter().for_each(|&decision| at.apply(decision));
    match at.explain_end(last, rest) {
        Some(reason) => reason,
        None if after.between_turns() => format!("the turn is complete, {next}"),
        None => next,
    }
}

/// The token for `decisions`, which one player (and chance in between) makes from `state` on. It is open when
/// that player still has to decide something afterwards. If all decisions are unwritten, it is `0000`.
pub fn write_token<G: Notation>(state: &G, decisions: &[G::Decision]) -> Token {
    let mut at = state.clone();
    let mut token = Token::default();
    let mut speaker = state.actor().player();
    for &decision in decisions {
        // A legal token fits (MAX_LEGS is above what any game needs), so nothing is lost here.
        let legs = at.legs(decision);
        debug_assert!(token.legs.len() + legs.len() <= MAX_LEGS);
        token.legs.extend(legs.into_iter().take(MAX_LEGS - token.legs.len()));
        speaker = speaker.or(at.actor().player());
        at.apply(decision);
    }
    if token.legs.is_empty() && !decisions.is_empty() {
        // Elsewhere this is not written; here the token would be empty without it.
        token.legs.push(Leg::Pass);
    }
    // What chance begins, the player goes on with.
    let rolled = at.actor().player().filter(|_| state.begins_with_chance());
    token.open = must_go_on(&at, speaker.or(rolled));
    token
}

/// The tokens of a sequence of decisions: a new one whenever another player decides, or chance at the
/// beginning of a turn. A player who answers in the opponent's turn and then begins a turn does both in one
/// token.
pub fn turns_text<G: Notation>(state: &G, decisions: &[G::Decision]) -> Vec<Token> {
    let mut at = state.clone();
    let mut tokens = Vec::new();
    let mut begin = 0;
    let mut speech = at.clone();
    let mut speaker = None;
    for (index, &decision) in decisions.iter().enumerate() {
        speaker = speaker.or(at.actor().player());
        at.apply(decision);
        let handed_over =
            at.actor().player().is_some_and(|next| speaker.is_some_and(|speaker| speaker != next));
        if handed_over || at.begins_with_chance() || index + 1 == decisions.len() {
            tokens.push(write_token(&speech, &decisions[begin..=index]));
            begin = index + 1;
            speech = at.clone();
            speaker = None;
        }
    }
    tokens
}
