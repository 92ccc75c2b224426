//! The men on their squares, as bit sets (a1 = 0, b1 = 1, h8 = 63), and how they move.

use super::kind::{DIAGONAL, FORWARD, Kind, LARGE, ORTHOGONAL};
use crate::base::{Bits, Color, key_table, lines};

const NOT_FILE_A: u64 = !0x0101_0101_0101_0101;
const NOT_FILE_H: u64 = !0x8080_8080_8080_8080;
const ROW: u64 = 0xff;

/// Keys of men: colour, kind (four bits), square.
static MEN: [u64; 2 * 16 * 64] = key_table(0xA1A0);

/// Where the men stand. Keeps the key of what stands on it.
///
/// Not one set for each kind but one for each of a kind's four bits: a small man moves the same ways as the large one
/// of its shape, so moves are made from "all small men that go straight" and the like, and the whole board is 56 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Board {
    men: [u64; 2],
    /// Bit `n` of the kind of each man, `n` = 0 to 3.
    kinds: [u64; 4],
    key: u64,
}

#[inline]
pub(super) const fn bit(square: u8) -> u64 {
    1 << (square & 63)
}

/// The row a colour wants to reach (R1).
#[inline]
pub(super) const fn last_row(color: Color) -> u64 {
    match color {
        Color::White => ROW << 56,
        Color::Black => ROW,
    }
}

/// The two rows nearest to a colour, where it may demote (R20).
#[inline]
pub(super) const fn two_nearest_rows(color: Color) -> u64 {
    match color {
        Color::White => 0xffff,
        Color::Black => 0xffff << 48,
    }
}

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
    set << 8 | set >> 8 | (set & NOT_FILE_H) << 1 | (set & NOT_FILE_A) >> 1
}

#[inline]
const fn step_diagonally(set: u64) -> u64 {
    let (right, left) = (set & NOT_FILE_H, set & NOT_FILE_A);
    right << 9 | right >> 7 | left << 7 | left >> 9
}

#[inline]
fn key(color: Color, kind: u8, square: u8) -> u64 {
    MEN[color.index() << 10 | usize::from(kind & 15) << 6 | usize::from(square & 63)]
}

/// The small men of a colour by the ways they go, and the large ones.
struct Movers {
    small: [u64; 3],
    large: [u64; 3],
}

impl Board {
    pub(super) const fn empty() -> Self {
        Self { men: [0; 2], kinds: [0; 4], key: 0 }
    }

    /// The key of the men: equal boards have equal keys.
    #[inline]
    pub(super) const fn key(&self) -> u64 {
        self.key
    }

    /// The same, computed man by man.
    pub(super) fn fresh_key(&self) -> u64 {
        let men = Color::ALL.into_iter().flat_map(|c| Bits(self.men(c)).map(move |square| (c, square)));
        men.fold(0, |sum, (color, square)| sum ^ key(color, self.kind_bits(square), square))
    }

    #[inline]
    pub(super) const fn men(&self, color: Color) -> u64 {
        self.men[color.index()]
    }

    #[inline]
    pub(super) const fn occupied(&self) -> u64 {
        self.men[0] | self.men[1]
    }

    /// All large men, of both colours.
    #[inline]
    pub(super) const fn large(&self) -> u64 {
        self.kinds[3]
    }

    #[inline]
    pub(super) const fn small_men(&self, color: Color) -> u64 {
        self.men(color) & !self.large()
    }

    /// The men of one kind, both colours.
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

    /// Who and what stands on `square`.
    pub(super) fn man_on(&self, square: u8) -> Option<(Color, Kind)> {
        let color = Color::ALL.into_iter().find(|c| self.men(*c) & bit(square) != 0)?;
        Some((color, Kind(self.kind_bits(square))))
    }

    /// Puts a man on an empty square.
    pub(super) fn put(&mut self, color: Color, kind: Kind, square: u8) {
        self.men[color.index()] |= bit(square);
        for (plane, squares) in self.kinds.iter_mut().enumerate() {
            *squares |= u64::from(kind.0 >> plane & 1) << (square & 63);
        }
        self.key ^= key(color, kind.0, square);
    }

    /// Takes the man of `color` off `square`, if there is one.
    pub(super) fn take(&mut self, color: Color, square: u8) {
        if self.men(color) & bit(square) == 0 {
            return;
        }
        self.key ^= key(color, self.kind_bits(square), square);
        self.men[color.index()] &= !bit(square);
        for squares in &mut self.kinds {
            *squares &= !bit(square);
        }
    }

    /// Moves a man of `color`, capturing what stands on `to`; true when there was something.
    #[inline]
    pub(super) fn shift(&mut self, color: Color, from: u8, to: u8) -> bool {
        let kind = self.kind_bits(from);
        let (source, target) = (bit(from), bit(to));
        let captured = self.men(!color) & target != 0;
        if captured {
            self.key ^= key(!color, self.kind_bits(to), to);
            self.men[(!color).index()] ^= target;
        }
        self.key ^= key(color, kind, from) ^ key(color, kind, to);
        self.men[color.index()] = self.men(color) & !source | target;
        for (plane, squares) in self.kinds.iter_mut().enumerate() {
            *squares = *squares & !(source | target) | u64::from(kind >> plane & 1) << (to & 63);
        }
        captured
    }

    /// Replaces the large man on `square` by the small one of its shape (R20).
    #[inline]
    pub(super) fn demote(&mut self, color: Color, square: u8) {
        let kind = self.kind_bits(square);
        self.key ^= key(color, kind, square) ^ key(color, kind & !LARGE, square);
        self.kinds[3] &= !bit(square);
    }

    /// The large men of `color` that may be demoted (R20).
    #[inline]
    pub(super) const fn demotable(&self, color: Color) -> u64 {
        self.men(color) & self.large() & two_nearest_rows(color)
    }

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

    /// How many moves the men of `color` have (R2, R3).
    #[inline]
    pub(super) fn count_moves(&self, color: Color) -> u32 {
        let free = !self.men(color);
        let occupied = self.occupied();
        let Movers { small: [straight, diagonal, ahead_only], large } = self.movers(color);
        let (straight_right, straight_left) = (straight & NOT_FILE_H, straight & NOT_FILE_A);
        let (right, left) = (diagonal & NOT_FILE_H, diagonal & NOT_FILE_A);
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
        let targets = targets & !self.men(color);
        let occupied = self.occupied();
        let Movers { small: [straight, diagonal, ahead_only], large } = self.movers(color);
        let mut steps = |reached: u64, back: u8| {
            for to in Bits(reached & targets) {
                found(to.wrapping_sub(back) & 63, to);
            }
        };
        steps(straight << 8, 8);
        steps(straight >> 8, 8_u8.wrapping_neg());
        steps((straight & NOT_FILE_H) << 1, 1);
        steps((straight & NOT_FILE_A) >> 1, 1_u8.wrapping_neg());
        steps((diagonal & NOT_FILE_H) << 9, 9);
        steps((diagonal & NOT_FILE_A) << 7, 7);
        steps((diagonal & NOT_FILE_H) >> 7, 7_u8.wrapping_neg());
        steps((diagonal & NOT_FILE_A) >> 9, 9_u8.wrapping_neg());
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
