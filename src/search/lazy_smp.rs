//! The threads of a search (Lazy SMP): each searches by itself, and all share the transposition table.

use super::info::{Bound, Report};
use super::pvs::score_of;
use super::root::{Root, SearchResult, SearchTask, roots};
use super::searcher::{Searcher, Shared};
use crate::base::score::{DRAW, SURE_WIN};
use crate::base::threads::{Work, helpers, join};
use crate::game::{Actor, Evaluation};
use std::sync::atomic::{AtomicBool, Ordering};

/// Searches until a limit or the stop flag ends it. `listen` is called with every line found and its
/// decisions (at least one).
pub fn search<G: Evaluation>(
    task: &SearchTask<'_, G>,
    listen: &mut dyn FnMut(&Report, &[G::Decision]),
) -> SearchResult<G::Decision> {
    task.table.new_search();
    let shared = Shared::new(task);
    let roots = roots(task);
    if roots.is_empty() {
        let over = match (task.state.outcome(), task.state.actor()) {
            (Some(outcome), Actor::Player(player)) => score_of(outcome, player, 0),
            _ => DRAW,
        };
        return SearchResult { line: Vec::new(), score: over, depth: 0, nodes: 0 };
    }
    let shared = &shared;
    // In the order of the helpers' numbers.
    let mut by_helpers: Vec<Option<SearchResult<G::Decision>>> = Vec::new();
    by_helpers.resize_with(task.threads.saturating_sub(1), || None);
    let first = std::thread::scope(|scope| {
        let mut places = by_helpers.iter_mut();
        let mut helper = |number: usize| -> Work<'_, ()> {
            let (roots, place) = (roots.clone(), places.next());
            Box::new(move || {
                let searcher = Searcher::new(shared, task.history, task.turn_keys, false);
                let found = Root { task, searcher, roots }.iterate(1 + number as u32 % 2, &mut |_, _| ());
                if let Some(place) = place {
                    *place = Some(found);
                }
            })
        };
        let helpers = helpers(scope, task.threads, &mut helper);
        let ends_helpers = EndsHelpers(&shared.done);
        let searcher = Searcher::new(shared, task.history, task.turn_keys, true);
        let first = Root { task, searcher, roots: roots.clone() }.iterate(1, listen);
        drop(ends_helpers);
        join(helpers);
        first
    });
    let mut found: Vec<_> = std::iter::once(first).chain(by_helpers.into_iter().flatten()).collect();
    let elected = if task.limits.lines > 1 { 0 } else { elect(&found) };
    let nodes = shared.nodes.load(Ordering::Relaxed);
    let best = SearchResult { nodes, ..found.swap_remove(elected) };
    if elected > 0 {
        let SearchResult { depth, score, .. } = best;
        let (elapsed, table_full) = (task.clock.elapsed(), task.table.fullness());
        let (seldepth, rank, bound) = (depth, 1, Bound::Exact);
        listen(&Report { depth, seldepth, rank, score, bound, nodes, elapsed, table_full }, &best.line);
    }
    best
}

/// Which thread's result counts: of those that looked deepest, the one whose first decision has the most
/// votes, counted in depth by all threads; the first of equals. A win that was found beats all votes. (Where
/// scores count too, as in Stockfish, a shallower search that is mistaken beats a deeper one that has seen
/// the mistake.)
fn elect<D: Copy + Eq>(found: &[SearchResult<D>]) -> usize {
    let votes = |result: &SearchResult<D>| {
        let agreeing = found.iter().filter(|other| other.line.first() == result.line.first());
        agreeing.map(|other| other.depth).sum::<u32>()
    };
    let rank = |result: &SearchResult<D>| {
        let searched = result.depth > 0 && !result.line.is_empty();
        let win = if result.score >= SURE_WIN { result.score } else { 0 };
        (searched, win, result.depth, votes(result))
    };
    (1..found.len())
        .fold(0, |best, other| if rank(&found[other]) > rank(&found[best]) { other } else { best })
}

/// The helpers end with the first thread, also when that panics.
struct EndsHelpers<'a>(&'a AtomicBool);

impl Drop for EndsHelpers<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::score::won_in;

    #[test]
    fn threads_vote_by_depth() {
        let result = |first: u32, score, depth| SearchResult { line: vec![first], score, depth, nodes: 0 };
        assert_eq!(elect(&[result(1, 20, 8)]), 0);
        assert_eq!(elect(&[result(1, 20, 8), result(2, 20, 8)]), 0);
        assert_eq!(elect(&[result(1, 20, 8), result(2, 25, 9)]), 1);
        assert_eq!(elect(&[result(1, 20, 8), result(2, 95, 7)]), 0);
        assert_eq!(elect(&[result(1, 20, 8), result(2, 25, 9), result(1, 20, 9)]), 2);
        assert_eq!(
            elect(&[result(1, 20, 8), result(1, 20, 9), result(2, won_in(3), 5), result(2, won_in(5), 9)]),
            2
        );
        // One that found nothing before it was broken off has no say.
        assert_eq!(elect(&[result(1, -300, 8), result(2, DRAW, 0)]), 0);
    }
}
