//! The contract that every game fulfils, and traits, with defaults, for what only some games have.

use super::{Actor, Deal, Outcome};
use crate::base::order::sort;
use crate::base::{Color, Rng};
use arrayvec::ArrayVec;
use std::fmt::Debug;
use std::hash::Hash;

/// The most decisions that a position of any game may offer; readers refuse positions that might offer more.
pub const MAX_DECISIONS: usize = 512;

/// A list of decisions, held on the stack.
pub type Decisions<D> = ArrayVec<D, MAX_DECISIONS>;

/// One atomic choice. It converts to a number, so that tables can hold it.
pub trait Decision: Copy + Eq + Ord + Hash + Debug + Send + Sync + Into<u32> + 'static {}
impl<D: Copy + Eq + Ord + Hash + Debug + Send + Sync + Into<u32> + 'static> Decision for D {}

/// The decisions that a list should hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GenType {
    /// All legal decisions.
    All,
    /// Those that a quiescence search must see: captures, promotions, decisions that end the game at once.
    /// When [`super::Evaluation::in_check`] holds, all those that answer the threat.
    Noisy,
}

/// The state of a game. It is small, and copied rather than undone.
pub trait Game: Clone + Send + Sync + 'static {
    /// The decisions of this game.
    type Decision: Decision;

    /// True where a draw by repetition or by a counter must be claimed: if no player claims it, the game goes
    /// on.
    const DRAWS_ARE_CLAIMED: bool = false;

    /// Who decides next. `Nobody` once what stands on the board has ended the game (a goal, a king on its
    /// throne); **not** when the game merely ran out (no decision left, a counter, a repetition): counting
    /// (perft) goes on there.
    fn actor(&self) -> Actor;

    /// How the game ended, repetition excepted (see [`Repetition`]): wins on the board, counters, and, when
    /// the actor is `stuck` (has no decision), what that means: mate or stalemate. Where several ends
    /// coincide, the rules decide which comes first.
    fn ending(&self, stuck: bool) -> Option<Outcome>;

    /// Appends the legal decisions, each once. A decision is legal only if the turn can still be completed
    /// legally. For `GenType::All` the order is up to the game (whatever is fastest to generate) but always
    /// the same; [`Game::sorted_decisions`] sorts them.
    fn decisions(&self, wanted: GenType, list: &mut Decisions<Self::Decision>);

    /// Carries out a decision that [`Game::decisions`] listed; for any other the resulting state is
    /// unspecified (but never memory-unsafe).
    fn apply(&mut self, decision: Self::Decision);

    /// A hash of everything that affects the future: pieces, side to move, marks, roles, what the turn still
    /// allows. Counters may be left out while they are far from their limit. `apply` keeps it up to date.
    fn key(&self) -> u64;

    /// How many decisions can be made before a counter ends the game or changes it, where [`Game::key`] may
    /// leave that counter out; `None` in a game without one.
    fn counter_room(&self) -> Option<u32> {
        None
    }

    /// At least how many of its own turns `player` needs to win, whatever the other side does: a bound that
    /// can be seen at once, for searches that leave nothing out.
    fn turns_to_win(&self, _player: Color) -> u32 {
        1
    }

    /// The state after `decision`.
    #[inline(always)]
    fn after(&self, decision: Self::Decision) -> Self {
        let mut after = self.clone();
        after.apply(decision);
        after
    }

    /// True between turns, false when the present turn has begun and is not complete.
    fn between_turns(&self) -> bool {
        true
    }

    /// True when chance decides between turns: what it brings begins the turn of the player who goes on.
    fn begins_with_chance(&self) -> bool {
        self.actor() == Actor::Chance && self.between_turns()
    }

    /// The number of legal decisions; may be faster than listing them.
    fn count(&self) -> u64 {
        let mut list = Decisions::new();
        self.decisions(GenType::All, &mut list);
        list.len() as u64
    }

    /// Appends every legal decision, in ascending order. Everything that is shown to people or drawn with a
    /// seed uses this list, so that neither changes when a game generates its decisions in a new, faster
    /// order.
    fn sorted_decisions(&self, list: &mut Decisions<Self::Decision>) {
        let begin = list.len();
        self.decisions(GenType::All, list);
        sort(&mut list[begin..]);
    }

    /// How the game ended, as far as that is known without generating decisions.
    #[inline]
    fn decided(&self) -> Option<Outcome> {
        self.ending(false)
    }

    /// How the game ended, for whatever reason, repetition excepted.
    fn outcome(&self) -> Option<Outcome> {
        match self.decided() {
            Some(outcome) if outcome.winner.is_some() || self.actor() == Actor::Nobody => Some(outcome),
            _ => self.ending(self.count() == 0),
        }
    }
}

