//! The contract.

use super::{Actor, Outcome, perft};
use crate::base::{Color, Rng};
use arrayvec::ArrayVec;
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::atomic::AtomicBool;

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

/// What identifies a position for the repetition rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Repetition {
    /// Equal for positions that the rules call the same.
    pub key: u64,
    /// How many turns back an equal position may still lie (0 right after a capture or whatever cannot be undone).
    pub span: u32,
}

/// The state of a game. Small, copied rather than undone.
pub trait Game: Clone + Send + Sync + 'static {
    /// One atomic choice.
    type Decision: Decision;

    /// True when each turn is a single decision of the player whose turn it is, and chance never speaks. Lets counting
    /// take the short way.
    const ONE_DECISION_A_TURN: bool = false;

    /// True where a draw by repetition or by a counter must be claimed: whoever does not, plays on.
    const DRAWS_ARE_CLAIMED: bool = false;

    /// Who decides next. `Nobody` once the game was ended by what stands on the board (a goal, a king on his throne);
    /// **not** when it merely ran out (no decision left, a counter, a repetition): counting (perft) goes on there.
    fn actor(&self) -> Actor;

    /// The end of the game as far as it can be told without looking for decisions: wins on the board, counters.
    fn decided(&self) -> Option<Outcome>;

    /// What it means when the actor has no decision: mate, stalemate. Asked only when that is so.
    fn stuck(&self) -> Outcome;

    /// The end of the game, whatever ended it, repetition excepted (see [`Game::on_occurrence`]).
    ///
    /// Wins by lack of decisions (mate) go before draws by counters.
    fn outcome(&self) -> Option<Outcome> {
        match self.decided() {
            Some(outcome) if outcome.winner.is_some() || self.actor() == Actor::Nobody => Some(outcome),
            other if self.count() == 0 => {
                let stuck = self.stuck();
                Some(if stuck.winner.is_some() { stuck } else { other.unwrap_or(stuck) })
            }
            other => other,
        }
    }

    /// Appends the legal decisions, each once. A decision is legal only if the turn can still be completed legally.
    /// For `Wanted::All` the order is the game's own choice (whatever is quickest to make) but always the same;
    /// [`Game::sorted_decisions`] sorts them.
    /// When chance decides, the list holds outcomes that differ (equal ones merged), each with its [`Game::weight`].
    fn decisions(&self, wanted: Wanted, list: &mut Decisions<Self::Decision>);

    /// Appends every legal decision, in ascending order. Whatever a person sees or a seed draws from uses this list,
    /// so that neither changes when a game finds a quicker order to make its own in.
    fn sorted_decisions(&self, list: &mut Decisions<Self::Decision>) {
        let begin = list.len();
        self.decisions(Wanted::All, list);
        list[begin..].sort_unstable();
    }

    /// How many decisions there are; may be faster than listing them.
    fn count(&self) -> u64 {
        let mut list = Decisions::new();
        self.decisions(Wanted::All, &mut list);
        list.len() as u64
    }

    /// Appends the branches that counting ([`perft`]) goes down: the legal decisions, unless their sequences never end
    /// (cards played again and again); then choices that stand for the results, which [`Game::apply`] takes as well.
    fn branches(&self, list: &mut Decisions<Self::Decision>) {
        self.decisions(Wanted::All, list);
    }

    /// In how many ways the present turn can be completed, a whole one between turns, for [`perft::turns`]. Override
    /// where that is known without walking through every turn.
    fn count_turns(&self) -> u64 {
        perft::completions(self)
    }

    /// The same, given up (`None`) soon after `stop` is set. Override where [`Game::count_turns`] is always over before
    /// anybody could wait for it.
    fn count_turns_until(&self, stop: &AtomicBool) -> Option<u64> {
        perft::completions_until(self, stop)
    }

    /// Carries out a decision that [`Game::decisions`] listed; for any other the state is unspecified (but never
    /// unsafe).
    fn apply(&mut self, decision: Self::Decision);

    /// Everything that changes the future: pieces, side, marks, roles, what the turn still allows. Counters may be
    /// left out while they are far from mattering. Kept up to date by `apply`.
    fn key(&self) -> u64;

    /// The same key computed from nothing, for tests.
    fn fresh_key(&self) -> u64;

    /// True between turns, false when the present turn has begun and is not complete.
    fn between_turns(&self) -> bool {
        true
    }

    /// What identifies this position for the repetition rule; `None` where none can be counted (in the middle of a
    /// turn, in games without the rule).
    fn repetition(&self) -> Option<Repetition> {
        None
    }

    /// Told by whoever keeps the history: this position now stands for the `times`-th time (2 or more). The game may
    /// change (Alapo takes two men off) or be over (the result is then returned).
    fn on_occurrence(&mut self, _times: u32) -> Option<Outcome> {
        None
    }

    /// When chance decides: how many of the equally likely cases `decision` stands for.
    fn weight(&self, _decision: Self::Decision) -> u32 {
        1
    }

    /// The number of sequences of exactly `steps` steps within the present turn, for [`perft::steps`]. Override where the
    /// game counts other things than its decisions as steps.
    fn count_steps(&self, steps: u32) -> u64 {
        perft::decisions_deep(self, steps)
    }

    /// The number of distinct positions in which the present turn may end, for [`perft::results`]. Override where they
    /// can be found without going through every order of the steps.
    fn count_results(&self) -> u64 {
        perft::distinct_ends(self)
    }

    /// The state as `viewer` may know it: what is hidden from that player is masked.
    fn view(&self, _viewer: Color) -> Self {
        self.clone()
    }

    /// A complete state, drawn at random, that this (masked) view cannot tell from the real one.
    fn sample(&self, _rng: &mut Rng) -> Self {
        self.clone()
    }
}
