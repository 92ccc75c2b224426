//! Breakthrough (Dan Troyka, 2000) on the chess board: the first piece on the far row wins. The rules, R1 to
//! R7, are in `protocol-docs/rules/breakthrough.md`.

mod evaluation;
mod notation;
mod solution;
mod state;
#[cfg(test)]
mod tests;

pub use solution::Solution;
pub use state::State;

use crate::game::gui::XboardView;
use crate::game::{Facts, Piece, Shape, WinModel};
use crate::variants::chessboard::BOARD;

static FACTS: Facts = Facts {
    name: "breakthrough",
    title: "Breakthrough",
    summary: "pieces step forward and take diagonally; the first on the far row wins",
    // R2.
    start: "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1",
    draws: false,
    rules: ("breakthrough", include_str!("../../../protocol-docs/rules/breakthrough.md")),
    switches: &[BOARD],
    pieces: &[Piece::new(b'P', "Piece", Shape::Pawn)],
    // Not the Pawn slot: XBoard would ask what a piece on the last row promotes to.
    xboard: &XboardView {
        setup: Some(concat!(
            "(......................P.....................................",
            "......................p.....................................) 8x8+0_fairy",
        )),
        ..XboardView::KNOWN
    },
    elo_lines: 10,
    win_model: WinModel { even: 0.0, spread: 160.0 },
    ..Facts::PLAIN
};
