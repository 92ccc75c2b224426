//! The field: 123 squares in the bits of a `u128`, and what can be reached from each.
//!
//! 0 to 2 are White's goal d1 e1 f1, 3 to 119 the field a2 to i14, 120 to 122 Black's goal d15 e15 f15 (R1,
//! R2). So `122 - square` is the square after a half turn of the field. All tables are computed at compile
//! time.

use crate::base::{Color, const_for, table};

/// A set of squares.
pub(super) type Squares = u128;

/// The number of files.
pub(super) const FILES: u8 = 9;
/// The number of rows, both goals included.
pub(super) const ROWS: u8 = 15;
/// The number of squares.
pub(super) const SQUARES: u8 = 123;
/// Stands for "no square". Its bit is in no set of squares, so nothing ever stands there.
pub(super) const NOWHERE: u8 = 127;

/// Every square.
pub(super) const ALL: Squares = (1 << SQUARES) - 1;
/// The three squares of each player's goal.
pub(super) const GOAL: [Squares; 2] = [0b111, 0b111 << 120];
/// Both goals.
pub(super) const GOALS: Squares = GOAL[0] | GOAL[1];
/// Each player's goal area and goal: the 13 squares of the Monkey (R3, R17).
pub(super) const HOME: [Squares; 2] = [home(1, 2, GOAL[0]), home(12, 13, GOAL[1])];

/// The up to eight neighbours (R4): steps of the Elephant, shots of the Horse.
pub(super) static NEIGHBOURS: [Squares; 128] = around(&RING);
/// The squares a knight's move away, whatever stands in between: shots of the Elephant.
pub(super) static LEAPS: [Squares; 128] = around(&KNIGHT);
/// The four neighbours along rank and file, which make a cluster (R32).
pub(super) static BESIDE: [Squares; 128] = around(&[(1, 0), (0, 1), (-1, 0), (0, -1)]);
/// The squares one to five away in the eight straight directions, goals excepted: where a ricochet may go
/// (R24).
pub(super) static FLIGHT: [Squares; 128] = flight();
/// The knight's moves one by one, with the squares that can block them. Missing ones have no target.
pub(super) static LEAPS_BETWEEN: [[Leap; 8]; 128] = leaps_between();

/// One knight's move.
#[derive(Clone, Copy)]
pub(super) struct Leap {
    /// The two squares between (R14). If one does not exist, the bit of [`NOWHERE`] stands for it, so that
    /// the two are never both occupied.
    pub(super) between: Squares,
    /// The square it leads to, as a set.
    pub(super) target: Squares,
}

