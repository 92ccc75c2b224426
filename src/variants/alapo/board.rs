//! The pieces on their squares, as bit sets (a1 = 0, b1 = 1, h8 = 63).

use super::kind::{Kind, LARGE};
use crate::base::{Color, key_table};

/// Zobrist keys of pieces: colour, kind (four bits), square.
static PIECES: [u64; 2 * 16 * 64] = key_table(0xA1A0);

/// The pieces on the board and their key.
///
/// There is no set for each kind, but one for each of a kind's four bits. A small piece moves in the same
/// directions as the large one of its shape, so moves are made from sets such as "all small pieces that go
/// straight", and the whole board is 56 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Board {
    pieces: [u64; 2],
    /// Bit `n` of the kind of each piece, `n` = 0 to 3.
    pub(super) kinds: [u64; 4],
    key: u64,
}

#[inline]
pub(super) const fn bit(square: u8) -> u64 {
    1 << (square & 63)
}

#[inline]
fn key(color: Color, kind: u8, square: u8) -> u64 {
    PIECES[color.index() << 10 | usize::from(kind & 15) << 6 | usize::from(square & 63)]
}

impl Board {
    pub(super) const fn empty() -> Self {
        Self { pieces: [0; 2], kinds: [0; 4], key: 0 }
    }

    /// The key of the pieces: equal boards have equal keys.
    #[inline]
    pub(super) const fn key(&self) -> u64 {
        self.key
    }

    #[inline]
    pub(super) const fn pieces(&self, color: Color) -> u64 {
        self.pieces[color.index()]
    }

    #[inline]
    pub(super) const fn occupied(&self) -> u64 {
        self.pieces[0] | self.pieces[1]
    }

    /// All large pieces, of both colours.
    #[inline]
    pub(super) const fn large(&self) -> u64 {
        self.kinds[3]
    }

    #[inline]
    pub(super) const fn small_pieces(&self, color: Color) -> u64 {
        self.pieces(color) & !self.large()
    }

    /// The pieces of one kind, of both colours.
    #[inline]
    pub(super) fn of_kind(&self, kind: Kind) -> u64 {
        let mut set = self.occupied();
        for (plane, squares) in self.kinds.into_iter().enumerate() {
            set &= if kind.0 >> plane & 1 == 1 { squares } else { !squares };
        }
        set
    }

    #[inline]
    pub(super) fn kind_bits(&self, square: u8) -> u8 {
        let at = |plane: usize| (self.kinds[plane] >> (square & 63) & 1) as u8;
        at(0) | at(1) << 1 | at(2) << 2 | at(3) << 3
    }

    /// The colour and kind of the piece on `square`, if any.
    pub(super) fn piece_on(&self, square: u8) -> Option<(Color, Kind)> {
        let color = Color::ALL.into_iter().find(|c| self.pieces(*c) & bit(square) != 0)?;
        Some((color, Kind(self.kind_bits(square))))
    }

    /// Puts a piece on an empty square.
    pub(super) fn put(&mut self, color: Color, kind: Kind, square: u8) {
        self.pieces[color.index()] |= bit(square);
        for (plane, squares) in self.kinds.iter_mut().enumerate() {
            *squares |= u64::from(kind.0 >> plane & 1) << (square & 63);
        }
        self.key ^= key(color, kind.0, square);
    }

    /// Takes the piece of `color` off `square`, if there is one.
    pub(super) fn take(&mut self, color: Color, square: u8) {
        if self.pieces(color) & bit(square) == 0 {
            return;
        }
        self.key ^= key(color, self.kind_bits(square), square);
        self.pieces[color.index()] &= !bit(square);
        for squares in &mut self.kinds {
            *squares &= !bit(square);
        }
    }

    /// Moves a piece of `color` and captures any enemy on `to`. Returns true for a capture.
    #[inline]
    pub(super) fn shift(&mut self, color: Color, from: u8, to: u8) -> bool {
        let kind = self.kind_bits(from);
        let (source, target) = (bit(from), bit(to));
        let captured = self.pieces(!color) & target != 0;
        if captured {
            self.key ^= key(!color, self.kind_bits(to), to);
            self.pieces[(!color).index()] ^= target;
        }
        self.key ^= key(color, kind, from) ^ key(color, kind, to);
        self.pieces[color.index()] = self.pieces(color) & !source | target;
        for (plane, squares) in self.kinds.iter_mut().enumerate() {
            *squares = *squares & !(source | target) | u64::from(kind >> plane & 1) << (to & 63);
        }
        captured
    }

    /// Replaces the large piece on `square` by the small one of its shape (R20).
    #[inline]
    pub(super) fn demote(&mut self, color: Color, square: u8) {
        let kind = self.kind_bits(square);
        self.key ^= key(color, kind, square) ^ key(color, kind & !LARGE, square);
        self.kinds[3] &= !bit(square);
    }
}
