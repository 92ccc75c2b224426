//! One connection: a request for a file of the page, or a conversation over a WebSocket.

use super::answer::error_message;
use super::http::{self, Head, Refusal};
use super::message::{LONGEST_MESSAGE, Request, Side};
use super::outbox::Outbox;
use super::places::{KeyRing, Keys, Place};
use super::registry::spawn;
use super::room::{RoomEvent, Subscriber};
use super::web_game::WebGame;
use super::{Server, assets, view};
use crate::session::chance::fresh_seed;
use crossbeam_channel::Sender;
use serde_json::{Value, json};
use std::io::{self, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tungstenite::handshake::derive_accept_key;
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Message, WebSocket};

/// The time that a client has to send the head of a request, or to read an answer.
const PATIENCE: Duration = Duration::from_secs(20);
/// The longest `do` of an unknown request that is repeated in the answer.
const LONGEST_WORD: usize = 20;

/// Serves `stream` until it ends.
pub fn serve(server: &Arc<Server>, mut stream: TcpStream) {
    if let Err(error) = answer(server, &mut stream) {
        log::debug!("connection: {error}");
    }
    // This holds also where the client is still writing.
    let _ = stream.shutdown(Shutdown::Both);
}

fn answer(server: &Arc<Server>, stream: &mut TcpStream) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let head = match Head::read(&mut reader, Instant::now() + PATIENCE) {
        Ok(None) => return Ok(()),
        Ok(Some(head)) => head,
        Err(why) => return http::refuse(stream, why),
    };
    match head.own_host(server.port) {
        Err(why) => http::refuse(stream, why),
        Ok(_) if head.method != "GET" => http::refuse(stream, Refusal::Method),
        Ok(_) if head.path == "/socket" => converse(server, stream, reader, &head),
        Ok(host) => match assets::find(&head.path) {
            Some((kind, body)) => http::answer(stream, host, kind, &body),
            None => http::refuse(stream, Refusal::Missing),
        },
    }
}

fn converse(
    server: &Arc<Server>,
    stream: &mut TcpStream,
    reader: BufReader<TcpStream>,
    head: &Head,
) -> io::Result<()> {
    let word = |name: &str| head.header(name).unwrap_or_default().to_ascii_lowercase();
    let key = head.header("sec-websocket-key").filter(|key| key.len() == 24);
    let asked = word("upgrade") == "websocket"
        && word("connection").split(',').any(|word| word.trim() == "upgrade")
        && word("sec-websocket-version") == "13";
    let Some(key) = key.filter(|_| asked) else { return http::refuse(stream, Refusal::Malformed) };
    let Some(_seat) = server.seat() else { return http::refuse(stream, Refusal::Busy) };
    let accept = derive_accept_key(key.as_bytes());
    let answer = format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n"
    );
    stream.write_all(answer.as_bytes())?;
    // A tab may be silent for hours.
    stream.set_read_timeout(None)?;
    let writer = Arc::new(Mutex::new(stream.try_clone()?));
    let (outbox, letters) = Outbox::new(stream.try_clone()?);
    let config = WebSocketConfig::default()
        .max_message_size(Some(LONGEST_MESSAGE))
        .max_frame_size(Some(LONGEST_MESSAGE))
        .write_buffer_size(0);
    let mut out =
        WebSocket::from_raw_socket(Wire { reader: None, writer: writer.clone() }, Role::Server, Some(config));
    let closing = stream.try_clone()?;
    let post = move || {
        if letters.deliver(|text| out.send(Message::text(text)).is_ok()) {
            let _ = out.close(None);
            let _ = out.flush();
        }
        let _ = closing.shutdown(Shutdown::Both);
    };
    spawn("post", post)?;
    let wire = Wire { reader: Some(reader), writer };
    let mut socket = WebSocket::from_raw_socket(wire, Role::Server, Some(config));
    let mut caller = Caller {
        server,
        number: next_number(),
        outbox,
        room: None,
        name: String::new(),
        place: Place::Watches,
    };
    caller.say(
        &json!({"type": "hello", "program": crate::engine::options::engine_name(), "games": view::games(),
        "journal": server.journal.is_some(), "host": server.host(), "kept": server.registry.store().is_some()}),
    );
    while let Ok(message) = socket.read() {
        let goes_on = match message {
            Message::Text(text) => caller.hear(text.as_str()),
            Message::Binary(_) => caller.say(&error_message("", "expected a text, not bytes")),
            Message::Close(_) => false,
            _ => true,
        };
        if !goes_on {
            break;
        }
    }
    caller.leave();
    Ok(())
}

