//! What commands ask for that have to wait for their turn, and the search that is running.

use crate::base::Color;
use crate::engine::{Bench, BenchError, BestMove, SearchHandle, SearchRequest};
use crate::game::Actor;
use crate::protocol::ParseError;
use crate::protocol::uci::{Command, Go, Position, Start};
use crate::search::{Budget, Limits};
use std::time::{Duration, Instant};

/// What a command asks for that is about the game in progress: it comes after all that was asked for before.
pub enum Task {
    /// Set an option.
    SetOption { name: String, value: Option<String> },
    /// What follows belongs to a new game.
    NewGame,
    /// Set up a position (`None` for the usual start) and play turns from there.
    Position { start: Option<String>, turns: String },
    /// Say that a `position` named no start.
    NoStart,
    /// Search, or count turns.
    Go(Box<Order>),
    /// Answer a `go` that could not be understood.
    BadGo(ParseError),
    /// Search the positions of the bench.
    Bench(Result<Bench, BenchError>),
    /// Show the position.
    Show,
    /// Show its evaluation.
    Evaluation,
    /// Exchange the sides.
    Flip,
    /// Answer a question about the game.
    Query { question: String, arguments: String },
}

impl Task {
    /// `None` for a command that is answered at once, because it does not affect a search that was asked for
    /// before.
    pub fn of(command: Command<'_>) -> Option<Self> {
        Some(match command {
            Command::SetOption { name, value } => {
                Self::SetOption { name: name.to_owned(), value: value.map(str::to_owned) }
            }
            Command::UciNewGame | Command::UgiNewGame => Self::NewGame,
            Command::Position(Position { start: Start::Unsaid, .. }) => Self::NoStart,
            Command::Position(Position { start, moves }) => {
                let start = if let Start::Fen(text) = start { Some(text.to_owned()) } else { None };
                Self::Position { start, turns: moves.text().to_owned() }
            }
            Command::Go(go) => Self::Go(Box::new(go.into())),
            Command::Bench(arguments) => Self::Bench(Bench::parse(arguments)),
            Command::Show => Self::Show,
            Command::Evaluation => Self::Evaluation,
            Command::Flip => Self::Flip,
            Command::Query { question, arguments } => {
                Self::Query { question: question.to_owned(), arguments: arguments.to_owned() }
            }
            _ => return None,
        })
    }

    /// True for one that is answered as a search is, even if none can be made of it.
    pub const fn searches(&self) -> bool {
        matches!(self, Self::Go(_) | Self::BadGo(_) | Self::Bench(_))
    }
}

/// A task that waits for the search before it to end.
pub struct Waiting {
    pub task: Task,
    pub when: Instant,
    /// `stop` was read since then: the search ends as soon as it has begun.
    pub stopped: bool,
    /// `ponderhit` was read since then.
    pub hit: bool,
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

/// What a `go` asks for. Which of the two clocks runs is known only when its turn has come, from the position.
pub struct Order {
    /// Count turns to this depth instead of searching.
    pub perft: Option<u32>,
    /// All but the clocks.
    request: SearchRequest,
    /// The search ends by time or by `stop`, whatever the clocks say.
    budget: Option<Budget>,
    /// White's clock and Black's.
    clocks: [Option<Clock>; 2],
    /// The number of moves to the next time control.
    turns_to_go: Option<u32>,
}

/// What a clock shows, and what each move adds to it.
#[derive(Clone, Copy)]
struct Clock {
    remaining: Duration,
    increment: Duration,
}

impl Clock {
    fn new(remaining: Option<i64>, increment: Option<i64>) -> Option<Self> {
        // A clock that is overstepped is sent as a negative number.
        let milliseconds = |ms: i64| Duration::from_millis(ms.max(0) as u64);
        let increment = milliseconds(increment.unwrap_or(0));
        remaining.map(|remaining| Self { remaining: milliseconds(remaining), increment })
    }
}

impl From<Go<'_>> for Order {
    fn from(go: Go<'_>) -> Self {
        let (depth, nodes, win_in, infinite) = (go.depth, go.nodes, go.mate, go.infinite);
        let limits = Limits { depth, nodes, win_in, infinite, ..Limits::default() };
        let searchmoves = go.search_moves.iter().flat_map(|moves| moves.iter()).map(str::to_owned).collect();
        let fixed = go.move_time.map(|time| Budget::Fixed(Duration::from_millis(time)));
        Self {
            perft: go.perft,
            request: SearchRequest { limits, searchmoves, ponder: go.ponder, ..SearchRequest::default() },
            budget: if infinite { Some(Budget::Unlimited) } else { fixed },
            clocks: [
                Clock::new(go.white_time, go.white_increment),
                Clock::new(go.black_time, go.black_increment),
            ],
            turns_to_go: go.moves_to_go.filter(|&turns| turns > 0),
        }
    }
}

impl Order {
    /// True if the search ends only by `stop`.
    pub const fn is_infinite(&self) -> bool {
        self.request.limits.infinite
    }

    /// True if `bestmove` has to wait for `stop` or `ponderhit`.
    pub const fn is_held(&self) -> bool {
        self.perft.is_none() && (self.is_infinite() || self.request.ponder)
    }

    /// The request when `actor` decides.
    pub fn into_request(self, actor: Actor, analysing: bool) -> SearchRequest {
        let Self { mut request, clocks: [white, black], turns_to_go, .. } = self;
        let (own, other) = match actor {
            Actor::Player(Color::Black) => (black, white),
            _ => (white, black),
        };
        let by_clock =
            own.map(|Clock { remaining, increment }| Budget::Clock { remaining, increment, turns_to_go });
        request.limits.budget = self.budget.or(by_clock).unwrap_or(Budget::Unlimited);
        request.limits.infinite |= analysing;
        request.opponent_clock = other.map(|clock| clock.remaining);
        request
    }
}
