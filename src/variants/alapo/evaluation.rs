//! What a search wants to know: worth, threats, noise.

use super::board::{bit, last_row};
use super::kind::Kind;
use super::state::{Alapo, REMOVAL_AFTER};
use crate::base::Bits;
use crate::base::Color;
use crate::game::network::Network;
use crate::game::see::exchange_brings;
use crate::game::{Evaluation, Selectivity, sum_of_terms};
use crate::variants::chessboard::Move;
use std::sync::LazyLock;

/// Worth of a man by the four bits of its kind, in centipawns; 0 where no kind has them. Without and with demotion.
///
/// Guessed from mobility on an open board, then rounded: rook 14 squares, bishop 9, lance 9 + 4, queen 23. With demotion
/// about what [`TERMS`] say: where only small men win, they are worth as much as large ones.
static WORTH: [[i32; 16]; 2] =
    [worths([440, 320, 760, 420, 110, 100, 190, 130]), worths([215, 180, 360, 260, 185, 185, 310, 290])];

const fn worths(values: [i32; 8]) -> [i32; 16] {
    let mut worth = [0; 16];
    let mut index = 0;
    while index < 8 {
        worth[Kind::ALL[index].0 as usize] = values[index];
        index += 1;
    }
    worth
}

/// What a decision that wins at once counts in ordering.
const WINNING_GAIN: i32 = 10_000;
/// For a small man, by the rows it has come up: rows 4, 5, 6 and 7 of its side each add this.
const ADVANCED: i32 = 6;
/// For each square of one's last row that the enemy does not guard.
const HOLE: i32 = 14;
/// For the first such square that a man of one's own reaches now, and for each more.
const OPEN_DOOR: i32 = 120;
const MORE_DOORS: i32 = 30;
/// The door is open and it is one's turn: the game is as good as won.
const WALKS_IN: i32 = 1_500;
const TURN: i32 = 12;

/// Terms of the demotion game by their place in [`TERMS`]: a man by kind ([`Kind::ALL`]) and the rows he has come, ...
const MAN: usize = 0;
/// ... being down to one, two, three small men, ...
const FEW_SMALL: usize = 64;
/// ... a square of the last row that a small man reaches now, and each more; the same with the move, which wins, ...
const FIRST_DOOR: usize = 67;
const EVERY_DOOR: usize = 68;
const WALKS: usize = 69;
/// ... the move, four squares that are reached, ...
const MOVE: usize = 70;
const REACHED: usize = 71;
/// ... small men and large ones that stand where the enemy reaches and no own man does, ...
const LOOSE: usize = 72;
/// ... small men on the rows 5 to 7 where the enemy does not reach.
const AHEAD: usize = 74;

/// In centipawns: learned by `carom tune` from 2.7 million positions of 44,000 games, but for what hardly occurs there because
/// search decides it: small circles and lances one row before the last, and doors with the move.
static TERMS: [i32; 75] = [
    217, 257, 233, 233, 213, 201, 183, 174, // large square
    205, 206, 168, 179, 144, 107, 64, 119, // large triangle
    374, 410, 379, 327, 321, 336, 285, 302, // large circle
    285, 277, 262, 219, 184, 200, 159, 150, // large lance
    127, 181, 205, 236, 219, 300, 462, 180, // small square
    152, 178, 178, 205, 208, 329, 643, 170, // small triangle
    240, 296, 318, 339, 315, 446, 446, 260, // small circle
    233, 273, 297, 339, 314, 451, 451, 200, // small lance
    -61, 9, 4, 90, 30, 1500, 4, 6, -7, -4, 36,
];

impl<const DEMOTION: bool> Alapo<DEMOTION> {
    /// In the demotion game, the enemy small men that reach their last row with their next move. Nothing blocks a
    /// single step but a man of their own.
    #[inline]
    pub(super) fn about_to_arrive(&self) -> u64 {
        if !DEMOTION {
            return 0;
        }
        let them = !self.turn;
        let doors = last_row(them) & !self.board.men(them);
        self.board.small_attackers(them, doors)
    }

