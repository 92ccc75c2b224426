//! The number of steps a side needs to take the Ball.

use super::board::{Board, Kind};
use super::field::{FILES, GOALS, HOME, LEAPS, NEIGHBOURS, SQUARES, Squares, bit, file_of, has, look};
use crate::base::{Color, const_for};

/// Stands for more steps than a turn has.
pub(super) const FAR: u8 = 5;

/// The squares of the field proper, without the `west` first and the `east` last files.
const fn inside(west: u8, east: u8) -> Squares {
    let mut set = 0;
    const_for!(square in 0..SQUARES => {
        let file = file_of(square);
        if file >= west && file < FILES - east && GOALS & bit(square) == 0 {
            set |= bit(square);
        }
    });
    set
}

const FIELD: Squares = inside(0, 0);
const NOT_WEST: Squares = inside(1, 0);
const NOT_EAST: Squares = inside(0, 1);
const NOT_WEST_TWO: Squares = inside(2, 0);
const NOT_EAST_TWO: Squares = inside(0, 2);

/// The neighbours of `set`, goals left out.
const fn neighbours(set: Squares) -> Squares {
    let set = set & FIELD;
    let beside = (set & NOT_EAST) << 1 | (set & NOT_WEST) >> 1;
    let rows = set | beside;
    (beside | rows << 9 | rows >> 9) & FIELD
}

/// The squares a knight's move away from `set`, whatever stands between (R14 is ignored).
const fn leaps(set: Squares) -> Squares {
    let set = set & FIELD;
    let one = (set & NOT_EAST) << 1 | (set & NOT_WEST) >> 1;
    let two = (set & NOT_EAST_TWO) << 2 | (set & NOT_WEST_TWO) >> 2;
    (one << 18 | one >> 18 | two << 9 | two >> 9) & FIELD
}

/// The number of steps until a piece of a side has the Ball (0 if one has it, [`FAR`] for more than four),
/// and how many of its pieces can be there within one step and within two.
pub(super) type Steps = (u8, [u8; 2]);

/// The steps of White and of Black.
pub(super) fn steps_to_ball(board: &Board) -> [Steps; 2] {
    let ball = board.ball();
    let free = FIELD & !board.occupied();
    let (mut horse, mut elephant, mut lion) = (bit(ball), bit(ball), bit(ball));
    let mut found = [FAR; 2];
    let mut near = [[0; 2]; 2];
    for steps in 1..FAR {
        (horse, elephant) = match steps {
            // Pieces in the goals count where one step is enough.
            1 => (look(&LEAPS, ball), look(&NEIGHBOURS, ball)),
            _ => (leaps(horse), neighbours(elephant)),
        };
        lion = if steps == 1 { horse | elephant } else { neighbours(lion) | leaps(lion) };
        let mut done = true;
        for color in Color::ALL {
            let side = color.index();
            let monkey = if has(HOME[side], ball) { board.of_kind(color, Kind::Monkey) & lion } else { 0 };
            let there = board.of_kind(color, Kind::Horse) & horse
                | board.of_kind(color, Kind::Elephant) & elephant
                | board.of_kind(color, Kind::Lion) & lion
                | monkey;
            if there & !bit(ball) != 0 {
                found[side] = found[side].min(steps);
            }
            if steps <= 2 {
                near[side][usize::from(steps) - 1] = (there & !bit(ball)).count_ones() as u8;
            }
            done &= found[side] < FAR;
        }
        if done && steps >= 2 {
            break;
        }
        horse &= free;
        elephant &= free;
        lion &= free;
    }
    for color in Color::ALL {
        if board.controls(color) {
            found[color.index()] = 0;
        }
    }
    [(found[0], near[0]), (found[1], near[1])]
}
