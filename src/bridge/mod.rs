//! Another program's engine as an engine of the other protocol.
//!
//! Outside stands one of our own state machines (`Relay`), with our rules where the game is ours and with words for turns
//! where it is not. Inside stands a `BridgedEngine`, which speaks UCI, UGI or the XBoard protocol with the engine. Between the
//! two there are requests (what is to be searched) and events (what was found); one thread waits for both sides at once.

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

use crate::arena::{Fault, Protocol};
use crate::process::{EngineCommand, ProcessError};
use crate::protocol::same_words;
use aliases::Aliases;
pub use relay::Outside;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// What is to be bridged, and how.
pub struct Settings {
    /// The engine.
    pub command: EngineCommand,
    /// What it speaks; `None` to find out.
    pub inside: Option<Protocol>,
    /// What the user's program speaks; `None`: what its first line asks for.
    pub outside: Option<Outside>,
    /// The game to begin with, by the engine's name for it or by ours.
    pub game: Option<String>,
    /// Other names for what the engine plays.
    pub aliases: Aliases,
    /// Where both conversations are written.
    pub transcript: Option<PathBuf>,
    /// Answer `isready` and `ping` ourselves instead of asking the engine.
    pub answer_at_once: bool,
    /// How long the engine may take to start, and to answer when it must.
    pub patience: Duration,
}

/// Why there is no conversation, or no longer.
#[derive(Debug, thiserror::Error)]
pub enum BridgeError {
    /// The engine cannot be used.
    #[error(transparent)]
    Engine(#[from] Fault),
    /// It was used, and failed.
    #[error("`{0}` {1}")]
    Process(String, ProcessError),
    /// It did not answer in time.
    #[error("`{0}` does not answer to {1}")]
    Silent(String, &'static str),
    /// Standard input or output, or the file of the transcript.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// True for the options that say who speaks for chance, and from which seed.
fn is_chance(option: &str) -> bool {
    same_words(option, "Chance") || same_words(option, "Chance Seed")
}

/// Speaks with the user's program on standard input and `output`, and with the engine, until one of them ends.
///
/// # Errors
/// When the engine cannot be started or fails; the user's program was told.
pub fn run(settings: Settings, output: impl Write) -> Result<(), BridgeError> {
    conversation::hold(settings, output)
}
