//! The messages to be sent over a connection. A client that does not read is disconnected, so the waiting
//! messages are bounded in bytes.

use crossbeam_channel::{Receiver, Sender, unbounded};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// When more bytes than this are waiting, the next message ends the connection.
const MOST_WAITING: usize = 1024 * 1024;
/// The bytes that a message takes besides its text.
const OVERHEAD: usize = 64;

/// The sending end for a connection's messages.
#[derive(Clone)]
pub struct Outbox {
    letters: Sender<Arc<str>>,
    /// The number of bytes that have not been written yet.
    waiting: Arc<AtomicUsize>,
    stream: Arc<TcpStream>,
}

/// The receiving end, from which messages are written.
pub struct Letters {
    letters: Receiver<Arc<str>>,
    waiting: Arc<AtomicUsize>,
}

impl Outbox {
    /// The two ends for the client behind `stream`.
    pub fn new(stream: TcpStream) -> (Self, Letters) {
        let (sender, letters) = unbounded();
        let waiting = Arc::new(AtomicUsize::new(0));
        let outbox = Self { letters: sender, waiting: waiting.clone(), stream: Arc::new(stream) };
        (outbox, Letters { letters, waiting })
    }

    /// Sends `text`; false when the client has been disconnected or is gone.
    pub fn send(&self, text: Arc<str>) -> bool {
        let length = text.len() + OVERHEAD;
        if self.waiting.fetch_add(length, Ordering::AcqRel) > MOST_WAITING {
            // The client's own threads notice the end of the connection, and leave the room.
            let _ = self.stream.shutdown(Shutdown::Both);
            return false;
        }
        self.letters.send(text).is_ok()
    }
}

impl Letters {
    /// Writes the messages until there are no more senders, or `write` fails.
    pub fn deliver(&self, mut write: impl FnMut(&str) -> bool) -> bool {
        self.letters.iter().all(|letter| {
            let written = write(&letter);
            self.waiting.fetch_sub(letter.len() + OVERHEAD, Ordering::AcqRel);
            written
        })
    }
}
