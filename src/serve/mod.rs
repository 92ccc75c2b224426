//! The board in the browser: one page, and games behind a WebSocket, for people at this machine.
//!
//! Each connection has a thread that reads and one that writes. Each game has a thread as long as someone is
//! watching or playing it. They communicate over channels. No file named by a client is opened.

mod answer;
mod assets;
mod connection;
mod consent;
mod http;
mod kept;
mod message;
mod outbox;
mod permits;
mod places;
mod registry;
mod room;
mod state;
mod store;
mod story;
mod teaching;
mod thinking;
mod variations;
mod view;
mod watch;
mod web_game;

use registry::{Registry, spawn};
use serde_json::Value;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use store::Store;
pub use store::StoreError;
use watch::Watch;

/// The most connections at once, requests for files included.
const MOST_CONNECTIONS: usize = 600;
/// The most WebSockets (tabs) at once.
const MOST_SEATS: usize = 250;

/// The settings of a server.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The address to listen on; by default the loopback address.
    pub address: IpAddr,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// The journal of a match to watch.
    pub journal: Option<PathBuf>,
    /// How many searches may run at once.
    pub searches: usize,
    /// The file in which games are kept.
    pub store: Option<PathBuf>,
}

/// Why a server cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address or the port is not available.
    #[error(transparent)]
    Address(#[from] io::Error),
    /// The file of games cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A server that listens on its port.
pub struct Server {
    address: IpAddr,
    listener: TcpListener,
    port: u16,
    registry: Arc<Registry>,
    journal: Option<Mutex<Watch>>,
    connections: AtomicUsize,
    seats: AtomicUsize,
    closed: AtomicBool,
}

/// A slot of a limited number, which is freed when dropped.
struct Taken<'a>(&'a AtomicUsize);

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

fn take(counter: &AtomicUsize, most: usize) -> Option<Taken<'_>> {
    let taken = Taken(counter);
    // The slot is freed at once when it is one too many.
    (counter.fetch_add(1, Ordering::AcqRel) < most).then_some(taken)
}

impl Server {
    /// Listens; connections are answered from [`Server::run`] on.
    ///
    /// # Errors
    /// When the address or the port is not available, or the file of games cannot be used.
    pub fn open(settings: &Settings) -> Result<Arc<Self>, ServeError> {
        let listener = TcpListener::bind(SocketAddr::new(settings.address, settings.port))?;
        let port = listener.local_addr()?.port();
        let journal = settings.journal.clone().map(|path| Mutex::new(Watch::new(path)));
        let store = settings.store.as_deref().map(Store::open).transpose()?;
        Ok(Arc::new(Self {
            address: settings.address,
            listener,
            port,
            registry: Arc::new(Registry::new(settings.searches, store)),
            journal,
            connections: AtomicUsize::new(0),
            seats: AtomicUsize::new(0),
            closed: AtomicBool::new(false),
        }))
    }

    /// The port that the server listens on.
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// Answers connections, until [`Server::close`].
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

    /// Stops answering connections.
    pub fn close(&self) {
        self.closed.store(true, Ordering::Release);
        // A connection wakes the thread that waits for one.
        let own = self.listener.local_addr().map(|address| {
            let ip = if address.ip().is_unspecified() { IpAddr::from([127, 0, 0, 1]) } else { address.ip() };
            TcpStream::connect(SocketAddr::new(ip, self.port))
        });
        drop(own);
    }

    /// The numbers of connections, of games in use, and of games that are kept for a later return.
    pub fn count(&self) -> (usize, usize, usize) {
        let (rooms, kept) = self.registry.count();
        (self.connections.load(Ordering::Acquire), rooms, kept)
    }

    /// Where other machines reach the server; `None` where only this one does. Nothing is sent to find that
    /// out.
    fn host(&self) -> Option<String> {
        let address = match self.address {
            own if own.is_loopback() => return None,
            own if own.is_unspecified() => {
                let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
                // An address of no network: the system says from which of ours it would be reached.
                socket.connect((Ipv4Addr::new(10, 255, 255, 255), 9)).ok()?;
                socket.local_addr().ok()?.ip()
            }
            own => own,
        };
        Some(SocketAddr::new(address, self.port).to_string())
    }

    fn seat(&self) -> Option<Taken<'_>> {
        take(&self.seats, MOST_SEATS)
    }

    fn watch(&self, look: impl FnOnce(&mut Watch) -> Result<Value, String>) -> Result<Value, String> {
        let watch = self.journal.as_ref().ok_or("no match is watched")?;
        look(&mut watch.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
