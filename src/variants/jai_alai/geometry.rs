//! The 9 by 8 board (R1) in the low 72 bits of a `u128`: a1 = 0, i1 = 8, a2 = 9, i8 = 71. All tables are
//! computed at compile time.

use crate::base::{Color, const_for, table};

/// The number of files.
pub const FILES: u8 = 9;
/// The number of ranks.
pub const RANKS: u8 = 8;
/// The number of squares.
pub const SQUARES: usize = 72;
/// Stands for "no square".
pub const OFF: u8 = 72;
/// The set of all squares.
pub const FULL: u128 = (1 << SQUARES) - 1;

/// The file and rank steps of the eight directions, clockwise: north, east, south, west, then north-east to
/// north-west. For right angles see [`turns`].
const STEPS: [(i8, i8); 8] = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)];
/// The same as differences of square numbers.
const OFFSETS: [i8; 8] = [9, 1, -9, -1, 10, -8, -10, 8];

/// The two directions at a right angle to `direction`, orthogonal ones for orthogonal, diagonal ones for
/// diagonal.
#[inline]
pub const fn turns(direction: usize) -> [usize; 2] {
    let family = direction & 4;
    [family | ((direction + 1) & 3), family | ((direction + 3) & 3)]
}

/// The two orthogonal directions a diagonal one leans to: north-east goes on to the north or to the east
/// (R30).
#[inline]
pub const fn outward(diagonal: usize) -> [usize; 2] {
    [diagonal & 3, (diagonal + 1) & 3]
}

/// The set of one square; empty for [`OFF`].
#[inline]
pub const fn bit(square: u8) -> u128 {
    (1 << square) & FULL
}

const fn walk(square: u8, steps: (i8, i8)) -> u8 {
    if square == OFF {
        return OFF;
    }
    let file = (square % FILES) as i8 + steps.0;
    let rank = (square / FILES) as i8 + steps.1;
    if file < 0 || rank < 0 || file >= FILES as i8 || rank >= RANKS as i8 {
        OFF
    } else {
        (rank * 9 + file) as u8
    }
}

/// The next square in each direction, or [`OFF`]. The last entry is for [`OFF`] itself.
static NEXT: [[u8; SQUARES + 1]; 8] =
    table!(direction => table!(square => walk(square as u8, STEPS[direction])));

/// The next square in `direction`; [`OFF`] beyond the edge and from [`OFF`].
#[inline]
pub fn next(square: u8, direction: usize) -> u8 {
    NEXT[direction][usize::from(square)]
}

/// The square before `square` on a line in `direction`. There must be one.
#[inline]
pub const fn back(square: u8, direction: usize) -> u8 {
    square.wrapping_add_signed(-OFFSETS[direction])
}

/// All squares in each direction from each square. The extra, last entry is empty; it is used for a ray that
/// meets no piece.
static RAYS: [[u128; SQUARES + 1]; 8] = rays();

const fn rays() -> [[u128; SQUARES + 1]; 8] {
    table!(direction => table!(square => {
        let (mut ray, mut at) = (0, walk(square as u8, STEPS[direction]));
        while at != OFF {
            ray |= bit(at);
            at = walk(at, STEPS[direction]);
        }
        ray
    }))
}

/// The squares from `from` in `direction` up to and including the first of `occupied`.
#[inline]
pub fn slide(from: u8, direction: usize, occupied: u128) -> u128 {
    let ray = RAYS[direction][usize::from(from)];
    let met = ray & occupied;
    // Nothing is reached behind the first piece met. The added bit stands for "no piece": its ray is empty.
    let first = if OFFSETS[direction] > 0 {
        (met | 1 << OFF).trailing_zeros()
    } else {
        127 - (met | 1).leading_zeros()
    };
    ray ^ RAYS[direction][first as usize]
}

/// For each square, the squares that are one of `steps` away.
const fn leaps(steps: &[(i8, i8)]) -> [u128; SQUARES] {
    table!(square => {
        let mut set = 0;
        const_for!(index in 0..steps.len() => { set |= bit(walk(square as u8, steps[index])); });
        set
    })
}

