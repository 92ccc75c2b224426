//! A guided first game.

use crate::game::Aim::{Do, GetBall, Reach, Take, Win};
use crate::game::{DeedKind, Lesson};
use crate::notation::Coordinate;

pub(super) static LESSONS: [Lesson; 7] = [
    Lesson::new(
        "Each side has a ball, and one piece has it: here your king. When that piece has moved, it may \
         throw the ball like a queen. Move the king to e2, then throw the ball to c4.",
        (
            "****1***/rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR/****1*** w KQkq - e1:d1/e8:d8 0 2",
            "e1e2,O@c4",
        ),
        &[Do(DeedKind::Throw), Reach(Coordinate::new(2, 4))],
        "The ball lies on c4 now. Only your own pieces may take it.",
    ),
    Lesson::new(
        "Your ball lies on d5. Move your rook onto it.",
        ("****1***/4k1r1/5ppp/8/3o4/8/2B5/PPP2PPP/3RK3/****1*** w - - -:e1/e8:g8 0 30", "d1d5"),
        &[GetBall],
        "The rook has the ball. Who has just taken it does not throw in that turn.",
    ),
    Lesson::new(
        "The knight on d5 has the enemy's ball. Take it with your rook, then put the ball on a free \
         square beside it.",
        ("****1***/4k3/5ppp/8/3n4/8/8/PPP2PPP/3RK3/****1*** w - - e1:a2/d5:g7 0 30", "d1d5,O@d6"),
        &[Take, Do(DeedKind::Throw)],
        "Choose that square well: the enemy's pieces will want the ball back.",
    ),
    Lesson::new(
        "Behind the enemy king lies the wicket e9. Move the bishop, which has your ball, to a5, and throw \
         the ball into the wicket.",
        ("****1***/4k1r1/5ppp/8/8/8/2B5/PPP2PPP/3RK3/****1*** w - - c3:e1/e8:g8 0 30", "c3a5,O@e9"),
        &[Do(DeedKind::Throw), Reach(Coordinate::new(4, 9))],
        "Wicket taken: the Defender, the rook with the shield, must leave the board.",
    ),
    Lesson::new(
        "Now the king itself is the enemy's Defender, and does not see its wicket. Take the wicket.",
        ("****1***/5rk1/5ppp/8/8/8/2B5/PPP2PPP/3RK3/****1*** w - - c3:d1/f8:g8 0 30", "c3a5,O@e9"),
        &[Win],
        "Won! A king who is Defender must never let its wicket be taken.",
    ),
    Lesson::new(
        "This Defender stands beside its wicket and sees it. Such a wicket costs three of your pieces (in \
         other modes the dice or the cards decide). Throw the ball in, and give up three pieces.",
        (
            "****1***/4k1r1/5ppp/8/8/8/2B5/PPP2PPP/3RK3/****1*** w - - c3:e1/g8:e8 0 30",
            "c3a5,O@e9,X@b2,X@c2,X@f2",
        ),
        &[Do(DeedKind::GiveUp), Win],
        "Won again. Three pieces are a high price, unless they win the game.",
    ),
    Lesson::new(
        "And it is still chess: mate with the rook.",
        ("****1***/6k1/5ppp/8/8/8/8/5PPP/3R2K1/****1*** w - - g1:h2/h7:f7 0 30", "d1d8"),
        &[Win],
        "Mate. You know enough for a first game of Chess with Wickets.",
    ),
];
