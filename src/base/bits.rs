//! Iterating over a set of squares that is held in the bits of an integer.

/// An integer wide enough for the squares of a board.
pub trait BoardBits: Copy {
    /// True when no square is in the set.
    fn is_empty(self) -> bool;
    /// The index of the lowest square; meaningless for the empty set.
    fn lowest(self) -> u8;
    /// The set without its lowest square.
    fn without_lowest(self) -> Self;
}

macro_rules! board_bits {
    ($($int:ty)*) => {$(
        impl BoardBits for $int {
            #[inline]
            fn is_empty(self) -> bool {
                self == 0
            }
            #[inline]
            fn lowest(self) -> u8 {
                self.trailing_zeros() as u8
            }
            #[inline]
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }
        }
    )*};
}
board_bits!(u64 u128);

/// The indices of the squares in a set, lowest first.
///
/// ```
/// use carom::base::Bits;
/// assert_eq!(Bits(0b1010_u64).collect::<Vec<_>>(), [1, 3]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Bits<B>(pub B);

impl<B: BoardBits> Iterator for Bits<B> {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        if self.0.is_empty() {
            return None;
        }
        let square = self.0.lowest();
        self.0 = self.0.without_lowest();
        Some(square)
    }
}
