//! A game made for tests of the search: it shows one thing at a time, which no real game does.

use super::searcher::{Searcher, Shared};
use super::{Control, Limits, SearchTask, TranspositionTable, WallClock, search};
use crate::base::Color;
use crate::base::score::{DRAW, INFINITE};
use crate::game::{
    Actor, Chance, Decisions, Evaluation, Game, GenType, Outcome, Repetition, RepetitionKey, Selectivity,
};
use std::time::Instant;

/// Each side has one decision, which changes nothing but whose turn it is. White is always ahead by five
/// pawns.
#[derive(Clone)]
struct Waiting<const THREATS: bool> {
    turn: Color,
}

impl<const THREATS: bool> Game for Waiting<THREATS> {
    type Decision = u32;

    fn actor(&self) -> Actor {
        Actor::Player(self.turn)
    }

    fn ending(&self, _stuck: bool) -> Option<Outcome> {
        None
    }

    fn decisions(&self, _wanted: GenType, list: &mut Decisions<u32>) {
        list.push(0);
    }

    fn apply(&mut self, _decision: u32) {
        self.turn = !self.turn;
    }

    fn key(&self) -> u64 {
        1 + self.turn.index() as u64
    }
}

impl<const THREATS: bool> Chance for Waiting<THREATS> {}

impl<const THREATS: bool> Repetition for Waiting<THREATS> {
    const THIRD_OCCURRENCE: Option<Outcome> = Some(Outcome::draw("", "third occurrence"));

    fn repetition(&self) -> Option<RepetitionKey> {
        (!THREATS).then_some(RepetitionKey { key: self.key(), span: 100 })
    }
}

impl<const THREATS: bool> Evaluation for Waiting<THREATS> {
    const SELECTIVITY: Selectivity = Selectivity { quiescence_plies: 3, ..Selectivity::NONE };

    fn classical_eval(&self) -> i32 {
        500
    }

    fn in_check(&self) -> bool {
        THREATS
    }
}

#[test]
fn after_a_null_move_no_earlier_position_comes_up_again() {
    let table = TranspositionTable::new(1).unwrap();
    let (limits, control, clock) = (Limits::default(), Control::default(), WallClock(Instant::now()));
    let [white, black] = Color::ALL.map(|turn| Waiting::<false> { turn });
    let task = SearchTask::unfitted(&white, &limits, &table, &control, &clock);
    let shared = Shared::new(&task);
    // The position with Black to move has come up in the game and in the search.
    let mut searcher = Searcher::new(&shared, &[black.key()], &[], true);
    searcher.keys.push(black.key());
    assert_eq!(searcher.after(black.clone(), Color::White, 0, (-INFINITE, INFINITE), 0), DRAW);
    assert_eq!(searcher.after_null_move(black.clone(), Color::White, 0, 100, 0), 500);
    // What comes up twice after the null move is a draw as ever.
    assert_eq!(searcher.after_null_move(black.clone(), Color::White, 4, 100, 0), DRAW);
    assert_eq!(searcher.after(black, Color::White, 0, (-INFINITE, INFINITE), 0), DRAW);
}

#[test]
fn threats_cost_depth_once_the_line_is_twice_as_long_as_the_iteration_is_deep() {
    let table = TranspositionTable::new(1).unwrap();
    let limits = Limits { depth: Some(6), ..Limits::default() };
    let (control, clock) = (Control::default(), WallClock(Instant::now()));
    let state = Waiting::<true> { turn: Color::White };
    let task = SearchTask::unfitted(&state, &limits, &table, &control, &clock);
    let mut deepest = Vec::new();
    search(&task, &mut |report, _| deepest.push(report.seldepth));
    // So far each threat gave back the ply it cost. Then come the depth itself and what quiescence looks at.
    assert_eq!(deepest, [1, 2, 3, 4, 5, 6].map(|depth| 2 * depth + depth - 1 + 3));
}
