//! Carom: the protocols of chess programs for games that chess programs have never heard of.
//!
//! # Rules
//!
//! What may be played, what has been played, and how the game stands:
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
//! # Search
//!
//! One call finds the best move in a position. [`engine::Engine`] keeps a game in progress, and
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
//! # Protocols
//!
//! The lines of UCI and of the XBoard protocol are [messages](protocol) that are read and written without an
//! engine, and a conversation runs over any input and output:
//!
//! ```
//! use carom::protocol::uci::{Command, Go};
//! use carom::{engine, uci};
//!
//! let read = Command::parse("go depth 4")?.map(|parsed| parsed.message);
//! assert_eq!(read, Some(Command::Go(Go { depth: Some(4), ..Go::default() })));
//!
//! let input = "uci\nsetoption name UCI_Variant value hanniball\ngo depth 1\n";
//! let mut output = Vec::new();
//! engine::run(input.as_bytes(), &mut output, uci::begin)?;
//! let said = String::from_utf8(output)?;
//! assert!(said.lines().any(|line| line.starts_with("bestmove ")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `cli` | yes | the program `carom` and what only it needs: matches, the bridge, files for XBoard, training |
//! | `serve` | yes | the board in the browser and engines over a wire; with it `cli` |
//! | `png` | no | boards as PNG pictures; with it `cli` |
//!
//! With `default-features = false` the games, notation, PGN, both protocols, the search, the engine and live
//! games are left, for programs of others.
//!
//! # Where to look
//!
//! Each game is a module of [`variants`] and fulfils the contract of [`game`]; [`notation`] holds the grammar of
//! turns and positions. A [`session`] is a game in progress, whatever the game; [`search`] finds moves, and
//! [`engine`] is what stands behind [`uci`], [`xboard`] and the board in the browser. [`pgn`] keeps games,
//! [`draw`] draws boards, and a [`live_game`] is one that persons and engines play.
//!
//! Modules use each other in one direction only: `protocol-docs/architecture.md` has a picture of that, which
//! `carom docs architecture` prints.

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
