//! Orthodox chess by the FIDE laws, and Chess960.
//!
//! The draws that FIDE lets a player claim, by threefold repetition and by fifty moves, are automatic here
//! (see `protocol-docs/rules/chess.md`).

mod castling;
mod decision;
mod evaluation;
mod explain;
mod features;
mod keys;
mod movegen;
mod notation;
pub mod san;
mod see;
mod state;
#[cfg(test)]
mod tests;

pub use crate::variants::chessboard::board::{Board, Kind};
pub use decision::Decision;
pub use state::State;

use crate::game::{Facts, Switch, SwitchKind, WinModel};
use crate::variants::chessboard::{CHESS_PIECES, board, rays};

/// The start position of every game.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The rule switch for Chess960, with the name it has in UCI.
pub const CHESS960: &str = "UCI_Chess960";
/// The name of Chess960 where it counts as a game of its own: in XBoard, match runners and PGN.
pub const FISCHERANDOM: &str = "fischerandom";

/// The facts of chess: its names, its rule switch, its start position.
pub static FACTS: Facts = Facts {
    name: "chess",
    aliases: &["normal", "standard"],
    title: "Chess",
    summary: "orthodox chess by the FIDE laws; mate the king",
    start: START,
    rules: ("chess", include_str!("../../../protocol-docs/rules/chess.md")),
    pieces: &CHESS_PIECES,
    switches: &[Switch {
        name: CHESS960,
        kind: SwitchKind::Check,
        help: "Chess960: king and rooks begin anywhere, castling is the king's move onto its rook",
    }],
    elo_scale: 70,
    win_model: WinModel { even: 181.0, spread: 203.0 },
    ..Facts::PLAIN
};
