//! Carom: the protocols of chess programs for games that chess programs have never heard of.
//!
//! One call finds the best move in a position. [`engine::Engine`] keeps a game in progress, and
//! `examples/player.rs` plays one to its end:
//!
//! ```
//! use carom::{engine::best_move, search::Limits};
//!
//! let limits = Limits { depth: Some(4), ..Limits::default() };
//! let position = "2r1p2/1b1k3/r1***2/2***1B/P1***2/1P1K1R1/5R1 w - 0 1";
//! let best = best_move("rollerball", Some(position), &[], limits)?;
//! assert!(best.token.is_some());
//! # Ok::<(), carom::engine::SearchError>(())
//! ```
//!
//! The modules and the only dependencies between them. Each may use what stands to its right, and what that
//! may use; the test `layers` checks it:
//!
//! ```text
//! main → cli → { serve, live_game, bridge, comply, arena, client, uci, xboard, desktop, training, engine, pgn,
//!     statistics, draw, protocol }
//! serve → { live_game, arena, engine, pgn, statistics, draw, session, search }
//! live_game → { pgn, session, search }
//! bridge → { client, uci, xboard, engine, connection }
//! comply → { session, connection, protocol, variants }
//! arena → { client, pgn, statistics, session, connection, variants }
//! client → { engine, session, search, connection, protocol, variants }
//! uci → { engine, draw, search, protocol }     xboard → { engine, session, search, protocol, variants }
//! engine → { session, search, protocol, variants }     training → { search, game, base }
//! session → { variants, game, notation, base }     pgn → { variants, game, notation, base }
//! draw → { variants, game, notation, base }
//! search → { game, base }     variants::X → { game, notation, base }     game → { notation, base }
//! desktop → { draw, variants, game, base }     statistics, connection, protocol, notation → { base }
//! base → nothing of ours
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used))]

#[cfg(feature = "cli")]
pub mod arena;
pub mod base;
#[cfg(feature = "cli")]
pub mod bridge;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "cli")]
pub mod client;
#[cfg(feature = "cli")]
pub mod comply;
#[cfg(feature = "cli")]
pub mod connection;
#[cfg(feature = "cli")]
pub mod desktop;
pub mod draw;
pub mod engine;
pub mod game;
pub mod live_game;
pub mod notation;
pub mod pgn;
pub mod protocol;
pub mod search;
#[cfg(feature = "serve")]
pub mod serve;
pub mod session;
#[cfg(feature = "cli")]
pub mod statistics;
#[cfg(feature = "cli")]
pub mod training;
pub mod uci;
pub mod variants;
pub mod xboard;
