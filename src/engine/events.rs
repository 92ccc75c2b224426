//! What a search reports while it runs and when it ends.

use super::bench::{BenchError, BenchResult};
use crate::base::score::{DRAW, Score};
use crate::protocol::xboard::Verdict;
use crate::search::Report;
use std::time::Duration;

/// An event of a search. It is sent together with the number of its search.
#[derive(Debug)]
pub enum SearchEvent {
    /// A principal variation was found.
    Info(PvLine),
    /// A search has ended.
    BestMove(BestMove),
    /// A count (perft) has ended.
    Perft(PerftResult),
    /// One game of a `bench` is done.
    Bench(BenchResult),
    /// A `bench` has ended, perhaps because it was stopped.
    BenchDone(Result<(), BenchError>),
    /// Something panicked; the text is its message. The end of the search still follows, made from what was
    /// found.
    Failed(String),
    /// A message of the program that searches in our place; it belongs to no search.
    Message(EngineMessage),
}

/// What another program may send besides the results of its searches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineMessage {
    /// Something went wrong; a text for people.
    Error(String),
    /// A line for the log.
    Log(String),
    /// A text for the user.
    Tell(String),
    /// A line of the XBoard protocol about the board, to be passed on to XBoard as it is.
    RawXboard(String),
    /// The program resigns.
    Resign,
    /// The program offers a draw, or agrees to one.
    DrawOffer,
    /// The program claims that the game is over, with this result and comment.
    ResultClaim(Verdict, String),
}

/// One line of thinking, its moves as text.
#[derive(Clone, Debug)]
pub struct PvLine {
    /// Depth, score, nodes and time.
    pub report: Report,
    /// The principal variation, one token per turn.
    pub pv: Vec<String>,
}

/// The end of a search.
#[derive(Clone, Debug)]
pub struct BestMove {
    /// The move to play, as a token; `None` when there is nothing to decide.
    pub token: Option<String>,
    /// The reply that is expected, if one is known.
    pub ponder: Option<String>,
    /// The score, from the point of view of the player to decide.
    pub score: Score,
    /// The number of positions visited so far.
    pub nodes: u64,
    /// The time since the search was asked for.
    pub elapsed: Duration,
}

impl BestMove {
    /// The result where there is nothing to play.
    pub const NONE: Self = Self { token: None, ponder: None, score: DRAW, nodes: 0, elapsed: Duration::ZERO };
}

/// The end of a count (perft).
#[derive(Clone, Debug)]
pub struct PerftResult {
    /// Each first turn with the number of sequences that begin with it; `None` when the count was stopped.
    pub divided: Option<Vec<(String, u64)>>,
    /// The number of all sequences; 0 when the count was stopped.
    pub total: u64,
    /// The time since the count was asked for.
    pub elapsed: Duration,
}
