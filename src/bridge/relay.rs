//! One of our protocols' state machines, with another program behind it.

use crate::engine::{Engine, EngineRequest, ForeignEngine, Frontend, SearchEvent};
use crate::protocol::Protocol;
use crate::uci::Uci;
use crate::xboard::Xboard;
use crossbeam_channel::Receiver;
use std::ops::ControlFlow;
use std::time::Instant;

/// One of our protocols' state machines, with another program behind it. Nothing waits here: the caller
/// brings lines and events, and takes away the output and the requests.
pub struct Relay {
    front: Box<dyn Frontend>,
    requests: Receiver<EngineRequest>,
}

impl Relay {
    /// A conversation with the user's program that has not begun. `outside` is its protocol.
    #[must_use]
    pub fn new(outside: Protocol, foreign: ForeignEngine) -> Self {
        let (engine, requests) = Engine::of_foreign(foreign);
        let front: Box<dyn Frontend> = match outside {
            Protocol::Uci(_) => Box::new(Uci::new(engine)),
            Protocol::Xboard => Box::new(Xboard::new(engine)),
        };
        Self { front, requests }
    }

    /// Handles a line of the user's program.
    pub fn line(&mut self, line: &str, when: Instant) -> ControlFlow<()> {
        self.front.line(line, when)
    }

    /// Handles a line that is too long; `bytes` is its length.
    pub fn too_long(&mut self, bytes: usize) {
        self.front.too_long(bytes);
    }

    /// Handles an event of the search with this number. Messages that belong to no search may come with any
    /// number.
    pub fn event(&mut self, id: u64, event: SearchEvent) {
        self.front.event(id, event);
    }

    /// Stops what is running, because the user's program sends nothing more. True while a last event must
    /// still be waited for.
    pub fn finish(&mut self) -> bool {
        self.front.finish()
    }

    /// Handles the events of counts that run here and not in the other program (`go perft`).
    pub fn own_events(&mut self) {
        while let Ok((id, event)) = self.front.events().try_recv() {
            self.event(id, event);
        }
    }

    /// The next request to the other program.
    pub fn next_request(&mut self) -> Option<EngineRequest> {
        self.requests.try_recv().ok()
    }

    /// Takes the text that is to be written.
    pub fn take_text(&mut self) -> String {
        self.front.replies().take()
    }
}
