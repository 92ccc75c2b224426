//! What the referee asks of an engine, whatever protocol it speaks.

use super::Clock;
use super::words::Word;
use crate::base::Color;
use crate::engine::Session;
use crate::game::{Facts, Rules};
use std::time::{Duration, Instant};

/// A game about to begin, as one player may know it.
#[derive(Clone)]
pub struct Opening<'a> {
    /// Which.
    pub facts: &'static Facts,
    /// Its rules.
    pub rules: &'a Rules,
    /// The first position, if it is not the game's own or if cards are hidden in it.
    pub position: Option<String>,
}

/// Both clocks as the player to move sees them, and what else limits the search.
pub struct Allowance {
    /// The player's own.
    pub own: Clock,
    /// The opponent's.
    pub other: Clock,
    /// Depth to search at most.
    pub depth: Option<u32>,
}

/// What a player answered.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Its word, in canonical spelling if it is legal, else as it came.
    pub token: String,
    /// Its opinion of the position, in words: `+0.15/12`.
    pub comment: String,
    /// From when the question was handed over to when the answer came.
    pub spent: Duration,
}

/// How a player breaks off a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The process ended or closed its output.
    #[error("disconnects")]
    Disconnected,
    /// No answer came in time.
    #[error("stalls")]
    Stalled,
    /// It gave up.
    #[error("resigns")]
    Resigned,
    /// It offers nothing to play though there is something.
    #[error("has no move to offer")]
    NoMove,
    /// It says the game is over when it is not.
    #[error("claims wrongly: {0}")]
    FalseClaim(String),
    /// It refused what is legal.
    #[error("refuses a legal move: {0}")]
    Refused(String),
}

/// An engine in a game.
pub trait Player {
    /// Its name for the record.
    fn name(&self) -> &str;
    /// A new game begins.
    ///
    /// # Errors
    /// When it cannot be got ready.
    fn begin(&mut self, opening: &Opening<'_>, allowance: &Allowance) -> Result<(), Fault>;
    /// It is to speak as `color` in `session`, the referee's own; `words` have been said so far.
    ///
    /// # Errors
    /// When it does not answer with a move.
    fn answer(
        &mut self,
        session: &dyn Session,
        color: Color,
        opening: &Opening<'_>,
        words: &[Word],
        allowance: &Allowance,
    ) -> Result<Answer, Fault>;
    /// The game is over, with this result line.
    fn end(&mut self, result: &str);
}

/// How long engines may take to introduce themselves or to get ready.
pub const PATIENCE: Duration = Duration::from_secs(15);

/// When to give up waiting for an answer: well after the flag has fallen.
pub fn deadline(allowance: &Allowance) -> Instant {
    Instant::now() + allowance.own.left() + Duration::from_secs(10)
}