/// The adjacent squares (R11).
pub static ADJACENT: [u128; SQUARES] = leaps(&STEPS);
/// The orthogonally adjacent squares.
pub static BESIDE: [u128; SQUARES] = leaps(STEPS.split_at(4).0);
/// The diagonally adjacent squares.
pub static CORNERS: [u128; SQUARES] = leaps(STEPS.split_at(4).1);
/// The squares where a Boy of each colour captures (R20).
pub static BOY_TAKES: [[u128; SQUARES]; 2] = [leaps(&[(-1, 1), (1, 1)]), leaps(&[(-1, -1), (1, -1)])];
/// The squares to which a Boy of each colour moves by one step (R20).
pub static BOY_STEPS: [[u128; SQUARES]; 2] = [
    leaps(&[(-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0)]),
    leaps(&[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0)]),
];
/// All squares a Mage-Apprentice reaches on an empty board (R31): one file and up to three ranks away, or the
/// reverse.
pub static MAGE_AREA: [u128; SQUARES] = table!(square => {
    let mut area = 0;
    const_for!(step in 0..49 => {
        let (files, ranks) = (step % 7 - 3, step / 7 - 3);
        if files == 1 || files == -1 || ranks == 1 || ranks == -1 {
            area |= if files == 0 || ranks == 0 { 0 } else { bit(walk(square as u8, (files, ranks))) };
        }
    });
    area
});
/// All squares on the eight lines of a square.
pub static LINES: [u128; SQUARES] = {
    let rays = rays();
    table!(square => {
        let mut lines = 0;
        const_for!(direction in 0..8 => { lines |= rays[direction][square]; });
        lines
    })
};

/// The direction from the first square to the second; 8 if no line joins them.
pub static DIRECTION: [[u8; SQUARES]; SQUARES] = {
    let rays = rays();
    table!(from => table!(to => {
        let mut found = 8;
        const_for!(direction in 0..8 => {
            if rays[direction as usize][from] & bit(to as u8) != 0 {
                found = direction;
            }
        });
        found
    }))
};

/// The squares strictly between two squares of one line; none if no line joins them.
#[inline]
pub fn between(a: u8, b: u8) -> u128 {
    let there = usize::from(DIRECTION[usize::from(a)][usize::from(b)]);
    let back = usize::from(DIRECTION[usize::from(b)][usize::from(a)]);
    if there == 8 { 0 } else { RAYS[there][usize::from(a)] & RAYS[back][usize::from(b)] }
}

/// The squares a Mage-Apprentice on `from` passes on its way to `to`, which must lie in its [`MAGE_AREA`]
/// (R30).
#[inline]
pub fn mage_path(from: u8, to: u8) -> u128 {
    let files = (to % FILES) as i8 - (from % FILES) as i8;
    let ranks = (to / FILES) as i8 - (from / FILES) as i8;
    let far = if files.abs() > ranks.abs() { files.signum() } else { 9 * ranks.signum() };
    let corner = from as i8 + files.signum() + 9 * ranks.signum();
    match files.abs().max(ranks.abs()) {
        1 => 0,
        2 => bit(corner as u8),
        _ => bit(corner as u8) | bit((corner + far) as u8),
    }
}

/// One path of a rebounding piece to a victim (R16, R17).
#[derive(Clone, Copy)]
pub struct Rebound {
    /// The squares that must be empty: the first leg with its turning square, and the second leg.
    pub path: u128,
    /// The square of the wall, next to the turning square. The empty set if this path does not exist.
    pub wall: u128,
}

/// For each square of a victim and each square of a Ball or Superball: the two paths of a capture by a
/// rebound whose first leg is at least one square long. There are never more than two: a first leg along the
/// rank must turn on the victim's file, one along the file on its rank.
pub static ORTHOGONAL_REBOUNDS: [[[Rebound; 2]; SQUARES]; SQUARES] = rebounds(0);
/// The same for Diagballs.
pub static DIAGONAL_REBOUNDS: [[[Rebound; 2]; SQUARES]; SQUARES] = rebounds(4);

