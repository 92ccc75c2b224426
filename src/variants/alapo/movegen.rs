//! How men move (R2, R3), and the decisions a quiescence search must see.

use super::board::{Board, bit, last_row};
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

/// Of the squares on a line through `square`, those before it as `color` looks.
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

/// The small men of a colour by the ways they go, and the large ones.
struct Movers {
    small: [u64; 3],
    large: [u64; 3],
}

/// Where the men stand that reach some squares.
enum Origin {
    /// On this square.
    Square(u8),
    /// So many squares before each of them.
    Behind(i8),
}

impl Board {
    #[inline]
    const fn movers(&self, color: Color) -> Movers {
        let [orthogonal, diagonal, forward, large] = self.kinds;
        let small = self.men(color) & !large;
        let large = self.men(color) & large;
        Movers {
            small: [small & orthogonal, small & diagonal, small & forward],
            large: [large & orthogonal, large & diagonal, large & forward],
        }
    }

    /// Calls `found` with the squares that the men of `color` reach (R2, R3), own men there included: all small men that go
    /// one way at a time, the large ones man by man.
    #[inline(always)]
    fn each_way(&self, color: Color, mut found: impl FnMut(Origin, u64)) {
        let occupied = self.occupied();
        let Movers { small: [straight, diagonal, ahead_only], large } = self.movers(color);
        found(Origin::Behind(8), straight << 8);
        found(Origin::Behind(-8), straight >> 8);
        found(Origin::Behind(1), (straight & !FILE_H) << 1);
        found(Origin::Behind(-1), (straight & !FILE_A) >> 1);
        found(Origin::Behind(9), (diagonal & !FILE_H) << 9);
        found(Origin::Behind(7), (diagonal & !FILE_A) << 7);
        found(Origin::Behind(-7), (diagonal & !FILE_H) >> 7);
        found(Origin::Behind(-9), (diagonal & !FILE_A) >> 9);
        let forward_step = if color == Color::White { 8 } else { -8 };
        found(Origin::Behind(forward_step), forward(ahead_only, color));
        for from in Bits(large[0]) {
            found(Origin::Square(from), lines::orthogonal(from, occupied));
        }
        for from in Bits(large[1]) {
            found(Origin::Square(from), lines::along_diagonals(from, occupied));
        }
        for from in Bits(large[2]) {
            found(Origin::Square(from), ahead(color, from, lines::along_file(from, occupied)));
        }
    }

    /// How many moves the men of `color` have.
    #[inline]
    pub(super) fn count_moves(&self, color: Color) -> u32 {
        let free = !self.men(color);
        let mut count = 0;
        self.each_way(color, |_, reached| count += (reached & free).count_ones());
        count
    }

    /// Calls `found` with the two squares of every move of `color` that ends on one of `targets`.
    #[inline(always)]
    pub(super) fn moves(&self, color: Color, targets: u64, mut found: impl FnMut(u8, u8)) {
        let targets = targets & !self.men(color);
        self.each_way(color, |origin, reached| {
            for to in Bits(reached & targets) {
                match origin {
                    Origin::Square(from) => found(from, to),
                    Origin::Behind(step) => found(to.wrapping_add_signed(-step) & 63, to),
                }
            }
        });
    }

    /// The squares one man of `color` and `kind` on `square` reaches, the first man in each way included.
    pub(super) fn reach(color: Color, kind: Kind, square: u8, occupied: u64) -> u64 {
        let way = |flag: u8| if kind.0 & flag != 0 { u64::MAX } else { 0 };
        let man = bit(square);
        if kind.is_large() {
            lines::orthogonal(square, occupied) & way(ORTHOGONAL)
                | lines::along_diagonals(square, occupied) & way(DIAGONAL)
                | ahead(color, square, lines::along_file(square, occupied)) & way(FORWARD)
        } else {
            step_straight(man) & way(ORTHOGONAL)
                | step_diagonally(man) & way(DIAGONAL)
                | forward(man, color) & way(FORWARD)
        }
    }

    /// Every square some small man of `color` steps to, own men there or not.
    #[inline]
    pub(super) const fn small_reach(&self, color: Color) -> u64 {
        let [straight, diagonal, ahead_only] = self.movers(color).small;
        step_straight(straight) | step_diagonally(diagonal) | forward(ahead_only, color)
    }

    /// The small men of `color` that step onto one of `targets`.
    #[inline]
    pub(super) const fn small_attackers(&self, color: Color, targets: u64) -> u64 {
        let [straight, diagonal, ahead_only] = self.movers(color).small;
        step_straight(targets) & straight
            | step_diagonally(targets) & diagonal
            | forward(targets, color.other()) & ahead_only
    }

    /// Every square some man of `color` reaches, own men there included (they are guarded).
    pub(super) fn all_reach(&self, color: Color) -> u64 {
        let mut reached = 0;
        self.each_way(color, |_, squares| reached |= squares);
        reached
    }

    /// The men of `color` that could capture on `square` if `occupied` were the men on the board.
    #[inline]
    pub(super) fn attackers(&self, color: Color, square: u8, occupied: u64) -> u64 {
        let Movers { small, large } = self.movers(color);
        let target = bit(square);
        let file = lines::along_file(square, occupied);
        (file | lines::along_rank(square, occupied)) & large[0]
            | lines::along_diagonals(square, occupied) & large[1]
            // Who goes forward comes from behind, which is forward for the other side.
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
        let (arrival, enemies) = (last_row(us), self.board.men(them));
        let runner = self.runner();
        if runner != 0 {
            // Two runners cannot be (R8), so a capture answers the threat; nothing else does (R6).
            self.board.moves(us, runner, |from, to| list.push(Move::new(from, to)));
            return;
        }
        let threats = self.about_to_arrive();
        if threats != 0 && self.quiet + 1 >= REMOVAL_AFTER {
            // Even a quiet move may answer: it takes the men that moved last off the board (R12b).
            self.board.moves(us, u64::MAX, |from, to| list.push(Move::new(from, to)));
            list.extend(Bits(self.board.demotable(us)).map(|square| Move::new(square, square)));
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
