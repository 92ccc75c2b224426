//! A move in sixteen bits.

use super::board::Kind;
use crate::variants::chessboard::coordinate;
use std::fmt;

/// One move: from, to, and the kind a pawn promotes to. Castling is the king's move of two squares, or in
/// Chess960 its move onto its own rook.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Decision(u16);

impl Decision {
    /// A move without promotion; squares are 0 (a1) to 63 (h8).
    #[inline]
    pub const fn step(from: u8, to: u8) -> Self {
        Self(from as u16 & 63 | (to as u16 & 63) << 6)
    }

    /// A pawn's move to the last rank, where it becomes `kind`.
    #[inline]
    pub const fn promotion(from: u8, to: u8, kind: Kind) -> Self {
        Self(Self::step(from, to).0 | (kind as u16) << 12)
    }

    /// The square the piece leaves (0 to 63).
    #[inline]
    pub const fn from(self) -> u8 {
        self.0 as u8 & 63
    }

    /// The square the piece goes to (0 to 63).
    #[inline]
    pub const fn to(self) -> u8 {
        (self.0 >> 6) as u8 & 63
    }

    /// The code of the kind a pawn promotes to; 0 for no promotion.
    #[inline]
    pub(super) const fn promotion_code(self) -> usize {
        (self.0 >> 12) as usize & 7
    }

    /// The kind a pawn promotes to; `None` when the move is no promotion.
    pub const fn promoted(self) -> Option<Kind> {
        Kind::with_code(self.promotion_code())
    }
}

impl From<Decision> for u32 {
    fn from(decision: Decision) -> Self {
        decision.0.into()
    }
}

/// As in move text: `e2e4`, `e7e8q`.
impl fmt::Debug for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", coordinate(self.from()), coordinate(self.to()))?;
        match self.promoted() {
            Some(kind) => write!(f, "{}", char::from(kind.letter())),
            None => Ok(()),
        }
    }
}
