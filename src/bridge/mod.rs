//! Another program's engine as an engine of the other protocol.
//!
//! On the outside stands one of our own state machines (`Relay`), with our rules where the game is
//! registered, and with bare text for turns where it is not. On the inside stands a `BridgedEngine`, which
//! speaks UCI, UGI or the XBoard protocol with the engine. Between them pass requests (what is to be
//! searched) and events (what was found). One thread waits for both sides at once.

pub mod aliases;
mod bridged_engine;
mod conversation;
mod follower;
mod games;
mod relay;
mod search_events;
mod transcript;
mod uci_engine;
mod xboard_engine;
mod xboard_game;
mod xboard_moves;

use crate::arena::Fault;
use crate::process::{EngineCommand, ProcessError};
use crate::protocol::{Protocol, same_words};
use aliases::Aliases;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// Which engine to bridge, and how.
pub struct Settings {
    /// How to start the engine.
    pub command: EngineCommand,
    /// The protocol the engine speaks; `None` to detect it.
    pub inside: Option<Protocol>,
    /// The protocol the user's program speaks; `None` to decide by its first line.
    pub outside: Option<Protocol>,
    /// The game to begin with, by the engine's name for it or by ours.
    pub game: Option<String>,
    /// Other names for the games and pieces of the engine.
    pub aliases: Aliases,
    /// The file to which both conversations are written; `None` for no transcript.
    pub transcript: Option<PathBuf>,
    /// Answer `isready` and `ping` ourselves instead of asking the engine.
    pub answer_at_once: bool,
    /// How long the engine may take to start, and to answer when it must.
    pub patience: Duration,
}

/// Why there is no conversation, or why it ended early.
#[derive(Debug, thiserror::Error)]
pub enum BridgeError {
    /// The engine cannot be used, for the reason given.
    #[error(transparent)]
    Engine(#[from] Fault),
    /// The engine failed while it was used.
    #[error("`{0}` {1}")]
    Process(String, ProcessError),
    /// The engine did not answer a command in time.
    #[error("`{0}` does not answer to {1}")]
    Silent(String, &'static str),
    /// Standard input or output failed, or the transcript could not be created.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// True for the options that decide who draws the outcomes of chance, and from which seed.
fn is_chance(option: &str) -> bool {
    same_words(option, "Chance") || same_words(option, "Chance Seed")
}

/// Speaks with the user's program on standard input and `output`, and with the engine, until one of them
/// ends.
///
/// # Errors
/// When the engine cannot be started, or fails. The user's program has then been sent the error.
pub fn run(settings: Settings, output: impl Write) -> Result<(), BridgeError> {
    conversation::hold(settings, output)
}
