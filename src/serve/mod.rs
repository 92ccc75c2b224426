//! The board in the browser: one page, games behind a WebSocket, for people at this machine.
//!
//! A connection has a thread that reads and one that writes, a game one as long as somebody looks at it; what they say to each
//! other goes through channels. No file is opened that a client names.

mod assets;
mod connection;
mod http;
mod legal_decisions;
mod message;
mod outbox;
mod permits;
mod registry;
mod room;
mod state;
mod thinking;
mod variations;
mod view;
mod watch;
mod web_game;

use registry::{Registry, spawn};
use serde_json::Value;
use std::io;
use std::net::{IpAddr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use watch::Watch;

/// Connections at once, those that fetch files included.
const MOST_CONNECTIONS: usize = 600;
/// Tabs at once.
const MOST_SEATS: usize = 250;

/// Where and for what a server is started.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Who may connect: the loopback address, unless told otherwise.
    pub address: IpAddr,
    /// 0 for any that is free.
    pub port: u16,
    /// A match to watch.
    pub journal: Option<PathBuf>,
    /// How many searches may run at once.
    pub searches: usize,
}

/// A server, listening.
pub struct Server {
    listener: TcpListener,
    port: u16,
    registry: Arc<Registry>,
    journal: Option<Mutex<Watch>>,
    connections: AtomicUsize,
    seats: AtomicUsize,
    closed: AtomicBool,
}

/// One of a limited number, given back when dropped.
struct Taken<'a>(&'a AtomicUsize);

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

fn take(counter: &AtomicUsize, most: usize) -> Option<Taken<'_>> {
    let taken = Taken(counter);
    // Given back at once when it is one too many.
    (counter.fetch_add(1, Ordering::AcqRel) < most).then_some(taken)
}

impl Server {
    /// Listens; nobody is answered before [`Server::run`].
    ///
    /// # Errors
    /// When the address or the port cannot be had.
    pub fn open(settings: &Settings) -> io::Result<Arc<Self>> {
        let listener = TcpListener::bind(SocketAddr::new(settings.address, settings.port))?;
        let port = listener.local_addr()?.port();
        let journal = settings.journal.clone().map(|path| Mutex::new(Watch::new(path)));
        Ok(Arc::new(Self {
            listener,
            port,
            registry: Arc::new(Registry::new(settings.searches)),
            journal,
            connections: AtomicUsize::new(0),
            seats: AtomicUsize::new(0),
            closed: AtomicBool::new(false),
        }))
    }

    /// The port it listens on.
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// Answers whoever connects, until [`Server::close`].
    pub fn run(self: &Arc<Self>) {
        for stream in self.listener.incoming() {
            if self.closed.load(Ordering::Acquire) {
                return;
            }
            match stream {
                Ok(stream) => self.receive(stream),
                Err(error) => log::warn!("a connection was lost: {error}"),
            }
        }
    }

    fn receive(self: &Arc<Self>, stream: TcpStream) {
        if take(&self.connections, MOST_CONNECTIONS).map(std::mem::forget).is_none() {
            let _ = stream.shutdown(Shutdown::Both);
            return;
        }
        let server = self.clone();
        let work = move || {
            let _one = Taken(&server.connections);
            connection::serve(&server, stream);
        };
        if let Err(error) = spawn("connection", work) {
            log::warn!("no thread for a connection: {error}");
            self.connections.fetch_sub(1, Ordering::AcqRel);
        }
    }

    /// Answers nobody any more.
    pub fn close(&self) {
        self.closed.store(true, Ordering::Release);
        // Whoever waits for connections is woken by one.
        let own = self.listener.local_addr().map(|address| {
            let ip = if address.ip().is_unspecified() { IpAddr::from([127, 0, 0, 1]) } else { address.ip() };
            TcpStream::connect(SocketAddr::new(ip, self.port))
        });
        drop(own);
    }

    /// Connections, games somebody looks at, and games that are kept for somebody to come back.
    pub fn count(&self) -> (usize, usize, usize) {
        let (rooms, kept) = self.registry.count();
        (self.connections.load(Ordering::Acquire), rooms, kept)
    }

    fn seat(&self) -> Option<Taken<'_>> {
        take(&self.seats, MOST_SEATS)
    }

    fn watch(&self, look: impl FnOnce(&mut Watch) -> Result<Value, String>) -> Result<Value, String> {
        let watch = self.journal.as_ref().ok_or("no match is watched")?;
        look(&mut watch.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
