//! A way to win from some positions, and its check by the rules alone.
//!
//! It says for each position of the winner what to decide there, and how many decisions later the game is won
//! at the latest, whatever the other side decides. Whether that is true can be seen position by position:
//! after the decision every reply must lead to a position that is nearer to the end. As the distance falls
//! from each position of the winner to the next, no position comes up twice in a game that follows it, so
//! neither a repetition nor a circle can save the other side.
//!
//! Positions are told apart by their keys for the repetition rule, which leave counters out. A counter cannot
//! strike before the win where there is room for so many decisions ([`Game::counter_room`]); a caller that uses a
//! strategy from a position on asks [`Winning::wins_from`], which looks at that.

use super::{Decisions, Evaluation, Game, GenType, Outcome, Repetition, TableValue, Tables};
use crate::base::Color;
use std::collections::HashMap;

/// The positions of the winner, each with what is to be decided there.
#[derive(Debug)]
pub struct Winning<'a, D> {
    winner: Color,
    steps: HashMap<u64, Step<D>>,
    tables: Option<&'a Tables>,
}

/// What to decide in a position of the winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step<D> {
    /// The decision.
    pub decision: D,
    /// How many decisions of both players, this one included, the game takes at most until it is won.
    pub distance: u32,
}

/// Why a step proves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The winner does not decide there, or the game is over.
    #[error("the winner has nothing to decide here")]
    NotToDecide,
    /// The decision is not legal.
    #[error("the decision is not legal")]
    NotLegal,
    /// A counter might end or change the game before the win.
    #[error("a counter may strike before the win")]
    Counter,
    /// After the decision, or a reply to it, the game is over without a win or goes on for too long.
    #[error("not every reply is answered by a win within the distance")]
    Unanswered,
}

/// What tells positions apart in a game without the past: the key of the repetition rule, where there is one.
pub fn identity<G: Repetition>(state: &G) -> u64 {
    state.repetition().map_or_else(|| state.key(), |repetition| repetition.key)
}

/// How the game ended in this position, whose decisions are listed.
pub(crate) fn ended<G: Game>(state: &G, list: &Decisions<G::Decision>) -> Option<Outcome> {
    state.decided().or_else(|| list.is_empty().then(|| state.ending(true)).flatten())
}

/// Whether no counter strikes before so many decisions have been made.
fn has_room<G: Game>(state: &G, decisions: u32) -> bool {
    state.counter_room().is_none_or(|room| decisions <= room)
}

impl<'a, D: Copy + PartialEq> Winning<'a, D> {
    /// Nothing yet. What `tables` say of a position is taken as true.
    pub fn new(winner: Color, tables: Option<&'a Tables>) -> Self {
        Self { winner, steps: HashMap::new(), tables }
    }

    /// Who is to win.
    pub const fn winner(&self) -> Color {
        self.winner
    }

    /// The number of positions with a step.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// True when there is no step yet.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Adds a step for the position with this [`identity`]. Of two the shorter counts: steps of two strategies
    /// put together are a strategy, as the distance to every next position can only have become smaller.
    pub fn add(&mut self, position: u64, step: Step<D>) {
        let known = self.steps.entry(position).or_insert(step);
        if step.distance < known.distance {
            *known = step;
        }
    }

    /// The step of the position with this [`identity`].
    pub fn step(&self, position: u64) -> Option<&Step<D>> {
        self.steps.get(&position)
    }

    /// What tables say of a position.
    pub fn table_value<G: Evaluation<Decision = D>>(&self, state: &G) -> Option<TableValue> {
        self.tables.and_then(|tables| state.probe(tables))
    }

    /// What tables or steps say of a position where the winner decides: within how many decisions it is won.
    pub fn distance<G: Evaluation<Decision = D>>(&self, state: &G) -> Option<u32> {
        // Tables come first, so that each position has one value only.
        if let Some(value) = self.table_value(state) {
            return if let TableValue::Win(turns) = value { Some(turns) } else { None };
        }
        self.step(identity(state)).map(|step| step.distance)
    }

    /// Whether the winner, who decides here, wins within `most` decisions: by a table, by a step, or at once.
    fn wins_within<G: Evaluation<Decision = D>>(&self, state: &G, most: u32) -> bool {
        let known = self.distance(state).is_some_and(|distance| distance <= most);
        known || most >= 1 && self.wins_at_once(state)
    }

    /// Whether some decision ends the game with a win, so that no step is needed.
    fn wins_at_once<G: Evaluation<Decision = D>>(&self, state: &G) -> bool {
        let mut list = Decisions::new();
        state.decisions(GenType::All, &mut list);
        ended(state, &list).is_none()
            && list.iter().any(|&decision| {
                let after = state.after(decision);
                let mut replies = Decisions::new();
                after.decisions(GenType::All, &mut replies);
                ended(&after, &replies).is_some_and(|outcome| outcome.winner == Some(self.winner))
            })
    }

    /// Whether every way on from here is won within `most` decisions.
    fn holds<G: Evaluation<Decision = D>>(&self, state: &G, most: u32) -> bool {
        let mut list = Decisions::new();
        state.decisions(GenType::All, &mut list);
        if let Some(outcome) = ended(state, &list) {
            return outcome.winner == Some(self.winner);
        }
        match state.actor().player() {
            Some(player) if player == self.winner => self.wins_within(state, most),
            Some(_) => most > 0 && list.iter().all(|&reply| self.holds(&state.after(reply), most - 1)),
            None => false,
        }
    }

    /// Checks the step of `state` against the rules and against the steps of the positions that follow. If
    /// all steps pass, all of them are true.
    ///
    /// # Errors
    /// When the step proves nothing.
    pub fn check<G: Evaluation<Decision = D>>(&self, state: &G, step: &Step<D>) -> Result<(), Fault> {
        let mut list = Decisions::new();
        state.decisions(GenType::All, &mut list);
        if state.actor().player() != Some(self.winner) || ended(state, &list).is_some() {
            return Err(Fault::NotToDecide);
        }
        if !list.contains(&step.decision) {
            return Err(Fault::NotLegal);
        }
        // What a counter does here it may not do where the position comes up in a game.
        if !has_room(state, step.distance) {
            return Err(Fault::Counter);
        }
        let shorter = step.distance.checked_sub(1).ok_or(Fault::Unanswered)?;
        if self.holds(&state.after(step.decision), shorter) { Ok(()) } else { Err(Fault::Unanswered) }
    }

    /// Within how many decisions the winner, who decides here, wins: for a game that begins here, before any
    /// counter can strike. `None` when that is not known.
    pub fn wins_from<G: Evaluation<Decision = D>>(&self, state: &G) -> Option<u32> {
        let once = || self.wins_at_once(state).then_some(1);
        let distance = self.distance(state).or_else(once)?;
        has_room(state, distance).then_some(distance)
    }
}