/// The neighbours in a circle; each knight's move lies between two of them.
const RING: [(i8, i8); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
/// `KNIGHT[i]` passes between `RING[i]` and `RING[i + 1]` (R14).
const KNIGHT: [(i8, i8); 8] = [(2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1)];

/// The square on `file` (0 to 8) and `row` (0 to 14), or [`NOWHERE`].
pub(super) const fn square_at(file: i8, row: i8) -> u8 {
    if row == 0 && file >= 3 && file <= 5 {
        file as u8 - 3
    } else if row == 14 && file >= 3 && file <= 5 {
        117 + file as u8
    } else if row >= 1 && row <= 13 && file >= 0 && file <= 8 {
        row as u8 * 9 + file as u8 - 6
    } else {
        NOWHERE
    }
}

/// The file of a square, 0 for the a-file.
pub(super) const fn file_of(square: u8) -> u8 {
    match square {
        0..=2 => square + 3,
        120.. => square - 117,
        _ => (square + 6) % 9,
    }
}

/// The row of a square: 0 for the row of White's goal, 14 for the row of Black's.
pub(super) const fn row_of(square: u8) -> u8 {
    match square {
        0..=2 => 0,
        120.. => 14,
        _ => (square + 6) / 9,
    }
}

/// The set that holds only `square`.
#[inline]
pub(super) const fn bit(square: u8) -> Squares {
    1 << (square & 127)
}

/// True when `square` is in `set`.
#[inline]
pub(super) const fn has(set: Squares, square: u8) -> bool {
    set >> (square & 127) & 1 == 1
}

/// The entry of `table` for `square`.
#[inline]
pub(super) fn look<T: Copy>(table: &[T; 128], square: u8) -> T {
    table[usize::from(square & 127)]
}

/// The goal that `color` shoots at.
#[inline]
pub(super) const fn enemy_goal(color: Color) -> Squares {
    GOAL[1 - color.index()]
}

const fn home(low: i8, high: i8, goal: Squares) -> Squares {
    let mut set = goal;
    const_for!(file in 2..7 => { set |= bit(square_at(file, low)) | bit(square_at(file, high)); });
    set
}

const fn offset(square: u8, (files, rows): (i8, i8)) -> u8 {
    square_at(file_of(square) as i8 + files, row_of(square) as i8 + rows)
}

const fn around(offsets: &[(i8, i8)]) -> [Squares; 128] {
    let mut table = [0; 128];
    const_for!(square in 0..SQUARES => {
        const_for!(i in 0..offsets.len() => {
            table[square as usize] |= bit(offset(square, offsets[i])) & ALL;
        });
    });
    table
}

const fn flight() -> [Squares; 128] {
    let mut table = [0; 128];
    const_for!(distance in 1..6 => {
        let steps: [(i8, i8); 8] = table!(i => (RING[i].0 * distance, RING[i].1 * distance));
        let reached = around(&steps);
        const_for!(square in 0..128 => { table[square] |= reached[square] & !GOALS; });
    });
    table
}

const fn leaps_between() -> [[Leap; 8]; 128] {
    let mut table = [[Leap { between: 0, target: 0 }; 8]; 128];
    const_for!(square in 0..SQUARES => {
        table[square as usize] = table!(i => Leap {
            between: bit(offset(square, RING[i])) | bit(offset(square, RING[(i + 1) % 8])),
            target: bit(offset(square, KNIGHT[i])) & ALL,
        });
    });
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Bits;

    fn square(name: &str) -> u8 {
        let row: i8 = name[1..].parse().unwrap();
        square_at((name.as_bytes()[0] - b'a') as i8, row - 1)
    }

    fn names(set: Squares) -> Vec<String> {
        let name = |s| format!("{}{}", char::from(b'a' + file_of(s)), row_of(s) + 1);
        Bits(set).map(name).collect()
    }

    #[test]
    fn squares_are_numbered_without_gaps() {
        let mut next = 0;
        for row in 0..15 {
            for file in 0..9 {
                let at = square_at(file, row);
                if at != NOWHERE {
                    assert_eq!((at, file_of(at) as i8, row_of(at) as i8), (next, file, row));
                    next += 1;
                }
            }
        }
        assert_eq!(next, SQUARES);
        assert_eq!(square("e8"), 122 - square("e8"));
        for hole in ["a1", "b1", "c1", "g1", "h1", "i1", "a15", "b15", "c15", "g15", "h15", "i15"] {
            assert_eq!(square(hole), NOWHERE, "{hole}");
        }
    }

    #[test]
    fn goal_posts_are_plain_geometry() {
        // R4.
        assert_eq!(names(look(&NEIGHBOURS, square("d1"))), ["e1", "c2", "d2", "e2"]);
        assert_eq!(names(look(&NEIGHBOURS, square("f1"))), ["e1", "e2", "f2", "g2"]);
        assert_eq!(names(look(&NEIGHBOURS, square("e1"))), ["d1", "f1", "d2", "e2", "f2"]);
        assert_eq!(names(look(&NEIGHBOURS, square("e15"))), ["d14", "e14", "f14", "d15", "f15"]);
        assert_eq!(names(look(&LEAPS, square("d1"))), ["b2", "f2", "c3", "e3"]);
        assert_eq!(
            names(HOME[0]),
            ["d1", "e1", "f1", "c2", "d2", "e2", "f2", "g2", "c3", "d3", "e3", "f3", "g3"]
        );
    }

    #[test]
    fn squares_between_are_a_kings_step_from_both_ends() {
        // R14, from the other direction.
        for from in 0..SQUARES {
            let mut targets = 0;
            for leap in look(&LEAPS_BETWEEN, from).iter().filter(|leap| leap.target != 0) {
                let to = leap.target.trailing_zeros() as u8;
                let real = leap.between & ALL;
                assert_eq!(real, look(&NEIGHBOURS, from) & look(&NEIGHBOURS, to));
                assert_eq!(leap.between.count_ones(), 2);
                targets |= leap.target;
            }
            assert_eq!(targets, look(&LEAPS, from));
        }
    }
}
