//! Orthodox chess by the FIDE laws.
//!
//! The draws that FIDE lets a player claim, by threefold repetition and by fifty moves, come by themselves here (see
//! `protocol-docs/rules/chess.md`).

mod board;
mod castling;
mod decision;
mod evaluation;
mod explain;
mod features;
mod keys;
mod movegen;
mod notation;
mod rays;
pub mod san;
mod see;
mod state;
#[cfg(test)]
mod tests;

pub use board::{Board, Kind};
pub use decision::Decision;
pub use state::State;

use crate::game::{CHESS_MEN, Facts, Switch, SwitchKind};

/// The position every game begins with.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The rule switch, called as programs that speak UCI call it.
pub const CHESS960: &str = "UCI_Chess960";
/// What Chess960 is called where it is a game of its own: by XBoard, match runners and PGN.
pub const FISCHERANDOM: &str = "fischerandom";

/// What there is to say of chess.
pub static FACTS: Facts = Facts {
    name: "chess",
    aliases: &["normal", "standard"],
    title: "Chess",
    summary: "orthodox chess by the FIDE laws; mate the king",
    start: START,
    rules: ("chess", include_str!("../../../protocol-docs/rules/chess.md")),
    men: &CHESS_MEN,
    switches: &[Switch {
        name: CHESS960,
        kind: SwitchKind::Check,
        help: "Chess960: king and rooks begin anywhere, castling is the king's move onto his rook",
    }],
    elo_scale: 70,
    ..Facts::PLAIN
};
