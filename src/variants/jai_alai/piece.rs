//! The ten kinds of piece.

use super::PIECES;

/// A kind of piece (R4, R8).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Kind {
    /// R40: royal; captures its own pieces too.
    King,
    /// R42: moves like the King, but is not royal.
    Guard,
    /// R26: rebounds off any piece; immune to the Reducer.
    Superball,
    /// R24: a rook that captures only after a rebound off an own piece.
    Ball,
    /// R25: the same as a bishop.
    Diagball,
    /// R27: a queen that captures by approach.
    Deer,
    /// R30: a Gryphon of range three.
    Mage,
    /// R43: captures nothing and weakens the enemies next to it.
    Reducer,
    /// R20: the pawn; becomes a Superball.
    Boy,
    /// R44: dropped from the hand; never moves.
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

    /// The number of the kind: `Kind::ALL[kind.index()] == kind`.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter in position strings, in upper case.
    pub const fn letter(self) -> u8 {
        PIECES[self as usize].letter
    }

    /// The kind with this letter in either case, if there is one.
    pub fn from_letter(letter: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.letter() == letter.to_ascii_uppercase())
    }

    /// The name shown to users, such as `Superball`.
    pub const fn name(self) -> &'static str {
        PIECES[self as usize].name
    }

    /// The most pieces of this kind that one side may have on the board of a set-up position. It is the
    /// number at the start, and for Superballs the number if every Boy had promoted. Boys and Superballs
    /// together may not exceed that number either.
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
