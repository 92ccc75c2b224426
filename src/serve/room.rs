//! A game and who looks at it: one thread as long as somebody does.

use super::desk::{Desk, Told};
use super::message::Request;
use super::registry::Registry;
use super::thinking::Permits;
use crossbeam_channel::{Receiver, Sender, TrySendError, at, never, select};
use serde_json::{Value, json};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

/// What a connection is sent; when it is full, whoever should read it does not.
pub type Outbox = Sender<Arc<str>>;

/// What a connection asks of a room.
pub enum Wish {
    /// To look.
    Enter(u64, Outbox),
    /// Something of the game.
    Ask(u64, Request, &'static str),
    /// To look no more.
    Leave(u64),
}

/// The game while somebody looks at it.
pub struct Room {
    desk: Desk,
    wishes: Receiver<Wish>,
    lookers: Vec<(u64, Outbox)>,
    permits: Permits,
}

/// Runs the room of `desk` until nobody looks any more; then the registry has the game back. A panic ends the game.
pub fn run(desk: Desk, wishes: Receiver<Wish>, permits: Permits, registry: &Registry) {
    let name = desk.name.clone();
    let room = Room { desk, wishes, lookers: Vec::new(), permits };
    let end = std::panic::catch_unwind(AssertUnwindSafe(|| room.run(registry)));
    if end.is_err() {
        log::error!("the game {name} is lost: a mistake of this program (please report it)");
        registry.forget(&name);
    }
}

impl Room {
    fn run(mut self, registry: &Registry) {
        self.desk.wake();
        loop {
            let mut told = Vec::new();
            self.wait(&mut told);
            self.tell(told);
            if self.lookers.is_empty() {
                // Who enters now finds the game as it is kept, or the room as long as a wish is on its way.
                self.desk.rest();
                match registry.keep(self.desk, &self.wishes) {
                    None => return,
                    Some(desk) => self.desk = desk,
                }
            }
        }
    }

    fn wait(&mut self, told: &mut Vec<Told>) {
        let events = self.desk.events().clone();
        let timer = self.desk.deadline().map_or_else(never, at);
        let none = never();
        let permits = if self.desk.wants_permit() { &self.permits.free } else { &none };
        select! {
            recv(self.wishes) -> wish => match wish {
                Ok(wish) => self.fulfil(wish, told),
                // The registry holds the other end as long as the server is there.
                Err(_) => self.lookers.clear(),
            },
            recv(events) -> event => if let Ok((id, event)) = event {
                self.desk.heard(id, event, told);
            },
            recv(permits) -> permit => if permit.is_ok() {
                let permit = self.permits.taken();
                self.desk.begin_search(permit, told);
            },
            recv(timer) -> _ => self.desk.tick(told),
        }
    }

    fn fulfil(&mut self, wish: Wish, told: &mut Vec<Told>) {
        match wish {
            Wish::Enter(id, outbox) => {
                // Who comes for a new game is not shown a board before it.
                if self.desk.is_worth_keeping() {
                    let _ = outbox.try_send(text(&self.desk.state()));
                }
                self.lookers.push((id, outbox));
            }
            Wish::Leave(id) => self.lookers.retain(|(looker, _)| *looker != id),
            Wish::Ask(id, request, what) => {
                let mut answers = Vec::new();
                if let Err(error) = self.desk.obey(request, &mut answers) {
                    answers = vec![Told::Asker(error_message(what, &error))];
                }
                for answer in answers {
                    match answer {
                        Told::Asker(value) => {
                            if let Some((_, outbox)) = self.lookers.iter().find(|(looker, _)| *looker == id) {
                                let _ = outbox.try_send(text(&value));
                            }
                        }
                        all => told.push(all),
                    }
                }
            }
        }
    }

    /// Tells everybody; who does not read is let go.
    fn tell(&mut self, told: Vec<Told>) {
        for value in told {
            let (Told::All(value) | Told::Asker(value)) = value;
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
