//! How positions are written for an engine.

use serde::Deserialize;

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
