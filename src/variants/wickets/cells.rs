//! The 66 cells and the lines between them: an 8x8 board with one cell more behind e1 and one behind e8.
//!
//! Cells 0 to 63 are a1 to h8 (a1 = 0, b1 = 1); 64 is e0 and 65 is e9, the wickets (R1). Movement runs
//! through the wickets as if they were ordinary squares of the e-file (R2), but nothing passes beyond one, so
//! every line between two cells lies on the 8x8 part and fits a `u64`.

use crate::base::{Color, const_for, lines, table};
use crate::notation::Coordinate;

/// The number of cells.
pub const CELLS: usize = 66;
/// Stands for "no cell": one more than the last.
pub const NOWHERE: u8 = 66;
/// A set of cells, the wickets included.
pub type Cells = u128;

/// The files of the board as it is printed.
pub const FILES: u8 = 8;
/// The ranks of the board as it is printed, 0 to 9.
pub const RANKS: u8 = 10;

/// The steps of the eight directions: files, ranks.
const WAYS: [(i8, i8); 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

const E_FILE: u64 = 0x1010_1010_1010_1010;

/// The wicket that `side` defends.
#[inline]
pub const fn wicket(side: Color) -> u8 {
    64 + side as u8
}

/// True for e0 and e9.
#[inline]
pub const fn is_wicket(cell: u8) -> bool {
    cell >= 64
}

/// The bit of a cell on the 8x8 part; 0 for a wicket and for [`NOWHERE`].
#[inline]
pub const fn bit(cell: u8) -> u64 {
    if cell < 64 { 1 << cell } else { 0 }
}

/// The set that holds one cell.
#[inline]
pub const fn one(cell: u8) -> Cells {
    1 << cell
}

/// The file of a cell, 0 for the a-file.
#[inline]
pub const fn file(cell: u8) -> u8 {
    if is_wicket(cell) { 4 } else { cell & 7 }
}

/// The rank of a cell as printed, 0 to 9.
#[inline]
pub const fn rank(cell: u8) -> u8 {
    match cell {
        64 => 0,
        65 => 9,
        _ => (cell >> 3) + 1,
    }
}

/// The cell on `file` (0 for a) and the printed `rank`, if there is one.
pub const fn cell_at(file: i8, rank: i8) -> Option<u8> {
    match (file, rank) {
        (4, 0) => Some(64),
        (4, 9) => Some(65),
        (0..=7, 1..=8) => Some((rank as u8 - 1) * 8 + file as u8),
        _ => None,
    }
}

/// The coordinate of a cell.
pub const fn coordinate(cell: u8) -> Coordinate {
    Coordinate::new(file(cell), rank(cell))
}

/// The cell at a coordinate, if there is one.
pub const fn from_coordinate(at: Coordinate) -> Option<u8> {
    if at.file > 15 || at.rank > 16 { None } else { cell_at(at.file as i8, at.rank as i8) }
}

/// The squares of the 8x8 part a king's step away.
pub static KING_STEPS: [u64; CELLS] = jumps(&WAYS);
/// The squares of the 8x8 part a knight's jump away.
pub static KNIGHT_JUMPS: [u64; CELLS] =
    jumps(&[(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)]);
/// The squares a pawn of each colour attacks; never a wicket (R3).
pub static PAWN_ATTACKS: [[u64; CELLS]; 2] = [jumps(&[(-1, 1), (1, 1)]), jumps(&[(-1, -1), (1, -1)])];
/// The squares strictly between two cells of one line; none when they are neighbours or on no line.
pub static BETWEEN: [[u64; CELLS]; CELLS] = between();
/// The squares on the diagonals of each wicket.
static WICKET_DIAGONALS: [u64; 2] = [wicket_diagonals(64), wicket_diagonals(65)];

const fn jumps(steps: &[(i8, i8)]) -> [u64; CELLS] {
    table!(from => {
        let mut set = 0;
        const_for!(step in 0..steps.len() => {
            let (files, ranks) = steps[step];
            let to = cell_at(file(from as u8) as i8 + files, rank(from as u8) as i8 + ranks);
            set |= if let Some(to) = to { bit(to) } else { 0 };
        });
        set
    })
}

const fn between() -> [[u64; CELLS]; CELLS] {
    let mut table = [[0; CELLS]; CELLS];
    const_for!(from in 0..CELLS => {
        const_for!(direction in 0..WAYS.len() => {
            let (files, ranks) = WAYS[direction];
            let (mut at_file, mut at_rank) = (file(from as u8) as i8 + files, rank(from as u8) as i8 + ranks);
            let mut passed = 0;
            while let Some(to) = cell_at(at_file, at_rank) {
                table[from][to as usize] = passed;
                passed |= bit(to);
                if is_wicket(to) {
                    break;
                }
                (at_file, at_rank) = (at_file + files, at_rank + ranks);
            }
        });
    });
    table
}

const fn wicket_diagonals(wicket: u8) -> u64 {
    let mut squares = 0;
    let ranks = if wicket == 64 { 1 } else { -1 };
    const_for!(distance in 1..5 => {
        const_for!(side in 0..2 => {
            let files = if side == 0 { -distance } else { distance };
            if let Some(square) = cell_at(4 + files, rank(wicket) as i8 + ranks * distance) {
                squares |= bit(square);
            }
        });
    });
    squares
}

/// The part of a line (`squares`, seen from a wicket) up to and including the first occupied square.
#[inline]
fn seen_from_wicket(wicket: u8, squares: u64, occupied: u64) -> u64 {
    let blockers = squares & occupied;
    if blockers == 0 {
        squares
    } else if wicket == 64 {
        // The lines of e0 run upwards: the lowest blocker is the nearest.
        squares & (blockers ^ (blockers - 1))
    } else {
        squares & (u64::MAX << (63 - blockers.leading_zeros()))
    }
}

const LEFT_OF_E: u64 = 0x0f0f_0f0f_0f0f_0f0f;

/// The squares of the 8x8 part a rook on `cell` attacks.
#[inline]
pub fn straight(cell: u8, occupied: u64) -> u64 {
    if cell < 64 { lines::orthogonal(cell, occupied) } else { seen_from_wicket(cell, E_FILE, occupied) }
}

/// The squares of the 8x8 part a bishop on `cell` attacks.
#[inline]
pub fn slanted(cell: u8, occupied: u64) -> u64 {
    if cell < 64 {
        lines::along_diagonals(cell, occupied)
    } else {
        let both = WICKET_DIAGONALS[usize::from(cell & 1)];
        seen_from_wicket(cell, both & LEFT_OF_E, occupied)
            | seen_from_wicket(cell, both & !LEFT_OF_E, occupied)
    }
}

/// True when a rook on `from` reaches the wicket `to`, occupied or not.
#[inline]
pub fn straight_into(from: u8, to: u8, occupied: u64) -> bool {
    let aligned = from < 64 && E_FILE & bit(from) != 0 || is_wicket(from) && from != to;
    aligned && BETWEEN[usize::from(from)][usize::from(to)] & occupied == 0
}

/// True when a bishop on `from` reaches the wicket `to`, occupied or not.
#[inline]
pub fn slanted_into(from: u8, to: u8, occupied: u64) -> bool {
    WICKET_DIAGONALS[usize::from(to & 1)] & bit(from) != 0
        && BETWEEN[usize::from(from)][usize::from(to)] & occupied == 0
}

/// The cells a queen's move away from `cell`, up to and including the first occupied one of each line.
pub fn queen_lines(cell: u8, occupied: u64) -> Cells {
    let mut reached = Cells::from(straight(cell, occupied) | slanted(cell, occupied));
    for wicket in [64, 65] {
        if straight_into(cell, wicket, occupied) || slanted_into(cell, wicket, occupied) {
            reached |= one(wicket);
        }
    }
    reached
}

/// The cells a king's step away from `cell`.
pub fn neighbours(cell: u8) -> Cells {
    let mut near = Cells::from(KING_STEPS[usize::from(cell)]);
    for wicket in [64, 65] {
        if KING_STEPS[usize::from(wicket)] & bit(cell) != 0 {
            near |= one(wicket);
        }
    }
    near
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Bits;

    fn names(cells: Cells) -> String {
        let name = |cell| coordinate(cell).to_string();
        Bits(cells).map(name).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn wickets_are_squares_of_the_e_file() {
        // The table of R2.
        assert_eq!(names(neighbours(64)), "d1 e1 f1");
        assert_eq!(names(neighbours(65)), "d8 e8 f8");
        assert_eq!(names(KNIGHT_JUMPS[64].into()), "c1 g1 d2 f2");
        assert_eq!(names(KNIGHT_JUMPS[65].into()), "d7 f7 c8 g8");
        assert_eq!(names(straight(64, 0).into()), "e1 e2 e3 e4 e5 e6 e7 e8");
        assert_eq!(names(slanted(64, 0).into()), "d1 f1 c2 g2 b3 h3 a4");
        assert_eq!(names(slanted(65, 0).into()), "a5 b6 h6 c7 g7 d8 f8");
        assert_eq!(names(neighbours(4)), "d1 f1 d2 e2 f2 e0");
        assert_eq!(names(queen_lines(64, 0) & !Cells::from(u64::MAX)), "e9");
        assert_eq!(names(queen_lines(65, bit(28)) & !Cells::from(u64::MAX)), "");
    }

    #[test]
    fn the_first_piece_on_a_line_ends_it() {
        let pieces = bit(12) | bit(28) | bit(44) | bit(10) | bit(49);
        assert_eq!(names(straight(64, pieces).into()), "e1 e2");
        assert_eq!(names(straight(65, pieces).into()), "e6 e7 e8");
        assert_eq!(names(slanted(64, pieces).into()), "d1 f1 c2 g2 h3");
        assert!(straight_into(44, 65, pieces) && !straight_into(28, 65, pieces));
        assert!(slanted_into(3, 64, pieces) && slanted_into(10, 64, pieces) && !slanted_into(17, 64, pieces));
    }
}
