//! Can a side bring the Ball into the goal within its remaining steps?
//!
//! A search over the steps that could matter. A carry and most shots bring the Ball forward by two rows at
//! most, so the rows left give a lower bound on the steps needed. Steps to spare may be made by any piece.

use super::board::Board;
use super::decision::{Deed, Step};
use super::field::{FLIGHT, enemy_goal, has, look, row_of};
use super::movegen::Which;
use crate::base::Color;

/// The number of boards examined before the answer is "not known", which counts as no.
const MOST_BOARDS: usize = 1000;

/// True when `color` can score within `steps` steps and the search found it.
pub(super) fn scores_within(board: &Board, color: Color, steps: u8) -> bool {
    needed(board, color) <= steps && search(board, color, steps, &mut Examined::default())
}

/// The boards examined so far, each with the steps that were left there: another order of the same steps
/// leads to the same boards.
#[derive(Default)]
struct Examined {
    keys: arrayvec::ArrayVec<u64, MOST_BOARDS>,
}

impl Examined {
    /// Whether the board is to be examined, and was not before.
    fn insert(&mut self, board: &Board, steps: u8) -> bool {
        let key = board.key() ^ u64::from(steps);
        !self.keys.contains(&key) && self.keys.try_push(key).is_ok()
    }
}

/// A lower bound on the steps to a goal.
fn needed(board: &Board, color: Color) -> u8 {
    let ball = board.ball();
    let rows = match color {
        Color::White => 14 - row_of(ball),
        Color::Black => row_of(ball),
    };
    // An own Monkey sends the Ball up to five rows on.
    let far = has(board.monkeys() & board.pieces(color), ball)
        || look(&FLIGHT, ball) & board.monkeys() & board.pieces(color) != 0;
    let flight = if far { rows.saturating_sub(5).div_ceil(2) + 1 } else { rows.div_ceil(2) };
    flight.min(rows.div_ceil(2)) + u8::from(!board.controls(color))
}

fn search(board: &Board, color: Color, steps: u8, examined: &mut Examined) -> bool {
    let spare = steps - needed(board, color);
    let ball = board.ball();
    let goal = enemy_goal(color);
    let mut found = false;
    let mut ways: arrayvec::ArrayVec<(u8, Step), 256> = arrayvec::ArrayVec::new();
    board.each_step(color, false, Which::All, |step| {
        let (of_ball, to) = match step.deed() {
            Deed::Shoot { to, .. } => (true, to),
            Deed::Go { from, to } if from == ball => (true, to),
            Deed::Go { to, .. } if to == ball => (true, ball),
            Deed::Go { to, .. } => (false, to),
            Deed::Leave { .. } | Deed::SendOff(_) | Deed::Stop => return,
        };
        if has(goal, to) && of_ball {
            found = true;
        } else if steps > 1 && (of_ball || spare > 0) {
            // Steps that move the Ball come first, the farthest forward before others.
            let row = row_of(to);
            let ahead = if color == Color::White { row } else { 14 - row };
            let _ = ways.try_push((if of_ball { 32 + ahead } else { 16 - row.abs_diff(row_of(ball)) }, step));
        }
    });
    if found || steps <= 1 {
        return found;
    }
    ways.sort_unstable_by_key(|&(rank, _)| std::cmp::Reverse(rank));
    for (_, step) in ways {
        if examined.keys.is_full() {
            return false;
        }
        let mut next = *board;
        next.carry_out(color, step);
        let possible = needed(&next, color) < steps && examined.insert(&next, steps);
        if possible && search(&next, color, steps - 1, examined) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Rng;
    use crate::game::{Notation, Rules, playout};
    use crate::notation::parse_position;
    use crate::variants::hanniball::State;
    use crate::variants::hanniball::distance::steps_to_ball;

    /// Tries every step, without pruning.
    fn really_scores(board: &Board, color: Color, steps: u8) -> bool {
        let mut ways = Vec::new();
        board.each_step(color, false, Which::All, |step| ways.push(step));
        ways.into_iter().any(|step| {
            let mut next = *board;
            next.carry_out(color, step);
            match next.winner() {
                Some(winner) => winner == color,
                None => steps > 1 && really_scores(&next, color, steps - 1),
            }
        })
    }

    /// The list of `it games::search`, without the help of beam and network.
    #[test]
    fn every_goal_of_the_list_is_found() {
        let list = include_str!("../../../fixtures/positions/hanniball-goals.txt");
        for line in list.lines() {
            let (steps, position) = line.split_once(' ').unwrap();
            let state = State::read(&parse_position(position).unwrap(), &Rules::default()).unwrap();
            assert!(scores_within(&state.board, state.side, steps.parse().unwrap()), "{line}");
        }
    }

    #[test]
    fn a_goal_that_is_promised_can_be_made_and_few_are_missed() {
        let (mut rng, mut balls) = (Rng::new(3), Rng::new(4));
        let (mut there, mut found) = (0, 0);
        for _ in 0..12 {
            playout(State::start(&Rules::default()), &mut rng, 400, |record, _| {
                // Random games hardly ever come near a goal: the Ball is thrown anywhere.
                let mut state = record.now().clone();
                state.board.set_ball(3 + balls.below(117) as u8);
                for color in Color::ALL {
                    let one = scores_within(&state.board, color, 1);
                    assert_eq!(one, state.scores_in_one(color));
                    let really = really_scores(&state.board, color, 2);
                    let promised = scores_within(&state.board, color, 2);
                    assert!(really || !promised, "{}", state.write());
                    there += u32::from(really);
                    found += u32::from(promised);
                    // A piece that can step on the Ball is one step away from it.
                    let mut takes = false;
                    state.board.each_step(color, false, Which::All, |step| {
                        takes |= matches!(step.deed(), Deed::Go { to, .. } if to == state.board.ball());
                    });
                    let steps = steps_to_ball(&state.board)[color.index()].0;
                    assert!(!takes || steps <= 1, "{}", state.write());
                    assert_eq!(steps == 0, state.board.controls(color));
                }
            });
        }
        assert!(there > 20 && found * 100 >= there * 98, "{found} of {there}");
    }
}
