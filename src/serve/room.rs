//! A game and who looks at it: one thread as long as somebody does.

use super::message::Request;
use super::registry::Registry;
use super::thinking::Permits;
use super::web_game::WebGame;
use crossbeam_channel::{Receiver, Sender, TrySendError, at, never, select};
use serde_json::{Value, json};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

/// What a connection is sent; when it is full, whoever should read it does not.
pub type Outbox = Sender<Arc<str>>;

/// What a connection asks of a room.
pub enum RoomEvent {
    /// To look.
    Enter(u64, Outbox),
    /// Something of the game.
    Ask(u64, Request, String),
    /// To look no more.
    Leave(u64),
}

/// The game while somebody looks at it.
pub struct Room {
    game: WebGame,
    events: Receiver<RoomEvent>,
    lookers: Vec<(u64, Outbox)>,
    permits: Permits,
}

/// Runs the room of `game` until nobody looks any more; then the registry has the game back. A panic ends the game.
pub fn run(game: WebGame, events: Receiver<RoomEvent>, permits: Permits, registry: &Registry) {
    let name = game.name.clone();
    let room = Room { game, events, lookers: Vec::new(), permits };
    let end = std::panic::catch_unwind(AssertUnwindSafe(|| room.run(registry)));
    if end.is_err() {
        log::error!("the game {name} is lost: a mistake of this program (please report it)");
        registry.forget(&name);
    }
}

impl Room {
    fn run(mut self, registry: &Registry) {
        self.game.wake();
        loop {
            let mut told = Vec::new();
            self.wait(&mut told);
            self.tell(told);
            if self.lookers.is_empty() {
                // Who enters now finds the game as it is kept, or the room as long as an event is on its way.
                self.game.rest();
                match registry.keep(self.game, &self.events) {
                    None => return,
                    Some(game) => self.game = game,
                }
            }
        }
    }

    fn wait(&mut self, told: &mut Vec<Value>) {
        let events = self.game.events().clone();
        let timer = self.game.deadline().map_or_else(never, at);
        let none = never();
        let permits = if self.game.wants_permit() { &self.permits.free } else { &none };
        select! {
            recv(self.events) -> event => match event {
                Ok(event) => self.fulfil(event, told),
                // The registry holds the other end as long as the server is there.
                Err(_) => self.lookers.clear(),
            },
            recv(events) -> event => if let Ok((id, event)) = event {
                self.game.heard(id, event, told);
            },
            recv(permits) -> permit => if permit.is_ok() {
                let permit = self.permits.taken();
                self.game.begin_search(permit, told);
            },
            recv(timer) -> _ => self.game.tick(told),
        }
    }

    fn fulfil(&mut self, event: RoomEvent, told: &mut Vec<Value>) {
        match event {
            RoomEvent::Enter(id, outbox) => {
                // Who comes for a new game is not shown a board before it.
                if self.game.is_worth_keeping() {
                    let _ = outbox.try_send(text(&self.game.state()));
                }
                self.lookers.push((id, outbox));
            }
            RoomEvent::Leave(id) => self.lookers.retain(|(looker, _)| *looker != id),
            RoomEvent::Ask(id, request, what) => {
                let answer = self.game.obey(request, told);
                let answer = answer.unwrap_or_else(|error| Some(error_message(&what, &error)));
                let asker = self.lookers.iter().find(|(looker, _)| *looker == id);
                if let (Some(value), Some((_, outbox))) = (answer, asker) {
                    let _ = outbox.try_send(text(&value));
                }
            }
        }
    }

    /// Tells everybody; who does not read is let go.
    fn tell(&mut self, told: Vec<Value>) {
        for value in told {
            let text = text(&value);
            self.lookers.retain(|(_, outbox)| {
                !matches!(
                    outbox.try_send(text.clone()),
                    Err(TrySendError::Disconnected(_) | TrySendError::Full(_))
                )
            });
        }
    }
}

fn text(value: &Value) -> Arc<str> {
    value.to_string().into()
}

/// The answer to what cannot be done.
pub fn error_message(what: &str, why: &str) -> Value {
    json!({"type": "error", "do": what, "text": why})
}
