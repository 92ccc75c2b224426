//! What stands where, in bitboards whose meaning only the game knows.

use crate::base::Bits;

/// What stands on up to 64 squares, in as many bitboards as the game says; the others are empty. Bit n of all
/// of them together, the first the lowest, is the code of what stands on square n: 0 where that is no input of
/// the network.
pub type Planes = [u64; 6];

/// The squares on which two boards of so many bitboards differ.
#[inline]
pub(super) fn difference(count: usize, one: &Planes, other: &Planes) -> u64 {
    (0..count).fold(0, |squares, plane| squares | (one[plane] ^ other[plane]))
}

/// The codes of what stands on the squares of `set`, each with its square.
#[inline]
pub(super) fn placed(count: usize, board: &Planes, set: u64) -> impl Iterator<Item = (usize, u8)> {
    let occupied = (0..count).fold(0, |all, plane| all | board[plane]);
    Bits(set & occupied).map(move |square| {
        let bit = |plane: usize| (board[plane] >> square & 1) as usize;
        ((0..count).fold(0, |code, plane| code | bit(plane) << plane), square)
    })
}
