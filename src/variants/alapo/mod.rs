//! Alapo 8x8 (Luis Bolaños Mures, 2008) and its demotion game. The rules, R1 to R26, are in
//! `protocol-docs/rules/alapo.md`.

mod board;
mod evaluation;
mod gui;
mod kind;
mod movegen;
mod notation;
mod state;
#[cfg(test)]
mod tests;

pub use crate::variants::chessboard::Move;
pub use state::Alapo;

use crate::game::{Facts, Piece, Shape, WinModel};
use crate::variants::chessboard::BOARD;

/// Alapo 8x8: any piece that reaches the last row and cannot be captured there wins.
pub type Standard = Alapo<false>;
/// The demotion game: the first small piece on its last row wins, and large pieces can be made small.
pub type Demotion = Alapo<true>;

const RULES: (&str, &str) = ("alapo", include_str!("../../../protocol-docs/rules/alapo.md"));

const START: &str = "rlbqqblr/wsfkkfsw/8/8/8/8/WSFKKFSW/RLBQQBLR w - - 0 1";

static PIECES: [Piece; 8] = [
    Piece::new(b'R', "large square", Shape::Square),
    Piece::new(b'W', "small square", Shape::Square).small(),
    Piece::new(b'B', "large triangle", Shape::Triangle),
    Piece::new(b'F', "small triangle", Shape::Triangle).small(),
    Piece::new(b'Q', "large circle", Shape::Circle),
    Piece::new(b'K', "small circle", Shape::Circle).small(),
    Piece::new(b'L', "large lance", Shape::Lance),
    Piece::new(b'S', "small lance", Shape::Lance).small(),
];

static FACTS: Facts = Facts {
    name: "alapo",
    aliases: &["alapo-8x8"],
    title: "Alapo 8x8",
    summary: "large and small pieces; reach the last row where nothing can capture you at once, and you win",
    start: START,
    draws: false,
    rules: RULES,
    switches: &[BOARD],
    pieces: &PIECES,
    xboard: &gui::VIEW,
    elo_scale: 84,
    win_model: WinModel { even: 0.0, spread: 249.0 },
    ..Facts::PLAIN
};

static FACTS_DEMOTION: Facts = Facts {
    name: "alapo-demotion",
    aliases: &["alapo-8x8-demotion"],
    title: "Alapo 8x8 with demotion",
    summary: "Alapo 8x8 where only small pieces win, on reaching the last row, and large pieces can be made small",
    start: START,
    draws: false,
    rules: RULES,
    switches: &[BOARD],
    pieces: &PIECES,
    xboard: &gui::VIEW,
    elo_scale: 88,
    win_model: WinModel { even: 0.0, spread: 197.0 },
    ..Facts::PLAIN
};
