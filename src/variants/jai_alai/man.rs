//! The ten kinds of men.

use super::MEN;

/// A kind of man (R4, R8).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Kind {
    /// R40: royal, eats its own men too.
    King,
    /// R42: a king without a crown.
    Guard,
    /// R26: rebounds off any man; immune to the Reducer.
    Superball,
    /// R24: a rook that takes only after a rebound off a friend.
    Ball,
    /// R25: the bishop of that sort.
    Diagball,
    /// R27: a queen that takes by approach.
    Deer,
    /// R30: a Gryphon of range three.
    Mage,
    /// R43: takes nothing and weakens the enemies next to it.
    Reducer,
    /// R20: the pawn, becomes a Superball.
    Boy,
    /// R44: dropped from hand, never moves.
    Statue,
}

impl Kind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [Self; 10] = [
        Self::King,
        Self::Guard,
        Self::Superball,
        Self::Ball,
        Self::Diagball,
        Self::Deer,
        Self::Mage,
        Self::Reducer,
        Self::Boy,
        Self::Statue,
    ];

    /// Its number: `Kind::ALL[kind.index()] == kind`.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter in position strings, upper case.
    pub const fn letter(self) -> u8 {
        MEN[self as usize].letter
    }

    /// The kind of a letter in either case.
    pub fn from_letter(letter: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.letter() == letter.to_ascii_uppercase())
    }

    /// The name for people.
    pub const fn name(self) -> &'static str {
        MEN[self as usize].name
    }

    /// How many of them one side may have on the board in a position that is set up: those of the first position, the
    /// Superball's number as if every Boy had been promoted. Boys and Superballs together must not pass that either.
    pub const fn most(self) -> u32 {
        match self {
            Self::King | Self::Reducer => 1,
            Self::Guard | Self::Ball | Self::Diagball | Self::Deer | Self::Mage => 2,
            Self::Boy => 6,
            Self::Superball => 7,
            Self::Statue => 4,
        }
    }

    /// True when an enemy Reducer next to it changes what it can do (R50, R51).
    pub const fn can_be_reduced(self) -> bool {
        !matches!(self, Self::King | Self::Superball | Self::Guard | Self::Statue)
    }
}
