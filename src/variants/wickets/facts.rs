//! Names, start position and switches of the six games.

use super::gui;
use super::lessons::LESSONS;
use super::roles::roles;
use crate::base::const_for;
use crate::game::{Course, Facts, Piece, Shape, Switch, SwitchKind, Thing, WinModel};
use crate::notation::Coordinate;
use crate::variants::chessboard::CHESS_PIECES;

/// The start position of the games without cards.
pub const START: &str =
    "****1***/rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/****1*** w KQkq - e1:d1/e8:d8 0 1";
/// The start position of the card games, before either player has looked at a hand: ten cards each, twenty in
/// the stock.
pub const START_WITH_CARDS: &str = "****1***/rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/****1*** w KQkq - e1:d1/e8:d8 0 1 W=?10/B=?10/S=?20/D=-";

/// The switch of open question Q1: a side's ball may never come to rest in its own wicket.
pub const NO_SEAL: &str = "no-seal";

static SWITCHES: [Switch; 1] = [Switch {
    name: NO_SEAL,
    kind: SwitchKind::Check,
    help: "the ball a side plays with may never come to rest in that side's own wicket",
}];

/// The wickets, e0 and e9.
static WICKETS: [(Coordinate, Coordinate); 2] =
    [(Coordinate::new(4, 0), Coordinate::new(4, 0)), (Coordinate::new(4, 9), Coordinate::new(4, 9))];

/// The pieces, with the letters that `gui` shows.
static PIECES: [Piece; 19] = {
    let mut pieces = [Piece::new(b'O', "ball of its side", Shape::Thing(Thing::OwnBall)); 19];
    const_for!(at in 0..6 => {
        let piece = CHESS_PIECES[at];
        pieces[at] = piece;
        pieces[at + 6] = piece.with(Thing::OwnBall, gui::BALL_CARRIER[at]);
        pieces[at + 12] = piece.with(Thing::Shield, gui::DEFENDER[at]);
    });
    pieces
};

/// What the six games have in common.
const COMMON: Facts = Facts {
    ranks: 10,
    first_rank: 0,
    start: START,
    rules: ("wickets", include_str!("../../../protocol-docs/rules/wickets.md")),
    switches: &SWITCHES,
    roles: Some(roles),
    pieces: &PIECES,
    goals: &WICKETS,
    xboard: &gui::VIEW,
    course: Some(Course { game: "wickets-det", lessons: &LESSONS }),
    elo_scale: 85,
    ..Facts::PLAIN
};

/// The facts of the six games, in the order of [`Mode`](super::mode::Mode).
pub static ALL: [&Facts; 6] = [
    &Facts {
        name: "wickets-det",
        aliases: &["wickets"],
        title: "Chess with Wickets, deterministic",
        summary: "chess with a ball; mate, or throw it into the wicket that a king defends; a wicket that is seen costs three pieces",
        win_model: WinModel { even: 106.0, spread: 264.0 },
        ..COMMON
    },
    &Facts {
        name: "wickets-det2",
        title: "Chess with Wickets, deterministic II",
        summary: "chess with a ball; mate, or throw it into the wicket that a king defends; a wicket that is seen costs two pieces",
        win_model: WinModel { even: 84.0, spread: 236.0 },
        ..COMMON
    },
    &Facts {
        name: "wickets-dice",
        title: "Chess with Wickets, dice",
        summary: "chess with a ball; mate, or throw it into the wicket that a king defends; a die decides",
        chance: true,
        win_model: WinModel { even: 80.0, spread: 217.0 },
        ..COMMON
    },
    &Facts {
        name: "wickets-dice2",
        title: "Chess with Wickets, dice II",
        summary: "chess with a ball; mate, or throw it into the wicket that a king defends; a die decides, a second roll costs a piece",
        chance: true,
        win_model: WinModel { even: 84.0, spread: 228.0 },
        ..COMMON
    },
    &Facts {
        name: "wickets-cards",
        title: "Chess with Wickets, cards",
        summary: "chess with a ball; mate, or throw it into the wicket that a king defends; cards from hidden hands decide",
        start: START_WITH_CARDS,
        chance: true,
        hidden: true,
        win_model: WinModel { even: 128.0, spread: 303.0 },
        ..COMMON
    },
    &Facts {
        name: "wickets-cards2",
        title: "Chess with Wickets, cards II",
        summary: "chess with a ball; mate, or throw it into the wicket that a king defends; cards from hidden hands decide, with a second contest",
        start: START_WITH_CARDS,
        chance: true,
        hidden: true,
        win_model: WinModel { even: 91.0, spread: 277.0 },
        ..COMMON
    },
];