#[allow(long_running_const_eval)]
const fn rebounds(family: usize) -> [[[Rebound; 2]; SQUARES]; SQUARES] {
    let mut table = [[[Rebound { path: 0, wall: 0 }; 2]; SQUARES]; SQUARES];
    const_for!(from in 0..OFF => {
        const_for!(first in 0..4 => {
            // The path to each turning square, and from there both ways on.
            let mut path = 0;
            let mut turning = walk(from, STEPS[family + first]);
            while turning != OFF {
                path |= bit(turning);
                let wall = walk(turning, STEPS[family + first]);
                const_for!(side in 0..2 => {
                    let second = turns(family + first)[side];
                    let mut whole = path;
                    let mut victim = walk(turning, STEPS[second]);
                    while victim != OFF && wall != OFF {
                        // Indexed by the axis of the first leg.
                        table[victim as usize][from as usize][first & 1] =
                            Rebound { path: whole, wall: bit(wall) };
                        whole |= bit(victim);
                        victim = walk(victim, STEPS[second]);
                    }
                });
                turning = walk(turning, STEPS[family + first]);
            }
        });
    });
    table
}

/// The rank from which a Boy may make two steps (R22).
pub const DOUBLE_STEP: [u128; 2] = [0x1ff << 18, 0x1ff << 45];
/// The rank on which a Boy becomes a Superball (R23).
pub const LAST_RANK: [u128; 2] = [0x1ff << 63, 0x1ff];
/// The direction in which Boys of each colour move.
pub const FORWARD: [usize; 2] = [0, 2];
/// The direction from the a-file to the i-file.
pub const EAST: usize = 1;

/// The name of the square as text, for messages.
pub fn name(square: u8) -> String {
    format!("{}{}", char::from(b'a' + square % FILES), square / FILES + 1)
}

/// The rank of `square` as `color` counts it: 0 for its own first rank.
#[inline]
pub const fn rank_of(square: u8, color: Color) -> u8 {
    let rank = square / FILES;
    match color {
        Color::White => rank,
        Color::Black => RANKS - 1 - rank,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Bits, Rng};

    #[test]
    fn a_slide_equals_a_plain_walk() {
        let mut rng = Rng::new(9);
        for _ in 0..300 {
            let occupied =
                (u128::from(rng.bits() & rng.bits()) << 32 ^ u128::from(rng.bits() & rng.bits())) & FULL;
            for from in 0..OFF {
                for direction in 0..8 {
                    let mut expected = 0;
                    let mut at = next(from, direction);
                    while at != OFF {
                        expected |= bit(at);
                        if occupied & bit(at) != 0 {
                            break;
                        }
                        at = next(at, direction);
                    }
                    assert_eq!(slide(from, direction, occupied), expected, "{from} to {direction}");
                }
            }
        }
    }

    #[test]
    fn mage_paths_lead_outward() {
        // From e4: the diagonal square, then on in the direction of the longer side.
        let at = |text: &[u8]| (text[0] - b'a') + 9 * (text[1] - b'1');
        for (to, path) in
            [("f5", ""), ("f6", "f5"), ("f7", "f5 f6"), ("g3", "f3"), ("b3", "d3 c3"), ("d1", "d3 d2")]
        {
            let expected = path.split_whitespace().map(|s| bit(at(s.as_bytes()))).sum::<u128>();
            assert_eq!(mage_path(at(b"e4"), at(to.as_bytes())), expected, "{to}");
        }
        for from in 0..OFF {
            for to in Bits(MAGE_AREA[usize::from(from)]) {
                assert_eq!(
                    mage_path(from, to) & !ADJACENT[usize::from(from)] & !MAGE_AREA[usize::from(from)],
                    0
                );
            }
        }
    }
}
