//! From syntax trees to states and decisions, and back.

use super::{Facts, Game, Rules, SetupError};
use crate::notation::{Leg, Legs, Position, parse_position};

/// Why a decision is not legal, where no better reason is known.
pub const NOT_LEGAL: &str = "it is not legal here";

/// Reads and writes positions and decisions.
pub trait Notation: Game {
    /// The games that are played with this type; several where they differ in what a state stores, not in
    /// code.
    const GAMES: &'static [&'static Facts];

    /// The facts of the game that is played.
    fn facts(&self) -> &'static Facts {
        Self::GAMES[0]
    }

    /// Reads a legal position of the game that `rules` belong to. Position strings always describe a position
    /// between turns.
    ///
    /// # Errors
    /// Names the field that is wrong, and why.
    fn read(position: &Position, rules: &Rules) -> Result<Self, SetupError>;

    /// The canonical position, with all fields. In the middle of a turn, it shows the board as it stands.
    fn write(&self) -> Position;

    /// The same position with White and Black exchanged, by the symmetry of the game. Not every position has
    /// such a twin (a first turn that only White has): then [`Notation::read`] refuses it.
    fn with_colors_exchanged(position: &Position) -> Position {
        position.with_colors_exchanged(false)
    }

    /// The same position with left and right exchanged; `None` where the rules of the game tell them apart.
    fn mirrored(_position: &Position) -> Option<Position> {
        None
    }

    /// The start position of the game that `rules` belong to. Override this where switches change it.
    fn start(rules: &Rules) -> Self {
        let named = |facts: &&&Facts| rules.game() == Some(facts.name);
        let facts = Self::GAMES.iter().find(named).unwrap_or(&Self::GAMES[0]);
        let position = parse_position(facts.start).expect("a start position is well formed");
        Self::read(&position, rules).expect("a start position is legal")
    }

    /// The canonical legs of a legal decision; empty for one that is not written (declining, stopping).
    fn legs(&self, decision: Self::Decision) -> Legs;

    /// How many of the `legs` at the front mean `decision`; 0 if they mean something else. Override this to
    /// read other spellings than the canonical one.
    fn reads(&self, decision: Self::Decision, legs: &[Leg]) -> usize {
        let own = self.legs(decision);
        if legs.starts_with(&own) { own.len() } else { 0 }
    }

    /// Reads a legal decision that is not in the list, and how many of the `legs` at the front it takes. It
    /// may be missing because an equal one is listed (another face of the die with the same result), or
    /// because it reveals more than the list does (a card that the reader need not know).
    fn reads_unlisted(&self, _legs: &[Leg]) -> Option<(Self::Decision, usize)> {
        None
    }

    /// Why no legal decision begins with `legs` (at least one): `your king would be in check`. Short, without
    /// a full stop. Where a move is to be decided, it is asked only of one that begins with a piece of the
    /// player and ends on another square of the board.
    fn explain(&self, _legs: &[Leg]) -> String {
        NOT_LEGAL.into()
    }

    /// Why the player who made `decision` here may not go on with `legs`: another actor decides next. `None`
    /// where it is enough to name that actor.
    fn explain_end(&self, _decision: Self::Decision, _legs: &[Leg]) -> Option<String> {
        None
    }
}
