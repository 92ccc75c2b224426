//! What a game is to the rest of the program: the contract that every variant fulfils, and what can be done
//! with any game that fulfils it (counting, playing at random, keeping a record, reading and writing turns).
//!
//! A game is a sequence of **decisions**, each made by an **actor**: White, Black, Chance, or Nobody when it
//! is over. A **turn** is everything from one change of the side to move to the next; it may hold several
//! decisions, some of them by the opponent or by chance.

pub mod accumulator;
mod contract;
mod deal;
mod deed;
mod deed_kind;
mod evaluation;
pub mod explain;
mod facts;
pub mod gui;
mod how_to_play;
mod lesson;
pub mod network;
mod notation;
mod outcome;
pub mod perft;
mod piece;
mod planes;
mod playout;
mod proof;
mod record;
pub mod see;
pub mod selectivity;
pub mod setup;
mod shown;
pub mod step_ranker;
pub mod tables;
#[cfg(test)]
mod tests;
mod tokens;
mod win_model;
pub mod winning;
mod xboard_view;

pub use contract::{
    Chance, ChanceOutcomes, Decision, Decisions, Game, GenType, Hidden, MAX_DECISIONS, Repetition,
    RepetitionKey,
};
pub use deal::{Deal, Heap};
pub use deed::Deed;
pub use deed_kind::DeedKind;
pub use evaluation::Evaluation;
pub use facts::{Facts, Roles, Rules, RulesError, Switch, SwitchKind};
pub use lesson::{Aim, Course, Lesson};
pub use notation::Notation;
pub use outcome::{Actor, Outcome};
pub use perft::Perft;
pub use piece::{Piece, Shape, Thing};
pub use planes::Planes;
pub use playout::{Playout, playout};
pub use proof::{Horizon, forced_win};
pub use record::Record;
pub use selectivity::Selectivity;
pub use setup::{SetupError, SetupErrorKind};
pub use tables::{Table, TableFault, TableValue, Tables};
pub use tokens::{Illegal, Reading, read_token, turns_text, write_token};
pub use win_model::WinModel;

/// Everything the engine needs of a game.
pub trait Playable: Perft + Hidden + Notation + Evaluation + gui::GuiBoard {}
impl<G: Perft + Hidden + Notation + Evaluation + gui::GuiBoard> Playable for G {}
