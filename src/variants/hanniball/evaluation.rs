//! How good a position looks.

use super::board::{Board, Kind};
use super::decision::{Deed, Step};
use super::distance::{FAR, Steps, steps_to_ball};
use super::field::{NEIGHBOURS, SQUARES, Squares, enemy_goal, file_of, has, look, row_of, square_at};
use super::goal;
use super::state::State;
use crate::base::{Bits, Color, const_for, table};
use crate::game::network::{Network, embedded};
use crate::game::step_ranker::{StepRanker, embedded_ranker};
use crate::game::{Evaluation, Selectivity};

/// What a piece is worth, by [`Kind`], in centipawns.
const WORTH: [i32; 4] = [450, 330, 260, 500];
/// Being so much ahead in pieces, a side has begun to have won; from so much on it has.
const AHEAD: [i32; 2] = [400, 1_400];
/// Then each row that the Ball is nearer to the enemy's goal, and that a piece is, is worth so much more:
/// without anything to gain it would wait for ever.
const PRESS: [i32; 2] = [40, 4];
/// The worth of having the Ball.
const CONTROL: i32 = 60;
/// Each row that the Ball is nearer to the enemy's goal.
const ROW: i32 = 25;
/// Each step that is left of the turn once the Ball has been taken.
const TO_SPARE: i32 = 20;
/// Each step by which the other side is nearer to the Ball than four.
const FAR_OFF: i32 = 15;
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

/// What the pieces of `color` are worth.
fn material(board: &Board, color: Color) -> i32 {
    let of = |kind| worth(kind) * board.of_kind(color, kind).count_ones() as i32;
    Kind::ALL.into_iter().map(of).sum()
}

/// The same, and how close they are to the Ball.
fn side_value(board: &Board, color: Color, close: Squares, near: Squares) -> i32 {
    let pieces = board.pieces(color);
    let around =
        NEAR[0] * (pieces & close).count_ones() as i32 + NEAR[1] * (pieces & near).count_ones() as i32;
    let control = if board.controls(color) { CONTROL } else { 0 };
    material(board, color) + around + control
}

/// Squares, as inputs of the network.
const PLACES: usize = SQUARES as usize;
/// Where a square can lie as seen from the Ball: 29 rows of 17.
const OFFSETS: usize = 29 * 17;
/// The first input for a piece as seen from the Ball; before it stand pieces by square.
const RELATIVE: usize = 8 * PLACES;
/// The first input for the Ball: by who has it, by square.
const BALL: usize = RELATIVE + 8 * OFFSETS;
/// The first input for the steps that each side needs to take it.
const TAKING: usize = BALL + 3 * PLACES;
/// Steps that may be needed, from none to [`FAR`].
const TAKES: usize = FAR as usize + 1;
/// The first input for how many pieces are near the Ball.
const NEAR_INPUTS: usize = TAKING + 3 * TAKES * TAKES + 2 * 15 * TAKES;

/// A square as a side sees it.
#[derive(Clone, Copy)]
struct Seen {
    place: u8,
    file: u8,
    row: u8,
    /// 17 for each row, 1 for each file.
    offset: u16,
}

/// By side, by whether left and right are exchanged, by square.
static SEEN: [[[Seen; 128]; 2]; 2] = table!(side => table!(mirrored => {
    let mut seen = [Seen { place: 0, file: 0, row: 0, offset: 0 }; 128];
    const_for!(square in 0..SQUARES => {
        let row = if side == 0 { row_of(square) } else { 14 - row_of(square) };
        let file = if mirrored == 1 { 8 - file_of(square) } else { file_of(square) };
        let place = square_at(file as i8, row as i8);
        seen[square as usize] = Seen { place, file, row, offset: row as u16 * 17 + file as u16 };
    });
    seen
}));

impl State {
    /// What White gains by going forward once the game is won but for the goal; negative for Black.
    fn pressing(&self) -> i32 {
        let board = &self.board;
        let ahead = material(board, Color::White) - material(board, Color::Black);
        let share = (ahead.abs() - AHEAD[0]).clamp(0, AHEAD[1] - AHEAD[0]);
        if share == 0 {
            return 0;
        }
        let leader = if ahead > 0 { Color::White } else { Color::Black };
        let rows = |square| {
            let row = i32::from(row_of(square));
            if leader == Color::White { row } else { 14 - row }
        };
        let pieces = board.pieces(leader) & !board.monkeys();
        let gain = PRESS[0] * rows(board.ball()) + PRESS[1] * Bits(pieces).map(rows).sum::<i32>();
        gain * share / (AHEAD[1] - AHEAD[0]) * ahead.signum()
    }

