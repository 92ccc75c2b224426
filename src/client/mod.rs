//! The one way to drive an engine at the far end of a connection, whatever protocol it speaks.
//!
//! A [`Driver`] knows what an engine is sent in a game and what its lines mean; it is pure. A match runner
//! waits for its answers with deadlines ([`crate::arena`]). A [`Client`] makes the same engine a
//! [`Backend`](crate::engine::Backend), so that our own front ends can stand before it ([`crate::bridge`]).

mod aliases;
mod backend;
mod driver;
mod fault;
mod games;
mod handshake;
mod moves;
mod request;
mod resync;
mod settings;
mod thinking;
mod uci;
mod uci_search;
mod xboard;
mod xboard_search;

use crate::protocol::same_words;

pub use crate::protocol::Protocol;
pub use crate::protocol::uci::Dialect;
pub use crate::protocol::xboard::Score;
pub use aliases::{AliasError, Aliases, GameAlias};
pub use backend::{Client, ClientSettings};
pub use driver::{Driver, Heard, driver};
pub use fault::Fault;
pub use handshake::{Features, Greeting, UciGreeting, connect};
pub use request::{Clocks, Limits, MoveRequest, NewGame, SearchInfo};
pub use settings::{PlayerSettings, PositionFormat};
pub use uci::UciDriver;
pub use xboard::{XboardDriver, corrects_board};

/// True for the options that decide who draws the outcomes of chance, and from which seed.
fn is_chance(option: &str) -> bool {
    same_words(option, "Chance") || same_words(option, "Chance Seed")
}
