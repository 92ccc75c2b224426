//! Chess whose rules are faulty: they panic after so many evaluations, or lists of moves. Only tests play it.

use crate::game::gui::GuiBoard;
use crate::game::{
    Actor, Chance, Decisions, Evaluation, Facts, Game, GenType, Hidden, Notation, Outcome, Perft, Repetition,
    Rules, SetupError,
};
use crate::notation::{Leg, Legs, Position};
use crate::variants::chess::State;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// As many as a test likes.
pub const ALL: i64 = i64::MAX;

/// Panics at the evaluation after `EVALUATIONS`, and at the list of moves after `LISTS`.
#[derive(Clone)]
pub struct Faulty<const EVALUATIONS: i64, const LISTS: i64> {
    chess: State,
    left: Arc<[AtomicI64; 2]>,
}

impl<const EVALUATIONS: i64, const LISTS: i64> Faulty<EVALUATIONS, LISTS> {
    fn new(chess: State) -> Self {
        Self { chess, left: Arc::new([EVALUATIONS, LISTS].map(AtomicI64::new)) }
    }

    fn use_up(&self, what: usize) {
        assert!(self.left[what].fetch_sub(1, Ordering::Relaxed) > 0, "used up\nquit");
    }
}

impl<const EVALUATIONS: i64, const LISTS: i64> Game for Faulty<EVALUATIONS, LISTS> {
    type Decision = <State as Game>::Decision;

    fn actor(&self) -> Actor {
        self.chess.actor()
    }

    fn ending(&self, stuck: bool) -> Option<Outcome> {
        self.chess.ending(stuck)
    }

    fn decisions(&self, wanted: GenType, list: &mut Decisions<Self::Decision>) {
        self.use_up(1);
        self.chess.decisions(wanted, list);
    }

    fn count(&self) -> u64 {
        self.chess.count()
    }

    fn apply(&mut self, decision: Self::Decision) {
        self.chess.apply(decision);
    }

    fn key(&self) -> u64 {
        self.chess.key()
    }
}

impl<const EVALUATIONS: i64, const LISTS: i64> Perft for Faulty<EVALUATIONS, LISTS> {}
impl<const EVALUATIONS: i64, const LISTS: i64> Chance for Faulty<EVALUATIONS, LISTS> {}
impl<const EVALUATIONS: i64, const LISTS: i64> Hidden for Faulty<EVALUATIONS, LISTS> {}
impl<const EVALUATIONS: i64, const LISTS: i64> Repetition for Faulty<EVALUATIONS, LISTS> {}

impl<const EVALUATIONS: i64, const LISTS: i64> Notation for Faulty<EVALUATIONS, LISTS> {
    const GAMES: &'static [&'static Facts] = State::GAMES;

    fn facts(&self) -> &'static Facts {
        self.chess.facts()
    }

    fn read(position: &Position, rules: &Rules) -> Result<Self, SetupError> {
        State::read(position, rules).map(Self::new)
    }

    fn write(&self) -> Position {
        self.chess.write()
    }

    fn legs(&self, decision: Self::Decision) -> Legs {
        self.chess.legs(decision)
    }

    fn explain(&self, legs: &[Leg]) -> String {
        self.chess.explain(legs)
    }
}

impl<const EVALUATIONS: i64, const LISTS: i64> GuiBoard for Faulty<EVALUATIONS, LISTS> {}

impl<const EVALUATIONS: i64, const LISTS: i64> Evaluation for Faulty<EVALUATIONS, LISTS> {
    const HISTORY_SIZE: usize = State::HISTORY_SIZE;

    fn classical_eval(&self) -> i32 {
        self.use_up(0);
        self.chess.classical_eval()
    }

    fn mvv_lva(&self, decision: Self::Decision) -> i32 {
        self.chess.mvv_lva(decision)
    }

    fn in_check(&self) -> bool {
        self.chess.in_check()
    }

    fn history_index(&self, decision: Self::Decision) -> usize {
        self.chess.history_index(decision)
    }
}
