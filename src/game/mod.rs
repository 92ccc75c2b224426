//! What a game is to the rest of the house: the contract every variant fulfils, and what can be done with any game
//! that fulfils it (counting, playing at random, keeping a record, reading and writing turns).
//!
//! A game is a sequence of **decisions**, each made by an **actor**: White, Black, Chance, or Nobody when it is over.
//! A **turn** is everything from one change of side to the next; it may hold several decisions, also of the opponent
//! and of chance.

mod contract;
mod evaluation;
mod facts;
pub mod gui;
mod notation;
mod outcome;
pub mod perft;
mod playout;
mod proof;
mod record;
#[cfg(test)]
mod sample_game;
#[cfg(test)]
mod tests;

pub use contract::{Decision, Decisions, Game, MAX_DECISIONS, Repetition, Wanted};
pub use evaluation::{Evaluation, Selectivity};
pub use facts::{Facts, Roles, Rules, RulesError, Switch, SwitchKind};
pub use notation::{Illegal, Notation, Reading, SetupError, read_token, turns_text, write_token};
pub use outcome::{Actor, Outcome};
pub use playout::{Playout, playout};
pub use proof::{Horizon, forced_win};
pub use record::Record;

/// Everything the engine needs of a game.
pub trait Playable: Notation + Evaluation + gui::GuiBoard {}
impl<G: Notation + Evaluation + gui::GuiBoard> Playable for G {}
