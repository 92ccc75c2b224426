//! The tasks of a guided first game, as data. Whether one is done is decided by the rules: see
//! `live_game::progress`.

use super::DeedKind;
use crate::notation::Coordinate;

/// A guided first game.
#[derive(Debug)]
pub struct Course {
    /// The name of the game by whose rules it is played: of several modes, the one without dice or cards.
    pub game: &'static str,
    /// Its tasks, in order.
    pub lessons: &'static [Lesson],
}

/// A task on the board. The side to move in its position is the learner's.
#[derive(Clone, Copy, Debug)]
pub struct Lesson {
    /// What is to be done, and what one must know for it.
    pub task: &'static str,
    /// The position it begins with, as text.
    pub position: &'static str,
    /// What must happen in one turn.
    pub aims: &'static [Aim],
    /// A turn that does it; perhaps not the only one.
    pub way: &'static str,
    /// What is said when it is done.
    pub praise: &'static str,
}

/// Something that a learner's turn must do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// A decision of this kind.
    Do(DeedKind),
    /// A piece or the ball ends on this square.
    Reach(Coordinate),
    /// A piece or the ball turns on its way: a rebound, a ricochet.
    Bend,
    /// A piece of the opponent leaves the board.
    Take,
    /// A piece gets the ball.
    GetBall,
    /// The learner wins.
    Win,
}

impl Lesson {
    /// A task with one aim or several.
    pub const fn new(
        task: &'static str,
        (position, way): (&'static str, &'static str),
        aims: &'static [Aim],
        praise: &'static str,
    ) -> Self {
        Self { task, position, aims, way, praise }
    }
}
