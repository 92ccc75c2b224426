//! How men move (R3, R4).

use super::state::{LAST_ROW, ROW_BEFORE, State};
use crate::base::{Bits, Color};

pub(super) const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

/// The squares `men` of `color` look at: diagonally towards the a-file, straight ahead, diagonally towards the h-file;
/// each with what must be added to a square to come back.
#[inline]
pub(super) const fn ahead(men: u64, color: Color) -> [(u64, i8); 3] {
    let (inner_a, inner_h) = (men & !FILE_A, men & !FILE_H);
    match color {
        Color::White => [(inner_a << 7, -7), (men << 8, -8), (inner_h << 9, -9)],
        Color::Black => [(inner_a >> 9, 9), (men >> 8, 8), (inner_h >> 7, 7)],
    }
}

impl State {
    /// Calls `found` with the two squares of every move that ends on one of `targets`: straight ahead to a free square,
    /// diagonally to any without an own man.
    #[inline]
    pub(super) fn moves(&self, targets: u64, mut found: impl FnMut(u8, u8)) {
        let own = self.men[self.turn.index()];
        let taken = self.men[0] | self.men[1];
        for ((reached, back), barred) in ahead(own, self.turn).into_iter().zip([own, taken, own]) {
            Bits(reached & targets & !barred).for_each(|to| found(to.wrapping_add_signed(back), to));
        }
    }

    /// Captures and arrivals; of captures, while an enemy is about to arrive, only his.
    pub(super) fn noisy_targets(&self) -> u64 {
        let them = !self.turn;
        let enemies = self.men[them.index()];
        let threats = enemies & ROW_BEFORE[them.index()];
        LAST_ROW[self.turn.index()] | if threats == 0 { enemies } else { threats }
    }
}
