//! A guided first game.

use crate::game::Aim::{Bend, Do, Reach, Take, Win};
use crate::game::{DeedKind, Lesson};
use crate::notation::Coordinate;

pub(super) static LESSONS: [Lesson; 7] = [
    Lesson::new(
        "Your Ball on b2 takes only by a rebound: it runs up to your Boy on b6, turns there, and takes \
         what stands at the end of its way. Take the Deer on f5.",
        ("8k/9/1P7/5a3/9/9/1B2g4/8K[TTTTtttt] w 0 1", "b2f5"),
        &[Bend, Take],
        "Ball and Diagball rebound off your own pieces. Without a rebound they only move.",
    ),
    Lesson::new(
        "The Superball rebounds off any piece, friend or enemy. Rebound off the Boy on b6 and take the \
         Statue on f5.",
        ("8k/9/1p7/5t3/9/9/1S2g4/T7K[] w 0 1", "b2f5"),
        &[Bend, Take],
        "The piece it rebounds off stays where it is.",
    ),
    Lesson::new(
        "Your Deer on b2 runs like a queen and takes the enemy it stops in front of, without going there. \
         Take the Guard on b5.",
        ("k8/9/9/1g3p3/9/9/1A3r3/T7K[] w 0 1", "b2b5,b5b4"),
        &[Take],
        "You may also stop there and take nothing: the page asks which you mean.",
    ),
    Lesson::new(
        "The Mage-Apprentice goes one step diagonally, then up to two squares straight on, outward. Take \
         the Boy on e7.",
        ("8k/4p4/9/9/3M5/9/9/T7K[Ttt] w 0 1", "d4e7"),
        &[Take],
        "All the squares on its way must be free.",
    ),
    Lesson::new(
        "The Deer on a8 attacks your King. Drop a Statue between them: choose it beside the board, then a \
         square.",
        ("a7k/9/9/9/9/9/9/K8[TTtt] w 0 1", "T@a4"),
        &[Do(DeedKind::Drop)],
        "A Statue never moves. It is a wall to hide behind, or for your balls to rebound off.",
    ),
    Lesson::new(
        "Your Boy stands one step from the last row. Bring it there.",
        ("8k/1P7/9/9/9/9/9/T7K[tt] w 0 1", "b7b8"),
        &[Reach(Coordinate::new(1, 8))],
        "It has become a Superball.",
    ),
    Lesson::new(
        "Mate the King in the corner with the Guard. The Deer protects it.",
        ("k8/9/1G7/1A7/9/9/9/8K[ttT] w 0 1", "b6b7"),
        &[Win],
        "Mate, and you know enough for a first game of Jai-Alai.",
    ),
];
