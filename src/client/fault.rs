//! Why an engine cannot go on.

use crate::base::Color;
use crate::connection::ProcessError;
use crate::protocol::OptionValueError;
use std::fmt;

/// Why a player cannot go on with a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Its process ended, does not answer, or writes without end.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// It could not be started again, or cannot play this game.
    #[error("cannot play: {0}")]
    Unfit(String),
    /// The player resigned.
    #[error("resigns")]
    Resigned,
    /// It makes no legal move, although there are some.
    #[error("makes an illegal move: {0} (there are legal ones)")]
    NoMove(String),
    /// It claims that the game is over when it is not.
    #[error("claims wrongly: {0}")]
    FalseClaim(Claim),
    /// It refused a legal move.
    #[error("refuses a legal move: {0}")]
    Refused(String),
}

/// How an engine says that the game has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
    /// Why; may be empty.
    pub reason: String,
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        })?;
        if self.reason.is_empty() { Ok(()) } else { write!(f, " {{{}}}", self.reason) }
    }
}

/// What an engine says of a game whose rules nobody else knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// Nothing.
    Nothing,
    /// The game goes on.
    GoesOn,
    /// It is over.
    Over(Claim),
}

impl From<OptionValueError> for Fault {
    fn from(error: OptionValueError) -> Self {
        Self::Unfit(error.to_string())
    }
}
