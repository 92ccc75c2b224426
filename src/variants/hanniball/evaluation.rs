//! How good a position looks.

use super::board::{Board, Kind};
use super::decision::{Deed, Step};
use super::field::{NEIGHBOURS, Squares, enemy_goal, has, look, row_of};
use super::state::State;
use crate::base::{Bits, Color};
use crate::game::Evaluation;

/// What a piece is worth, by [`Kind`], in centipawns.
const WORTH: [i32; 4] = [450, 330, 260, 500];
/// Having the Ball.
const CONTROL: i32 = 60;
/// Each row that the Ball is nearer to the enemy's goal.
const ROW: i32 = 10;
/// Each piece within one square of the Ball, and within two.
const NEAR: [i32; 2] = [12, 8];
/// A goal that can be made with the next step, by the player whose step it is.
const GOAL_NOW: i32 = 3_000;
/// The same when the other one still has steps to prevent it.
const GOAL_NEXT: i32 = 120;

/// Slots of one colour: eight sorts of steps, 128 squares.
const SLOTS_A_SIDE: usize = 8 * 128;

fn worth(kind: Kind) -> i32 {
    WORTH[kind as usize]
}

/// What the pieces of `color` are worth, and how close they are to the Ball.
fn side_value(board: &Board, color: Color, close: Squares, near: Squares) -> i32 {
    let men = board.men(color);
    let material =
        Kind::ALL.into_iter().map(|kind| worth(kind) * board.of_kind(color, kind).count_ones() as i32);
    let around = NEAR[0] * (men & close).count_ones() as i32 + NEAR[1] * (men & near).count_ones() as i32;
    let control = if board.controls(color) { CONTROL } else { 0 };
    material.sum::<i32>() + around + control
}

impl Evaluation for State {
    const HISTORY_SIZE: usize = 2 * SLOTS_A_SIDE;

    fn static_eval(&self) -> i32 {
        let board = &self.board;
        let close = look(&NEIGHBOURS, board.ball());
        let near = Bits(close).fold(0, |set, square| set | look(&NEIGHBOURS, square)) & !close;
        let value = |color| {
            let threat = match (self.scores_in_one(color), color == self.side) {
                (false, _) => 0,
                (true, true) => GOAL_NOW,
                (true, false) => GOAL_NEXT,
            };
            side_value(board, color, close, near) + threat
        };
        let advance = ROW * (i32::from(row_of(board.ball())) - 7);
        value(Color::White) - value(Color::Black) + advance
    }

    fn mvv_lva(&self, step: Step) -> i32 {
        let board = &self.board;
        let after = |to| {
            // A goal is worth more than any piece; an own goal is not worth looking at first.
            if has(enemy_goal(self.side), to) { 10 * GOAL_NOW } else { 0 }
        };
        match step.deed() {
            Deed::Go { from, to } if board.ball() == from => after(to),
            Deed::Go { from, to } if has(board.men(!self.side), to) => {
                let (victim, taker) = (board.kind_of(!self.side, to), board.kind_of(self.side, from));
                worth(victim) - worth(taker) / 16
            }
            Deed::Shoot { to, .. } => after(to),
            Deed::SendOff(at) => worth(board.kind_of(!self.side, at)),
            Deed::Go { .. } | Deed::Leave { .. } | Deed::Stop => 0,
        }
    }

    /// True before the last step of a turn when the opponent could score with the first step of his. Earlier in the
    /// turn there is time to answer; the evaluation counts that threat.
    fn in_check(&self) -> bool {
        self.must_answer()
    }

    fn history_index(&self, step: Step) -> usize {
        let (sort, square) = match step.deed() {
            Deed::Go { from, to } => (self.board.kind_of(self.side, from) as usize, to),
            Deed::Leave { to, .. } => (4, to),
            Deed::Shoot { first, to } if first == to => (5, to),
            Deed::Shoot { to, .. } => (6, to),
            Deed::SendOff(at) => (7, at),
            Deed::Stop => (7, 127),
        };
        self.side.index() * SLOTS_A_SIDE + sort * 128 + usize::from(square)
    }
}
