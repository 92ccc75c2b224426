//! A game and its viewers, on a thread of its own as long as there are any.

use super::answer::error_message;
use super::message::Request;
use super::outbox::Outbox;
use super::permits::{Applicant, Permits};
use super::places::Place;
use super::registry::Registry;
use super::web_game::{Outgoing, WebGame};
use crate::base::Color;
use crate::live_game::Viewer;
use crossbeam_channel::{Receiver, at, never, select};
use serde_json::Value;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

/// An event from a connection.
pub enum RoomEvent {
    /// A viewer enters, to watch or to play.
    Enter(Subscriber),
    /// A request about the game: the connection, the request, its `do`.
    Ask(u64, Request, String),
    /// A viewer leaves.
    Leave(u64),
}

/// A viewer of a game.
pub struct Subscriber {
    /// The number of the connection.
    pub number: u64,
    /// The sending end of the connection.
    pub outbox: Outbox,
    /// What it may do.
    pub place: Place,
}

/// A game with its viewers.
pub struct Room {
    game: WebGame,
    events: Receiver<RoomEvent>,
    subscribers: Vec<Subscriber>,
    applicant: Applicant,
}

/// Runs the room of `game` until the last viewer has left, and returns the game to the registry. A panic ends
/// the game.
pub fn run(game: WebGame, events: Receiver<RoomEvent>, permits: Permits, registry: &Registry) {
    let name = game.name.clone();
    let room = Room { game, events, subscribers: Vec::new(), applicant: permits.applicant() };
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
            let mut outgoing = Vec::new();
            self.wait(&mut outgoing);
            self.game.follow();
            if let Some(store) = registry.store()
                && self.game.is_worth_keeping()
                && outgoing.iter().any(|outgoing| matches!(outgoing, Outgoing::State))
            {
                // What has been sent to anybody must outlive this process.
                store.keep(self.game.kept());
            }
            self.tell(outgoing);
            if self.subscribers.is_empty() {
                // A viewer who enters now finds the game as it is kept, or this room as long as an event is
                // under way.
                self.game.rest();
                match registry.keep(self.game, &self.events) {
                    None => return,
                    Some(game) => self.game = game,
                }
            }
        }
    }

    fn wait(&mut self, outgoing: &mut Vec<Outgoing>) {
        let events = self.game.events().clone();
        let timer = self.game.deadline().map_or_else(never, at);
        self.applicant.want(self.game.wants_permit());
        select! {
            recv(self.events) -> event => match event {
                Ok(event) => self.handle(event, outgoing),
                // The registry holds the other end as long as the server lives.
                Err(_) => self.subscribers.clear(),
            },
            recv(events) -> event => if let Ok((id, event)) = event {
                self.game.heard(id, event, outgoing);
            },
            recv(self.applicant.granted) -> permit => if let Ok(permit) = permit {
                self.game.begin_search(permit, outgoing);
            },
            recv(self.applicant.asked) -> _ => self.game.make_room(),
            recv(timer) -> _ => self.game.tick(outgoing),
        }
    }

    fn handle(&mut self, event: RoomEvent, outgoing: &mut Vec<Outgoing>) {
        match event {
            RoomEvent::Enter(mut subscriber) => {
                // A viewer who is there already keeps the right to play.
                if let Some(at) = self.subscribers.iter().position(|other| other.number == subscriber.number)
                {
                    let before = self.subscribers.swap_remove(at).place;
                    subscriber.place = if subscriber.place.plays() { subscriber.place } else { before };
                }
                self.subscribers.push(subscriber);
                let together = self.seat(outgoing);
                // A page that comes for a new game is shown no board before it begins.
                if let Some(subscriber) =
                    self.subscribers.last().filter(|_| self.game.is_worth_keeping() && !together)
                {
                    self.game.follow();
                    subscriber.outbox.send(text(&self.game.state(subscriber.place)));
                }
            }
            RoomEvent::Leave(number) => {
                self.subscribers.retain(|subscriber| subscriber.number != number);
                self.seat(outgoing);
            }
            RoomEvent::Ask(number, request, what) => {
                let Some(asker) = self.subscribers.iter().find(|subscriber| subscriber.number == number)
                else {
                    return;
                };
                let answer = self.game.handle(request, asker.place, outgoing);
                let answer = answer.unwrap_or_else(|error| Some(error_message(&what, &error)));
                if let Some(value) = answer {
                    asker.outbox.send(text(&value));
                }
                if std::mem::take(&mut self.game.exchanged) {
                    self.subscribers
                        .iter_mut()
                        .for_each(|subscriber| subscriber.place = subscriber.place.exchanged());
                    self.seat(outgoing);
                }
            }
        }
    }

    /// Where two persons have a page each, everybody sees who is there. True where they do.
    fn seat(&mut self, outgoing: &mut Vec<Outgoing>) -> bool {
        let here = |color| self.subscribers.iter().any(|subscriber| subscriber.place == Place::Sits(color));
        let present = Color::ALL.map(here);
        let together = self.game.seated(present) && self.game.is_worth_keeping();
        if together {
            outgoing.push(Outgoing::State);
        }
        together
    }

    /// Sends each viewer what that viewer may know. No viewer is dropped here: those whose connection ends
    /// will leave.
    fn tell(&self, outgoing: Vec<Outgoing>) {
        let open = self.game.viewer() == Viewer::All;
        for outgoing in outgoing {
            match outgoing {
                Outgoing::Players(value) => {
                    let text = text(&value);
                    for subscriber in
                        self.subscribers.iter().filter(|subscriber| subscriber.place.plays() || open)
                    {
                        subscriber.outbox.send(text.clone());
                    }
                }
                Outgoing::State => {
                    let seats = Color::ALL.map(Place::Sits);
                    for place in [Place::Plays, Place::Watches].into_iter().chain(seats) {
                        let mut subscribers =
                            self.subscribers.iter().filter(|subscriber| subscriber.place == place).peekable();
                        if subscribers.peek().is_some() {
                            let state = text(&self.game.state(place));
                            for subscriber in subscribers {
                                subscriber.outbox.send(state.clone());
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
