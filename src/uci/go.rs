//! What a `go` asks for, and the searches that are running or wait.

use crate::base::Color;
use crate::engine::{BestMove, SearchHandle, SearchRequest};
use crate::game::Actor;
use crate::protocol::uci::{Command, Go};
use crate::search::{Budget, Limits};
use std::time::{Duration, Instant};

/// A line that waits for the search before it to end.
pub struct Waiting {
    pub line: String,
    pub when: Instant,
    /// True for a `go` or `bench`, even one that cannot be parsed.
    pub search: bool,
    /// `stop` was read since then: the search ends as soon as it has begun.
    pub stopped: bool,
    /// `ponderhit` was read since then.
    pub hit: bool,
}

/// True for a command that is answered at once and does not affect a search that was asked for before.
pub fn is_urgent(command: &Command<'_>) -> bool {
    matches!(
        command,
        Command::Uci
            | Command::Ugi
            | Command::Debug(_)
            | Command::IsReady
            | Command::Help
            | Command::Unknown(_)
    )
}

/// A search, a count or a bench.
pub struct ActiveSearch {
    pub handle: SearchHandle,
    /// The nodes of a bench so far.
    pub bench_nodes: u64,
    /// `bestmove` must not be sent before `stop` or `ponderhit` (infinite and ponder searches).
    pub held: bool,
    /// True for an infinite search: only `stop` ends it, not `ponderhit`.
    pub infinite: bool,
    /// The result, while it is held back.
    pub best: Option<BestMove>,
}

/// The request that `go` makes when `actor` decides.
pub fn search_request(go: &Go<'_>, actor: Actor, analysing: bool) -> SearchRequest {
    let milliseconds = |ms: i64| Duration::from_millis(ms.max(0) as u64);
    let (own, other, increment) = match actor {
        Actor::Player(Color::Black) => (go.black_time, go.white_time, go.black_increment),
        _ => (go.white_time, go.black_time, go.white_increment),
    };
    let budget = match (go.move_time, own) {
        _ if go.infinite => Budget::Unlimited,
        (Some(time), _) => Budget::Fixed(Duration::from_millis(time)),
        (None, Some(remaining)) => Budget::Clock {
            remaining: milliseconds(remaining),
            increment: milliseconds(increment.unwrap_or(0)),
            turns_to_go: go.moves_to_go.filter(|&turns| turns > 0),
        },
        (None, None) => Budget::Unlimited,
    };
    let limits = Limits {
        depth: go.depth,
        nodes: go.nodes,
        win_in: go.mate,
        budget,
        infinite: go.infinite || analysing,
        ..Limits::default()
    };
    let searchmoves = go.search_moves.iter().flat_map(|moves| moves.iter()).map(str::to_owned).collect();
    let opponent_clock = other.map(milliseconds);
    SearchRequest { limits, searchmoves, ponder: go.ponder, opponent_clock, ..SearchRequest::default() }
}
