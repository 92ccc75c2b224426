//! The one way to drive an engine at the far end of a connection, whatever protocol it speaks.
//!
//! A [`Driver`] knows what an engine is sent in a game and what its lines mean; it is pure. A match runner
//! waits for its answers with deadlines ([`crate::arena`]). A [`Client`] makes the same engine a
//! [`Backend`](crate::engine::Backend), so that our own front ends can stand before it ([`crate::bridge`]).

mod aliases;
mod arbiter;
mod backend;
mod driver;
mod fault;
mod games;
mod handshake;
mod moves;
mod position_format;
mod request;
mod resync;
mod searcher;
mod settings;
mod thinking;
mod uci;
mod uci_search;
mod xboard;
mod xboard_search;

pub use crate::protocol::Protocol;
pub use crate::protocol::uci::Dialect;
pub use crate::protocol::xboard::Score;
pub use aliases::{AliasError, Aliases, GameAlias};
pub use arbiter::{Arbiter, DrawRules, RefereeError, RefereeSettings};
pub use backend::Client;
pub use driver::{Driver, Heard};
pub use fault::{Claim, Fault, Said};
pub use handshake::{Features, Greeting, UciGreeting, connect};
pub use position_format::PositionFormat;
pub use request::{Clocks, Limits, MoveRequest, NewGame, SearchInfo};
pub use settings::{ClientSettings, Kept, PlayerSettings};
pub use uci::UciDriver;
pub use xboard::{XboardDriver, corrects_board};

/// The driver for an engine that has introduced itself.
pub fn driver(greeting: Greeting, settings: &PlayerSettings) -> Box<dyn Driver> {
    match greeting {
        Greeting::Uci(dialect, introduction) => Box::new(UciDriver::new(dialect, introduction, settings)),
        Greeting::Xboard(features) => Box::new(XboardDriver::new(features, settings)),
    }
}
