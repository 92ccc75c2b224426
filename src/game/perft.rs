//! Counting the tree of turns (perft), the classic test of move generators.
//!
//! Depth counts complete turns, each different sequence of decisions once. A finished game counts at its own
//! depth and has nothing below. Repetition and draw counters are ignored (except for Alapo's removal, which
//! is part of a move).

use super::{Actor, Decisions, Game, GenType};
use crate::base::threads::parallel_map;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

/// The greatest depth, in turns or steps, that may be requested. Each level takes its part of the stack: a
/// thread that counts should have [`STACK`](crate::base::threads::STACK) bytes.
pub const MOST_DEPTH: u32 = 60;

/// What a game may know about its own tree. Everything has a default.
pub trait Perft: Game {
    /// True when each turn is a single decision of the player to move, and chance never decides. Counting is
    /// then faster.
    const ONE_DECISION_A_TURN: bool = true;

    /// Appends the branches that counting follows: the legal decisions, unless their sequences never end
    /// (cards played again and again); then choices that stand for the results, which [`Game::apply`] accepts
    /// as well.
    fn branches(&self, list: &mut Decisions<Self::Decision>) {
        self.decisions(GenType::All, list);
    }

    /// The number of ways to complete the present turn (between turns, a whole one), for [`turns`]. Override
    /// this where it is known without walking through every turn.
    fn count_turns(&self) -> u64 {
        completions(self)
    }

    /// Like [`Perft::count_turns`], but gives up (`None`) soon after `stop` is set. Override this where
    /// `count_turns` is always fast enough that stopping it is pointless.
    fn count_turns_until(&self, stop: &AtomicBool) -> Option<u64> {
        completions_until(self, stop)
    }

    /// The number of sequences of exactly `steps` steps within the turn. Override this where a step of the
    /// game is not the same as a decision.
    fn count_steps(&self, steps: u32) -> u64 {
        decisions_deep(self, steps)
    }

    /// The number of distinct positions in which the turn may end. Override this where they can be found
    /// without going through every order of the steps.
    fn count_results(&self) -> u64 {
        distinct_ends(self)
    }
}

/// The number of sequences of `depth` complete turns from `state`.
pub fn turns<G: Perft>(state: &G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if depth == 1 {
        return state.count_turns();
    }
    let mut list = Decisions::new();
    state.branches(&mut list);
    list.iter().map(|&decision| below(state, decision, depth)).sum()
}

/// The sequences of `depth` turns that begin with `decision`, the turn in progress counted as one of them.
fn below<G: Perft>(state: &G, decision: G::Decision, depth: u32) -> u64 {
    let mut next = state.clone();
    next.apply(decision);
    if next.actor() == Actor::Nobody {
        u64::from(depth == 1)
    } else if next.between_turns() {
        turns(&next, depth - 1)
    } else {
        turns(&next, depth)
    }
}

/// Like [`turns`], but gives up (`None`) soon after `stop` is set.
pub fn turns_until<G: Perft>(state: &G, depth: u32, stop: &AtomicBool) -> Option<u64> {
    // Where turns are short, counts up to this depth take no noticeable time, so `stop` is not checked.
    const UNWATCHED: u32 = 2;
    match depth {
        0 => return Some(1),
        ..=UNWATCHED if G::ONE_DECISION_A_TURN => return Some(turns(state, depth)),
        1 => return state.count_turns_until(stop),
        _ => {}
    }
    let mut list = Decisions::new();
    state.branches(&mut list);
    let mut sum = 0;
    for &decision in &list {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let mut next = state.clone();
        next.apply(decision);
        // A game that is over counts at its own depth, which is not this one.
        if next.actor() != Actor::Nobody {
            sum += turns_until(&next, depth - u32::from(next.between_turns()), stop)?;
        }
    }
    Some(sum)
}

/// The number of ways to complete the present turn; the end of the game completes it too.
fn completions<G: Perft>(state: &G) -> u64 {
    if G::ONE_DECISION_A_TURN {
        return state.count();
    }
    let mut list = Decisions::new();
    state.branches(&mut list);
    list.iter().map(|&decision| below(state, decision, 1)).sum()
}

