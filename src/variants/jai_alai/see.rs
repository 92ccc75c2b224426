//! Which exchanges on a square bring something: a rebound needs its wall, and a Deer captures without going
//! there.

use super::board::Board;
use super::decision::Action;
use super::evaluation::worth;
use super::geometry::{CORNERS, LAST_RANK, bit};
use super::piece::Kind;
use super::safety::takers;
use super::state::State;
use crate::base::{BoardBits, Color};
use crate::game::see::exchange_brings;

/// The order in which pieces capture. A Deer captures without a risk, so it is the first.
const CHEAPEST_FIRST: [Kind; 8] =
    [Kind::Deer, Kind::Boy, Kind::Guard, Kind::Diagball, Kind::Ball, Kind::Mage, Kind::Superball, Kind::King];

/// The piece of `side` that captures first on `to`, which is occupied.
fn cheapest_taker(board: &Board, side: Color, to: u8, at_once: bool) -> Option<(u8, Kind)> {
    let takers = takers(board, side, to, at_once);
    let of = |kind| board.of(side, kind) & takers;
    let reducer = board.kind(Kind::Reducer) & bit(to) != 0;
    // R54.
    let able = |kind| match kind {
        Kind::King | Kind::Guard | Kind::Superball => of(kind),
        Kind::Mage if reducer => of(kind) & !CORNERS[usize::from(to)],
        _ if reducer => 0,
        _ => of(kind),
    };
    let found = CHEAPEST_FIRST.into_iter().map(|kind| (able(kind), kind)).find(|(able, _)| *able != 0);
    found.map(|(able, kind)| (able.lowest(), kind))
}

impl State {
    /// [`see_ge`](crate::game::Evaluation::see_ge). A drop, and a Boy that becomes a Superball, are taken to
    /// bring what they cost.
    pub(super) fn is_exchange_at_least(&self, action: Action, threshold: i32) -> bool {
        let (us, to) = (self.side, action.to());
        let moved = action.from().and_then(|from| Some((from, self.board.kind_at(from)?)));
        let becomes_superball = |kind| kind == Kind::Boy && LAST_RANK[us.index()] & bit(to) != 0;
        let Some((from, kind)) = moved.filter(|&(_, kind)| !becomes_superball(kind)) else {
            return threshold <= 0;
        };
        let victim = action.victim_ahead().unwrap_or(to);
        let taken = self.board.kind_at(victim).map_or(0, worth);
        // Eating a friend costs it.
        let taken = if self.board.pieces(us) & bit(victim) == 0 { taken } else { -taken };
        let mut board = self.board;
        board.remove(victim);
        board.relocate(us, kind, from, to);
        exchange_brings((taken, worth(kind)), threshold, us, |side| {
            if board.occupied() & bit(to) == 0 {
                return None;
            }
            let (by, taker) = cheapest_taker(&board, side, to, self.at_once)?;
            board.remove(to);
            if taker == Kind::Deer {
                return Some(0);
            }
            board.relocate(side, taker, by, to);
            // The King captures only what is not guarded.
            let guarded = taker == Kind::King && cheapest_taker(&board, !side, to, self.at_once).is_some();
            (!guarded).then_some(worth(taker))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::movegen::{Reach, reach};
    use super::*;
    use crate::base::{Bits, Rng};
    use crate::game::{Decisions, Evaluation, Game, GenType, Notation, Rules, playout};
    use crate::variants::jai_alai::decision::ahead;

    /// The pieces of `side` that can capture on `to`, each by its own moves.
    fn able(board: &Board, side: Color, to: u8, at_once: bool) -> Vec<(u8, Kind)> {
        let reduced = board.reduced(side);
        let all = Bits(board.pieces(side)).filter_map(|from| Some((from, board.kind_at(from)?)));
        all.filter(|&(from, kind)| {
            let Reach { takes, approach, .. } =
                reach(board, side, kind, from, reduced & bit(from) != 0, at_once);
            takes & bit(to) != 0 || Bits(approach).any(|stop| ahead(from, stop) == to)
        })
        .collect()
    }

    /// What `side` gains by capturing on `to` with its cheapest piece, or by stopping. Kings may be left
    /// attacked; a King never captures into attack.
    fn swap(board: &Board, to: u8, side: Color, at_once: bool) -> i32 {
        let Some(target) = board.kind_at(to) else { return 0 };
        let all = able(board, side, to, at_once);
        let place = |kind| CHEAPEST_FIRST.iter().position(|&other| other == kind);
        let Some(&(from, kind)) = all.iter().min_by_key(|&&(from, kind)| (place(kind), from)) else {
            return 0;
        };
        let mut next = *board;
        next.remove(to);
        if kind != Kind::Deer {
            next.remove(from);
            next.put(to, side, kind);
        }
        if kind == Kind::King && !able(&next, !side, to, at_once).is_empty() {
            return 0;
        }
        (worth(target) - swap(&next, to, !side, at_once)).max(0)
    }

    #[test]
    fn it_is_what_taking_in_turn_comes_to() {
        let (mut rng, mut captures, mut recaptures) = (Rng::new(7), 0, 0);
        for game in 0..40 {
            let mut rules = Rules::default();
            let legs = if game % 2 == 0 { "1" } else { "0" };
            rules.set(State::GAMES[0], "minimum-first-leg", legs).unwrap();
            playout(State::start(&rules), &mut rng, 120, |record, _| {
                let state = record.now();
                let mut list = Decisions::new();
                state.decisions(GenType::All, &mut list);
                for action in list {
                    let Some(from) = action.from() else { continue };
                    let Some(kind) = state.board.kind_at(from) else { continue };
                    let (to, us) = (action.to(), state.side);
                    if kind == Kind::Boy && LAST_RANK[us.index()] & bit(to) != 0 {
                        continue;
                    }
                    let victim = action.victim_ahead().unwrap_or(to);
                    let taken = state.board.kind_at(victim).map_or(0, worth);
                    let taken = if state.board.color_at(victim) == Some(us) { -taken } else { taken };
                    let mut next = state.board;
                    next.remove(victim);
                    next.remove(from);
                    next.put(to, us, kind);
                    let lost = swap(&next, to, !us, state.at_once);
                    let value = taken - lost;
                    assert!(state.see_ge(action, value), "{state:?} {action:?} {value}");
                    assert!(!state.see_ge(action, value + 1), "{state:?} {action:?} {value}");
                    captures += usize::from(taken > 0);
                    recaptures += usize::from(taken > 0 && lost > 0);
                }
            });
        }
        assert!(captures > 2_000 && recaptures > 200, "{captures} {recaptures}");
    }
}
