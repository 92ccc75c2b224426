//! Lines over a socket, and this end of a wire.

use super::address::{Address, Kind};
use std::io::{self, BufRead, BufReader, Read, Write};
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
    Tcp(BufReader<TcpStream>),
    // One message may hold several lines.
    WebSocket(Box<WebSocket<TcpStream>>, Vec<u8>),
}

/// Writes lines into a socket.
pub(super) enum Writer {
    Tcp(TcpStream),
    WebSocket(Box<WebSocket<TcpStream>>),
}

/// Both directions of a WebSocket on which both ends have agreed.
pub(super) fn web_socket(stream: &TcpStream, role: Role) -> io::Result<(Reader, Writer)> {
    let config = || {
        WebSocketConfig::default()
            .max_message_size(Some(LONGEST_LINE))
            .max_frame_size(Some(LONGEST_LINE))
            .write_buffer_size(0)
    };
    let half = || {
        Ok::<_, io::Error>(Box::new(WebSocket::from_raw_socket(stream.try_clone()?, role, Some(config()))))
    };
    Ok((Reader::WebSocket(half()?, Vec::new()), Writer::WebSocket(half()?)))
}

impl Reader {
    /// The next bytes, whole lines as a rule; none at the end.
    pub(super) fn next(&mut self) -> Vec<u8> {
        match self {
            Self::Tcp(reader) => {
                let Ok(bytes) = reader.fill_buf().map(<[u8]>::to_vec) else { return Vec::new() };
                reader.consume(bytes.len());
                bytes
            }
            Self::WebSocket(socket, rest) => loop {
                if !rest.is_empty() {
                    return std::mem::take(rest);
                }
                match socket.read() {
                    Ok(Message::Text(text)) => {
                        *rest = text.as_bytes().to_vec();
                        if !rest.ends_with(b"\n") {
                            rest.push(b'\n');
                        }
                    }
                    Ok(Message::Close(_) | Message::Binary(_)) | Err(_) => return Vec::new(),
                    Ok(_) => {}
                }
            },
        }
    }
}

impl Writer {
    /// Writes one line, without its end.
    pub(super) fn line(&mut self, line: &str) -> io::Result<()> {
        match self {
            Self::Tcp(stream) => stream.write_all(format!("{line}\n").as_bytes()),
            Self::WebSocket(socket) => socket.send(Message::text(line)).map_err(io::Error::other),
        }
    }

    /// Says goodbye and closes.
    pub(super) fn close(&mut self) {
        // The far end may be gone already.
        let stream = match self {
            Self::Tcp(stream) => &*stream,
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
                        let mut out = stream.try_clone()?;
                        if !address.token.is_empty() {
                            out.write_all(format!("token {}\n", address.token).as_bytes())?;
                        }
                        (Reader::Tcp(BufReader::new(stream.try_clone()?)), Writer::Tcp(out))
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
        // The lines of a caller are short; one that is not is an error at the far end.
        for line in BufReader::new(input).split(b'\n') {
            let Ok(line) = line else { break };
            let line = String::from_utf8_lossy(&line);
            if writer.line(line.trim_end_matches('\r')).is_err() {
                break;
            }
        }
        writer.close();
    };
    std::thread::Builder::new().name("to the wire".into()).spawn(out)?;
    loop {
        let bytes = reader.next();
        if bytes.is_empty() {
            break;
        }
        output.write_all(&bytes)?;
        output.flush()?;
    }
    let _ = stream.shutdown(Shutdown::Both);
    Ok(())
}