/// The outcomes of a die or a card, each with the number of equally likely cases it stands for.
pub type ChanceOutcomes<D> = ArrayVec<(D, u32), MAX_DECISIONS>;

/// Dice and cards. A game without them keeps the defaults.
pub trait Chance: Game {
    /// Appends the outcomes when chance decides: the different ones (equal ones are merged) in ascending
    /// order, the same that [`Game::decisions`] lists. Override this where they are not equally likely.
    fn outcomes(&self, list: &mut ChanceOutcomes<Self::Decision>) {
        let mut decisions = Decisions::new();
        self.sorted_decisions(&mut decisions);
        list.extend(decisions.into_iter().map(|decision| (decision, 1)));
    }

    /// Draws an outcome: `pick` gets the number of equally likely cases and chooses one by its number, from
    /// 0; the outcome that stands for this case is returned. `None` when there is none.
    fn draw(&self, pick: &mut dyn FnMut(usize) -> usize) -> Option<Self::Decision> {
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

/// What one player may not see. A game without hidden hands keeps the defaults.
pub trait Hidden: Game {
    /// The state as `viewer` may know it: what is hidden from that player is masked.
    fn view(&self, _viewer: Color) -> Self {
        self.clone()
    }

    /// The state as a spectator may know it, who is neither of the players.
    fn public_view(&self) -> Self {
        self.view(Color::White).view(Color::Black)
    }

    /// Where the cards are, as far as this state knows; `None` in a game without cards.
    fn deal(&self) -> Option<Deal> {
        None
    }

    /// A complete state, drawn at random among those that this (masked) view cannot tell from the real one.
    fn sample(&self, _rng: &mut Rng) -> Self {
        self.clone()
    }

    /// The state in which a search from this (masked) view goes on: a sample, unless the game lets chance decide
    /// what depends on hidden things.
    fn for_search(&self, rng: &mut Rng) -> Self {
        self.sample(rng)
    }

    /// This complete state, from which the game came to `now`, but with the cards that no player has drawn by
    /// then shuffled again; the same decisions lead from it to `now`, except for those cards. `None` where
    /// there are no cards.
    fn reshuffled(&self, _now: &Self, _rng: &mut Rng) -> Option<Self> {
        None
    }
}

/// The identity of a position for the repetition rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RepetitionKey {
    /// Equal for positions that the rules consider the same.
    pub key: u64,
    /// How many turns back an equal position may still lie (0 right after a capture or any other irreversible
    /// decision).
    pub span: u32,
}

/// The repetition rule. A game whose positions never recur keeps the defaults.
pub trait Repetition: Game {
    /// The result of the third occurrence of a position; `None` where it has none.
    const THIRD_OCCURRENCE: Option<Outcome> = None;

    /// The identity of this position; `None` where none is counted (in the middle of a turn, in games without
    /// the rule).
    fn repetition(&self) -> Option<RepetitionKey> {
        None
    }

    /// Called by the code that keeps the history: this position now occurs for the `times`-th time (2 or
    /// more). The game may change (Alapo removes two pieces) or be over (the result is then returned).
    fn on_occurrence(&mut self, times: u32) -> Option<Outcome> {
        Self::THIRD_OCCURRENCE.filter(|_| times >= 3)
    }
}
