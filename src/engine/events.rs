//! What a search tells while it runs and when it ends.

use super::bench::{BenchError, BenchResult};
use crate::base::score::{DRAW, Score};
use crate::protocol::xboard::Verdict;
use crate::search::Report;
use std::time::Duration;

/// What the search thread says of what it was asked to do, each with the number of the search.
#[derive(Debug)]
pub enum SearchEvent {
    /// A line was found.
    Info(PvLine),
    /// The search has ended.
    BestMove(BestMove),
    /// Counting has ended.
    Perft(PerftResult),
    /// One game of a `bench` is done.
    Bench(BenchResult),
    /// A `bench` has ended, perhaps because it was stopped.
    BenchDone(Result<(), BenchError>),
    /// Something in it panicked, for the reason given. The end comes all the same, from what is left.
    Failed(String),
    /// The program that searches in our place says something that is no part of a search.
    Message(EngineMessage),
}

/// What a program may say beside its searches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineMessage {
    /// Something went wrong, in words for people.
    Error(String),
    /// Something for a log.
    Log(String),
    /// Something for people.
    Tell(String),
    /// A line of the XBoard protocol about the board, for XBoard.
    RawXboard(String),
    /// It gives the game up.
    Resign,
    /// It offers a draw, or agrees to one.
    DrawOffer,
    /// It says that the game is over.
    ResultClaim(Verdict, String),
}

/// One line of thinking, in text.
#[derive(Clone, Debug)]
pub struct PvLine {
    /// Depth, score, counts.
    pub report: Report,
    /// The principal variation, a token each.
    pub pv: Vec<String>,
}

/// The end of a search.
#[derive(Clone, Debug)]
pub struct BestMove {
    /// What to play, as a token; `None` when there is nothing to decide.
    pub token: Option<String>,
    /// The reply expected.
    pub ponder: Option<String>,
    /// For the player who decides.
    pub score: Score,
    /// Positions visited.
    pub nodes: u64,
    /// Since the search was asked for.
    pub elapsed: Duration,
}

impl BestMove {
    /// Nothing to play.
    pub const NONE: Self = Self { token: None, ponder: None, score: DRAW, nodes: 0, elapsed: Duration::ZERO };
}

/// The end of a count (perft).
#[derive(Clone, Debug)]
pub struct PerftResult {
    /// Each turn with the number of sequences that begin with it; `None` when it was stopped.
    pub divided: Option<Vec<(String, u64)>>,
    /// The number of sequences; 0 when it was stopped.
    pub total: u64,
    /// Since the count was asked for.
    pub elapsed: Duration,
}