/// Like [`completions`], but gives up (`None`) soon after `stop` is set.
fn completions_until<G: Perft>(state: &G, stop: &AtomicBool) -> Option<u64> {
    let mut list = Decisions::new();
    state.branches(&mut list);
    let mut sum = 0;
    for &decision in &list {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let mut next = state.clone();
        next.apply(decision);
        let complete = next.between_turns() || next.actor() == Actor::Nobody;
        sum += if complete { 1 } else { completions_until(&next, stop)? };
    }
    Some(sum)
}

/// [`turns`], shared among `threads` threads (0 counts as 1).
pub fn turns_threaded<G: Perft>(state: &G, depth: u32, threads: usize) -> u64 {
    if threads <= 1 || depth <= 2 {
        return turns(state, depth);
    }
    let never = AtomicBool::new(false);
    divide(state, depth, threads, &never).unwrap_or_default().iter().map(|(_, count)| count).sum()
}

/// Like [`turns_threaded`], for a long count: `watch` hears each part that has been counted, and the number
/// of parts.
pub fn turns_watched<G: Perft>(
    state: &G,
    depth: u32,
    threads: usize,
    watch: &(dyn Fn(u64, usize) + Sync),
) -> u64 {
    if depth < 2 {
        return turns(state, depth);
    }
    let never = AtomicBool::new(false);
    let parts = divide_watched(state, &[], depth, threads, &never, watch).unwrap_or_default();
    parts.iter().map(|(_, count)| count).sum()
}

/// The most complete turns that [`divide`] lists: a longer list helps no one, and memory is finite.
pub const LONGEST_DIVIDE: usize = 50_000;

/// For each complete turn from `state`, as its decisions, the number of sequences of `depth` turns that begin
/// with it, in the order in which the decisions are listed. With more than [`LONGEST_DIVIDE`] turns, the list
/// has one entry for each first decision instead. It gives up (`None`) soon after `stop` is set.
pub fn divide<G: Perft>(
    state: &G,
    depth: u32,
    threads: usize,
    stop: &AtomicBool,
) -> Option<Vec<(Vec<G::Decision>, u64)>> {
    divide_below(state, &[], depth, threads, stop)
}

/// [`divide`] for the turns that begin with one of `beginnings` (legal decisions from `state` on; empty for
/// all turns). A beginning may go beyond the end of a turn; the turns it completes count towards `depth`.
pub fn divide_below<G: Perft>(
    state: &G,
    beginnings: &[Vec<G::Decision>],
    depth: u32,
    threads: usize,
    stop: &AtomicBool,
) -> Option<Vec<(Vec<G::Decision>, u64)>> {
    divide_watched(state, beginnings, depth, threads, stop, &|_, _| ())
}

/// [`divide_below`]; `watch` hears the count of each entry, in any order, and the number of entries.
pub fn divide_watched<G: Perft>(
    state: &G,
    beginnings: &[Vec<G::Decision>],
    depth: u32,
    threads: usize,
    stop: &AtomicBool,
    watch: &(dyn Fn(u64, usize) + Sync),
) -> Option<Vec<(Vec<G::Decision>, u64)>> {
    let whole = [Vec::new()];
    let beginnings = if beginnings.is_empty() { &whole } else { beginnings };
    let mut roots = Vec::new();
    let mut few = true;
    for beginning in beginnings {
        few = few && roots_below(state, beginning, depth, true, &mut roots);
    }
    if !few {
        roots.clear();
        for beginning in beginnings {
            roots_below(state, beginning, depth, false, &mut roots);
        }
    }
    let counts = parallel_map(threads, 0..roots.len(), &|number| {
        let Root { after, left, .. } = &roots[number];
        let _stops = StopsOthers(stop);
        let over = after.actor() == Actor::Nobody;
        let count = if over { Some(u64::from(*left == 0)) } else { turns_until(after, *left, stop) };
        watch(count.unwrap_or(0), roots.len());
        count
    });
    let mut divided = Vec::with_capacity(roots.len());
    for (root, count) in roots.into_iter().zip(counts) {
        divided.push((root.path, count?));
    }
    Some(divided)
}

