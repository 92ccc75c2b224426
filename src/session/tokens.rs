//! All that may be played: whole tokens, and the legs that may follow.

use super::STOP;
use crate::game::{Actor, Decisions, GenType, Playable, turns_text, write_token};

/// The longest list of tokens that is written; a client that asks for a longer one gets an error instead.
pub const MOST_TOKENS: usize = 20_000;

/// All whole tokens that may be played in `state`, sorted; each goes up to where another actor decides.
/// `None` when there are more than `most`.
pub fn tokens<G: Playable>(state: &G, most: usize) -> Option<Vec<String>> {
    tokens_from(state, state, Vec::new(), most)
}

/// The tokens that begin with `said`, which led from `start` to `state`.
pub(super) fn tokens_from<G: Playable>(
    start: &G,
    state: &G,
    mut said: Vec<G::Decision>,
    most: usize,
) -> Option<Vec<String>> {
    let mut found = Vec::new();
    if !words(start, state, &mut said, most, &mut found) {
        return None;
    }
    found.sort_unstable();
    // Different decisions may be written alike, such as both faces of a die that fail.
    found.dedup();
    Some(found)
}

/// What the actor may play next in `state`, sorted: whole turns where a turn is a single decision, otherwise
/// the next legs, with `.` where the actor may stop.
pub fn continuations<G: Playable>(state: &G) -> Vec<String> {
    let mut list = Decisions::new();
    state.decisions(GenType::All, &mut list);
    let text = |&decision: &G::Decision| {
        let legs: Vec<String> = state.legs(decision).iter().map(ToString::to_string).collect();
        if legs.is_empty() { STOP.to_owned() } else { legs.join(",") }
    };
    let mut found: Vec<String> = list.iter().map(text).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// True when no decision after `now` belongs to the token that began at `start`: another actor decides, or
/// the turn is complete.
pub(super) fn goes_to_somebody_else<G: Playable>(start: &G, now: &G) -> bool {
    now.between_turns() || now.actor() == Actor::Nobody || now.actor() != start.actor()
}

/// The first whole token that is found in `state`.
pub(super) fn first_word<G: Playable>(state: &G) -> Option<String> {
    let mut found = Vec::new();
    words(state, state, &mut Vec::new(), 0, &mut found);
    found.pop()
}

/// Collects the whole tokens that begin with `said`, which led from `start` to `state`; false when there are
/// more than `most`.
fn words<G: Playable>(
    start: &G,
    state: &G,
    said: &mut Vec<G::Decision>,
    most: usize,
    found: &mut Vec<String>,
) -> bool {
    if !said.is_empty() && goes_to_somebody_else(start, state) {
        found.push(write_token(start, said).to_string());
        return found.len() <= most;
    }
    let mut list = Decisions::new();
    state.decisions(GenType::All, &mut list);
    list.iter().all(|&decision| {
        let mut next = state.clone();
        next.apply(decision);
        said.push(decision);
        let few = words(start, &next, said, most, found);
        said.pop();
        few
    })
}

/// A whole turn as one token; the legs show who makes them. A turn that is not complete ends with a comma.
pub fn turn_text<G: Playable>(state: &G, decisions: &[G::Decision]) -> String {
    let legs = turns_text(state, decisions).into_iter().flat_map(|token| token.legs);
    let mut text = legs.map(|leg| leg.to_string()).collect::<Vec<_>>().join(",");
    let mut after = state.clone();
    decisions.iter().for_each(|&decision| after.apply(decision));
    if !after.between_turns() && after.actor() != Actor::Nobody {
        text.push(',');
    }
    text
}
