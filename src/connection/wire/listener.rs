//! The far end of a wire: an engine for each caller.

use super::carry::carry;
use super::framing::{PATIENCE, Texts};
use crate::connection::pipes::{Framing, Plain};
use crate::connection::{EngineCommand, OwnInput, Process};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tungstenite::handshake::derive_accept_key;

/// What is served, and to whom.
#[derive(Clone, Debug)]
pub struct ListenerSettings {
    /// The engine that is started for each caller.
    pub command: EngineCommand,
    /// What callers must know; empty if anyone may call.
    pub token: String,
    /// The number of callers at the same time.
    pub most: usize,
}

/// Listens for callers.
pub struct Listener {
    listener: TcpListener,
    settings: Arc<ListenerSettings>,
    callers: Arc<AtomicUsize>,
}

/// The longest head of a request, in bytes.
const LONGEST_HEAD: u64 = 1 << 14;

impl Listener {
    /// Begins to listen at this address.
    ///
    /// # Errors
    /// When the address cannot be had.
    pub fn new(address: SocketAddr, settings: ListenerSettings) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        Ok(Self { listener, settings: Arc::new(settings), callers: Arc::default() })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// When the system does not say.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves callers for ever.
    ///
    /// # Errors
    /// When no more callers can be had at all.
    pub fn run(&self) -> io::Result<()> {
        loop {
            let stream = match self.listener.accept() {
                Ok((stream, _)) => stream,
                // The caller hung up, or there are too many open files for a moment.
                Err(error) if error.kind() == io::ErrorKind::InvalidInput => return Err(error),
                Err(error) => {
                    log::warn!("a caller was lost: {error}");
                    std::thread::sleep(Duration::from_millis(100));
                    continue;
                }
            };
            let seat = Seat::take(&self.callers, self.settings.most);
            let settings = Arc::clone(&self.settings);
            let serve = move || {
                if let Err(error) = serve(&settings, &stream, seat) {
                    log::info!("a caller: {error}");
                }
                let _ = stream.shutdown(Shutdown::Both);
            };
            if let Err(error) = std::thread::Builder::new().name("caller".into()).spawn(serve) {
                log::warn!("no thread for a caller: {error}");
            }
        }
    }
}

/// A place among the callers, free again when it is dropped.
struct Seat(Arc<AtomicUsize>);

