//! Breakthrough (Dan Troyka, 2000) on the chess board: the first man on the far row wins. The rules, R1 to R6:
//! `protocol-docs/rules/breakthrough.md`.

mod evaluation;
mod movegen;
mod notation;
mod setup;
mod state;

pub use state::State;

use crate::game::{Facts, XboardView};

/// R2.
const START: &str = "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1";

static FACTS: Facts = Facts {
    name: "breakthrough",
    title: "Breakthrough",
    summary: "men step forward and take diagonally; the first on the far row wins",
    files: 8,
    ranks: 8,
    start: START,
    rules: ("breakthrough", include_str!("../../../protocol-docs/rules/breakthrough.md")),
    xboard: XboardView {
        // Not the Pawn slot: XBoard would ask what the man on the last row becomes.
        setup: Some(concat!(
            "(......................P.....................................",
            "......................p.....................................) 8x8+0_fairy",
        )),
        position: START,
        letters: &[],
        removes: false,
        pieces: &[],
        steps: None,
    },
    ..Facts::PLAIN
};
