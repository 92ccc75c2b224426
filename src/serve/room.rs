//! A game and who looks at it: one thread as long as somebody does.

use super::message::Request;
use super::outbox::Outbox;
use super::permits::{Applicant, Permits};
use super::registry::Registry;
use super::web_game::{Told, WebGame};
use crate::live_game::Viewer;
use crossbeam_channel::{Receiver, at, never, select};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

/// What a connection asks of a room.
pub enum RoomEvent {
    /// To look, or to play besides.
    Enter(Looker),
    /// Something of the game.
    Ask(u64, Request, String),
    /// To look no more.
    Leave(u64),
}

/// Who looks at a game.
pub struct Looker {
    /// The connection.
    pub number: u64,
    /// Where it is told.
    pub outbox: Outbox,
    /// The seats of the persons are its own.
    pub plays: bool,
}

/// The game while somebody looks at it.
pub struct Room {
    game: WebGame,
    events: Receiver<RoomEvent>,
    lookers: Vec<Looker>,
    applicant: Applicant,
}

/// Runs the room of `game` until nobody looks any more; then the registry has the game back. A panic ends the game.
pub fn run(game: WebGame, events: Receiver<RoomEvent>, permits: Permits, registry: &Registry) {
    let name = game.name.clone();
    let room = Room { game, events, lookers: Vec::new(), applicant: permits.applicant() };
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

    fn wait(&mut self, told: &mut Vec<Told>) {
        let events = self.game.events().clone();
        let timer = self.game.deadline().map_or_else(never, at);
        self.applicant.want(self.game.wants_permit());
        select! {
            recv(self.events) -> event => match event {
                Ok(event) => self.fulfil(event, told),
                // The registry holds the other end as long as the server is there.
                Err(_) => self.lookers.clear(),
            },
            recv(events) -> event => if let Ok((id, event)) = event {
                self.game.heard(id, event, told);
            },
            recv(self.applicant.granted) -> permit => if let Ok(permit) = permit {
                self.game.begin_search(permit, told);
            },
            recv(self.applicant.asked) -> _ => self.game.make_room(),
            recv(timer) -> _ => self.game.tick(told),
        }
    }

    fn fulfil(&mut self, event: RoomEvent, told: &mut Vec<Told>) {
        match event {
            RoomEvent::Enter(mut looker) => {
                // Who is there already stays, with what is his.
                if let Some(at) = self.lookers.iter().position(|other| other.number == looker.number) {
                    looker.plays |= self.lookers.swap_remove(at).plays;
                }
                // Who comes for a new game is not shown a board before it.
                if self.game.is_worth_keeping() {
                    looker.outbox.send(text(&self.game.state(looker.plays)));
                }
                self.lookers.push(looker);
            }
            RoomEvent::Leave(number) => self.lookers.retain(|looker| looker.number != number),
            RoomEvent::Ask(number, request, what) => {
                let Some(asker) = self.lookers.iter().find(|looker| looker.number == number) else { return };
                let answer = self.game.obey(request, asker.plays, told);
                let answer = answer.unwrap_or_else(|error| Some(error_message(&what, &error)));
                if let Some(value) = answer {
                    asker.outbox.send(text(&value));
                }
            }
        }
    }

    /// Tells everybody, each what he may know. Nobody is dropped here: whose connection ends leaves.
    fn tell(&self, told: Vec<Told>) {
        let open = self.game.viewer() == Viewer::All;
        for told in told {
            match told {
                Told::Players(value) => {
                    let text = text(&value);
                    for looker in self.lookers.iter().filter(|looker| looker.plays || open) {
                        looker.outbox.send(text.clone());
                    }
                }
                Told::State => {
                    for plays in [true, false] {
                        let mut lookers =
                            self.lookers.iter().filter(|looker| looker.plays == plays).peekable();
                        if lookers.peek().is_some() {
                            let state = text(&self.game.state(plays));
                            for looker in lookers {
                                looker.outbox.send(state.clone());
                            }
                        }
                    }
                }
            }
        }
    }
}

fn text(value: &Value) -> Arc<str> {
    value.to_string().into()
}

/// The answer to what cannot be done.
pub fn error_message(what: &str, why: &str) -> Value {
    json!({"type": "error", "do": what, "text": shortened(why)})
}

/// More of what somebody said is not said again.
const LONGEST_ECHO: usize = 200;

/// `text`, or how it begins.
pub fn shortened(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(LONGEST_ECHO) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}