    /// Names the inputs of the network that are on, as `side` sees the board.
    #[inline]
    fn name_inputs(&self, side: Color, steps: &[Steps; 2], mut input: impl FnMut(usize)) {
        let board = &self.board;
        // Left and right are alike: the Ball is always seen on the left.
        let view = &SEEN[side.index()];
        let mirrored = usize::from(view[0][usize::from(board.ball() & 127)].file > 4);
        let view = &view[mirrored];
        let ball = view[usize::from(board.ball() & 127)];
        for (theirs, color) in [side, !side].into_iter().enumerate() {
            for kind in Kind::ALL {
                let sort = theirs * 4 + kind as usize;
                for square in Bits(board.of_kind(color, kind)) {
                    let seen = view[usize::from(square & 127)];
                    input(sort * PLACES + usize::from(seen.place));
                    let offset = usize::from(OFFSETS as u16 / 2 + seen.offset - ball.offset);
                    input(RELATIVE + sort * OFFSETS + offset);
                }
            }
        }
        let holder = match (board.controls(side), board.controls(!side)) {
            (true, _) => 0,
            (_, true) => 1,
            _ => 2,
        };
        input(BALL + holder * PLACES + usize::from(ball.place));
        let [(mine, my_near), (theirs, their_near)] = [steps[side.index()], steps[(!side).index()]];
        let (mine, theirs, row) = (usize::from(mine), usize::from(theirs), usize::from(ball.row));
        input(TAKING + (holder * TAKES + mine) * TAKES + theirs);
        input(TAKING + 3 * TAKES * TAKES + row * TAKES + mine);
        input(TAKING + 3 * TAKES * TAKES + 15 * TAKES + row * TAKES + theirs);
        for (number, count) in my_near.into_iter().chain(their_near).enumerate() {
            input(NEAR_INPUTS + number * 8 + usize::from(count.min(7)));
        }
    }

    /// The terms set by hand.
    fn terms(&self, steps: &[Steps; 2]) -> i32 {
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
        let side = self.side;
        let (mine, theirs) = (steps[side.index()].0, steps[(!side).index()].0);
        let mut taking = -FAR_OFF * i32::from(4_u8.saturating_sub(theirs));
        if mine <= self.left {
            taking += TO_SPARE * i32::from(self.left - mine);
            if board.controls(!side) {
                // Who takes the Ball also takes the piece that has it.
                taking += worth(board.kind_of(!side, board.ball())) * 4 / 5;
            }
        }
        let taking = if side == Color::White { taking } else { -taking };
        value(Color::White) - value(Color::Black) + advance + taking + self.pressing()
    }
}

impl Evaluation for State {
    const HISTORY_SIZE: usize = 2 * SLOTS_A_SIDE;
    const SELECTIVITY: Selectivity = Selectivity {
        time_share: 60,
        whole_turns: true,
        root_breadth: 4,
        root_turns: 2,
        ..Selectivity::NONE
    };

    const INPUTS: usize = NEAR_INPUTS + 4 * 8;
    const BUCKETS: usize = 4;

    fn network() -> Option<&'static Network> {
        embedded!(State, "network.bin")
    }

    fn step_ranker() -> Option<&'static StepRanker> {
        embedded_ranker!("steps.bin", (State::BUCKETS, State::INPUTS))
    }

    fn inputs(&self, mut input: impl FnMut(Color, usize)) {
        let steps = steps_to_ball(&self.board);
        Color::ALL.into_iter().for_each(|side| self.name_inputs(side, &steps, |number| input(side, number)));
    }

    fn classical_eval(&self) -> i32 {
        self.terms(&steps_to_ball(&self.board))
    }

    fn inputs_and_classical_eval(&self, mut input: impl FnMut(Color, usize)) -> i32 {
        let steps = steps_to_ball(&self.board);
        Color::ALL.into_iter().for_each(|side| self.name_inputs(side, &steps, |number| input(side, number)));
        self.terms(&steps)
    }

    fn inputs_seen_by_and_classical_eval(&self, player: Color, input: impl FnMut(usize)) -> i32 {
        let steps = steps_to_ball(&self.board);
        self.name_inputs(player, &steps, input);
        self.terms(&steps)
    }

    /// By the steps left.
    fn bucket(&self) -> usize {
        usize::from(self.left.clamp(1, 4) - 1)
    }

    fn perspective(&self) -> Color {
        self.side
    }

    fn mvv_lva(&self, step: Step) -> i32 {
        let board = &self.board;
        let after = |to| {
            // A goal is worth more than any piece; an own goal is not worth looking at first.
            if has(enemy_goal(self.side), to) { 10 * GOAL_NOW } else { 0 }
        };
        match step.deed() {
            Deed::Go { from, to } if board.ball() == from => after(to),
            Deed::Go { from, to } if has(board.pieces(!self.side), to) => {
                let (victim, taker) = (board.kind_of(!self.side, to), board.kind_of(self.side, from));
                worth(victim) - worth(taker) / 16
            }
            Deed::Shoot { to, .. } => after(to),
            Deed::SendOff(at) => worth(board.kind_of(!self.side, at)),
            Deed::Go { .. } | Deed::Leave { .. } | Deed::Stop => 0,
        }
    }

    /// True before the last step of a turn when the opponent could score with the first step of theirs.
    /// Earlier in the turn there is time to answer; the evaluation counts that threat.
    fn in_check(&self) -> bool {
        self.must_answer()
    }

    fn turn_key(&self) -> Option<u64> {
        Some(self.board.key())
    }

    fn wins_now(&self) -> bool {
        goal::scores_within(&self.board, self.side, self.left)
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
