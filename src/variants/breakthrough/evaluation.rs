//! What a search wants to know: how far the men have come, who holds them back.

use super::movegen::ahead;
use super::state::{LAST_ROW, ROW_BEFORE, State};
use crate::base::{Bits, Color};
use crate::game::{Evaluation, Selectivity};
use crate::variants::chessboard::Move;

/// Worth of a man by the rows he has come, in centipawns. Those at home are worth more than the first that leave: they
/// keep the enemy out.
const WORTH: [i32; 8] = [112, 100, 104, 112, 128, 160, 230, 1_500];
/// For a man of one's own that guards another.
const GUARDED: i32 = 8;
/// By the rows a man has come whom no enemy can stop any more, neither before him nor beside.
const PASSED: [i32; 8] = [0, 20, 40, 80, 180, 400, 800, 0];
/// The move, with a man one step away: the game is as good as won.
const WALKS_IN: i32 = 2_000;
/// What a move that wins at once counts in ordering.
const WINS: i32 = 10_000;
const TURN: i32 = 10;

/// The rows a man of `color` on `square` has come.
const fn rows_come(square: u8, color: Color) -> usize {
    ((square >> 3 & 7) ^ (7 * color.index() as u8)) as usize
}

/// Every square `men` could ever step to, were they alone.
fn cone(mut men: u64, color: Color) -> u64 {
    for _ in 0..7 {
        men = ahead(men, color).iter().fold(men, |all, (step, _)| all | step);
    }
    men
}

impl State {
    fn judge(&self, color: Color) -> i32 {
        let (own, enemies) = (self.men[color.index()], self.men[(!color).index()]);
        let worth: i32 = Bits(own).map(|man| WORTH[rows_come(man, color)]).sum();
        // Whoever can meet a man on his way stands, or passes, where the man may come to.
        let stoppable = cone(enemies, !color);
        let passed: i32 = Bits(own & !stoppable).map(|man| PASSED[rows_come(man, color)]).sum();
        let [left, _, right] = ahead(own, color);
        let guarded = (own & (left.0 | right.0)).count_ones() as i32;
        let walks_in = self.turn == color && own & ROW_BEFORE[color.index()] != 0;
        worth
            + passed
            + GUARDED * guarded
            + TURN * i32::from(self.turn == color)
            + WALKS_IN * i32::from(walks_in)
    }
}

impl Evaluation for State {
    const SELECTIVITY: Selectivity = Selectivity::STANDARD;

    fn classical_eval(&self) -> i32 {
        self.judge(Color::White) - self.judge(Color::Black)
    }

    fn mvv_lva(&self, decision: Move) -> i32 {
        let (us, to) = (self.turn, decision.to());
        if LAST_ROW[us.index()] >> to & 1 == 1 {
            WINS
        } else if self.men[(!us).index()] >> to & 1 == 1 {
            WORTH[rows_come(to, !us)]
        } else {
            0
        }
    }

    /// An enemy is one step away from his last row.
    fn in_check(&self) -> bool {
        self.men[(!self.turn).index()] & ROW_BEFORE[(!self.turn).index()] != 0
    }

    fn null_move(&self) -> Option<Self> {
        Some(self.passed())
    }
}
