//! Explains to users why a step is not legal.

use super::board::Kind;
use super::decision::Step;
use super::field::{FLIGHT, GOALS, HOME, NOWHERE, has, look};
use super::movegen::{range, reach};
use super::notation::square;
use super::penalty;
use super::state::{FIRST_STEPS, State};
use crate::game::explain::{NOT_LEGAL, own_piece};
use crate::notation::{Coordinate, Leg, Suffix};

const UNCHANGED: &str = "the turn would end where it began";

/// Says why no legal step begins with `legs`.
pub(super) fn explain(position: &State, legs: &[Leg]) -> String {
    match *legs {
        [Leg::Move { from, to, suffix }, ..] => not_going(position, from, to, suffix),
        [Leg::Put { at, .. }, ..] if square(at) == NOWHERE => format!("there is no square {at}"),
        [Leg::Put { letter: b'O', at }, ref rest @ ..] => not_shooting(position, at, rest.first()),
        [Leg::Put { letter: b'X', at }, ..] => not_sending_off(position, at),
        [Leg::Put { letter, .. }, ..] => {
            format!(
                "`{}@` means nothing in HanniBall: O shoots the ball, X is the penalty",
                char::from(letter)
            )
        }
        [Leg::Pass, ..] => "a player may not pass: a turn must change something".into(),
        [Leg::Roll(_), ..] => "there is no die in HanniBall".into(),
        [Leg::Play(_) | Leg::Draw(_), ..] => "there are no cards in HanniBall".into(),
        [] => "nothing is said".into(),
    }
}

/// Says why no step can follow the next one in this turn.
pub(super) fn explain_end(position: &State) -> String {
    match position.steps_allowed() {
        FIRST_STEPS if position.left == 1 => "White's first turn has two steps at most".into(),
        _ if position.left == 1 => "a turn has four steps at most".into(),
        _ => "no other step is legal, so the turn has ended".into(),
    }
}

fn not_going(position: &State, from: Coordinate, to: Coordinate, suffix: Option<Suffix>) -> String {
    let (board, side) = (&position.board, position.side);
    let (origin, target) = (square(from), square(to));
    let kind = match board.piece_at(origin) {
        Some((_, kind)) => kind,
        None if board.ball() == origin => return format!("the ball on {from} lies loose, nobody has it"),
        None => return NOT_LEGAL.into(),
    };
    let name = kind.name();
    let leaves = match suffix {
        Some(Suffix::Letter(_)) => return "there is no promotion in HanniBall".into(),
        Some(Suffix::Leave) if board.ball() != origin => {
            return format!("the {name} on {from} does not have the ball, so it cannot leave it behind");
        }
        Some(Suffix::Leave) if kind == Kind::Monkey => {
            return "a Monkey may not leave the ball behind".into();
        }
        leave => leave.is_some(),
    };
    if kind == Kind::Monkey && !has(HOME[side.index()], target) {
        return "the Monkey may not leave its goal and goal area".into();
    }
    if !has(reach(side, kind, origin, board.occupied()), target) {
        // With nothing in between the Horse would get there.
        let blocked = has(reach(side, kind, origin, 0), target);
        return if blocked {
            format!("both squares between {from} and {to} are occupied")
        } else {
            format!("{} {name} does not go from {from} to {to}", kind.article())
        };
    }
    match board.piece_at(target) {
        Some((color, _)) if color == side => own_piece(position, to),
        Some((_, kind)) if board.ball() != target => {
            format!("the {} on {to} does not have the ball, so it cannot be captured", kind.name())
        }
        _ => undone(position, if leaves { Step::leave(origin, target) } else { Step::go(origin, target) }),
    }
}

fn not_shooting(position: &State, at: Coordinate, next: Option<&Leg>) -> String {
    let (board, side) = (&position.board, position.side);
    if !board.controls(side) {
        return "you do not have the ball".into();
    }
    let kind = board.kind_of(side, board.ball());
    let from = super::notation::coordinate(board.ball());
    let target = square(at);
    if kind == Kind::Monkey
        && has(look(&FLIGHT, board.ball()) | GOALS, target)
        && has(HOME[side.index()], target)
    {
        return "a Monkey must shoot the ball out of its goal area".into();
    }
    if !has(range(side, kind, board.ball()), target) {
        return format!("the {} on {from} cannot shoot to {at}", kind.name());
    }
    if !has(board.monkeys(), target) {
        return undone(position, Step::shoot(target, target));
    }
    not_ricocheting(position, at, next)
}

fn not_ricocheting(position: &State, at: Coordinate, next: Option<&Leg>) -> String {
    let Some(Leg::Put { letter: b'O', at: on }) = next else {
        return format!("the ball flies on from the Monkey on {at}: say where to, as in O@{at},O@SQUARE");
    };
    let landing = square(*on);
    if landing == NOWHERE {
        return format!("there is no square {on}");
    }
    if has(GOALS, landing) {
        return "a ricochet may not end in a goal".into();
    }
    if !has(look(&FLIGHT, square(at)), landing) {
        return format!("a ricochet from {at} goes one to five squares in a straight line, not to {on}");
    }
    undone(position, Step::shoot(square(at), landing))
}

fn not_sending_off(position: &State, at: Coordinate) -> String {
    let board = &position.board;
    if !position.red_card {
        return "there are no penalties: the rule switch red-card is off".into();
    }
    if !position.penalty {
        // R33: a player who had the right at the start of the turn has used it since.
        let had = penalty::is_due(&position.start, position.side);
        return if had { "a penalty is taken once in a turn" } else { "you have no penalty to take" }.into();
    }
    match board.piece_at(square(at)) {
        Some((color, _)) if color == position.side => "a penalty takes an enemy piece".into(),
        Some((_, Kind::Monkey)) => "a penalty cannot take the Monkey".into(),
        _ => format!("there is no enemy piece on {at}"),
    }
}

fn undone(position: &State, step: Step) -> String {
    if position.undoes(step) { UNCHANGED.into() } else { NOT_LEGAL.into() }
}
