//! The far end of a wire: an engine for each caller.

use super::socket::{LONGEST_LINE, PATIENCE, Reader, Writer, web_socket};
use crate::connection::{Either, EngineCommand, OwnInput, OwnLine, Process};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tungstenite::handshake::derive_accept_key;
use tungstenite::protocol::Role;

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
/// A wait that never ends: an engine may be silent for as long as it likes.
const EVER: Duration = Duration::from_secs(1 << 32);

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
                if let Err(error) = serve(&settings, &stream, seat.is_some()) {
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
fn serve(settings: &ListenerSettings, stream: &TcpStream, has_seat: bool) -> io::Result<()> {
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
        if !has_seat {
            return refuse(out, "503 Service Unavailable");
        }
        let accept = derive_accept_key(key.as_bytes());
        let answer = format!(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n"
        );
        out.write_all(answer.as_bytes())?;
        // What came behind the head is lost with the buffer: a caller waits for the answer.
        let (reader, writer) = web_socket(stream, Role::Server)?;
        stream.set_read_timeout(None)?;
        return converse(settings, stream, reader, writer, Vec::new());
    }
    if !settings.token.is_empty()
        && !first.strip_prefix("token ").is_some_and(|said| same(said, &settings.token))
    {
        return Err(io::Error::other("a wrong token"));
    }
    if !has_seat {
        return Err(io::Error::other("too many callers"));
    }
    stream.set_read_timeout(None)?;
    let mut said = if settings.token.is_empty() { format!("{first}\n").into_bytes() } else { Vec::new() };
    said.extend_from_slice(reader.buffer());
    converse(settings, stream, Reader::Tcp(stream.try_clone()?), Writer::Tcp(BufWriter::new(out)), said)
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
    mut reader: Reader,
    mut writer: Writer,
    said: Vec<u8>,
) -> io::Result<()> {
    let mut engine = Process::start(&settings.command)?;
    let lost = |error| io::Error::other(format!("the engine {error}"));
    // Waited for together with what the engine writes: no other thread stands between them.
    let mut own = OwnInput::of(stream, Box::new(move || reader.next()))?;
    if !said.is_empty() {
        own.take(said);
    }
    loop {
        match engine.receive_either(&mut own, Instant::now() + EVER) {
            Ok(Either::Own(OwnLine::Line(line, _))) => drop(engine.send(&line).map_err(lost)?),
            Ok(Either::Own(OwnLine::TooLong(_) | OwnLine::End)) => break,
            Ok(Either::Engine(line, _)) => {
                // A caller that does not read for this long is gone.
                let end = line.len().min(LONGEST_LINE);
                writer.line(line.get(..end).unwrap_or_default())?;
                writer.flush()?;
            }
            Err(error) => {
                writer.close();
                return Err(lost(error));
            }
        }
    }
    drop(engine);
    writer.close();
    Ok(())
}
