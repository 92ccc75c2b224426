//! How pieces move (R2, R3), and the decisions a quiescence search must see.

use super::board::{Board, bit};
use super::kind::{DIAGONAL, FORWARD, Kind, ORTHOGONAL};
use super::state::{Alapo, REMOVAL_AFTER};
use crate::base::lines::{self, FILE_A, FILE_H};
use crate::base::{Bits, Color};
use crate::game::Decisions;
use crate::variants::chessboard::Move;

#[inline]
const fn forward(set: u64, color: Color) -> u64 {
    match color {
        Color::White => set << 8,
        Color::Black => set >> 8,
    }
}

/// The squares of a line through `square` that lie ahead of it, as `color` looks.
#[inline]
const fn ahead(color: Color, square: u8, line: u64) -> u64 {
    let below = bit(square) - 1;
    match color {
        Color::White => line & !below,
        Color::Black => line & below,
    }
}

#[inline]
const fn step_straight(set: u64) -> u64 {
    set << 8 | set >> 8 | (set & !FILE_H) << 1 | (set & !FILE_A) >> 1
}

#[inline]
const fn step_diagonally(set: u64) -> u64 {
    let (right, left) = (set & !FILE_H, set & !FILE_A);
    right << 9 | right >> 7 | left << 7 | left >> 9
}

/// The small pieces of a colour by the directions they move in, and the large ones.
struct Movers {
    small: [u64; 3],
    large: [u64; 3],
}

impl Board {
    #[inline]
    const fn movers(&self, color: Color) -> Movers {
        let [orthogonal, diagonal, forward, large] = self.kinds;
        let small = self.pieces(color) & !large;
        let large = self.pieces(color) & large;
        Movers {
            small: [small & orthogonal, small & diagonal, small & forward],
            large: [large & orthogonal, large & diagonal, large & forward],
        }
    }

    /// The number of moves of the pieces of `color` to one of `targets` (R2, R3).
    #[inline]
    pub(super) fn count_moves(&self, color: Color, targets: u64) -> u32 {
        let free = targets & !self.pieces(color);
        let occupied = self.occupied();
        let Movers { small: [straight, diagonal, ahead_only], large } = self.movers(color);
        let (straight_right, straight_left) = (straight & !FILE_H, straight & !FILE_A);
        let (right, left) = (diagonal & !FILE_H, diagonal & !FILE_A);
        let mut count = (straight << 8 & free).count_ones()
            + (straight >> 8 & free).count_ones()
            + (straight_right << 1 & free).count_ones()
            + (straight_left >> 1 & free).count_ones()
            + (right << 9 & free).count_ones()
            + (right >> 7 & free).count_ones()
            + (left << 7 & free).count_ones()
            + (left >> 9 & free).count_ones()
            + (forward(ahead_only, color) & free).count_ones();
        for from in Bits(large[0]) {
            count += (lines::orthogonal(from, occupied) & free).count_ones();
        }
        for from in Bits(large[1]) {
            count += (lines::along_diagonals(from, occupied) & free).count_ones();
        }
        for from in Bits(large[2]) {
            count += (ahead(color, from, lines::along_file(from, occupied)) & free).count_ones();
        }
        count
    }

    /// Calls `found` with the two squares of every move of `color` that ends on one of `targets`.
    #[inline(always)]
    pub(super) fn moves(&self, color: Color, targets: u64, mut found: impl FnMut(u8, u8)) {
        let targets = targets & !self.pieces(color);
        let occupied = self.occupied();
        let Movers { small: [straight, diagonal, ahead_only], large } = self.movers(color);
        let mut steps = |reached: u64, back: u8| {
            for to in Bits(reached & targets) {
                found(to.wrapping_sub(back) & 63, to);
            }
        };
        steps(straight << 8, 8);
        steps(straight >> 8, 8_u8.wrapping_neg());
        steps((straight & !FILE_H) << 1, 1);
        steps((straight & !FILE_A) >> 1, 1_u8.wrapping_neg());
        steps((diagonal & !FILE_H) << 9, 9);
        steps((diagonal & !FILE_A) << 7, 7);
        steps((diagonal & !FILE_H) >> 7, 7_u8.wrapping_neg());
        steps((diagonal & !FILE_A) >> 9, 9_u8.wrapping_neg());
        match color {
            Color::White => steps(ahead_only << 8, 8),
            Color::Black => steps(ahead_only >> 8, 8_u8.wrapping_neg()),
        }
        for from in Bits(large[0]) {
            for to in Bits(lines::orthogonal(from, occupied) & targets) {
                found(from, to);
            }
        }
        for from in Bits(large[1]) {
            for to in Bits(lines::along_diagonals(from, occupied) & targets) {
                found(from, to);
            }
        }
        for from in Bits(large[2]) {
            for to in Bits(ahead(color, from, lines::along_file(from, occupied)) & targets) {
                found(from, to);
            }
        }
    }

