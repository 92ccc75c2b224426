//! Which squares the pieces attack, kind by kind: what dice can take depends on the kinds that they show.

use super::movegen::reach;
use crate::base::{Bits, Color};
use crate::variants::chessboard::board::{Board, Kind};
use crate::variants::chessboard::rays::PAWN;

/// What is attacked on a board, by both sides.
pub(super) struct Attacks {
    /// By colour, then by the code of the kind less one.
    by_kind: [[u64; 6]; 2],
    /// By colour, in three bitboards, the lowest bit first: how many kinds attack each square.
    kinds: [[u64; 3]; 2],
}

impl Attacks {
    #[inline]
    pub fn new(board: &Board) -> Self {
        let occupied = board.occupied();
        let by_kind = Color::ALL.map(|color| {
            Kind::ALL.map(|kind| {
                let pieces = Bits(board.all(kind) & board.of(color)).map(usize::from);
                pieces.fold(0, |attacked, from| match kind {
                    Kind::Pawn => attacked | PAWN[color.index()][from],
                    kind => attacked | reach(kind, from as u8, occupied),
                })
            })
        });
        let count = |attacked: [u64; 6]| {
            attacked.into_iter().fold([0; 3], |[ones, twos, fours], set| {
                let carry = ones & set;
                [ones ^ set, twos ^ carry, fours | twos & carry]
            })
        };
        Self { by_kind, kinds: by_kind.map(count) }
    }

    /// What the pieces of `kind` of one side attack.
    #[inline]
    pub const fn of(&self, by: Color, kind: Kind) -> u64 {
        self.by_kind[by as usize][kind.code() - 1]
    }

    /// How many kinds of piece of one side attack the square.
    #[inline]
    pub const fn attacking_kinds(&self, by: Color, square: u8) -> usize {
        let [ones, twos, fours] = self.kinds[by as usize];
        (ones >> square & 1 | (twos >> square & 1) << 1 | (fours >> square & 1) << 2) as usize
    }
}
