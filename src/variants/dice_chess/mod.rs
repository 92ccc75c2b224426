//! Dice Chess: three dice say which pieces may move; taking the king wins.
//!
//! The rules with their numbers (`R5`, `O1`) are in `protocol-docs/rules/dice-chess.md`.

mod attacks;
mod decision;
mod evaluation;
mod explain;
mod gui;
mod inputs;
mod movegen;
mod notation;
mod setup;
mod state;
#[cfg(test)]
mod tests;

pub use decision::{Decision, Dice};
pub use state::State;

use crate::game::{Facts, WinModel};
use crate::variants::chessboard::CHESS_PIECES;

static FACTS: Facts = Facts {
    name: "dice-chess",
    aliases: &["dicechess"],
    title: "Dice Chess",
    summary: "three dice say which pieces move, up to three moves a turn; take the king",
    start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    chance: true,
    rules: ("dice-chess", include_str!("../../../protocol-docs/rules/dice-chess.md")),
    pieces: &CHESS_PIECES,
    xboard: &gui::VIEW,
    win_model: WinModel { even: 7.0, spread: 177.0 },
    elo_margin: 300,
    elo_lines: 40,
    ..Facts::PLAIN
};
