//! The decision of a turn: one action.

use super::geometry::{DIRECTION, OFF, next};

/// One action (R9): a piece moves, or a Statue is dropped. Actions differ by origin, target and what is
/// captured (R15). Only a Deer can capture or spare a piece from the same square, hence the flag.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Action(u16);

const AHEAD: u16 = 1 << 7;

impl Action {
    /// A piece goes from `from` to `to` and captures whatever stands there. From `OFF` a Statue is dropped
    /// (R60).
    #[inline]
    pub const fn step(from: u8, to: u8) -> Self {
        Self((from as u16) << 8 | to as u16)
    }

    /// A Deer goes from `from` to `to` and captures the piece on the next square of its line (R27).
    #[inline]
    pub const fn approach(from: u8, to: u8) -> Self {
        Self(Self::step(from, to).0 | AHEAD)
    }

    /// The square the piece leaves; `None` for a drop.
    #[inline]
    pub const fn from(self) -> Option<u8> {
        let from = (self.0 >> 8) as u8;
        if from < OFF { Some(from) } else { None }
    }

    /// The square the piece goes to.
    #[inline]
    pub const fn to(self) -> u8 {
        self.0 as u8 & 0x7f
    }

    /// The square of the piece that a Deer captures by approach; `None` for any other action.
    #[inline]
    pub fn victim_ahead(self) -> Option<u8> {
        let from = self.from()?;
        if self.0 & AHEAD == 0 {
            return None;
        }
        Some(ahead(from, self.to()))
    }
}

/// The square behind `to` on the line from `from`; [`OFF`] beyond the edge.
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
