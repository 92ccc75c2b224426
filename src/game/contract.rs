//! The contract: what every game must say, and the traits for what only some have, each with defaults.

use super::{Actor, Outcome};
use crate::base::{Color, Rng};
use arrayvec::ArrayVec;
use std::fmt::Debug;
use std::hash::Hash;

/// No position of any game offers more decisions than this; readers refuse positions that might.
pub const MAX_DECISIONS: usize = 512;

/// A list of decisions, kept on the stack.
pub type Decisions<D> = ArrayVec<D, MAX_DECISIONS>;

/// One atomic choice: a number, so that tables can hold it.
pub trait Decision: Copy + Eq + Ord + Hash + Debug + Send + Sync + Into<u32> + 'static {}
impl<D: Copy + Eq + Ord + Hash + Debug + Send + Sync + Into<u32> + 'static> Decision for D {}

/// Which decisions a list should hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// Every legal one.
    All,
    /// Those a quiescence search must see: captures, promotions, decisions that end the game at once. When
    /// [`super::Evaluation::in_check`] holds, all that answer the threat.
    Noisy,
}

/// The state of a game. Small, copied rather than undone.
pub trait Game: Clone + Send + Sync + 'static {
    /// One atomic choice.
    type Decision: Decision;

    /// True where a draw by repetition or by a counter must be claimed: whoever does not, plays on.
    const DRAWS_ARE_CLAIMED: bool = false;

    /// Who decides next. `Nobody` once the game was ended by what stands on the board (a goal, a king on his throne);
    /// **not** when it merely ran out (no decision left, a counter, a repetition): counting (perft) goes on there.
    fn actor(&self) -> Actor;

    /// The end of the game, repetition excepted (see [`Repetition`]): wins on the board, counters, and, when the actor
    /// is `stuck` (has no decision), what that means: mate, stalemate. Where several ends meet, the first by the rules.
    fn ending(&self, stuck: bool) -> Option<Outcome>;

    /// Appends the legal decisions, each once. A decision is legal only if the turn can still be completed legally.
    /// For `Wanted::All` the order is the game's own choice (whatever is quickest to make) but always the same;
    /// [`Game::sorted_decisions`] sorts them.
    fn decisions(&self, wanted: Wanted, list: &mut Decisions<Self::Decision>);

    /// Carries out a decision that [`Game::decisions`] listed; for any other the state is unspecified (but never
    /// unsafe).
    fn apply(&mut self, decision: Self::Decision);

    /// Everything that changes the future: pieces, side, marks, roles, what the turn still allows. Counters may be
    /// left out while they are far from mattering. Kept up to date by `apply`.
    fn key(&self) -> u64;

    /// The state after `decision`.
    #[inline]
    fn after(&self, decision: Self::Decision) -> Self {
        let mut after = self.clone();
        after.apply(decision);
        after
    }

    /// True between turns, false when the present turn has begun and is not complete.
    fn between_turns(&self) -> bool {
        true
    }

    /// How many decisions there are; may be faster than listing them.
    fn count(&self) -> u64 {
        let mut list = Decisions::new();
        self.decisions(Wanted::All, &mut list);
        list.len() as u64
    }

    /// Appends every legal decision, in ascending order. Whatever a person sees or a seed draws from uses this list,
    /// so that neither changes when a game finds a quicker order to make its own in.
    fn sorted_decisions(&self, list: &mut Decisions<Self::Decision>) {
        let begin = list.len();
        self.decisions(Wanted::All, list);
        list[begin..].sort_unstable();
    }

    /// The end of the game as far as it can be told without looking for decisions.
    #[inline]
    fn decided(&self) -> Option<Outcome> {
        self.ending(false)
    }

    /// The end of the game, whatever ended it, repetition excepted.
    fn outcome(&self) -> Option<Outcome> {
        match self.decided() {
            Some(outcome) if outcome.winner.is_some() || self.actor() == Actor::Nobody => Some(outcome),
            _ => self.ending(self.count() == 0),
        }
    }
}

/// The outcomes of a die or a card, each with how many of the equally likely cases it stands for.
pub type ChanceOutcomes<D> = ArrayVec<(D, u32), MAX_DECISIONS>;

/// Dice and cards. A game without them says nothing.
pub trait Chance: Game {
    /// When chance decides: appends the outcomes that differ (equal ones merged) in ascending order, the same that
    /// [`Game::decisions`] lists. Override where they are not equally likely.
    fn outcomes(&self, list: &mut ChanceOutcomes<Self::Decision>) {
        let mut decisions = Decisions::new();
        self.sorted_decisions(&mut decisions);
        list.extend(decisions.into_iter().map(|decision| (decision, 1)));
    }

    /// The outcome that stands for the case which `pick` chooses, given how many equally likely cases there are.
    fn draw(&self, pick: impl FnOnce(usize) -> usize) -> Option<Self::Decision> {
        let mut list = ChanceOutcomes::new();
        self.outcomes(&mut list);
        let mut case = pick(list.iter().map(|&(_, weight)| weight as usize).sum());
        list.into_iter().find_map(|(decision, weight)| {
            let hit = case < weight as usize;
            case = case.wrapping_sub(weight as usize);
            hit.then_some(decision)
        })
    }
}

/// What one player may not see. A game without hidden hands says nothing.
pub trait Hidden: Game {
    /// The state as `viewer` may know it: what is hidden from that player is masked.
    fn view(&self, _viewer: Color) -> Self {
        self.clone()
    }

    /// The state as somebody may know it who is neither of the players.
    fn public_view(&self) -> Self {
        self.view(Color::White).view(Color::Black)
    }

    /// A complete state, drawn at random, that this (masked) view cannot tell from the real one.
    fn sample(&self, _rng: &mut Rng) -> Self {
        self.clone()
    }

    /// This complete state, from which the game came to `now`, with those cards shuffled anew that nobody has drawn by then; the
    /// same decisions lead from it to `now` but for them. `None` where there are none.
    fn reshuffled(&self, _now: &Self, _rng: &mut Rng) -> Option<Self> {
        None
    }
}

/// What identifies a position for the repetition rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RepetitionKey {
    /// Equal for positions that the rules call the same.
    pub key: u64,
    /// How many turns back an equal position may still lie (0 right after a capture or whatever cannot be undone).
    pub span: u32,
}

/// The repetition rule. A game whose positions never recur says nothing.
pub trait Repetition: Game {
    /// What the third occurrence of a position means.
    const THIRD_OCCURRENCE: Option<Outcome> = None;

    /// What identifies this position; `None` where none is counted (in the middle of a turn, in games without the rule).
    fn repetition(&self) -> Option<RepetitionKey> {
        None
    }

    /// Told by whoever keeps the history: this position now stands for the `times`-th time (2 or more). The game may
    /// change (Alapo takes two men off) or be over (the result is then returned).
    fn on_occurrence(&mut self, times: u32) -> Option<Outcome> {
        Self::THIRD_OCCURRENCE.filter(|_| times >= 3)
    }
}