    /// The squares that a piece of `color` and `kind` on `square` reaches, including the first occupied
    /// square in each direction.
    pub(super) fn reach(color: Color, kind: Kind, square: u8, occupied: u64) -> u64 {
        let way = |flag: u8| if kind.0 & flag != 0 { u64::MAX } else { 0 };
        let piece = bit(square);
        if kind.is_large() {
            lines::orthogonal(square, occupied) & way(ORTHOGONAL)
                | lines::along_diagonals(square, occupied) & way(DIAGONAL)
                | ahead(color, square, lines::along_file(square, occupied)) & way(FORWARD)
        } else {
            step_straight(piece) & way(ORTHOGONAL)
                | step_diagonally(piece) & way(DIAGONAL)
                | forward(piece, color) & way(FORWARD)
        }
    }

    /// Every square that a small piece of `color` steps to, whether or not an own piece stands there.
    #[inline]
    pub(super) const fn small_reach(&self, color: Color) -> u64 {
        let [straight, diagonal, ahead_only] = self.movers(color).small;
        step_straight(straight) | step_diagonally(diagonal) | forward(ahead_only, color)
    }

    /// The small pieces of `color` that step onto one of `targets`.
    #[inline]
    pub(super) const fn small_attackers(&self, color: Color, targets: u64) -> u64 {
        let [straight, diagonal, ahead_only] = self.movers(color).small;
        step_straight(targets) & straight
            | step_diagonally(targets) & diagonal
            | forward(targets, color.other()) & ahead_only
    }

    /// Every square that a piece of `color` reaches, including those of its own pieces (which it guards).
    pub(super) fn all_reach(&self, color: Color) -> u64 {
        let occupied = self.occupied();
        let large = self.movers(color).large;
        let mut reached = self.small_reach(color);
        for from in Bits(large[0]) {
            reached |= lines::orthogonal(from, occupied);
        }
        for from in Bits(large[1]) {
            reached |= lines::along_diagonals(from, occupied);
        }
        for from in Bits(large[2]) {
            reached |= ahead(color, from, lines::along_file(from, occupied));
        }
        reached
    }

    /// The pieces of `color` that could capture on `square` if exactly the squares of `occupied` held pieces.
    #[inline]
    pub(super) fn attackers(&self, color: Color, square: u8, occupied: u64) -> u64 {
        let Movers { small, large } = self.movers(color);
        let target = bit(square);
        let file = lines::along_file(square, occupied);
        (file | lines::along_rank(square, occupied)) & large[0]
            | lines::along_diagonals(square, occupied) & large[1]
            // A piece that moves forward comes from behind, which is forward for the other side.
            | ahead(!color, square, file) & large[2]
            | step_straight(target) & small[0]
            | step_diagonally(target) & small[1]
            | forward(target, !color) & small[2]
    }
}

impl<const DEMOTION: bool> Alapo<DEMOTION> {
    /// See [`Evaluation::in_check`] for the two kinds of threat.
    #[inline(always)]
    pub(super) fn noisy(&self, list: &mut Decisions<Move>) {
        let (us, them) = (self.turn, !self.turn);
        let (arrival, enemies) = (self.last_row(us), self.board.pieces(them));
        let runner = self.runner();
        if runner != 0 {
            // There is never more than one runner (R8). Only capturing it answers the threat (R6).
            self.board.moves(us, runner, |from, to| list.push(Move::new(from, to)));
            return;
        }
        let threats = self.about_to_arrive();
        if threats != 0 && self.quiet + 1 >= REMOVAL_AFTER {
            // Even a quiet move may answer: it may remove the pieces moved last from the board (R12b).
            self.board.moves(us, self.size.squares(), |from, to| list.push(Move::new(from, to)));
            list.extend(Bits(self.demotable()).map(|square| Move::new(square, square)));
            return;
        }
        let captures = if threats == 0 { enemies } else { threats };
        self.board.moves(us, captures | arrival, |from, to| {
            if bit(to) & captures != 0 || bit(to) & arrival != 0 && self.wins_on_arrival(from, to) {
                list.push(Move::new(from, to));
            }
        });
    }
}