impl Seat {
    fn take(callers: &Arc<AtomicUsize>, most: usize) -> Option<Self> {
        let one_more = |taken: usize| (taken < most).then_some(taken + 1);
        callers.fetch_update(Ordering::SeqCst, Ordering::SeqCst, one_more).ok()?;
        Some(Self(Arc::clone(callers)))
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Serves one caller until either side ends.
fn serve(settings: &ListenerSettings, stream: &TcpStream, seat: Option<Seat>) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut out = stream.try_clone()?;
    let first = head_line(&mut reader)?;
    let refuse = |mut out: TcpStream, status: &str| {
        out.write_all(
            format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").as_bytes(),
        )?;
        Err(io::Error::other(format!("refused: {status}")))
    };
    // A page in a browser can send a request to any address, and it must not become commands of an engine.
    if first.contains(" HTTP/1.") {
        let Some(request) = Request::read(&first, &mut reader)? else {
            return refuse(out, "400 Bad Request");
        };
        if !same(&request.token, &settings.token) || settings.token.is_empty() && request.from_a_page {
            return refuse(out, "403 Forbidden");
        }
        let Some(key) = request.key else { return refuse(out, "426 Upgrade Required") };
        let Some(seat) = seat else { return refuse(out, "503 Service Unavailable") };
        let accept = derive_accept_key(key.as_bytes());
        let answer = format!(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n"
        );
        out.write_all(answer.as_bytes())?;
        return converse(settings, stream, seat, Box::new(Texts::called()), reader.buffer().to_vec());
    }
    if !settings.token.is_empty()
        && !first.strip_prefix("token ").is_some_and(|said| same(said, &settings.token))
    {
        return Err(io::Error::other("a wrong token"));
    }
    let Some(seat) = seat else { return Err(io::Error::other("too many callers")) };
    let mut said = if settings.token.is_empty() { format!("{first}\n").into_bytes() } else { Vec::new() };
    said.extend_from_slice(reader.buffer());
    converse(settings, stream, seat, Box::new(Plain), said)
}

/// Compares in a time that does not depend on where the texts differ.
fn same(one: &str, other: &str) -> bool {
    let differ = one.bytes().zip(other.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
    one.len() == other.len() && differ == 0
}

/// One line of what a caller says first.
fn head_line(reader: &mut impl BufRead) -> io::Result<String> {
    let mut line = Vec::new();
    reader.take(LONGEST_HEAD).read_until(b'\n', &mut line)?;
    if !line.ends_with(b"\n") {
        return Err(io::Error::other("it said nothing"));
    }
    Ok(String::from_utf8_lossy(&line).trim_end().to_owned())
}

/// The request that asks for a WebSocket.
struct Request {
    token: String,
    key: Option<String>,
    /// Whether a page in a browser makes it.
    from_a_page: bool,
}

impl Request {
    /// Reads the rest of a request; `None` when it is none.
    fn read(first: &str, reader: &mut impl BufRead) -> io::Result<Option<Self>> {
        let [method, path, _] = first.split(' ').collect::<Vec<_>>()[..] else { return Ok(None) };
        let token = path.trim_start_matches('/').split('?').next().unwrap_or_default().to_owned();
        let mut request = Self { token, key: None, from_a_page: false };
        let mut upgrades = method == "GET";
        let (mut key, mut asked) = (None, false);
        for _ in 0..100 {
            let line = head_line(reader)?;
            if line.is_empty() {
                upgrades &= asked;
                request.key = key.filter(|_| upgrades);
                return Ok(Some(request));
            }
            let Some((name, value)) = line.split_once(':') else { return Ok(None) };
            match name.to_ascii_lowercase().as_str() {
                "upgrade" => asked = value.trim().eq_ignore_ascii_case("websocket"),
                "sec-websocket-key" => key = Some(value.trim().to_owned()).filter(|key| key.len() == 24),
                "origin" => request.from_a_page = true,
                _ => {}
            }
        }
        Ok(None)
    }
}

/// Carries lines between a caller and an engine of its own; `said` is what the caller has sent already. When this
/// returns, the engine and all it started are ended.
fn converse(
    settings: &ListenerSettings,
    stream: &TcpStream,
    seat: Seat,
    framing: Box<dyn Framing>,
    said: Vec<u8>,
) -> io::Result<()> {
    stream.set_read_timeout(None)?;
    let mut engine = Process::start(&settings.command)?;
    let caller = Arc::new(Caller { stream: stream.try_clone()?, framing: Mutex::new(framing) });
    let mut own = {
        let (caller, mut said) = (Arc::clone(&caller), Some(said));
        OwnInput::of(
            stream,
            Box::new(move || said.take().map_or_else(|| caller.hear(), |said| caller.take(said))),
        )?
    };
    // What the caller has said already is no longer in the socket, where it could be waited for.
    #[cfg(unix)]
    own.read();
    let carried = carry(&mut engine, &mut own, |lines| caller.say(lines));
    drop(engine);
    // A caller that hears the goodbye may call again at once.
    drop(seat);
    caller.say_goodbye();
    carried
}

/// The caller's end of the wire. Where a thread reads from it (see [`OwnInput`]), that thread answers pings while another
/// writes lines.
struct Caller {
    stream: TcpStream,
    framing: Mutex<Box<dyn Framing>>,
}

impl Caller {
    /// What it says next, and whether it is the last.
    fn hear(&self) -> io::Result<(Vec<u8>, bool)> {
        let mut bytes = vec![0; 1 << 13];
        let read = (&self.stream).read(&mut bytes)?;
        bytes.truncate(read);
        let (lines, is_last) = self.take(bytes)?;
        Ok((lines, is_last || read == 0))
    }

    /// The lines in these bytes, and whether they are the last.
    fn take(&self, bytes: Vec<u8>) -> io::Result<(Vec<u8>, bool)> {
        self.write(|framing| {
            let heard = framing.unwrap(bytes);
            (framing.take_owed(), heard)
        })
    }

    /// Sends it lines. If it does not read them for as long as [`PATIENCE`], it is gone.
    fn say(&self, lines: &str) -> io::Result<()> {
        self.write(|framing| (framing.wrap(lines), ()))
    }

    fn say_goodbye(&self) {
        // It may be gone already.
        let _ = self.write(|framing| (framing.goodbye(), ()));
        let _ = self.stream.shutdown(Shutdown::Both);
    }

    /// Writes the bytes that `make` makes before anything else may be written.
    fn write<B: AsRef<[u8]>, T>(&self, make: impl FnOnce(&mut dyn Framing) -> (B, T)) -> io::Result<T> {
        let mut framing = self.framing.lock().unwrap_or_else(PoisonError::into_inner);
        let (bytes, made) = make(&mut **framing);
        if !bytes.as_ref().is_empty() {
            (&self.stream).write_all(bytes.as_ref())?;
        }
        Ok(made)
    }
}
