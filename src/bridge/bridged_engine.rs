//! The engine behind the bridge, whichever protocol it speaks.

use super::transcript::Transcript;
use super::uci_engine::UciEngine;
use super::xboard_engine::XboardEngine;
use super::{BridgeError, Settings};
use crate::arena::{Greeting, connect};
use crate::base::without_controls;
use crate::engine::{
    BestMove, EngineMessage, EngineRequest, ForeignEngine, ForeignSearch, PvLine, SearchEvent,
};
use crate::process::{Process, ProcessError};
use crate::protocol::Protocol;
use crate::session::SessionError;
use std::time::Instant;

/// The process of the engine, and the events that its lines have given rise to.
pub struct Connection {
    pub process: Process,
    pub events: Vec<EngineEvent>,
}

impl Connection {
    /// Sends lines at once.
    pub fn send(&mut self, lines: &[impl AsRef<str>]) -> Result<(), ProcessError> {
        if lines.is_empty() {
            return Ok(());
        }
        self.process.send_all(lines).map(drop)
    }

    /// Waits for a line of the engine, and for nothing else.
    pub fn wait(&mut self, deadline: Instant) -> Result<String, ProcessError> {
        Ok(self.process.receive(deadline)?.0)
    }

    /// Adds a message of the engine that belongs to no search.
    pub fn message(&mut self, message: EngineMessage) {
        self.events.push(message.into());
    }

    pub fn error(&mut self, text: impl Into<String>) {
        self.message(EngineMessage::Error(text.into()));
    }

    /// Reports that the engine made an illegal move.
    pub fn illegal_move(&mut self, text: &str, why: &SessionError) {
        self.error(format!("Illegal move by the engine ({why}): {}", without_controls(text)));
    }
}

/// What follows from a line of the engine.
pub enum EngineEvent {
    /// The engine is ready.
    Ready,
    /// An event of the search with this number.
    Search(u64, SearchEvent),
}

impl From<EngineMessage> for EngineEvent {
    /// A message belongs to no search, so its number is 0.
    fn from(message: EngineMessage) -> Self {
        Self::Search(0, SearchEvent::Message(message))
    }
}

/// The state machine that drives an engine in its protocol.
pub trait BridgedEngine {
    /// What is known of the engine.
    fn profile(&self) -> &ForeignEngine;
    /// True while a search is in progress; all requests but [`EngineRequest::DrawOffered`] must then wait.
    fn is_searching(&self) -> bool;
    /// Carries out a request.
    fn handle_request(
        &mut self,
        request: EngineRequest,
        connection: &mut Connection,
    ) -> Result<(), ProcessError>;
    /// Handles a line of the engine.
    fn handle_line(&mut self, line: &str, connection: &mut Connection) -> Result<(), ProcessError>;
    /// Informs the engine if its search was stopped, or the expected move was played.
    fn follow_up(&mut self, connection: &mut Connection) -> Result<(), ProcessError>;
    /// Asks the engine whether it is ready; false when its protocol has no means to ask.
    fn ask_ready(&mut self, connection: &mut Connection) -> Result<bool, ProcessError>;
    /// When the engine must have answered. After that, [`BridgedEngine::overdue`] is to be called.
    fn deadline(&self) -> Option<Instant>;
    /// Acts once the deadline has passed. Returns the command that was not answered, when nothing can be
    /// done.
    fn overdue(&mut self, connection: &mut Connection) -> Result<Option<&'static str>, ProcessError>;
}

/// A search in progress.
pub struct Running {
    pub search: Box<ForeignSearch>,
    /// The engine was sent the command to stop.
    pub stopped: bool,
    /// The engine was sent `ponderhit`.
    pub hit: bool,
}

impl Running {
    pub fn new(search: Box<ForeignSearch>) -> Self {
        Self { search, stopped: false, hit: false }
    }

    /// True when it is to stop, and the engine does not know yet.
    pub fn must_stop(&self) -> bool {
        !self.stopped && self.search.control.is_stopped()
    }

    /// True when the expected move was played, and the engine does not know yet.
    pub fn must_hit(&self) -> bool {
        self.search.ponder && !self.hit && !self.stopped && !self.search.control.is_pondering()
    }

    /// The event that ends the search with `token`; `best` is the last principal variation.
    pub fn end(self, token: Option<String>, ponder: Option<String>, best: Option<PvLine>) -> EngineEvent {
        let (score, nodes) = best.map_or((0, 0), |line| (line.report.score, line.report.nodes));
        let elapsed = self.search.since.elapsed();
        let best = BestMove { token, ponder, score, nodes, elapsed };
        EngineEvent::Search(self.search.id, SearchEvent::BestMove(best))
    }
}

/// Starts the engine and greets it in its protocol, which is detected unless the settings name it.
pub fn launch(
    settings: &Settings,
    transcript: &Transcript,
    outside: Protocol,
) -> Result<(Box<dyn BridgedEngine>, Connection), BridgeError> {
    let (process, greeting) =
        connect(&settings.command, settings.inside, settings.patience, || transcript.tap())?;
    let mut connection = Connection { process, events: Vec::new() };
    let engine: Box<dyn BridgedEngine> = match greeting {
        Greeting::Uci(dialect, said) => {
            Box::new(UciEngine::new(dialect, said, settings, outside, &mut connection)?)
        }
        Greeting::Xboard(features) => Box::new(XboardEngine::new(features, settings, &mut connection)?),
    };
    Ok((engine, connection))
}
