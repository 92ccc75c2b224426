//! Zobrist keys of chess, and those of parts of the board.

use super::board::{Board, Kind};
use super::state::NO_SQUARE;
use crate::base::{const_for, key_for, key_table, mixed, table};

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

/// Keys of the pawns, and of the pieces of either colour.
#[inline]
pub fn for_correction(board: &Board) -> [u64; 3] {
    let [low, middle, high, black] = board.planes();
    let pawns = board.all(Kind::Pawn);
    let pieces = |own: u64| mixed([low & own, middle & own, high & own]);
    [mixed([pawns & !black, pawns & black, 0]), pieces(!pawns & !black), pieces(!pawns & black)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::chess::tests::testing::state;

    #[test]
    fn each_key_for_corrections_depends_on_its_part_alone() {
        let keys = |text| for_correction(state(text).board());
        let before = keys("4k3/pp1q4/8/8/8/5N2/PP6/4K3 w - - 0 1");
        let differ = |text| {
            let now = keys(text);
            [0, 1, 2].map(|part| now[part] != before[part])
        };
        assert_eq!(differ("4k3/pp1q4/8/8/8/5N2/PP6/4K3 b - - 9 20"), [false, false, false]);
        assert_eq!(differ("4k3/pp1q4/8/8/8/P4N2/1P6/4K3 b - - 0 1"), [true, false, false]);
        assert_eq!(differ("4k3/pp1q4/8/4N3/8/8/PP6/4K3 b - - 0 1"), [false, true, false]);
        assert_eq!(differ("5k2/pp1q4/8/8/8/5N2/PP6/4K3 w - - 0 1"), [false, false, true]);
        assert_eq!(differ("4k3/pp1r4/8/8/8/5N2/PP6/4K3 w - - 0 1"), [false, false, true]);
    }
}
