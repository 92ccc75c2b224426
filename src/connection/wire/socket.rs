//! Lines over a socket, and this end of a wire.

use super::address::{Address, Kind};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::time::Duration;
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Message, WebSocket};

/// The longest line that is taken from the far end, in bytes.
pub(super) const LONGEST_LINE: usize = 1 << 20;
/// How long the far end may take to answer a call, and to read what is written.
pub(super) const PATIENCE: Duration = Duration::from_secs(20);

/// Reads lines of a socket.
pub(super) enum Reader {
    Tcp(TcpStream),
    WebSocket(Box<WebSocket<OneRead>>),
}

/// Writes lines into a socket.
pub(super) enum Writer {
    Tcp(BufWriter<TcpStream>),
    WebSocket(Box<WebSocket<TcpStream>>),
}

/// A stream that is read once when that is allowed, and then has nothing for the moment: so a reader takes all
/// that has come and does not wait for more.
pub(super) struct OneRead {
    stream: TcpStream,
    is_allowed: bool,
}

impl Read for OneRead {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if std::mem::take(&mut self.is_allowed) {
            return self.stream.read(bytes);
        }
        Err(io::ErrorKind::WouldBlock.into())
    }
}

impl Write for OneRead {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// Both directions of a WebSocket on which both ends have agreed.
pub(super) fn web_socket(stream: &TcpStream, role: Role) -> io::Result<(Reader, Writer)> {
    let config =
        WebSocketConfig::default().max_message_size(Some(LONGEST_LINE)).max_frame_size(Some(LONGEST_LINE));
    let from = OneRead { stream: stream.try_clone()?, is_allowed: false };
    let reader = WebSocket::from_raw_socket(from, role, Some(config));
    let writer = WebSocket::from_raw_socket(stream.try_clone()?, role, Some(config));
    Ok((Reader::WebSocket(Box::new(reader)), Writer::WebSocket(Box::new(writer))))
}

impl Reader {
    /// What has come, whole lines as a rule; nothing at the end. Waits until there is something.
    ///
    /// # Errors
    /// When the far end is gone; with `WouldBlock` when only a part of a line has come.
    pub(super) fn next(&mut self) -> io::Result<Vec<u8>> {
        match self {
            Self::Tcp(stream) => {
                let mut bytes = vec![0; 1 << 13];
                let read = stream.read(&mut bytes)?;
                bytes.truncate(read);
                Ok(bytes)
            }
            Self::WebSocket(socket) => {
                socket.get_mut().is_allowed = true;
                // One message may hold several lines, and one read several messages.
                let mut lines = Vec::new();
                loop {
                    match socket.read() {
                        Ok(Message::Text(text)) => {
                            lines.extend_from_slice(text.as_bytes());
                            if !lines.ends_with(b"\n") {
                                lines.push(b'\n');
                            }
                        }
                        Err(tungstenite::Error::Io(error)) if error.kind() == io::ErrorKind::WouldBlock => {
                            return if lines.is_empty() { Err(error) } else { Ok(lines) };
                        }
                        Ok(Message::Close(_) | Message::Binary(_)) | Err(_) => return Ok(lines),
                        Ok(_) => {}
                    }
                }
            }
        }
    }
}

impl Writer {
    /// Takes one line, without its end; it is on its way after the next [`Writer::flush`].
    pub(super) fn line(&mut self, line: &str) -> io::Result<()> {
        match self {
            Self::Tcp(stream) => writeln!(stream, "{line}"),
            Self::WebSocket(socket) => socket.write(Message::text(line)).map_err(io::Error::other),
        }
    }

    /// Sends the lines that it has taken.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Tcp(stream) => stream.flush(),
            Self::WebSocket(socket) => socket.flush().map_err(io::Error::other),
        }
    }

    /// Says goodbye and closes.
    pub(super) fn close(&mut self) {
        // The far end may be gone already.
        let stream = match self {
            Self::Tcp(stream) => {
                let _ = stream.flush();
                stream.get_ref()
            }
            Self::WebSocket(socket) => {
                let _ = socket.close(None);
                let _ = socket.flush();
                socket.get_ref()
            }
        };
        let _ = stream.shutdown(Shutdown::Both);
    }
}

/// Calls the engine at this address.
fn call(address: &Address) -> io::Result<(TcpStream, Reader, Writer)> {
    let mut last = io::Error::other("the name has no address");
    for place in address.host.to_socket_addrs()? {
        match TcpStream::connect_timeout(&place, PATIENCE) {
            Ok(stream) => {
                stream.set_nodelay(true)?;
                stream.set_write_timeout(Some(PATIENCE))?;
                stream.set_read_timeout(Some(PATIENCE))?;
                let (reader, writer) = match address.kind {
                    Kind::Tcp => {
                        let mut writer = Writer::Tcp(BufWriter::new(stream.try_clone()?));
                        if !address.token.is_empty() {
                            writer.line(&format!("token {}", address.token))?;
                            writer.flush()?;
                        }
                        (Reader::Tcp(stream.try_clone()?), writer)
                    }
                    Kind::WebSocket => {
                        let agreed = tungstenite::client(address.to_string(), stream.try_clone()?);
                        agreed.map_err(|error| io::Error::other(error.to_string()))?;
                        web_socket(&stream, Role::Client)?
                    }
                };
                // An engine may think for hours.
                stream.set_read_timeout(None)?;
                return Ok((stream, reader, writer));
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Carries the lines of `input` to the engine at `address`, and its lines to `output`, until one of them ends.
///
/// # Errors
/// When the engine cannot be called, or the output cannot be written.
pub fn relay(address: &Address, input: impl Read + Send + 'static, mut output: impl Write) -> io::Result<()> {
    let (stream, mut reader, mut writer) = call(address)?;
    let out = move || {
        let mut lines = BufReader::new(input);
        let mut line = Vec::new();
        // The lines of a caller are short; one that is not is an error at the far end.
        while lines.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
            let text = String::from_utf8_lossy(&line);
            let taken = writer.line(text.trim_end_matches(['\r', '\n']));
            line.clear();
            // What was written together goes together.
            let is_last = !lines.buffer().contains(&b'\n');
            if taken.is_err() || is_last && writer.flush().is_err() {
                break;
            }
        }
        writer.close();
    };
    std::thread::Builder::new().name("to the wire".into()).spawn(out)?;
    loop {
        match reader.next() {
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
            Ok(bytes) if !bytes.is_empty() => {
                output.write_all(&bytes)?;
                output.flush()?;
            }
            _ => break,
        }
    }
    let _ = stream.shutdown(Shutdown::Both);
    Ok(())
}
