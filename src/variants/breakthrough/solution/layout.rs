//! Which positions of a small board have a place of their own, and where.

use super::State;
use crate::base::order::sort_by_cached_key;
use crate::base::{Bits, Color};
use crate::variants::chessboard::Size;

/// The most files of a board whose sets can be held.
const MOST_FILES: usize = 6;
/// The most rows.
const MOST_ROWS: usize = 6;

/// The numbers of the positions of a board.
pub struct Layout {
    pub size: Size,
    pub files: usize,
    pub rows: usize,
    /// By number, the row nearest to White first.
    pub middles: Vec<Middle>,
    /// By placement of a side's own rows: the same with left and right exchanged.
    pub mirror: Vec<usize>,
    /// The middles that are kept by the number of their pieces, those with most first.
    pub order: Vec<usize>,
}

/// What stands in the middle.
#[derive(Clone, Copy)]
pub struct Middle {
    pub white: u32,
    pub black: u32,
    pub slab: usize,
    /// Whether it is kept with left and right exchanged.
    pub mirrored: bool,
}

/// Where a position has its bit.
pub struct Place {
    pub to_move: Color,
    pub middle: usize,
    /// White's own rows: the second row, then the first.
    pub white: usize,
    /// Black's own rows: the row before the last, then the last.
    pub black: usize,
}

/// What a digit of the number of a middle counts: nothing 0, a white piece 1, a black one 2.
pub const fn digit(square: usize) -> usize {
    3_usize.pow(square as u32)
}

/// The files that a piece can move to: the file itself and those beside it.
pub fn beside(file: usize, files: usize) -> impl Iterator<Item = usize> {
    file.saturating_sub(1)..(file + 2).min(files)
}

/// The squares of a set.
pub fn squares(set: usize) -> impl Iterator<Item = usize> {
    Bits(set as u64).map(usize::from)
}

/// Where the position has its bit, or with the board turned round and the sides exchanged; `None` where a piece
/// stands on the row before the last, or the game is over.
pub fn place(state: &State, turned: bool) -> Option<Place> {
    let (files, rows) = state.size.files_and_rows();
    let (files, rows) = (usize::from(files), usize::from(rows));
    let row = |color: Color, row: usize| {
        let (color, row) = if turned { (!color, rows - 1 - row) } else { (color, row) };
        (state.pieces[color.index()] >> (8 * row)) as usize & ((1 << files) - 1)
    };
    let ends = [rows - 2, rows - 1].map(|own| row(Color::White, own) | row(Color::Black, rows - 1 - own));
    if ends != [0, 0] || state.pieces.contains(&0) {
        return None;
    }
    let of = |number: usize, color| {
        squares(row(color, number + 2)).map(move |file| digit(number * files + file)).sum::<usize>()
    };
    Some(Place {
        to_move: if turned { !state.turn } else { state.turn },
        middle: (0..rows - 4).map(|number| of(number, Color::White) + 2 * of(number, Color::Black)).sum(),
        white: row(Color::White, 1) | row(Color::White, 0) << files,
        black: row(Color::Black, rows - 2) | row(Color::Black, rows - 1) << files,
    })
}

impl Layout {
    /// `None` where the board is too large.
    pub fn new(size: Size) -> Option<Self> {
        let (files, rows) = size.files_and_rows();
        let (files, rows) = (usize::from(files), usize::from(rows));
        if files > MOST_FILES || !(4..=MOST_ROWS).contains(&rows) {
            return None;
        }
        let squares = files * (rows - 4);
        let pieces = |number: usize, which| {
            (0..squares).filter(|&square| number / digit(square) % 3 == which).map(|square| 1 << square).sum()
        };
        let reversed = |square: usize| square / files * files + files - 1 - square % files;
        let (mut middles, mut order) = (Vec::<Middle>::new(), Vec::new());
        for number in 0..digit(squares) {
            let other = (0..squares)
                .map(|square| number / digit(square) % 3 * digit(reversed(square)))
                .sum::<usize>();
            let mirrored = other < number;
            let slab = if mirrored { middles[other].slab } else { order.len() };
            middles.push(Middle { white: pieces(number, 1), black: pieces(number, 2), slab, mirrored });
            if !mirrored {
                order.push(number);
            }
        }
        sort_by_cached_key(&mut order, |&number| {
            let Middle { white, black, .. } = middles[number];
            std::cmp::Reverse((white | black).count_ones())
        });
        let mirror = (0..1_usize << (2 * files))
            .map(|placement| Bits(placement as u64).map(|square| 1 << reversed(square.into())).sum())
            .collect();
        Some(Self { size, files, rows, middles, mirror, order })
    }

    /// How many placements the own rows of a side have.
    pub const fn placements(&self) -> usize {
        1 << (2 * self.files)
    }

    /// How many words of 64 bits a set of them takes.
    pub const fn words(&self) -> usize {
        self.placements() / 64
    }

    /// How many bytes the sets of both sides take.
    pub const fn bytes(&self) -> u64 {
        2 * self.order.len() as u64 * (self.placements() * self.placements()) as u64 / 8
    }
}
