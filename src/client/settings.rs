//! How an engine is to be driven: in a match, or behind our front ends.

use super::{Aliases, Fault, PositionFormat, Protocol};
use std::time::Duration;

/// In the place of a game's name: the engine has a game of its own, and is not told which is played.
pub const ITS_OWN_GAME: &str = "none";

/// What is kept of an engine's thinking, beyond what every record has.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    /// Whether anything is kept.
    pub more: bool,
    /// Lines that one of these finds are kept.
    pub lines: Vec<regex_lite::Regex>,
}

/// How to communicate with one engine.
#[derive(Clone, Debug)]
pub struct PlayerSettings {
    /// The name that the user gave it; `None` to take the engine's own.
    pub name: Option<String>,
    /// The name by which the engine knows the game, if not by ours.
    pub game: Option<String>,
    /// How the engine reads positions.
    pub positions: PositionFormat,
    /// Options that the engine must have, with their values.
    pub options: Vec<(String, String)>,
    /// Options that are set if the engine has them, with their values.
    pub shared_options: Vec<(String, String)>,
    /// Lines to send unchanged after the handshake.
    pub init_lines: Vec<String>,
    /// Whether the engine may think on the opponent's time.
    pub ponder: bool,
    /// Whether to ask a UCI engine for its debugging output.
    pub debug: bool,
    /// Whether its scores are White's instead of its own side's.
    pub white_scores: bool,
    /// What is kept of its thinking for the records.
    pub kept: Kept,
    /// How long the engine may take to start.
    pub start: Duration,
    /// How long the engine may take to get ready for a game.
    pub ready: Duration,
    /// How long to wait for the engine after its time has run out.
    pub hang: Duration,
    /// How long the engine may be silent when it has no clock.
    pub silence: Duration,
}

impl Default for PlayerSettings {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self {
            name: None,
            game: None,
            positions: PositionFormat::Own,
            options: Vec::new(),
            shared_options: Vec::new(),
            init_lines: Vec::new(),
            ponder: false,
            debug: false,
            white_scores: false,
            kept: Kept::default(),
            start: seconds(10),
            ready: seconds(15),
            hang: seconds(10),
            silence: seconds(600),
        }
    }
}

impl PlayerSettings {
    /// The options to set; `known` decides which ones the engine has.
    ///
    /// # Errors
    /// When the engine lacks an option that it must have.
    pub fn chosen_options(
        &self,
        known: impl Fn(&str) -> bool,
    ) -> Result<impl Iterator<Item = (&str, &str)>, Fault> {
        if let Some((name, _)) = self.options.iter().find(|(name, _)| !known(name)) {
            return Err(Fault::Unfit(format!("it has no option `{name}`")));
        }
        let shared_options: Vec<_> = self.shared_options.iter().filter(|(name, _)| known(name)).collect();
        let both = shared_options.into_iter().chain(&self.options);
        Ok(both.map(|(name, value)| (name.as_str(), value.as_str())))
    }
}

/// How an engine is introduced to our front ends.
pub struct ClientSettings {
    /// The protocol it speaks; `None` to detect it.
    pub protocol: Option<Protocol>,
    /// The game to begin with, by the engine's name for it or by ours.
    pub game: Option<String>,
    /// Other names for the games and pieces of the engine.
    pub aliases: Aliases,
    /// How long the engine may take to start, and to answer when it must.
    pub patience: Duration,
    /// True if the front end speaks the XBoard protocol, which counts the ranks of some boards differently
    /// and must be sent more about games that XBoard does not know.
    pub for_xboard: bool,
}