/// A thread that panics stops the others, whose counts would be useless.
struct StopsOthers<'a>(&'a AtomicBool);

impl Drop for StopsOthers<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// A turn, or its beginning, and how many turns (including the one in progress) are still to be counted after
/// it.
struct Root<G: Game> {
    path: Vec<G::Decision>,
    after: G,
    left: u32,
}

/// Lists what may follow `beginning`, as far as `depth` allows: complete turns, or a single further decision.
/// False when the list has become too long.
fn roots_below<G: Perft>(
    state: &G,
    beginning: &[G::Decision],
    depth: u32,
    complete: bool,
    roots: &mut Vec<Root<G>>,
) -> bool {
    let mut after = state.clone();
    let mut left = depth;
    for (index, &decision) in beginning.iter().enumerate() {
        after.apply(decision);
        if after.between_turns() || after.actor() == Actor::Nobody {
            let Some(fewer) = left.checked_sub(1) else { return true };
            left = fewer;
            if index + 1 == beginning.len() {
                roots.push(Root { path: beginning.to_vec(), after, left });
                return true;
            }
        }
    }
    left == 0 || further(&after, &mut beginning.to_vec(), left, complete, roots)
}

fn further<G: Perft>(
    state: &G,
    path: &mut Vec<G::Decision>,
    left: u32,
    complete: bool,
    roots: &mut Vec<Root<G>>,
) -> bool {
    let mut list = Decisions::new();
    state.branches(&mut list);
    list.iter().all(|&decision| {
        let mut next = state.clone();
        next.apply(decision);
        path.push(decision);
        let over = next.between_turns() || next.actor() == Actor::Nobody;
        let few = if over || !complete {
            roots.push(Root { path: path.clone(), after: next, left: left - u32::from(over) });
            !complete || roots.len() <= LONGEST_DIVIDE
        } else {
            further(&next, path, left, complete, roots)
        };
        path.pop();
        few
    })
}

/// Calls `found` for every complete turn (or end of the game) that may follow, with its decisions and the
/// state after them.
pub fn complete_turns<G: Perft>(
    state: &G,
    path: &mut Vec<G::Decision>,
    found: &mut impl FnMut(&[G::Decision], &G),
) {
    let mut list = Decisions::new();
    state.branches(&mut list);
    for &decision in &list {
        let mut next = state.clone();
        next.apply(decision);
        path.push(decision);
        if next.actor() == Actor::Nobody || next.between_turns() {
            found(path, &next);
        } else {
            complete_turns(&next, path, found);
        }
        path.pop();
    }
}

/// The number of sequences of exactly `steps` steps within the turn from `state`, as the game defines a step.
pub fn steps<G: Perft>(state: &G, steps: u32) -> u64 {
    state.count_steps(steps)
}

/// The number of distinct positions in which the turn from `state` may end.
pub fn results<G: Perft>(state: &G) -> u64 {
    state.count_results()
}

/// The number of sequences of exactly `count` decisions within the turn from `state`; the end of the game
/// ends a sequence, and the end of the turn ends it too.
fn decisions_deep<G: Perft>(state: &G, count: u32) -> u64 {
    if count == 0 {
        return 1;
    }
    let mut list = Decisions::new();
    state.branches(&mut list);
    if count == 1 {
        return list.len() as u64;
    }
    let open = |decision: &G::Decision| {
        let mut next = state.clone();
        next.apply(*decision);
        (next.actor() != Actor::Nobody && !next.between_turns()).then_some(next)
    };
    list.iter().filter_map(open).map(|next| decisions_deep(&next, count - 1)).sum()
}

/// The number of distinct states in which the turn from `state` ends, told apart by their keys.
fn distinct_ends<G: Perft>(state: &G) -> u64 {
    let mut ends = HashSet::new();
    complete_turns(state, &mut Vec::new(), &mut |_, after| {
        ends.insert(after.key());
    });
    ends.len() as u64
}
