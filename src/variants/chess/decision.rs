//! A move in sixteen bits.

use super::board::Kind;
use crate::variants::chessboard::coordinate;
use std::fmt;

/// One move: from a square to a square, and what a pawn becomes. Castling is the king's move of two squares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Decision(u16);

impl Decision {
    /// A move without promotion; squares are 0 (a1) to 63 (h8).
    #[inline]
    pub const fn step(from: u8, to: u8) -> Self {
        Self(from as u16 & 63 | (to as u16 & 63) << 6)
    }

    /// A pawn's move to the last rank.
    #[inline]
    pub const fn promotion(from: u8, to: u8, kind: Kind) -> Self {
        Self(Self::step(from, to).0 | (kind as u16) << 12)
    }

    /// Where the man stands.
    #[inline]
    pub const fn from(self) -> u8 {
        self.0 as u8 & 63
    }

    /// Where it goes.
    #[inline]
    pub const fn to(self) -> u8 {
        (self.0 >> 6) as u8 & 63
    }

    /// The code of what a pawn becomes, 0 for nothing.
    #[inline]
    pub(super) const fn promotion_code(self) -> usize {
        (self.0 >> 12) as usize & 7
    }

    /// What a pawn becomes.
    pub const fn promoted(self) -> Option<Kind> {
        Kind::with_code(self.promotion_code())
    }
}

impl From<Decision> for u32 {
    fn from(decision: Decision) -> Self {
        decision.0.into()
    }
}

/// As it is written in a turn: `e2e4`, `e7e8q`.
impl fmt::Debug for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", coordinate(self.from()), coordinate(self.to()))?;
        match self.promoted() {
            Some(kind) => write!(f, "{}", char::from(kind.letter())),
            None => Ok(()),
        }
    }
}