    /// Worth of the men of `color` and of how they stand, seen from their side.
    #[inline]
    fn side(&self, color: Color, reach: u64, enemy_reach: u64) -> i32 {
        let board = &self.board;
        let men = board.men(color);
        let mut sum = 0;
        for kind in Kind::ALL {
            sum += WORTH[0][usize::from(kind.0)] * (board.of_kind(kind) & men).count_ones() as i32;
        }
        let small = board.small_men(color);
        let rows_up = (4..8).map(|row| (small & from_row(color, row)).count_ones() as i32).sum::<i32>();
        let holes = last_row(color) & !enemy_reach;
        sum += ADVANCED * rows_up + HOLE * holes.count_ones() as i32;
        sum + self.doors(color, holes & reach & !men)
    }

    /// The terms of the demotion game.
    #[inline]
    fn count_terms(&self, mut input: impl FnMut(Color, usize)) {
        let board = &self.board;
        let reach = Color::ALL.map(|color| board.all_reach(color));
        for color in Color::ALL {
            let (men, small) = (board.men(color), board.small_men(color));
            for (number, kind) in Kind::ALL.into_iter().enumerate() {
                for square in Bits(board.of_kind(kind) & men) {
                    input(color, MAN + number * 8 + usize::from((square ^ flip(color)) >> 3));
                }
            }
            if let number @ 1..=3 = small.count_ones() as usize {
                input(color, FEW_SMALL + number - 1);
            }
            let mut count = |term: usize, times: u32| (0..times).for_each(|_| input(color, term));
            let doors = (board.small_reach(color) & last_row(color) & !men).count_ones();
            if doors > 0 && color == self.turn && self.runner() == 0 {
                count(WALKS, 1);
            } else if doors > 0 {
                count(FIRST_DOOR, 1);
                count(EVERY_DOOR, doors);
            }
            let [own, enemy] = [reach[color.index()], reach[(!color).index()]];
            count(MOVE, u32::from(color == self.turn));
            count(REACHED, own.count_ones() / 4);
            let loose = men & enemy & !own;
            count(LOOSE, (loose & small).count_ones());
            count(LOOSE + 1, (loose & !small).count_ones());
            count(AHEAD, (small & from_row(color, 5) & !enemy).count_ones());
        }
    }

    #[inline]
    fn doors(&self, color: Color, doors: u64) -> i32 {
        if doors == 0 {
            0
        } else if color == self.turn && self.runner() == 0 {
            WALKS_IN
        } else {
            OPEN_DOOR + MORE_DOORS * (doors.count_ones() as i32 - 1)
        }
    }
}

/// The rows of `color`'s side from the `row`-th on, his home row being the first.
const fn from_row(color: Color, row: u32) -> u64 {
    match color {
        Color::White => u64::MAX << (8 * (row - 1)),
        Color::Black => u64::MAX >> (8 * (row - 1)),
    }
}

/// What turns the board for this side.
const fn flip(side: Color) -> u8 {
    match side {
        Color::White => 0,
        Color::Black => 56,
    }
}

impl<const DEMOTION: bool> Evaluation for Alapo<DEMOTION> {
    const HISTORY_SIZE: usize = 2 * 64 * 64;

    const SELECTIVITY: Selectivity = if DEMOTION {
        // Its large men are worth half as much, and margins go with the worths.
        Selectivity { reverse_futility: 45, futility: 50, ..Selectivity::STANDARD }
    } else {
        Selectivity::STANDARD
    };
    /// Where the men stand, and the squares of the last rows that are unguarded; with demotion, the terms.
    const INPUTS: usize = if DEMOTION { TERMS.len() } else { 2 * 8 * 64 + 4 * 8 };
    const TERMS: &'static [i32] = if DEMOTION { &TERMS } else { &[] };
    const BUCKETS: usize = 4;

