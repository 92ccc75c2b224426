//! Carom: the protocols of chess programs for games that chess programs have never heard of.
//!
//! The rules of a game: what may be played, what has been, and how the game stands.
//!
//! ```
//! use carom::game::Rules;
//! use carom::session::{self, chance::Chance};
//! use carom::variants;
//!
//! let facts = variants::find("alapo")?;
//! let mut session = session::open(facts, Rules::of(facts), Chance::Referee);
//! assert_eq!(session.tokens("", 100)?.map(|tokens| tokens.len()), Some(18));
//! session.play("c2b3")?;
//! assert!(session.play("c2b3").is_err(), "that was White's; now Black is to move");
//! assert!(session.outcome().is_none());
//! println!("{}", session.position());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A search: one call finds the best move in a position. [`engine::Engine`] keeps a game in progress, and
//! `examples/player.rs` plays one to its end.
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
//! A protocol: the lines of UCI and of the XBoard protocol are [messages](protocol) that are read and written
//! without an engine, and a conversation runs over any input and output.
//!
//! ```
//! use carom::protocol::uci::{Command, Go};
//! use carom::{engine, uci};
//!
//! let read = Command::parse("go depth 4")?.map(|parsed| parsed.message);
//! assert_eq!(read, Some(Command::Go(Go { depth: Some(4), ..Go::default() })));
//!
//! let input = "uci\nsetoption name UCI_Variant value hanniball\nposition startpos\ngo depth 1\n";
//! let mut output = Vec::new();
//! engine::run(input.as_bytes(), &mut output, uci::begin)?;
//! let said = String::from_utf8(output)?;
//! assert!(said.lines().any(|line| line.starts_with("bestmove ")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Features: `serve` (on by default) is the board in the browser and engines over a wire, with `cli`, the
//! command line; `png` draws boards as PNG. Without any of them (`default-features = false`) games, notation,
//! PGN, both protocols, the search, the engine and live games are left, for programs of others.
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
// On docs.rs each item says which feature it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

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
