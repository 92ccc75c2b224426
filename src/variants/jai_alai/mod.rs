//! Jai-Alai (Roberto Lavieri): 9 by 8 squares, balls that capture only after a rebound, a Reducer that
//! weakens its neighbours, four Statues in hand. Rule numbers are those of `protocol-docs/rules/jai-alai.md`.

mod board;
mod decision;
mod evaluation;
mod geometry;
mod gui;
mod lessons;
mod movegen;
mod notation;
mod piece;
mod safety;
mod see;
mod setup;
mod state;

#[cfg(test)]
mod tests;

pub use decision::Action;
pub use piece::Kind;
pub use state::State;

use crate::game::{Course, Facts, Piece, Shape, Switch, SwitchKind, WinModel};

/// In the order of [`Kind::ALL`]. The balls have arrows in the directions they roll.
static PIECES: [Piece; 10] = [
    Piece::new(b'K', "King", Shape::King),
    Piece::new(b'G', "Guard", Shape::Guard),
    Piece::new(b'S', "Superball", Shape::Superball),
    Piece::new(b'B', "Ball", Shape::CrossBall),
    Piece::new(b'D', "Diagball", Shape::DiagonalBall),
    Piece::new(b'A', "Deer", Shape::Deer),
    Piece::new(b'M', "Mage-Apprentice", Shape::Mage),
    Piece::new(b'R', "Reducer", Shape::Reducer),
    Piece::new(b'P', "Boy", Shape::Boy),
    Piece::new(b'T', "Statue", Shape::Statue),
];

/// The facts of Jai-Alai: its names, its rule switches, its start position.
pub static FACTS: Facts = Facts {
    name: "jai-alai",
    aliases: &["jaialai"],
    title: "Jai-Alai",
    summary: "balls rebound, a Reducer weakens its neighbours, Statues are dropped; mate, or leave the enemy two pieces",
    files: geometry::FILES,
    ranks: geometry::RANKS,
    hand: setup::STATUES,
    start: "1d1mrm1d1/1a1bkb1a1/gpppspppg/9/9/GPPPSPPPG/1A1BKB1A1/1D1MRM1D1[TTTTtttt] w 0 1",
    rules: ("jai-alai", include_str!("../../../protocol-docs/rules/jai-alai.md")),
    switches: &[
        Switch {
            name: "minimum-first-leg",
            kind: SwitchKind::Choice(&["1", "0"]),
            help: "squares a ball must travel before it rebounds",
        },
        Switch {
            name: "layout",
            kind: SwitchKind::Choice(&setup::LAYOUT_NAMES),
            help: "where the pieces behind the front rank start",
        },
    ],
    pieces: &PIECES,
    xboard: &gui::VIEW,
    course: Some(Course { game: "jai-alai", lessons: &lessons::LESSONS }),
    elo_scale: 74,
    win_model: WinModel { even: 555.0, spread: 495.0 },
    ..Facts::PLAIN
};
