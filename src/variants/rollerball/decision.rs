//! A move as a number.

use super::square::Square;
use super::state::Kind;

/// A move: from, to, and the kind a pawn promotes to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

impl Move {
    #[inline]
    pub(super) const fn new(from: Square, to: Square) -> Self {
        Self((from.index() | to.index() << 6) as u16)
    }

    #[inline]
    pub(super) const fn promoting(from: Square, to: Square, promotion: Kind) -> Self {
        Self(Self::new(from, to).0 | (promotion as u16) << 12)
    }

    #[inline]
    pub(super) const fn from(self) -> Square {
        Square::new((self.0 & 63) as u8)
    }

    #[inline]
    pub(super) const fn to(self) -> Square {
        Square::new((self.0 >> 6 & 63) as u8)
    }

    /// The kind a pawn promotes to (R31), if it promotes.
    #[inline]
    pub(super) const fn promotion(self) -> Option<Kind> {
        match self.0 >> 12 {
            0 => None,
            1 => Some(Kind::Rook),
            _ => Some(Kind::Bishop),
        }
    }
}

impl From<Move> for u32 {
    fn from(decision: Move) -> Self {
        Self::from(decision.0)
    }
}

impl std::fmt::Debug for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        self.promotion().map_or(Ok(()), |p| write!(f, "{}", char::from(p.letter().to_ascii_lowercase())))
    }
}
