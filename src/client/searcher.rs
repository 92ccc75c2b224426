//! What a client asks of an engine, and how an engine is asked in its protocol.

use crate::base::{Color, without_controls};
use crate::engine::{BestMove, EngineMessage, Profile, PvLine, SearchEvent};
use crate::game::{Facts, Rules};
use crate::protocol::same_words;
use crate::search::{Control, Limits};
use crate::session::{Session, SessionError};
use crossbeam_channel::Sender;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What an engine is asked for. A request waits while a search is in progress.
pub enum Request {
    /// Set an option; no value for buttons.
    Set { name: String, value: Option<String> },
    /// Play this game from now on.
    Game { facts: &'static Facts, rules: Rules },
    /// What follows belongs to a new game.
    NewGame,
    /// Search a position.
    Search(Box<Search>),
    /// Thinking on the opponent's time is allowed from now on, or forbidden.
    Ponder(bool),
    /// The opponent offers a draw.
    DrawOffered,
    /// The game is over; the text is the result, with its comment.
    Result(String),
}

/// A search: position, limits and the means to stop it.
pub struct Search {
    /// The number that its events carry.
    pub id: u64,
    /// The game as the player may know it that the engine plays.
    pub game: Box<dyn Session>,
    /// The position the game began from; `None` for the usual start.
    pub start: Option<String>,
    /// The tokens played since then.
    pub tokens: Vec<String>,
    /// The player who is to decide.
    pub player: Color,
    /// When the search ends.
    pub limits: Limits,
    /// The time on the opponent's clock, if it is known.
    pub opponent_clock: Option<Duration>,
    /// Consider only these tokens; empty for all.
    pub searchmoves: Vec<String>,
    /// True if the search begins on the opponent's time.
    pub ponder: bool,
    /// Stops the search, and reports that the move it ponders on was played.
    pub control: Arc<Control>,
    /// When the search was asked for.
    pub since: Instant,
    /// The engine was sent the command to stop.
    pub stopped: bool,
    /// The engine was sent `ponderhit`.
    pub hit: bool,
}

impl Search {
    /// True when it is to stop, and the engine does not know yet.
    pub fn must_stop(&self) -> bool {
        !self.stopped && self.control.is_stopped()
    }

    /// True when the expected move was played, and the engine does not know yet.
    pub fn must_hit(&self) -> bool {
        self.ponder && !self.hit && !self.stopped && !self.control.is_pondering()
    }
}

/// The lines for the engine, and what has become of its own.
pub struct Out {
    pub lines: Vec<String>,
    /// How many questions whether it is ready it has answered.
    ready: usize,
    events: Sender<(u64, SearchEvent)>,
}

impl Out {
    /// Without a line yet; `events` is the channel on which searches report.
    pub const fn new(events: Sender<(u64, SearchEvent)>) -> Self {
        Self { lines: Vec::new(), ready: 0, events }
    }

    /// Adds a line for the engine.
    pub fn send(&mut self, line: impl ToString) {
        self.lines.push(line.to_string());
    }

    /// The engine is ready.
    pub const fn ready(&mut self) {
        self.ready += 1;
    }

    /// How many questions whether it is ready it has answered since this was called last.
    pub fn take_ready(&mut self) -> usize {
        std::mem::take(&mut self.ready)
    }

    /// Reports an event of the search with this number.
    pub fn event(&self, id: u64, event: SearchEvent) {
        // The receiver is gone only when the engine is being dropped.
        let _ = self.events.send((id, event));
    }

    /// Reports a message of the engine, which belongs to no search.
    pub fn message(&self, message: EngineMessage) {
        self.event(0, SearchEvent::Message(message));
    }

    /// Reports an error.
    pub fn error(&self, text: impl Into<String>) {
        self.message(EngineMessage::Error(text.into()));
    }

    /// Adds a line to the log.
    pub fn log(&self, text: impl Into<String>) {
        self.message(EngineMessage::Log(text.into()));
    }

    /// Reports that the engine made an illegal move.
    pub fn illegal_move(&self, text: &str, why: &SessionError) {
        self.error(format!("Illegal move by the engine ({why}): {}", without_controls(text)));
    }

    /// Reports that `search` has ended with `token`; `best` is the last principal variation.
    pub fn end(&self, search: &Search, token: Option<String>, ponder: Option<String>, best: Option<PvLine>) {
        let (score, nodes) = best.map_or((0, 0), |line| (line.report.score, line.report.nodes));
        let best = BestMove { token, ponder, score, nodes, elapsed: search.since.elapsed() };
        self.event(search.id, SearchEvent::BestMove(best));
    }
}

/// How an engine is asked to search in its protocol, and what becomes of its lines.
pub trait Searcher: Send {
    /// What is known of the engine.
    fn profile(&self) -> &Profile;
    /// True while a search is in progress; all requests but [`Request::DrawOffered`] must then wait.
    fn is_searching(&self) -> bool;
    /// Carries out a request.
    fn ask(&mut self, request: Request, out: &mut Out);
    /// Handles a line of the engine.
    fn hear(&mut self, line: &str, out: &mut Out);
    /// Informs the engine if its search was stopped, or the expected move was played.
    fn follow_up(&mut self, out: &mut Out);
    /// The line that asks whether it is ready; `None` when its protocol has none.
    fn ask_ready(&mut self) -> Option<String>;
    /// When the engine must have answered.
    fn due(&self) -> Option<Instant>;
    /// Acts once that time has passed. Returns the command that was not answered, when nothing can be done.
    fn overdue(&mut self, out: &mut Out) -> Option<&'static str>;
}

/// True for the options that decide who draws the outcomes of chance, and from which seed.
pub fn is_chance(option: &str) -> bool {
    same_words(option, "Chance") || same_words(option, "Chance Seed")
}
