//! Zobrist keys of chess.

use super::state::NO_SQUARE;
use crate::base::{key_for, key_table};

/// The first of the streams of [`key_for`] that belong to chess.
const STREAM: u64 = 0x6368_6573_7300;

/// By colour times 8 plus code, then by square. Zero where the code means no man, so that looking up needs no branch.
pub static MEN: [[u64; 64]; 16] = {
    let mut table = [[0; 64]; 16];
    let mut man = 0;
    while man < 16 {
        if man % 8 >= 1 && man % 8 <= 6 {
            table[man] = key_table(STREAM + 1 + man as u64);
        }
        man += 1;
    }
    table
};

/// By the four castling rights as bits.
pub static RIGHTS: [u64; 16] = {
    let mut table = [0; 16];
    let mut rights = 0;
    while rights < 16 {
        let mut right = 0;
        while right < 4 {
            if rights >> right & 1 == 1 {
                table[rights] ^= key_for(STREAM + 32, right);
            }
            right += 1;
        }
        rights += 1;
    }
    table
};

/// By the square on which a pawn can be taken in passing; 0 for none.
pub static EN_PASSANT: [u64; NO_SQUARE as usize + 1] = {
    let mut table = key_table(STREAM + 33);
    table[NO_SQUARE as usize] = 0;
    table
};

/// Black is to move.
pub const BLACK_TO_MOVE: u64 = key_for(STREAM + 34, 0);

/// The clock enters the key once the fifty-move rule comes within the reach of a search.
pub const fn clock(clock: u16) -> u64 {
    if clock < 80 { 0 } else { key_for(STREAM + 35, clock as u64) }
}
