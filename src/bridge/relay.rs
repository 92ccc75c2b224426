//! One of our protocols' state machines, with another program behind it.

use crate::engine::{Engine, EngineRequest, ForeignEngine, Frontend, SearchEvent};
use crate::uci::Uci;
use crate::xboard::Xboard;
use crossbeam_channel::Receiver;
use std::ops::ControlFlow;
use std::time::Instant;

/// The protocol that is spoken with the user's program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outside {
    /// UCI, or UGI once `ugi` was said.
    Uci,
    /// XBoard's.
    Xboard,
}

/// One of our protocols' state machines, with another program behind it. Nothing waits here: whoever holds it brings lines
/// and events, and takes away what is to be written and to be done.
pub struct Relay {
    front: Box<dyn Frontend>,
    requests: Receiver<EngineRequest>,
}

impl Relay {
    /// A conversation that has not begun.
    #[must_use]
    pub fn new(outside: Outside, foreign: ForeignEngine) -> Self {
        let (engine, requests) = Engine::of_foreign(foreign);
        let front: Box<dyn Frontend> = match outside {
            Outside::Uci => Box::new(Uci::new(engine)),
            Outside::Xboard => Box::new(Xboard::new(engine)),
        };
        Self { front, requests }
    }

    /// The user's program said `line`.
    pub fn line(&mut self, line: &str, when: Instant) -> ControlFlow<()> {
        self.front.line(line, when)
    }

    /// It said a line that is longer than lines may be.
    pub fn too_long(&mut self, bytes: usize) {
        self.front.too_long(bytes);
    }

    /// The search of this number has something to say; words beside all searches come under any number.
    pub fn event(&mut self, id: u64, event: SearchEvent) {
        self.front.event(id, event);
    }

    /// The user's program says nothing more: what runs is stopped. True while a last word must be waited for.
    pub fn finish(&mut self) -> bool {
        self.front.finish()
    }

    /// Takes in what was counted here, not elsewhere (`go perft`).
    pub fn own_events(&mut self) {
        while let Ok((id, event)) = self.front.events().try_recv() {
            self.event(id, event);
        }
    }

    /// The next thing to be asked of the other program.
    pub fn next_request(&mut self) -> Option<EngineRequest> {
        self.requests.try_recv().ok()
    }

    /// Takes away what is to be written.
    pub fn take_text(&mut self) -> String {
        self.front.replies().take()
    }
}
