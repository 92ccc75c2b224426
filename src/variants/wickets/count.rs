//! Counts complete turns without walking through them.

use super::cells::{one, wicket};
use super::decide::{FAILING_FACE, WINNING_FACE};
use super::decision::{Choice, Said};
use super::movegen::Count;
use super::state::{Phase, State};
use crate::game::{Decisions, Game, GenType, Perft};
use std::sync::atomic::AtomicBool;

impl State {
    /// The number of ways to complete the turn in progress; 1 when it is complete.
    fn rest_of_turn(&self) -> u64 {
        match self.turn.phase {
            Phase::Move | Phase::NobodyToCall | Phase::WicketOfKing => 1,
            Phase::Throw => {
                let goal = one(wicket(self.board.side().other()));
                let throws = self.throws();
                let hold = u64::from(self.may_hold());
                let quiet = u64::from((throws & !goal).count_ones()) + hold;
                if throws & goal == 0 {
                    quiet
                } else {
                    let attempt = Choice::new(Said::Throw(wicket(self.board.side().other())));
                    quiet + self.after(attempt).rest_of_turn()
                }
            }
            _ => {
                let mut list = Decisions::new();
                self.branches(&mut list);
                list.iter().map(|&choice| self.after(choice).rest_of_turn()).sum()
            }
        }
    }
}

impl Perft for State {
    const ONE_DECISION_A_TURN: bool = false;

    /// A contest with cards may go on for ever, equal round after equal round. It counts as its two results,
    /// like a die.
    fn branches(&self, list: &mut Decisions<Choice>) {
        if self.turn.phase != Phase::Lead {
            return self.decisions(GenType::All, list);
        }
        list.extend([FAILING_FACE, WINNING_FACE].map(|face| Choice::new(Said::Roll(face))));
        if self.may_stop() {
            list.push(Choice::DECLINE);
        }
    }

    fn count_turns(&self) -> u64 {
        if self.turn.phase != Phase::Move {
            return self.rest_of_turn();
        }
        let rest = |mut after: State| {
            after.settle();
            after.rest_of_turn()
        };
        let mut turns = Count { sum: 0, count: rest };
        self.find_moves(&mut turns);
        turns.sum
    }

    fn count_turns_until(&self, _stop: &AtomicBool) -> Option<u64> {
        Some(self.count_turns())
    }
}
