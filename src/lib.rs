//! Carom: chess programs' protocols for games chess programs never heard of.
//!
//! The rooms, and the only ways between them (each may use what stands to its right, and what those may use; the test
//! `layers` keeps it so):
//!
//! ```text
//! main → cli → { comply, arena, engine, render }
//! comply → { engine, process, protocol, variants, game, notation, base }
//! arena → { engine, process, protocol, render, variants, game, notation, base }
//! engine → { protocol, search, render, variants, game, notation, base }
//! search → { game, base }     variants::X → { game, notation, base }     render → { variants, game, notation, base }
//! protocol → { notation }     process → { base }     game → { notation, base }     notation, base → nothing of ours
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod arena;
pub mod base;
pub mod cli;
pub mod comply;
pub mod engine;
pub mod game;
pub mod notation;
pub mod process;
pub mod protocol;
pub mod render;
pub mod search;
pub mod variants;
