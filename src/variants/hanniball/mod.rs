//! HanniBall (Christian Freeling with Arty Sandler, 2009): two herds, one Ball, four steps a turn.
//!
//! The rules, with the numbers that comments name, are in `protocol-docs/rules/hanniball.md`.

mod board;
mod count;
mod decision;
mod distance;
mod evaluation;
mod explain;
mod field;
mod goal;
mod gui;
mod lessons;
mod movegen;
mod notation;
mod penalty;
mod roles;
mod state;
#[cfg(test)]
mod tests;

use crate::game::{Course, Facts, Piece, Shape, Switch, SwitchKind, Thing, WinModel};
use crate::notation::Coordinate;
pub use decision::Step;
pub use state::State;

/// The switch for the penalty rules (R32 to R37).
const RED_CARD: &str = "red-card";

const HORSE: Piece = Piece::new(b'H', "Horse", Shape::Knight);
const ELEPHANT: Piece = Piece::new(b'E', "Elephant", Shape::Elephant);
const LION: Piece = Piece::new(b'L', "Lion", Shape::Lion);
const MONKEY: Piece = Piece::new(b'M', "Monkey", Shape::Monkey);

static PIECES: [Piece; 9] = [
    MONKEY,
    LION,
    ELEPHANT,
    HORSE,
    Piece::new(b'O', "the ball", Shape::Thing(Thing::Ball)),
    MONKEY.with(Thing::Ball, b'N'),
    LION.with(Thing::Ball, b'U'),
    ELEPHANT.with(Thing::Ball, b'C'),
    HORSE.with(Thing::Ball, b'A'),
];

static FACTS: Facts = Facts {
    name: "hanniball",
    title: "HanniBall",
    summary: "up to four steps a turn with Horses, Elephants, Lions and a Monkey: shoot or carry the ball into the \
              enemy goal",
    files: field::FILES,
    ranks: field::ROWS,
    start: "***1m1***/2l3l2/1e1e1e1e1/1h1h1h1h1/9/9/9/4o4/9/9/9/1H1H1H1H1/1E1E1E1E1/2L3L2/***1M1*** w 2 0 1",
    rules: ("hanniball", include_str!("../../../protocol-docs/rules/hanniball.md")),
    switches: &[Switch {
        name: RED_CARD,
        kind: SwitchKind::Check,
        help: "a player whose way to the ball is walled off may send one enemy piece off the field",
    }],
    roles: Some(roles::roles),
    pieces: &PIECES,
    goals: &[
        (Coordinate::new(3, 1), Coordinate::new(5, 1)),
        (Coordinate::new(3, 15), Coordinate::new(5, 15)),
    ],
    areas: &[
        (Coordinate::new(2, 2), Coordinate::new(6, 3)),
        (Coordinate::new(2, 13), Coordinate::new(6, 14)),
    ],
    xboard: &gui::VIEW,
    course: Some(Course { game: "hanniball", lessons: &lessons::LESSONS }),
    elo_scale: 115,
    elo_margin: 300,
    elo_lines: 40,
    win_model: WinModel { even: 56.0, spread: 453.0 },
    ..Facts::PLAIN
};
