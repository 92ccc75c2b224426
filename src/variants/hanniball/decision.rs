//! A player's decision: one step, or to stop.

use super::field::NOWHERE;

/// A step (R12), or the end of the turn, in 16 bits: two for the type, twice seven for squares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step(u16);

/// The meaning of a [`Step`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Deed {
    /// A piece moves and takes the Ball along if it has it.
    Go {
        /// The square the piece leaves.
        from: u8,
        /// The square the piece goes to.
        to: u8,
    },
    /// A piece moves and leaves the Ball behind.
    Leave {
        /// The square the piece leaves.
        from: u8,
        /// The square the piece goes to.
        to: u8,
    },
    /// The Ball is shot.
    Shoot {
        /// The square where it lands first. A Monkey stands there, unless it is `to`.
        first: u8,
        /// The square where it comes to rest.
        to: u8,
    },
    /// The enemy piece on this square is sent off (R33).
    SendOff(u8),
    /// The turn ends.
    Stop,
}

impl Step {
    /// The end of the turn.
    pub(super) const STOP: Self = Self::new(3, NOWHERE, NOWHERE);

    const fn new(sort: u16, a: u8, b: u8) -> Self {
        Self(sort << 14 | (a as u16) << 7 | b as u16)
    }

    #[inline]
    pub(super) const fn go(from: u8, to: u8) -> Self {
        Self::new(0, from, to)
    }

    #[inline]
    pub(super) const fn leave(from: u8, to: u8) -> Self {
        Self::new(1, from, to)
    }

    /// A shot that lands on `first` and comes to rest on `to`: the same square, unless a Monkey stands on
    /// `first`.
    #[inline]
    pub(super) const fn shoot(first: u8, to: u8) -> Self {
        Self::new(2, first, to)
    }

    #[inline]
    pub(super) const fn send_off(at: u8) -> Self {
        Self::new(3, at, at)
    }

    /// True for the removal of an enemy piece.
    #[inline]
    pub(super) const fn is_penalty(self) -> bool {
        self.0 >> 14 == 3 && self.0 != Self::STOP.0
    }

    #[inline]
    pub(super) const fn deed(self) -> Deed {
        let (a, b) = ((self.0 >> 7 & 127) as u8, (self.0 & 127) as u8);
        match self.0 >> 14 {
            0 => Deed::Go { from: a, to: b },
            1 => Deed::Leave { from: a, to: b },
            2 => Deed::Shoot { first: a, to: b },
            _ if a == NOWHERE => Deed::Stop,
            _ => Deed::SendOff(a),
        }
    }
}

impl From<Step> for u32 {
    fn from(step: Step) -> Self {
        Self::from(step.0)
    }
}

impl std::fmt::Debug for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.deed().fmt(f)
    }
}
