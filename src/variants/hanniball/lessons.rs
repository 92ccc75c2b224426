//! A guided first game.

use crate::game::Aim::{Bend, Do, GetBall, Reach, Take, Win};
use crate::game::{DeedKind, Lesson};
use crate::notation::Coordinate;

pub(super) static LESSONS: [Lesson; 8] = [
    Lesson::new(
        "The orange ball lies loose on e8. Your Horse on d6 jumps like a knight. Jump onto the ball: a \
         piece that stands on it has it.",
        ("***1m1***/9/9/5e3/9/9/9/4o4/9/3H5/9/9/9/9/***1M1*** w 4 0 10", "d6e8"),
        &[GetBall],
        "Your Horse has the ball. When it moves, it takes the ball along.",
    ),
    Lesson::new(
        "Pass the ball to the Lion on f9: choose the Horse, then the Lion. A Horse shoots one square in \
         any direction.",
        ("***1m1***/9/9/9/9/4e4/3h1L3/4+H4/9/9/9/9/9/9/***1M1*** w 4 0 10", "O@f9"),
        &[Do(DeedKind::Throw), Reach(Coordinate::new(5, 9))],
        "The Lion has the ball now. A shot is a step, and so is a move; a turn has four.",
    ),
    Lesson::new(
        "Your Monkey has the ball, and three enemies stand in front of it. It shoots one to five squares \
         in a straight line, over everybody. Shoot the ball out of the goal area.",
        ("***1m1***/9/9/9/9/9/9/9/9/9/2H6/3hlh3/9/4+M4/***3*** w 4 0 10", "O@c4"),
        &[Do(DeedKind::Throw)],
        "Well saved. The Monkey stays at home: it never leaves its goal and the area before it.",
    ),
    Lesson::new(
        "An enemy Elephant has the ball. Only a piece that has the ball can be taken. Take it with your \
         Horse.",
        ("***1m1***/9/9/9/9/9/9/4+eh3/4E4/3H5/9/9/9/9/***1M1*** w 4 0 10", "d6e8"),
        &[Take],
        "The Elephant is gone, and your Horse has the ball.",
    ),
    Lesson::new(
        "Carry the ball into the enemy goal, the green squares at the far end. Your Elephant goes one \
         step in any direction.",
        ("***m2***/4+E4/2e6/9/9/9/9/9/9/9/9/9/9/9/***1M1*** w 4 0 10", "e14f15"),
        &[Do(DeedKind::Move), Win],
        "Goal! A ball that is carried in counts like one that is shot.",
    ),
    Lesson::new(
        "Now shoot a goal. A Lion shoots one square, or a knight's jump, and nothing blocks a shot.",
        ("***3***/4m4/3e+L4/9/9/9/9/9/9/9/9/9/9/9/***1M1*** w 4 0 10", "O@f15"),
        &[Do(DeedKind::Throw), Win],
        "Goal! The Monkey guards only the square it stands on.",
    ),
    Lesson::new(
        "A ball that hits a Monkey flies on, where the shooter wants. Shoot at the Monkey so that the \
         ball comes to your Horse on g13.",
        ("***1m1***/4+L4/3h1eH2/9/9/9/9/9/9/9/9/9/9/9/***1M1*** w 4 0 10", "O@e15,O@g13"),
        &[Bend, Reach(Coordinate::new(6, 13))],
        "That was one step. A ricochet may end anywhere in a straight line, but not in a goal.",
    ),
    Lesson::new(
        "You have four steps, with any of your pieces. Get the ball, bring it forward, and score.",
        ("***3***/4m4/5L3/3e5/4oh3/9/3H5/9/9/9/9/9/9/9/***1M1*** w 4 0 10", "d9e11,e11g12,O@f13,O@e15"),
        &[GetBall, Win],
        "You know all you need for a first game of HanniBall.",
    ),
];
