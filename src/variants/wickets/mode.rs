//! The six ways of deciding whether a wicket is taken (R51), each a type.

use super::cards::{Cards, NoCards, Pack};
use super::facts;
use crate::game::Facts;
use std::fmt::Debug;

/// What decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deciding {
    /// Nothing but the Defender's view; if it sees, so many pieces must be given up (R66, R69).
    Sacrifice(u8),
    /// A die (R65).
    Die,
    /// Cards (R62).
    Cards,
}

/// One of the six ways.
pub trait Mode: Copy + Eq + Debug + Send + Sync + 'static {
    /// What a state carries of the pack.
    type Pack: Pack;
    /// What decides.
    const DECIDING: Deciding;
    /// True when a failed attempt may be made once more (R67, R68).
    const SECOND_CHANCE: bool;
    /// Names, start and switches.
    const FACTS: &'static Facts;
}

macro_rules! modes {
    ($($name:ident $pack:ident $deciding:expr, $second:literal, $facts:ident, $doc:literal;)*) => {$(
        #[doc = $doc]
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $name;

        impl Mode for $name {
            type Pack = $pack;
            const DECIDING: Deciding = $deciding;
            const SECOND_CHANCE: bool = $second;
            const FACTS: &'static Facts = &facts::$facts;
        }
    )*};
}

modes! {
    Deterministic NoCards Deciding::Sacrifice(3), false, DETERMINISTIC, "R66: three pieces for a wicket that is seen.";
    DeterministicTwo NoCards Deciding::Sacrifice(2), false, DETERMINISTIC_TWO, "R69: two pieces for a wicket that is seen.";
    Dice NoCards Deciding::Die, false, DICE, "R65: one roll of a die.";
    DiceTwo NoCards Deciding::Die, true, DICE_TWO, "R68: a second roll for the sacrifice of a piece.";
    CardGame Cards Deciding::Cards, false, CARD_GAME, "R62: one contest with cards.";
    CardGameTwo Cards Deciding::Cards, true, CARD_GAME_TWO, "R67: a second contest after a failed one.";
}
