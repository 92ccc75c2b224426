//! Why an engine cannot go on.

use crate::connection::ProcessError;
use crate::protocol::OptionValueError;

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
    FalseClaim(String),
    /// It refused a legal move.
    #[error("refuses a legal move: {0}")]
    Refused(String),
}

impl From<OptionValueError> for Fault {
    fn from(error: OptionValueError) -> Self {
        Self::Unfit(error.to_string())
    }
}
