//! Attacks: tables for the pieces that step, and the slides of many pieces at once.
//!
//! A Kogge-Stone fill (S. Cracraft and others, Chess Programming Wiki: Fill Algorithms) sends all sliders of
//! a side one way at the same time. Four ways fit the four lanes of a vector register, and no branch depends
//! on the position.

use crate::base::lines::{FILE_A, FILE_H};
use crate::base::{const_for, table};

/// A set for each of the four lines through a square: file, rising diagonal, falling diagonal, rank.
pub type Fan = [u64; 4];

/// By line: the change in the index of a square for one step, added going up and subtracted going down.
const STEP: Fan = [8, 9, 7, 1];
/// Squares that can be entered going up each line; the others would mean wrapping around the edge.
const UP: Fan = [!0, !FILE_A, !FILE_H, !FILE_A];
/// The same going down.
const DOWN: Fan = [!0, !FILE_H, !FILE_A, !FILE_H];

/// Index of the rising diagonal (a1-h8) in a [`Fan`].
pub const RISING: usize = 1;
/// Index of the falling diagonal (h1-a8) in a [`Fan`].
pub const FALLING: usize = 2;

/// The squares reached from `sources` going up each line (n, ne, nw, e) or down (s, sw, se, w), including the
/// first that is not `empty`.
#[inline(always)]
pub fn slide<const UPWARDS: bool>(sources: Fan, empty: u64) -> Fan {
    let shift = |set: u64, squares: u64| if UPWARDS { set << squares } else { set >> squares };
    let enterable = if UPWARDS { UP } else { DOWN };
    let mut reached = sources;
    let mut open = [0; 4];
    for line in 0..4 {
        open[line] = empty & enterable[line];
    }
    // One square on, then two more, then four more.
    for doubling in 0..3 {
        for line in 0..4 {
            reached[line] |= open[line] & shift(reached[line], STEP[line] << doubling);
        }
        for line in 0..4 {
            open[line] &= shift(open[line], STEP[line] << doubling);
        }
    }
    for line in 0..4 {
        reached[line] = shift(reached[line], STEP[line]) & enterable[line];
    }
    reached
}

/// How far a knight's jumps change the index of a square, and the squares such a jump may enter.
const JUMP: Fan = [6, 10, 15, 17];
const JUMP_UP: Fan = [!(FILE_H | FILE_H >> 1), !(FILE_A | FILE_A << 1), !FILE_H, !FILE_A];
const JUMP_DOWN: Fan = [!(FILE_A | FILE_A << 1), !(FILE_H | FILE_H >> 1), !FILE_A, !FILE_H];

/// The squares reached from `knights` by each of the four jumps up the board, and by the four down.
#[inline(always)]
pub fn jumps(knights: u64) -> (Fan, Fan) {
    let (mut up, mut down) = ([0; 4], [0; 4]);
    for jump in 0..4 {
        up[jump] = knights << JUMP[jump] & JUMP_UP[jump];
        down[jump] = knights >> JUMP[jump] & JUMP_DOWN[jump];
    }
    (up, down)
}

/// The union of the four sets of a fan.
#[inline(always)]
pub const fn union(fan: Fan) -> u64 {
    fan[0] | fan[1] | fan[2] | fan[3]
}

/// The squares one step ahead of `squares`, as seen by the colour.
#[inline(always)]
pub const fn ahead<const WHITE: bool>(squares: u64) -> u64 {
    if WHITE { squares << 8 } else { squares >> 8 }
}

/// Squares that pawns of the colour attack towards the a-file.
#[inline(always)]
pub const fn pawns_west<const WHITE: bool>(pawns: u64) -> u64 {
    (if WHITE { pawns << 7 } else { pawns >> 9 }) & !FILE_H
}

/// Squares that pawns of the colour attack towards the h-file.
#[inline(always)]
pub const fn pawns_east<const WHITE: bool>(pawns: u64) -> u64 {
    (if WHITE { pawns << 9 } else { pawns >> 7 }) & !FILE_A
}

/// The set itself and all squares next to it.
const fn around(set: u64) -> u64 {
    let row = set | (set << 1 & !FILE_A) | (set >> 1 & !FILE_H);
    row | row << 8 | row >> 8
}

/// Squares a king reaches on an empty board.
pub static KING: [u64; 64] = table!(square => around(1 << square) & !(1 << square));

/// Squares a knight reaches.
pub static KNIGHT: [u64; 64] = table!(square => {
    let (from, mut set) = (1_u64 << square, 0);
    const_for!(jump in 0..4 => {
        set |= from << JUMP[jump] & JUMP_UP[jump] | from >> JUMP[jump] & JUMP_DOWN[jump];
    });
    set
});

/// Squares a pawn attacks, by colour.
pub static PAWN: [[u64; 64]; 2] = [
    table!(square => pawns_west::<true>(1 << square) | pawns_east::<true>(1 << square)),
    table!(square => pawns_west::<false>(1 << square) | pawns_east::<false>(1 << square)),
];

/// For each line of a [`Fan`] and each square, the squares of that line through it.
pub static LINES: [[u64; 64]; 4] = table!(line => table!(square => {
    let mut set = 1_u64 << square;
    const_for!(_step in 0..7 => {
        set |= (set << STEP[line] & UP[line]) | (set >> STEP[line] & DOWN[line]);
    });
    set
}));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Rng, lines};

    #[test]
    fn slides_equal_the_lines_of_single_sliders() {
        let mut rng = Rng::new(3);
        for _ in 0..200 {
            let occupied = rng.bits() & rng.bits();
            for square in 0..64_u8 {
                let from = 1_u64 << square;
                let (up, down) = (slide::<true>([from; 4], !occupied), slide::<false>([from; 4], !occupied));
                assert_eq!(up[0] | down[0], lines::along_file(square, occupied));
                assert_eq!(up[3] | down[3], lines::along_rank(square, occupied));
                assert_eq!(
                    up[RISING] | down[RISING] | up[FALLING] | down[FALLING],
                    lines::along_diagonals(square, occupied)
                );
                for line in 0..4 {
                    assert_eq!((up[line] | down[line]) & !LINES[line][usize::from(square)], 0);
                }
            }
        }
    }

    #[test]
    fn steps_stay_on_the_board() {
        let distance = |a: usize, b: usize| ((a % 8).abs_diff(b % 8), (a / 8).abs_diff(b / 8));
        for from in 0..64 {
            let (up, down) = jumps(1 << from);
            assert_eq!(union(up) | union(down), KNIGHT[from]);
            for to in 0..64 {
                let hit = |table: u64| table >> to & 1 == 1;
                assert_eq!(hit(KNIGHT[from]), matches!(distance(from, to), (1, 2) | (2, 1)));
                assert_eq!(hit(KING[from]), matches!(distance(from, to), (0, 1) | (1, 0) | (1, 1)));
                assert_eq!(hit(PAWN[0][from]), distance(from, to) == (1, 1) && to > from);
                assert_eq!(hit(PAWN[1][from]), distance(from, to) == (1, 1) && to < from);
            }
        }
    }
}
