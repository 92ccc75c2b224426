//! How an engine is to be driven.

use super::Fault;
use serde::Deserialize;
use std::time::Duration;

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
    /// How long the engine may take to start.
    pub start: Duration,
    /// How long the engine may take to get ready for a game.
    pub ready: Duration,
    /// How long to wait for the engine after its time has run out.
    pub hang: Duration,
    /// How long the engine may be silent when it has no clock.
    pub silence: Duration,
}

/// How positions are written for an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PositionFormat {
    /// As Carom writes them.
    #[default]
    Own,
    /// Board and side as Carom writes them, then `- - 0 1`, for programs that take every game for a chess
    /// variant.
    Fen,
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
            start: seconds(10),
            ready: seconds(15),
            hang: seconds(10),
            silence: seconds(600),
        }
    }
}

impl PositionFormat {
    /// The position `text` in this format.
    pub fn write(self, text: &str) -> String {
        match self {
            Self::Own => text.to_owned(),
            Self::Fen => {
                let mut words = text.split_whitespace();
                let (board, side) = (words.next().unwrap_or_default(), words.next().unwrap_or("w"));
                format!("{board} {side} - - 0 1")
            }
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
