//! Another program's engine as an engine of the other protocol.
//!
//! On the outside stands one of our own front ends, with our rules where the game is registered, and with
//! bare text for turns where it is not. Behind it stands a [`Client`](crate::client::Client), which speaks
//! UCI, UGI or the XBoard protocol with the engine. One thread waits for both sides at once.

mod conversation;
mod transcript;

use crate::client::{Aliases, Fault, Protocol};
use crate::connection::{EngineCommand, ProcessError};
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

/// Speaks with the user's program on standard input and `output`, and with the engine, until one of them
/// ends.
///
/// # Errors
/// When the engine cannot be started, or fails. The user's program has then been sent the error.
pub fn run(settings: Settings, output: impl Write) -> Result<(), BridgeError> {
    conversation::hold(settings, output)
}
