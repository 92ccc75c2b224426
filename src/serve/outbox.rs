//! What a connection is to be sent. A client that does not read is let go: what waits for it is bounded in bytes.

use crossbeam_channel::{Receiver, Sender, unbounded};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// When more bytes than these wait to be read, the next message ends the connection.
const MOST_WAITING: usize = 1024 * 1024;
/// What a message takes besides its text.
const OVERHEAD: usize = 64;

/// Where messages for a connection are put.
#[derive(Clone)]
pub struct Outbox {
    letters: Sender<Arc<str>>,
    /// Bytes that were not written yet.
    waiting: Arc<AtomicUsize>,
    stream: Arc<TcpStream>,
}

/// Where they are taken from to be written.
pub struct Letters {
    letters: Receiver<Arc<str>>,
    waiting: Arc<AtomicUsize>,
}

impl Outbox {
    /// For the client behind `stream`.
    pub fn new(stream: TcpStream) -> (Self, Letters) {
        let (sender, letters) = unbounded();
        let waiting = Arc::new(AtomicUsize::new(0));
        let outbox = Self { letters: sender, waiting: waiting.clone(), stream: Arc::new(stream) };
        (outbox, Letters { letters, waiting })
    }

    /// Sends `text`; false when the client is let go, or is gone.
    pub fn send(&self, text: Arc<str>) -> bool {
        let length = text.len() + OVERHEAD;
        if self.waiting.fetch_add(length, Ordering::AcqRel) > MOST_WAITING {
            // Its own threads see the end of the connection, and leave the room.
            let _ = self.stream.shutdown(Shutdown::Both);
            return false;
        }
        self.letters.send(text).is_ok()
    }
}

impl Letters {
    /// Writes what comes, until nobody sends any more or `write` fails.
    pub fn deliver(&self, mut write: impl FnMut(&str) -> bool) -> bool {
        self.letters.iter().all(|letter| {
            let written = write(&letter);
            self.waiting.fetch_sub(letter.len() + OVERHEAD, Ordering::AcqRel);
            written
        })
    }
}
