//! Sets of placements of Black's pieces on its first two rows, one bit for each placement.
//!
//! The number of a placement has one bit for each square, so that "the same placement with a piece on this
//! square" is another bit of the set, which shifts bring to its place: 64 positions are worked out with each
//! operation.

use std::ops::{BitAndAssign, BitOrAssign};

/// By the lowest six squares: the bits of a word whose placements have a piece there.
const OCCUPIED: [u64; 6] = [
    0xAAAA_AAAA_AAAA_AAAA,
    0xCCCC_CCCC_CCCC_CCCC,
    0xF0F0_F0F0_F0F0_F0F0,
    0xFF00_FF00_FF00_FF00,
    0xFFFF_0000_FFFF_0000,
    0xFFFF_FFFF_0000_0000,
];

/// A set of so many words.
#[derive(Clone, Copy)]
pub struct Set<const WORDS: usize>(pub [u64; WORDS]);

impl<const WORDS: usize> Set<WORDS> {
    /// No placement.
    pub const NONE: Self = Self([0; WORDS]);
    /// All of them.
    pub const ALL: Self = Self([u64::MAX; WORDS]);

    /// The word of each number.
    #[inline]
    fn made(word: impl FnMut(usize) -> u64) -> Self {
        Self(std::array::from_fn(word))
    }

    /// The placements that are in the set once a piece is put on `square`, where one may stand already.
    #[inline]
    pub fn once_occupied(&self, square: usize) -> Self {
        match square.checked_sub(6) {
            None => {
                let (mask, shift) = (OCCUPIED[square], 1 << square);
                Self::made(|word| self.0[word] & mask | (self.0[word] & mask) >> shift)
            }
            Some(bit) => Self::made(|word| self.0[(word | 1 << bit) % WORDS]),
        }
    }

    /// The placements that are in the set once nothing stands on `square`.
    #[inline]
    pub fn once_empty(&self, square: usize) -> Self {
        match square.checked_sub(6) {
            None => {
                let (mask, shift) = (!OCCUPIED[square], 1 << square);
                Self::made(|word| self.0[word] & mask | (self.0[word] & mask) << shift)
            }
            Some(bit) => Self::made(|word| self.0[word & !(1 << bit)]),
        }
    }

    /// The placements that are in the set once what stands on two squares is exchanged.
    fn once_exchanged(&self, first: usize, second: usize) -> Self {
        let (low, high) = (first.min(second), first.max(second));
        match (low.checked_sub(6), high.checked_sub(6)) {
            (None, None) => {
                let shift = (1 << high) - (1 << low);
                let mask = OCCUPIED[low] & !OCCUPIED[high];
                Self::made(|word| {
                    let moved = (self.0[word] ^ self.0[word] >> shift) & mask;
                    self.0[word] ^ moved ^ moved << shift
                })
            }
            (None, Some(bit)) => {
                let (mask, shift) = (OCCUPIED[low], 1 << low);
                Self::made(|word| {
                    let other = self.0[(word ^ 1 << bit) % WORDS];
                    match word >> bit & 1 {
                        0 => self.0[word] & !mask | (other & !mask) << shift,
                        _ => self.0[word] & mask | (other & mask) >> shift,
                    }
                })
            }
            (Some(low), _) => Self::made(|word| {
                let differ = (word >> low ^ word >> (high - 6)) & 1;
                self.0[(word ^ differ << low ^ differ << (high - 6)) % WORDS]
            }),
        }
    }

    /// The set with left and right exchanged.
    pub fn mirrored(mut self, files: usize) -> Self {
        for file in 0..files / 2 {
            let other = files - 1 - file;
            self = self.once_exchanged(file, other).once_exchanged(files + file, files + other);
        }
        self
    }

    /// With all placements, too, that have a piece on `square` or, if it is not to be occupied, those that have none.
    #[inline]
    pub fn or_where(&self, square: usize, occupied: bool) -> Self {
        let other = if occupied { 0 } else { u64::MAX };
        Self::made(|word| {
            let there = match square.checked_sub(6) {
                None => OCCUPIED[square],
                Some(bit) => 0_u64.wrapping_sub(word as u64 >> bit & 1),
            };
            self.0[word] | (there ^ other)
        })
    }
}

impl<const WORDS: usize> BitAndAssign for Set<WORDS> {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own &= other);
    }
}

impl<const WORDS: usize> BitOrAssign for Set<WORDS> {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own |= other);
    }
}
