//! The pieces on the board as sets of squares.

use super::geometry::{ADJACENT, LAST_RANK, OFF, bit};
use super::piece::Kind;
use crate::base::{Bits, BoardBits, Color};

/// The pieces on the board. No square is ever in two sets of a colour or of a kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board {
    pieces: [u128; 2],
    kinds: [u128; 10],
}

impl Board {
    /// The empty board.
    pub const EMPTY: Self = Self { pieces: [0; 2], kinds: [0; 10] };

    /// The occupied squares.
    #[inline]
    pub const fn occupied(&self) -> u128 {
        self.pieces[0] | self.pieces[1]
    }

    /// The pieces of one side.
    #[inline]
    pub const fn pieces(&self, color: Color) -> u128 {
        self.pieces[color.index()]
    }

    /// The pieces of one kind, of both sides.
    #[inline]
    pub const fn kind(&self, kind: Kind) -> u128 {
        self.kinds[kind.index()]
    }

    /// The pieces of one side and kind.
    #[inline]
    pub const fn of(&self, color: Color, kind: Kind) -> u128 {
        self.pieces[color.index()] & self.kinds[kind.index()]
    }

    /// The square of the King of `color`; a1 when there is none. (Every legal position has one King a side.)
    #[inline]
    pub fn king(&self, color: Color) -> u8 {
        let square = self.of(color, Kind::King).lowest();
        if square < OFF { square } else { 0 }
    }

    /// The kind of the piece on `square`, if any.
    #[inline]
    pub fn kind_at(&self, square: u8) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| self.kind(*kind) & bit(square) != 0)
    }

    /// The side of the piece on `square`, if any.
    #[inline]
    pub fn color_at(&self, square: u8) -> Option<Color> {
        Color::ALL.into_iter().find(|color| self.pieces(*color) & bit(square) != 0)
    }

    /// The pieces of `color` that stand next to the enemy Reducer but not next to their own (R50). What that
    /// means to a piece depends on its kind; see [`Kind::can_be_reduced`].
    #[inline]
    pub fn reduced(&self, color: Color) -> u128 {
        self.aura(!color) & self.pieces(color) & !self.aura(color)
    }

    /// The squares next to the Reducer of `color`, even when that Reducer is itself reduced (R55).
    #[inline]
    pub fn aura(&self, color: Color) -> u128 {
        Bits(self.of(color, Kind::Reducer)).fold(0, |squares, at| squares | ADJACENT[usize::from(at)])
    }

    /// Takes a piece off; does nothing on an empty square.
    #[inline]
    pub fn remove(&mut self, square: u8) {
        let others = !bit(square);
        self.pieces = self.pieces.map(|pieces| pieces & others);
        self.kinds = self.kinds.map(|pieces| pieces & others);
    }

    /// Puts a piece on an empty square.
    #[inline]
    pub fn put(&mut self, square: u8, color: Color, kind: Kind) {
        self.pieces[color.index()] |= bit(square);
        self.kinds[kind.index()] |= bit(square);
    }

    /// The board after an action, as far as the attacks of the enemy depend on it: which squares are occupied
    /// by whom, the kinds of the enemies, the Reducers. The kinds of other own pieces are left as they were.
    #[inline]
    pub fn shadow(&self, color: Color, kind: Kind, from: Option<u8>, to: u8, ahead: Option<u8>) -> Self {
        let mut board = *self;
        let left = from.map_or(0, bit);
        let taken = bit(to) | ahead.map_or(0, bit);
        board.pieces[color.index()] = self.pieces(color) & !left | bit(to);
        board.pieces[(!color).index()] &= !taken;
        board.kinds[Kind::Reducer.index()] &= !taken;
        if kind == Kind::Reducer {
            board.kinds[Kind::Reducer.index()] |= bit(to);
        }
        board
    }

    /// Moves a piece and captures whatever stands on `to`. A Boy that arrives on its last rank becomes a
    /// Superball (R23).
    #[inline]
    pub fn relocate(&mut self, color: Color, kind: Kind, from: u8, to: u8) {
        if self.occupied() & bit(to) != 0 {
            self.remove(to);
        }
        let both = bit(from) | bit(to);
        let last_rank = kind == Kind::Boy && bit(to) & LAST_RANK[color.index()] != 0;
        self.pieces[color.index()] ^= both;
        if last_rank {
            self.kinds[Kind::Boy.index()] ^= bit(from);
            self.kinds[Kind::Superball.index()] |= bit(to);
        } else {
            self.kinds[kind.index()] ^= both;
        }
    }
}
