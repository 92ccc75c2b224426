//! The engine behind the bridge, whatever it speaks.

use super::relay::Outside;
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
use crate::session::SessionError;
use std::time::Instant;

/// The lines to the engine, and what has come of those from it.
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

    /// A line of the engine, while nothing else is listened to.
    pub fn wait(&mut self, deadline: Instant) -> Result<String, ProcessError> {
        Ok(self.process.receive(deadline)?.0)
    }

    /// It says something beside all searches.
    pub fn message(&mut self, message: EngineMessage) {
        self.events.push(message.into());
    }

    /// Something went wrong.
    pub fn error(&mut self, text: impl Into<String>) {
        self.message(EngineMessage::Error(text.into()));
    }

    /// The engine moved against the rules.
    pub fn illegal_move(&mut self, text: &str, why: &SessionError) {
        self.error(format!("Illegal move by the engine ({why}): {}", without_controls(text)));
    }
}

/// What comes of a line of the engine.
pub enum EngineEvent {
    /// It is ready.
    Ready,
    /// An event of the search of this number.
    Search(u64, SearchEvent),
}

impl From<EngineMessage> for EngineEvent {
    /// Something beside all searches.
    fn from(message: EngineMessage) -> Self {
        Self::Search(0, SearchEvent::Message(message))
    }
}

/// An engine and what it was asked.
pub trait BridgedEngine {
    /// What is known of it.
    fn profile(&self) -> &ForeignEngine;
    /// A search is in progress: all requests but [`EngineRequest::DrawOffered`] must wait.
    fn is_searching(&self) -> bool;
    /// It is to do this.
    fn handle_request(
        &mut self,
        request: EngineRequest,
        connection: &mut Connection,
    ) -> Result<(), ProcessError>;
    /// It said a line.
    fn handle_line(&mut self, line: &str, connection: &mut Connection) -> Result<(), ProcessError>;
    /// What runs may have been stopped, or told that the expected move was played.
    fn follow_up(&mut self, connection: &mut Connection) -> Result<(), ProcessError>;
    /// Asks whether it is ready; false when that cannot be asked.
    fn ask_ready(&mut self, connection: &mut Connection) -> Result<bool, ProcessError>;
    /// When it must have answered to what, or else something is to be done by [`BridgedEngine::overdue`].
    fn deadline(&self) -> Option<Instant>;
    /// The deadline has passed; gives what it should have answered to, when nothing can be done.
    fn overdue(&mut self, connection: &mut Connection) -> Result<Option<&'static str>, ProcessError>;
}

/// A search in progress.
pub struct Running {
    pub search: Box<ForeignSearch>,
    /// It was told to stop.
    pub stopped: bool,
    /// It was told that the expected move was played.
    pub hit: bool,
}

impl Running {
    pub fn new(search: Box<ForeignSearch>) -> Self {
        Self { search, stopped: false, hit: false }
    }

    /// True when it is to stop and was not told yet.
    pub fn must_stop(&self) -> bool {
        !self.stopped && self.search.control.is_stopped()
    }

    /// True when its clock has begun to run and it was not told yet.
    pub fn must_hit(&self) -> bool {
        self.search.ponder && !self.hit && !self.stopped && !self.search.control.is_pondering()
    }

    /// It has ended with this; `best` is what it found last.
    pub fn end(self, token: Option<String>, ponder: Option<String>, best: Option<PvLine>) -> EngineEvent {
        let (score, nodes) = best.map_or((0, 0), |line| (line.report.score, line.report.nodes));
        let elapsed = self.search.since.elapsed();
        let best = BestMove { token, ponder, score, nodes, elapsed };
        EngineEvent::Search(self.search.id, SearchEvent::BestMove(best))
    }
}

/// Starts the engine and greets it in its protocol, found out where it was not named.
pub fn launch(
    settings: &Settings,
    transcript: &Transcript,
    outside: Outside,
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
