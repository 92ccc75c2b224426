//! Sliding lines on the 8x8 board (a1 = 0, b1 = 1, h8 = 63): chess, Alapo and the chess part of Wickets.
//!
//! Kindergarten bitboards (G. Isenberg, Chess Programming Wiki): one multiplication gathers the six inner
//! bits of a line, which are then looked up. Two tables of 4 KiB serve every line, so they stay in the L1
//! cache; nothing is computed at start-up.

/// The squares of the a-file.
pub const FILE_A: u64 = 0x0101_0101_0101_0101;
/// The squares of the h-file.
pub const FILE_H: u64 = FILE_A << 7;
/// The light squares, among them h1.
pub const LIGHT_SQUARES: u64 = 0x55AA_55AA_55AA_55AA;
/// Gathers ranks 2 to 7 of the a-file in the top six bits, in order.
const GATHER_FILE: u64 = 0x0004_0810_2040_8000;

/// For each file of the slider and each inner occupancy, the reached files, repeated on every rank.
static ALONG_RANK: [[u64; 64]; 8] =
    table!(from => table!(inner => reached(from as i32, (inner as u64) << 1, (1, 0)) * FILE_A));
/// For each rank of the slider and each inner occupancy, the reached squares of the a-file.
static ALONG_FILE: [[u64; 64]; 8] = table!(from => table!(inner => {
    let mut occupied = 0;
    const_for!(bit in 0..6 => { occupied |= (inner as u64 >> bit & 1) << (8 * bit + 8); });
    reached(8 * from as i32, occupied, (0, 1))
}));

static DIAGONAL: [u64; 64] = table!(square => reached(square as i32, 0, (1, 1)));
static ANTIDIAGONAL: [u64; 64] = table!(square => reached(square as i32, 0, (1, -1)));

/// The squares reached from `square` in steps of `files` and `ranks`, forwards and backwards, up to and
/// including the first occupied square each way.
const fn reached(square: i32, occupied: u64, (files, ranks): (i32, i32)) -> u64 {
    let mut set = 0;
    const_for!(way in 0..2 => {
        let sign = 2 * way - 1;
        let (mut file, mut rank) = (square % 8 + sign * files, square / 8 + sign * ranks);
        while 0 <= file && file < 8 && 0 <= rank && rank < 8 {
            set |= 1 << (8 * rank + file);
            if occupied >> (8 * rank + file) & 1 == 1 {
                break;
            }
            (file, rank) = (file + sign * files, rank + sign * ranks);
        }
    });
    set
}

/// Squares reached along the rank of `square`, up to and including the first occupied square each way.
#[inline]
pub fn along_rank(square: u8, occupied: u64) -> u64 {
    let shift = square & 56;
    let inner = (occupied >> shift >> 1) & 63;
    ALONG_RANK[usize::from(square & 7)][inner as usize] & (0xff << shift)
}

/// Squares reached along the file of `square`, up to and including the first occupied square each way.
#[inline]
pub fn along_file(square: u8, occupied: u64) -> u64 {
    let file = square & 7;
    let inner = ((occupied >> file) & FILE_A).wrapping_mul(GATHER_FILE) >> 58;
    ALONG_FILE[usize::from(square >> 3 & 7)][inner as usize] << file
}

/// Squares reached on both diagonals of `square`, up to and including the first occupied square each way.
#[inline]
pub fn along_diagonals(square: u8, occupied: u64) -> u64 {
    let files = &ALONG_RANK[usize::from(square & 7)];
    let rising = DIAGONAL[usize::from(square & 63)];
    let falling = ANTIDIAGONAL[usize::from(square & 63)];
    // The multiplication by the b-file gathers the inner files on the top rank.
    let first = (rising & occupied).wrapping_mul(FILE_A << 1) >> 58;
    let second = (falling & occupied).wrapping_mul(FILE_A << 1) >> 58;
    files[first as usize] & rising | files[second as usize] & falling
}

/// Squares that a rook on `square` reaches or attacks.
#[inline]
pub fn orthogonal(square: u8, occupied: u64) -> u64 {
    along_rank(square, occupied) | along_file(square, occupied)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Rng;

    fn walk(square: u8, occupied: u64, steps: &[(i32, i32)]) -> u64 {
        let mut reached = 0;
        for &(file_step, rank_step) in steps {
            let (mut file, mut rank) = (i32::from(square % 8) + file_step, i32::from(square / 8) + rank_step);
            while (0..8).contains(&file) && (0..8).contains(&rank) {
                let bit = 1_u64 << (rank * 8 + file);
                reached |= bit;
                if occupied & bit != 0 {
                    break;
                }
                file += file_step;
                rank += rank_step;
            }
        }
        reached
    }

    #[test]
    fn lines_equal_a_plain_walk() {
        let mut rng = Rng::new(1);
        for round in 0..2000 {
            let occupied = if round % 2 == 0 { rng.bits() & rng.bits() } else { rng.bits() };
            for square in 0..64 {
                let rook = walk(square, occupied, &[(1, 0), (-1, 0), (0, 1), (0, -1)]);
                let bishop = walk(square, occupied, &[(1, 1), (-1, 1), (1, -1), (-1, -1)]);
                assert_eq!(orthogonal(square, occupied), rook, "rook on {square}, {occupied:#x}");
                assert_eq!(along_diagonals(square, occupied), bishop, "bishop on {square}, {occupied:#x}");
            }
        }
    }
}