fn next_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// The state of a connection that has a WebSocket.
struct Caller<'a> {
    server: &'a Arc<Server>,
    number: u64,
    outbox: Outbox,
    room: Option<Sender<RoomEvent>>,
    /// The name of the game in that room.
    name: String,
    /// What this connection may do in the game.
    place: Place,
}

impl Caller<'_> {
    /// Sends a message; false when the client does not read.
    fn say(&self, value: &Value) -> bool {
        self.outbox.send(value.to_string().into())
    }

    fn tell(&self, what: &str, answer: Result<Value, String>) -> bool {
        self.say(&answer.unwrap_or_else(|error| error_message(what, &error)))
    }

    /// Carries out a message; false when the connection must end.
    fn hear(&mut self, text: &str) -> bool {
        let what = what(text);
        match serde_json::from_str::<Request>(text) {
            Err(error) => self.say(&error_message(&what, &error.to_string())),
            Ok(Request::Join { session, key }) => {
                let room = self.server.registry.enter(&session, key.as_deref(), self.subscriber());
                self.enter(room, session, &what)
            }
            Ok(Request::Game { number }) => self.tell(&what, self.server.watch(|watch| watch.game(number))),
            Ok(Request::Journal { from }) => self.tell(&what, self.server.watch(|watch| watch.since(from))),
            Ok(request) => {
                // Only a client that plays for everybody begins a new game in the same room.
                let friend = match &request {
                    Request::New(new) => new.friend,
                    _ => None,
                };
                let begins =
                    matches!(request, Request::New(_) | Request::Load { .. } | Request::Learn { .. })
                        && (self.place != Place::Plays || friend.is_some());
                if (self.room.is_none() || begins) && !self.begin(friend, &what) {
                    return true;
                }
                // This waits for a room that is busy; a room that is gone has dropped this connection.
                self.room
                    .as_ref()
                    .is_some_and(|room| room.send(RoomEvent::Ask(self.number, request, what)).is_ok())
            }
        }
    }

    /// Begins a game of the client's own.
    fn begin(&mut self, friend: Option<Side>, what: &str) -> bool {
        let word = || format!("{:016x}{:016x}", fresh_seed(), fresh_seed());
        let name = word();
        let (keys, place) = match friend.map(Side::color) {
            None => (KeyRing::new(Keys::One(word())), Place::Plays),
            Some(color) => (KeyRing::for_two(color, word), Place::Sits(color)),
        };
        let game = WebGame::new(name.clone(), keys);
        let subscriber = Subscriber { place, ..self.subscriber() };
        let room = game.and_then(|game| self.server.registry.begin(game, subscriber));
        let begun = room.is_ok();
        self.enter(room.map(|room| (room, place)), name, what) && begun
    }

    fn subscriber(&self) -> Subscriber {
        Subscriber { number: self.number, outbox: self.outbox.clone(), place: Place::Watches }
    }

    fn enter(&mut self, room: Result<(Sender<RoomEvent>, Place), String>, name: String, what: &str) -> bool {
        match room {
            // The room of the present game knows this connection already.
            Ok((_, place)) if self.room.is_some() && self.name == name => {
                self.place = if place.plays() { place } else { self.place };
            }
            Ok((room, place)) => {
                self.leave();
                (self.room, self.name, self.place) = (Some(room), name, place);
            }
            Err(error) => return self.say(&error_message(what, &error)),
        }
        true
    }

    fn leave(&mut self) {
        if let Some(room) = self.room.take() {
            // A room that is gone needs no notice.
            let _ = room.send(RoomEvent::Leave(self.number));
        }
    }
}

/// The value of `do`, for the answer to an invalid message.
fn what(text: &str) -> String {
    let said = serde_json::from_str::<Value>(text).unwrap_or_default();
    let short =
        |what: &&str| what.len() <= LONGEST_WORD && what.bytes().all(|byte| byte.is_ascii_lowercase());
    said["do"].as_str().filter(short).unwrap_or_default().to_owned()
}

/// A stream that one thread reads and two threads write to; each frame is written in one piece.
struct Wire {
    reader: Option<BufReader<TcpStream>>,
    writer: Arc<Mutex<TcpStream>>,
}

impl Read for Wire {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reader.as_mut().map_or(Ok(0), |reader| reader.read(buffer))
    }
}

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        writer.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner).flush()
    }
}
