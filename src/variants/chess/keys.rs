//! Zobrist keys of chess.

use super::state::NO_SQUARE;
use crate::base::{const_for, key_for, key_table, table};

/// The first of the key streams of chess (see [`key_for`]).
const STREAM: u64 = 0x6368_6573_7300;

/// Indexed by colour times 8 plus code, then by square. Zero for a code that is no piece, so that the lookup
/// needs no branch.
pub static PIECES: [[u64; 64]; 16] = table!(piece => match piece % 8 {
    1..=6 => key_table(STREAM + 1 + piece as u64),
    _ => [0; 64],
});

/// Indexed by the four castling rights as bits.
pub static RIGHTS: [u64; 16] = table!(rights => {
    let mut key = 0;
    const_for!(right in 0..4 => {
        if rights >> right & 1 == 1 {
            key ^= key_for(STREAM + 32, right);
        }
    });
    key
});

/// Indexed by the en passant square; 0 for none.
pub static EN_PASSANT: [u64; NO_SQUARE as usize + 1] = {
    let mut table = key_table(STREAM + 33);
    table[NO_SQUARE as usize] = 0;
    table
};

/// In the key when Black is to move.
pub const BLACK_TO_MOVE: u64 = key_for(STREAM + 34, 0);

/// The key of the fifty-move clock. It is 0 until the clock reaches 80: only then is the fifty-move rule
/// within reach of a search.
pub const fn clock(clock: u16) -> u64 {
    if clock < 80 { 0 } else { key_for(STREAM + 35, clock as u64) }
}
