//! The pieces on their squares, in four bitboards.

use crate::base::Color;

/// The six kinds of piece. The number is the code that [`Board`] keeps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Kind {
    /// Bishop, letter `b`.
    Bishop = 1,
    /// Rook, letter `r`.
    Rook = 2,
    /// Queen, letter `q`.
    Queen = 3,
    /// Pawn, letter `p`.
    Pawn = 4,
    /// Knight, letter `n`.
    Knight = 5,
    /// King, letter `k`.
    King = 6,
}

impl Kind {
    /// Every kind, by code.
    pub const ALL: [Self; 6] = [Self::Bishop, Self::Rook, Self::Queen, Self::Pawn, Self::Knight, Self::King];
    /// What a pawn may become (FIDE 3.7.3.3), the likeliest first.
    pub const PROMOTIONS: [Self; 4] = [Self::Queen, Self::Knight, Self::Rook, Self::Bishop];

    /// The code of this kind, 1 to 6. Code 0 stands for an empty square.
    #[inline]
    pub const fn code(self) -> usize {
        self as usize
    }

    /// The kind with this code; `None` for a code outside 1 to 6.
    #[inline]
    pub const fn with_code(code: usize) -> Option<Self> {
        match code {
            1..=6 => Some(Self::ALL[code - 1]),
            _ => None,
        }
    }

    /// The letter in positions and promotions, in lower case.
    pub const fn letter(self) -> u8 {
        b"brqpnk"[self as usize - 1]
    }

    /// The kind with this letter in either case, if there is one.
    pub fn with_letter(letter: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.letter() == letter.to_ascii_lowercase())
    }

    /// The English name in lower case, such as `knight`.
    pub const fn name(self) -> &'static str {
        ["bishop", "rook", "queen", "pawn", "knight", "king"][self as usize - 1]
    }
}

/// The pieces on the squares (a1 = 0, b1 = 1, h8 = 63).
///
/// The kind on a square is a number of three bits, kept in three bitboards; a fourth holds the colour
/// ("quad-bitboards", G. Isenberg, Chess Programming Wiki). The numbers are chosen so that the pieces that
/// slide on diagonals, and those that slide on ranks and files, are one operation away: a move generator asks
/// for them most.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Board {
    planes: [u64; 3],
    black: u64,
}

impl Board {
    /// The bits of the code of the piece on each square, the lowest first, and the pieces of Black.
    #[inline]
    pub const fn planes(&self) -> [u64; 4] {
        let [low, middle, high] = self.planes;
        [low, middle, high, self.black]
    }

    /// The occupied squares.
    #[inline]
    pub const fn occupied(&self) -> u64 {
        self.planes[0] | self.planes[1] | self.planes[2]
    }

    /// Squares with a piece of `color`.
    #[inline]
    pub const fn of(&self, color: Color) -> u64 {
        match color {
            Color::White => self.occupied() & !self.black,
            Color::Black => self.black,
        }
    }

    /// Bishops and queens of both colours.
    #[inline]
    pub const fn diagonal(&self) -> u64 {
        self.planes[0] & !self.planes[2]
    }

    /// Rooks and queens of both colours.
    #[inline]
    pub const fn orthogonal(&self) -> u64 {
        self.planes[1] & !self.planes[2]
    }

    /// Queens of both colours.
    #[inline]
    pub const fn queens(&self) -> u64 {
        self.planes[0] & self.planes[1]
    }

    /// Pawns of both colours.
    #[inline]
    pub const fn pawns(&self) -> u64 {
        self.planes[2] & !(self.planes[0] | self.planes[1])
    }

    /// Knights of both colours.
    #[inline]
    pub const fn knights(&self) -> u64 {
        self.planes[2] & self.planes[0]
    }

    /// Both kings.
    #[inline]
    pub const fn kings(&self) -> u64 {
        self.planes[2] & self.planes[1]
    }

    /// The squares with pieces of one kind, of both colours.
    #[inline]
    pub const fn all(&self, kind: Kind) -> u64 {
        match kind {
            Kind::Bishop => self.diagonal() & !self.planes[1],
            Kind::Rook => self.orthogonal() & !self.planes[0],
            Kind::Queen => self.queens(),
            Kind::Pawn => self.pawns(),
            Kind::Knight => self.knights(),
            Kind::King => self.kings(),
        }
    }

    /// The square of the king of `color`; 0 if there is none.
    #[inline]
    pub const fn king(&self, color: Color) -> u8 {
        (self.kings() & self.of(color)).trailing_zeros() as u8 & 63
    }

    /// The code of the kind on `square`, 0 for none.
    #[inline]
    pub const fn code(&self, square: u8) -> usize {
        let [low, middle, high] = self.planes;
        (low >> square & 1 | (middle >> square & 1) << 1 | (high >> square & 1) << 2) as usize
    }

    /// The piece on `square`; `None` when the square is empty.
    pub const fn piece(&self, square: u8) -> Option<(Color, Kind)> {
        let color = if self.black >> square & 1 == 1 { Color::Black } else { Color::White };
        match Kind::with_code(self.code(square)) {
            Some(kind) => Some((color, kind)),
            None => None,
        }
    }

    /// Puts a piece on an empty square.
    #[inline]
    pub const fn put(&mut self, square: u8, color: Color, kind: Kind) {
        self.carry(square, square, color, kind.code());
    }

    /// Empties `from` and puts the kind with `code` on `to`, in place of whatever stood there.
    #[inline]
    pub const fn carry(&mut self, from: u8, to: u8, color: Color, code: usize) {
        let kept = !(1 << from | 1 << to);
        self.planes[0] = self.planes[0] & kept | (code as u64 & 1) << to;
        self.planes[1] = self.planes[1] & kept | (code as u64 >> 1 & 1) << to;
        self.planes[2] = self.planes[2] & kept | (code as u64 >> 2 & 1) << to;
        self.black = self.black & kept | (color as u64) << to;
    }

    /// Takes the piece, if any, off `square`.
    #[inline]
    pub const fn clear(&mut self, square: u8) {
        let kept = !(1 << square);
        self.planes[0] &= kept;
        self.planes[1] &= kept;
        self.planes[2] &= kept;
        self.black &= kept;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_found() {
        for color in Color::ALL {
            for kind in Kind::ALL {
                let mut board = Board::default();
                board.put(17, color, kind);
                assert_eq!(board.piece(17), Some((color, kind)));
                assert_eq!(board.piece(18), None);
                assert_eq!((board.occupied(), board.of(color), board.of(!color)), (1 << 17, 1 << 17, 0));
                for other in Kind::ALL {
                    assert_eq!(board.all(other) != 0, other == kind, "{kind:?} among {other:?}");
                }
                board.carry(17, 40, color, kind.code());
                assert_eq!((board.piece(17), board.piece(40)), (None, Some((color, kind))));
                board.clear(40);
                assert_eq!(board, Board::default());
                assert_eq!(Kind::with_letter(kind.letter()), Some(kind));
            }
        }
    }
}
