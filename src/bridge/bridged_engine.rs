//! The engine behind the bridge, whatever it speaks.

use super::transcript::Transcript;
use super::uci_engine::UciEngine;
use super::xboard_engine::XboardEngine;
use super::{BridgeError, Settings};
use crate::arena::{Fault, Features, Protocol, UciGreeting, greet_uci, greet_xboard};
use crate::base::without_controls;
use crate::engine::{EngineMessage, EngineRequest, ForeignEngine, ForeignSearch, Outside, SearchEvent};
use crate::process::{Either, OwnInput, Process, ProcessError};
use crate::protocol::uci::Dialect;
use crate::session::SessionError;
use std::time::{Duration, Instant};

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

    /// The next line of either side.
    pub fn receive(&mut self, own: &mut OwnInput, deadline: Instant) -> Result<Either, ProcessError> {
        self.process.receive_either(own, deadline)
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
    /// It is to do this, when it can.
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
}

/// How long an engine may take to answer a greeting in a protocol it perhaps does not speak.
const FIRST_TRY: Duration = Duration::from_secs(3);

fn fresh(settings: &Settings, transcript: &Transcript) -> Result<Process, BridgeError> {
    let no_start = |error| Fault::Unfit(format!("`{}` does not start: {error}", settings.command));
    let mut process = Process::start(&settings.command).map_err(no_start)?;
    transcript.tap().into_iter().for_each(|tap| process.tap(tap));
    Ok(process)
}

/// What an engine said of itself.
enum Greeting {
    Uci(Dialect, UciGreeting),
    Xboard(Features),
}

/// Starts the engine and greets it in its protocol, found out where it was not named: UCI, XBoard's, UGI, each in a fresh
/// process.
pub fn launch(
    settings: &Settings,
    transcript: &Transcript,
    outside: Outside,
) -> Result<(Box<dyn BridgedEngine>, Connection), BridgeError> {
    let greet = |protocol, process: &mut Process, patience, sure| {
        Ok::<_, Fault>(match protocol {
            Protocol::Uci => Greeting::Uci(Dialect::Uci, greet_uci(process, Dialect::Uci, patience)?),
            Protocol::Ugi => Greeting::Uci(Dialect::Ugi, greet_uci(process, Dialect::Ugi, patience)?),
            Protocol::Cecp => Greeting::Xboard(greet_xboard(process, sure, patience)?),
        })
    };
    let tries: Vec<(Protocol, Duration)> = match settings.inside {
        Some(protocol) => vec![(protocol, settings.patience)],
        None => {
            let all = [Protocol::Uci, Protocol::Cecp, Protocol::Ugi];
            let quick = settings.patience.min(FIRST_TRY);
            let waits = if quick < settings.patience { vec![quick, settings.patience] } else { vec![quick] };
            waits.into_iter().flat_map(|wait| all.map(|protocol| (protocol, wait))).collect()
        }
    };
    let mut last = None;
    for (protocol, patience) in tries {
        let mut process = fresh(settings, transcript)?;
        match greet(protocol, &mut process, patience, settings.inside.is_some()) {
            Ok(greeting) => {
                let mut connection = Connection { process, events: Vec::new() };
                let engine: Box<dyn BridgedEngine> = match greeting {
                    Greeting::Uci(dialect, greeting) => {
                        Box::new(UciEngine::new(dialect, greeting, settings, outside, &mut connection)?)
                    }
                    Greeting::Xboard(features) => {
                        Box::new(XboardEngine::new(features, settings, &mut connection)?)
                    }
                };
                return Ok((engine, connection));
            }
            Err(fault) => {
                process.kill();
                last = Some(fault);
            }
        }
    }
    match (settings.inside, last) {
        (Some(_), Some(fault)) => Err(fault.into()),
        _ => {
            let why = format!("`{}` answers neither to `uci` nor to `xboard` nor to `ugi`", settings.command);
            Err(Fault::Unfit(why).into())
        }
    }
}
