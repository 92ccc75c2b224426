//! Breakthrough (Dan Troyka, 2000) on the chess board: the first man on the far row wins. The rules, R1 to R6:
//! `protocol-docs/rules/breakthrough.md`.

mod evaluation;
mod gui;
mod movegen;
mod notation;
mod setup;
mod state;

pub use state::State;

use crate::game::{Facts, Man, Shape};

/// R2.
const START: &str = "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1";

static MEN: [Man; 1] = [Man::new(b'P', "Man", Shape::Pawn)];

static FACTS: Facts = Facts {
    name: "breakthrough",
    title: "Breakthrough",
    summary: "men step forward and take diagonally; the first on the far row wins",
    files: 8,
    ranks: 8,
    start: START,
    draws: false,
    rules: ("breakthrough", include_str!("../../../protocol-docs/rules/breakthrough.md")),
    men: &MEN,
    xboard: &gui::VIEW,
    elo_lines: 10,
    ..Facts::PLAIN
};
