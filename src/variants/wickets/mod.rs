//! Chess with Wickets ((zzo38) A. Black, 2011): chess with a cell behind each king, a ball that each side
//! carries and throws, a Defender, and six ways of deciding whether a wicket is taken. Rules:
//! `protocol-docs/rules/wickets.md`.

mod attacks;
mod board;
mod cards;
mod cells;
mod count;
mod decide;
mod decision;
mod evaluation;
mod explain;
mod facts;
mod gui;
mod lessons;
mod mode;
mod movegen;
mod notation;
mod odds;
mod roles;
mod setup;
mod state;
#[cfg(test)]
mod tests;
mod throws;

pub use board::{Kind, Piece};
pub use decision::{Choice, Said};
pub use mode::{Deciding, Mode};
pub use state::State;
