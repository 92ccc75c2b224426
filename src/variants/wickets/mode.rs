//! The six ways of deciding whether a wicket is taken (R51). They are data of the state, so that everything
//! generic over games is compiled for one type and not for six.

use super::facts;
use crate::game::{Facts, Rules};

/// The means by which a wicket is decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deciding {
    /// Only the Defender's view. If it sees, this many pieces must be given up (R66, R69).
    Sacrifice(u8),
    /// A roll of a die (R65).
    Die,
    /// A contest with cards (R62).
    Cards,
}

/// One of the six ways of deciding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// R66: three pieces for a wicket that is seen.
    Deterministic,
    /// R69: two pieces for a wicket that is seen.
    DeterministicTwo,
    /// R65: one roll of a die.
    Dice,
    /// R68: a second roll for the sacrifice of a piece.
    DiceTwo,
    /// R62: one contest with cards.
    Cards,
    /// R67: a second contest after a failed one.
    CardsTwo,
}

impl Mode {
    /// All modes, in the order in which the games are listed.
    pub const ALL: [Self; 6] =
        [Self::Deterministic, Self::DeterministicTwo, Self::Dice, Self::DiceTwo, Self::Cards, Self::CardsTwo];

    /// The mode of the game whose rules are `rules`.
    pub(super) fn of(rules: &Rules) -> Self {
        let is_it = |mode: &Self| rules.game() == Some(mode.facts().name);
        Self::ALL.into_iter().find(is_it).unwrap_or(Self::Deterministic)
    }

    /// The means by which a wicket is decided.
    pub const fn deciding(self) -> Deciding {
        match self {
            Self::Deterministic => Deciding::Sacrifice(3),
            Self::DeterministicTwo => Deciding::Sacrifice(2),
            Self::Dice | Self::DiceTwo => Deciding::Die,
            Self::Cards | Self::CardsTwo => Deciding::Cards,
        }
    }

    /// True when a failed attempt may be made once more (R67, R68).
    pub const fn second_chance(self) -> bool {
        matches!(self, Self::DiceTwo | Self::CardsTwo)
    }

    /// The names, start position and switches of the game.
    pub fn facts(self) -> &'static Facts {
        facts::ALL[self as usize]
    }
}
