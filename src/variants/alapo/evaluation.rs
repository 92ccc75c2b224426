//! What a search wants to know: worth, threats, noise.

use super::board::{bit, last_row};
use super::kind::Kind;
use super::state::{Alapo, REMOVAL_AFTER};
use crate::base::Bits;
use crate::base::Color;
use crate::game::network::Network;
use crate::game::{Evaluation, Selectivity};
use crate::variants::chessboard::Move;
use std::sync::LazyLock;

/// Worth of a man by the four bits of its kind, in centipawns; 0 where no kind has them.
///
/// Guessed from mobility on an open board, then rounded: rook 14 squares, bishop 9, lance 9 + 4, queen 23.
static WORTH: [i32; 16] = {
    let mut worth = [0; 16];
    let values = [440, 320, 760, 420, 110, 100, 190, 130];
    let mut index = 0;
    while index < 8 {
        worth[Kind::ALL[index].0 as usize] = values[index];
        index += 1;
    }
    worth
};

/// What a decision that wins at once counts in ordering.
const WINNING_GAIN: i32 = 10_000;
/// For a small man, by the rows it has come up: rows 4, 5, 6 and 7 of its side each add this.
const ADVANCED: i32 = 6;
/// The same where only small men win.
const ADVANCED_TO_WIN: i32 = 14;
/// For each square of one's last row that the enemy does not guard.
const HOLE: i32 = 14;
/// For the first such square that a man of one's own reaches now, and for each more.
const OPEN_DOOR: i32 = 120;
const MORE_DOORS: i32 = 30;
/// The door is open and it is one's turn: the game is as good as won.
const WALKS_IN: i32 = 1_500;
/// In the demotion game, for being down to three, two, one small man.
const FEW_SMALL: [i32; 4] = [0, 400, 180, 70];
const TURN: i32 = 12;

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
            sum += WORTH[usize::from(kind.0)] * (board.of_kind(kind) & men).count_ones() as i32;
        }
        let small = board.small_men(color);
        let rows_up = (4..8).map(|row| (small & from_row(color, row)).count_ones() as i32).sum::<i32>();
        let goal = last_row(color);
        if DEMOTION {
            sum += ADVANCED_TO_WIN * rows_up;
            let number = small.count_ones() as usize;
            sum -= FEW_SMALL.get(number).copied().unwrap_or(0);
            let doors = board.small_reach(color) & goal & !men;
            sum + self.doors(color, doors)
        } else {
            let holes = goal & !enemy_reach;
            sum += ADVANCED * rows_up + HOLE * holes.count_ones() as i32;
            sum + self.doors(color, holes & reach & !men)
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

    const SELECTIVITY: Selectivity = Selectivity::STANDARD;
    /// Where the men stand, and, where arriving wins, the squares of the last rows that are unguarded.
    const INPUTS: usize = 2 * 8 * 64 + if DEMOTION { 0 } else { 4 * 8 };
    const BUCKETS: usize = 4;

    fn network() -> Option<&'static Network> {
        static NETWORK: LazyLock<Option<Network>> =
            LazyLock::new(|| Network::from_bytes::<Alapo<false>>(include_bytes!("network.bin")));
        if DEMOTION { None } else { NETWORK.as_ref() }
    }

    fn inputs(&self, mut input: impl FnMut(Color, usize)) {
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
        if DEMOTION {
            return;
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
        let reach = if DEMOTION { [0; 2] } else { Color::ALL.map(|color| self.board.all_reach(color)) };
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
        WORTH[usize::from(self.board.kind_bits(to))] - WORTH[usize::from(self.board.kind_bits(from))] / 16
    }

    /// An enemy runner stands on our home row (R6): only its capture helps. In the demotion game: an enemy small man
    /// reaches his last row next move; only his capture helps, or winning first. (There a third repetition could also
    /// take him off; this is not looked at.)
    fn in_check(&self) -> bool {
        self.runner() != 0 || self.about_to_arrive() != 0
    }

    fn null_move(&self) -> Option<Self> {
        let mut passed = *self;
        passed.turn = !self.turn;
        passed.quiet = self.quiet.saturating_add(1);
        (passed.quiet + 1 < REMOVAL_AFTER).then_some(passed)
    }

    fn history_index(&self, decision: Move) -> usize {
        self.turn.index() << 12 | u32::from(decision) as usize
    }
}
