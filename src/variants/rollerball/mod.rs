//! Rollerball (Jean-Louis Cazaux, 1998): chess on a track, clockwise.
//!
//! The rules with their numbers (`R17`, `OQ1`) are in `protocol-docs/rules/rollerball.md`.

mod decision;
mod evaluation;
mod explain;
mod gui;
mod lines;
mod movegen;
mod notation;
mod square;
mod state;
pub mod tables;
#[cfg(test)]
mod tests;

pub use decision::Move;
pub use state::State;

use crate::game::{Facts, Piece, Shape, Switch, SwitchKind, WinModel};

/// The name of the rule switch of OQ1.
pub const CLOCKWISE_SIDEWAYS: &str = "clockwise-sideways";

static PIECES: [Piece; 4] = [
    Piece::new(b'K', "King", Shape::King),
    Piece::new(b'R', "Rook", Shape::Rook),
    Piece::new(b'B', "Bishop", Shape::Bishop),
    Piece::new(b'P', "Pawn", Shape::Pawn),
];

/// The facts of Rollerball: its name, its rule switch, its start position.
pub static FACTS: Facts = Facts {
    name: "rollerball",
    title: "Rollerball",
    summary: "chess on a 7x7 track without a middle, clockwise, with rebounds; mate, or take your king round to \
              the enemy king's first square",
    files: 7,
    ranks: 7,
    start: "2rbp2/2rkp2/2***2/2***2/2***2/2PKR2/2PBR2 w - 0 1",
    rules: ("rollerball", include_str!("../../../protocol-docs/rules/rollerball.md")),
    switches: &[Switch {
        name: CLOCKWISE_SIDEWAYS,
        kind: SwitchKind::Check,
        help: "rooks on f1, a2, b7 and g6 go sideways one step only (as the other programs play)",
    }],
    pieces: &PIECES,
    xboard: &gui::VIEW,
    elo_scale: 115,
    win_model: WinModel { even: 143.0, spread: 165.0 },
    ..Facts::PLAIN
};
