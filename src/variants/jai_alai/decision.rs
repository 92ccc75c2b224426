//! What a player does in a turn.

use super::geometry::{DIRECTION, OFF, next};

/// One action (R9): a man moves, or a Statue is dropped. As R15 has it, told apart by where from, where to and what is
/// taken; only a Deer can take or spare a man from the same square, hence the flag.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Action(u16);

const AHEAD: u16 = 1 << 7;

impl Action {
    /// A man goes from `from` to `to` and takes whatever stands there. From `OFF` a Statue is dropped (R60).
    #[inline]
    pub const fn step(from: u8, to: u8) -> Self {
        Self((from as u16) << 8 | to as u16)
    }

    /// A Deer goes from `from` to `to` and takes the man on the next square of its line (R27).
    #[inline]
    pub const fn approach(from: u8, to: u8) -> Self {
        Self(Self::step(from, to).0 | AHEAD)
    }

    /// Where the man comes from; `None` for a drop.
    #[inline]
    pub const fn from(self) -> Option<u8> {
        let from = (self.0 >> 8) as u8;
        if from < OFF { Some(from) } else { None }
    }

    /// Where it goes.
    #[inline]
    pub const fn to(self) -> u8 {
        self.0 as u8 & 0x7f
    }

    /// The square of the man that a Deer takes by approach.
    #[inline]
    pub fn victim_ahead(self) -> Option<u8> {
        let from = self.from()?;
        if self.0 & AHEAD == 0 {
            return None;
        }
        Some(ahead(from, self.to()))
    }
}

/// The square behind `to` on the line from `from`, [`OFF`] at the edge.
#[inline]
pub fn ahead(from: u8, to: u8) -> u8 {
    let direction = usize::from(DIRECTION[usize::from(from)][usize::from(to)]);
    if direction < 8 { next(to, direction) } else { OFF }
}

impl From<Action> for u32 {
    fn from(action: Action) -> Self {
        Self::from(action.0)
    }
}