    fn network() -> Option<&'static Network> {
        static NETWORK: LazyLock<Option<Network>> =
            LazyLock::new(|| Network::from_bytes::<Alapo<false>>(include_bytes!("network.bin")));
        if DEMOTION { None } else { NETWORK.as_ref() }
    }

    fn inputs(&self, mut input: impl FnMut(Color, usize)) {
        if DEMOTION {
            return self.count_terms(input);
        }
        let board = &self.board;
        for color in Color::ALL {
            let men = board.men(color);
            for (number, kind) in Kind::ALL.into_iter().enumerate() {
                for square in Bits(board.of_kind(kind) & men) {
                    input(color, number * 64 + usize::from(square ^ flip(color)));
                    input(!color, (8 + number) * 64 + usize::from(square ^ flip(!color)));
                }
            }
        }
        let reach = Color::ALL.map(|color| board.all_reach(color));
        for color in Color::ALL {
            let holes = last_row(color) & !reach[(!color).index()];
            let doors = holes & reach[color.index()] & !board.men(color);
            for (number, set) in [holes, doors].into_iter().enumerate() {
                for file in Bits(set).map(|square| usize::from(square & 7)) {
                    input(color, 1024 + number * 8 + file);
                    input(!color, 1024 + 16 + number * 8 + file);
                }
            }
        }
    }

    /// By the number of men.
    fn bucket(&self) -> usize {
        (self.board.occupied().count_ones() as usize).saturating_sub(1) / 8
    }

    /// Men by worth, small men by how far they have come, unguarded squares of the last rows, and men that could step
    /// on one now.
    fn classical_eval(&self) -> i32 {
        if DEMOTION {
            return sum_of_terms(self);
        }
        let reach = Color::ALL.map(|color| self.board.all_reach(color));
        let [white, black] =
            Color::ALL.map(|color| self.side(color, reach[color.index()], reach[(!color).index()]));
        let turn = if self.turn == Color::White { TURN } else { -TURN };
        white - black + turn
    }

    fn mvv_lva(&self, decision: Move) -> i32 {
        let (from, to) = (decision.from(), decision.to());
        if decision.from() == decision.to() {
            return 0;
        }
        if self.wins_on_arrival(from, to) {
            return WINNING_GAIN;
        }
        if bit(to) & self.board.men(!self.turn) == 0 {
            return 0;
        }
        let worth = |square| WORTH[usize::from(DEMOTION)][usize::from(self.board.kind_bits(square))];
        worth(to) - worth(from) / 16
    }

    fn see_ge(&self, decision: Move, threshold: i32) -> bool {
        let (from, to) = (decision.from(), decision.to());
        if from == to || bit(to) & (last_row(self.turn) | last_row(!self.turn)) != 0 {
            // There it is not worth that decides.
            return true;
        }
        let board = &self.board;
        let worth = |square| WORTH[usize::from(DEMOTION)][usize::from(board.kind_bits(square))];
        let taken = if bit(to) & board.men(!self.turn) == 0 { 0 } else { worth(to) };
        let mut occupied = board.occupied() & !bit(from) | bit(to);
        exchange_brings((taken, worth(from)), threshold, self.turn, |side| {
            let takers = Bits(board.attackers(side, to, occupied) & occupied & !bit(to));
            let taker = takers.min_by_key(|&square| worth(square))?;
            occupied &= !bit(taker);
            Some(worth(taker))
        })
    }

    /// An enemy runner stands on our home row (R6): only its capture helps. In the demotion game: an enemy small man
    /// reaches his last row next move; only his capture helps, or winning first. (There a third repetition could also
    /// take him off; this is not looked at.)
    fn in_check(&self) -> bool {
        self.runner() != 0 || self.about_to_arrive() != 0
    }

    /// Not with demotion: that is a race, and without null moves it won 115-85 at 5,000 nodes.
    fn null_move(&self) -> Option<Self> {
        let mut passed = *self;
        passed.turn = !self.turn;
        passed.quiet = self.quiet.saturating_add(1);
        (!DEMOTION && passed.quiet + 1 < REMOVAL_AFTER).then_some(passed)
    }

    fn history_index(&self, decision: Move) -> usize {
        self.turn.index() << 12 | u32::from(decision) as usize
    }
}
