//! The 40 squares, their numbers, and which way is forward.
//!
//! The squares are numbered **with the flow** (R5): every forward line meets ever higher numbers, if 40 is
//! added to the numbers met after the last square. A zone has ten squares (R6), so a quarter turn (R7) adds
//! ten. If the order failed in this, the compiler would refuse the tables of `lines.rs`.

use crate::base::{Color, const_for};
use crate::notation::Coordinate;

/// The number of squares (R1).
pub const SQUARES: usize = 40;
/// The size of tables indexed by a square. A power of two saves the bounds check.
pub const SLOTS: usize = 64;

/// A set of squares, bit 0 for the first.
pub type Set = u64;
/// All squares.
pub const ALL: Set = (1 << SQUARES) - 1;

/// A square by its number, 0 to 39.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(u8);

/// File and rank, both 1 to 7 for places on the board.
pub type Place = (i8, i8);

/// The south zone in the order of the flow; the other three follow by quarter turns.
const SOUTH: [Place; 10] = [(7, 1), (6, 2), (6, 1), (5, 2), (5, 1), (4, 2), (4, 1), (3, 2), (3, 1), (2, 1)];

const PLACES: [Place; SLOTS] = {
    let mut places = [(0, 0); SLOTS];
    const_for!(index in 0..SQUARES => {
        places[index] = if index < 10 { SOUTH[index] } else { quarter_turn(places[index - 10]) };
    });
    places
};

const NUMBERS: [[u8; 8]; 8] = {
    let mut numbers = [[u8::MAX; 8]; 8];
    const_for!(index in 0..SQUARES => {
        let (file, rank) = PLACES[index];
        assert!(exists((file, rank)) && numbers[rank as usize][file as usize] == u8::MAX);
        numbers[rank as usize][file as usize] = index as u8;
    });
    numbers
};

/// R7: turns a place by a quarter turn of the board.
const fn quarter_turn((file, rank): Place) -> Place {
    (rank, 8 - file)
}

/// True for the squares of the board (R1): 7x7 without c3-e5.
pub const fn exists((file, rank): Place) -> bool {
    let inside = 1 <= file && file <= 7 && 1 <= rank && rank <= 7;
    let hole = 3 <= file && file <= 5 && 3 <= rank && rank <= 5;
    inside && !hole
}

/// True for the squares of the outer ring (R2).
pub const fn outer((file, rank): Place) -> bool {
    file == 1 || file == 7 || rank == 1 || rank == 7
}

/// True for the outer corners a1, a7, g7, g1 (R3).
pub const fn outer_corner((file, rank): Place) -> bool {
    (file == 1 || file == 7) && (rank == 1 || rank == 7)
}

/// R6: the forward direction of a piece that starts on this square.
pub const fn forward((file, rank): Place) -> Place {
    let south = (rank == 1 && file >= 2) || (rank == 2 && file >= 3 && file <= 6);
    let west = (file == 1 && rank <= 6) || (file == 2 && rank >= 2 && rank <= 5);
    let north = (rank == 7 && file <= 6) || (rank == 6 && file >= 2 && file <= 5);
    if south {
        (-1, 0)
    } else if west {
        (0, 1)
    } else if north {
        (1, 0)
    } else {
        (0, -1)
    }
}

impl Square {
    /// The square at `place`, which must exist.
    pub const fn at((file, rank): Place) -> Self {
        assert!(exists((file, rank)));
        Self(NUMBERS[rank as usize][file as usize])
    }

    /// The square numbered `number`, 0 to 39.
    #[inline]
    pub const fn new(number: u8) -> Self {
        Self(number)
    }

    /// The square at a coordinate; `None` when there is no such square.
    pub const fn named(name: Coordinate) -> Option<Self> {
        if name.file > 6 || name.rank > 7 {
            return None;
        }
        let place = (name.file as i8 + 1, name.rank as i8);
        if exists(place) { Some(Self::at(place)) } else { None }
    }

    /// The coordinate of the square.
    pub const fn name(self) -> Coordinate {
        let (file, rank) = self.place();
        Coordinate::new(file as u8 - 1, rank as u8)
    }

    /// The file and rank of the square.
    pub const fn place(self) -> Place {
        PLACES[self.index()]
    }

    /// The number of the square, below [`SLOTS`].
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// The set of this square alone.
    #[inline]
    pub const fn bit(self) -> Set {
        1 << (self.0 & 63)
    }

    /// The square a half turn away: where Black has what White has here (R7).
    pub const fn opposite(self) -> Self {
        Self((self.0 + 20) % SQUARES as u8)
    }

    /// The square as seen from the side of `color`: unchanged for White, a half turn away for Black.
    pub const fn seen_by(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => self.opposite(),
        }
    }
}

impl std::fmt::Display for Square {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (file, rank) = self.place();
        write!(f, "{}{rank}", char::from(b'a' - 1 + file as u8))
    }
}

/// The set of the squares at `places`.
pub const fn set(places: &[Place]) -> Set {
    let mut set = 0;
    const_for!(index in 0..places.len() => { set |= Square::at(places[index]).bit(); });
    set
}

/// R31: the squares on which each colour's pawns promote.
pub const PROMOTION: [Set; 2] = [set(&[(5, 6), (5, 7)]), set(&[(3, 1), (3, 2)])];
/// R36: the square on which each colour's king wins.
pub const THRONE: [Square; 2] = [Square::at((4, 6)), Square::at((4, 2))];
/// R36: a step from the first set to the second sets a king's clockwise mark; a step back clears it.
const LINE: [[Set; 2]; 2] =
    [[set(&[(4, 1), (4, 2)]), set(&[(3, 1), (3, 2)])], [set(&[(4, 7), (4, 6)]), set(&[(5, 7), (5, 6)])]];

/// True when a king of `color` has its clockwise mark after a step (R36). `marked` says whether it had the
/// mark before.
#[inline]
pub const fn mark_after(color: Color, marked: bool, from: Square, to: Square) -> bool {
    let [before, behind] = LINE[color.index()];
    // Most steps are nowhere near that line.
    if from.bit() & (before | behind) == 0 {
        return marked;
    }
    let on = from.bit() & before != 0 && to.bit() & behind != 0;
    let off = from.bit() & behind != 0 && to.bit() & before != 0;
    (marked || on) && !off
}
