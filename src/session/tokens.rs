//! All that may be said: whole tokens, and the legs they go on with.

use crate::game::{Actor, Decisions, Playable, Wanted, turns_text, write_token};

/// Longer lists of tokens are not written; whoever asks is told so.
pub const MOST_TOKENS: usize = 20_000;

/// All whole tokens that may be said in `state`, sorted; up to where somebody else or chance speaks. `None` when there are
/// more than `most`.
pub fn tokens<G: Playable>(state: &G, most: usize) -> Option<Vec<String>> {
    tokens_from(state, state, Vec::new(), most)
}

/// Those that begin with `said`, which led from `start` to `state`.
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
    // Different decisions may be written alike: both faces of a die that fail.
    found.dedup();
    Some(found)
}

/// What the actor may say next in `state`, sorted: a whole turn where turns are single decisions, else the next legs,
/// with `.` where it may stop.
pub fn continuations<G: Playable>(state: &G) -> Vec<String> {
    let mut list = Decisions::new();
    state.decisions(Wanted::All, &mut list);
    let text = |&decision: &G::Decision| {
        let legs: Vec<String> = state.legs(decision).iter().map(ToString::to_string).collect();
        if legs.is_empty() { ".".to_owned() } else { legs.join(",") }
    };
    let mut found: Vec<String> = list.iter().map(text).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// True when after `now` nobody goes on with the word that began at `start`: it is somebody else's turn to speak, or
/// the turn is complete.
pub(super) fn goes_to_somebody_else<G: Playable>(start: &G, now: &G) -> bool {
    now.between_turns() || now.actor() == Actor::Nobody || now.actor() != start.actor()
}

/// A whole word that may be said in `state`, the first there is.
pub(super) fn first_word<G: Playable>(state: &G) -> Option<String> {
    let mut found = Vec::new();
    words(state, state, &mut Vec::new(), 0, &mut found);
    found.pop()
}

/// Collects the whole words that go on from `said`, which led from `start` to `state`; false when there are more than
/// `most`.
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
    state.decisions(Wanted::All, &mut list);
    list.iter().all(|&decision| {
        let mut next = state.clone();
        next.apply(decision);
        said.push(decision);
        let few = words(start, &next, said, most, found);
        said.pop();
        few
    })
}

/// A whole turn as one word: the legs show who speaks. A turn that is not complete ends with a comma.
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
