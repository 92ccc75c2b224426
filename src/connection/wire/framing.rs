//! Lines as the texts of a WebSocket, without input or output: what comes goes in as bytes, and what is to be sent
//! comes out as bytes. So the owner of the socket reads, writes and waits in its own way.

use crate::connection::pipes::Framing;
use std::borrow::Cow;
use std::io::{self, Cursor, Read, Write};
use std::net::TcpStream;
use std::time::Duration;
use tungstenite::client::client_with_config;
use tungstenite::handshake::HandshakeError;
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Message, WebSocket};

/// How long the far end may take to answer a call, and to read what is written.
pub const PATIENCE: Duration = Duration::from_secs(20);
/// The longest message that is taken from the far end, in bytes: a longest line, and what was read behind it.
const LONGEST_MESSAGE: usize = 2 << 20;
/// No more than this is decoded at once.
const READ: usize = 1 << 13;

/// Each line is a text.
pub struct Texts(WebSocket<Memory>);

/// What stands in the place of a socket.
#[derive(Default)]
struct Memory {
    /// The socket itself, until both ends have agreed.
    socket: Option<TcpStream>,
    come: Cursor<Vec<u8>>,
    going: Vec<u8>,
}

impl Read for Memory {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if let Some(socket) = &mut self.socket {
            return socket.read(bytes);
        }
        match self.come.read(bytes)? {
            0 => Err(io::ErrorKind::WouldBlock.into()),
            read => Ok(read),
        }
    }
}

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.socket {
            Some(socket) => socket.write(bytes),
            None => self.going.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn config() -> WebSocketConfig {
    let config = WebSocketConfig::default().read_buffer_size(READ);
    config.max_message_size(Some(LONGEST_MESSAGE)).max_frame_size(Some(LONGEST_MESSAGE))
}

impl Texts {
    /// The end that was called; it has agreed already.
    pub fn called() -> Self {
        Self(WebSocket::from_raw_socket(Memory::default(), Role::Server, Some(config())))
    }

    /// The end that calls: asks the far end of `socket` for a WebSocket at this address.
    ///
    /// # Errors
    /// When the far end refuses, or does not answer within the time the socket has for reading.
    pub fn calling(address: &str, socket: TcpStream) -> io::Result<Self> {
        let memory = Memory { socket: Some(socket), ..Memory::default() };
        match client_with_config(address, memory, Some(config())) {
            Ok((mut agreed, _)) => {
                agreed.get_mut().socket = None;
                Ok(Self(agreed))
            }
            Err(HandshakeError::Failure(error)) => Err(io::Error::other(error)),
            Err(HandshakeError::Interrupted(_)) => {
                Err(io::Error::other(format!("no answer within {} s", PATIENCE.as_secs())))
            }
        }
    }
}

impl Framing for Texts {
    fn wrap<'l>(&mut self, lines: &'l str) -> Cow<'l, [u8]> {
        // After a goodbye nothing can be said, and no bytes come out.
        let sent = lines.lines().try_for_each(|line| self.0.write(Message::text(line)));
        let _ = sent.and_then(|()| self.0.flush());
        Cow::Owned(self.take_owed())
    }

    fn unwrap(&mut self, bytes: Vec<u8>) -> (Vec<u8>, bool) {
        self.0.get_mut().come = Cursor::new(bytes);
        let mut lines = Vec::new();
        loop {
            match self.0.read() {
                Ok(Message::Text(text)) => {
                    lines.extend_from_slice(text.as_bytes());
                    // One text may hold several lines.
                    if !text.ends_with('\n') {
                        lines.push(b'\n');
                    }
                }
                Err(tungstenite::Error::Io(error)) if error.kind() == io::ErrorKind::WouldBlock => {
                    return (lines, false);
                }
                // A goodbye is answered when we say ours.
                Ok(Message::Close(_) | Message::Binary(_)) | Err(_) => return (lines, true),
                Ok(_) => {}
            }
        }
    }

    fn take_owed(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.0.get_mut().going)
    }

    fn goodbye(&mut self) -> Vec<u8> {
        let _ = self.0.close(None);
        let _ = self.0.flush();
        self.take_owed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The end that was called and the one that called, already agreed.
    fn both() -> (Texts, Texts) {
        let calling = WebSocket::from_raw_socket(Memory::default(), Role::Client, Some(config()));
        (Texts::called(), Texts(calling))
    }

    #[test]
    fn lines_pass_whole_however_they_are_cut() {
        let (mut called, mut calling) = both();
        let long = "x".repeat(100_000);
        let lines = format!("uci\n\n{long}\nisready é\n");
        let bytes = calling.wrap(&lines).into_owned();
        for size in [1, 7, 5000, bytes.len()] {
            let (mut to, mut heard) = (Texts::called(), Vec::new());
            for part in bytes.chunks(size) {
                let (more, is_last) = to.unwrap(part.to_vec());
                assert!(!is_last && !heard.ends_with(b"x"));
                heard.extend(more);
            }
            assert!(heard == lines.as_bytes(), "{size}");
        }
        let answer = called.wrap("one\ntwo\n").into_owned();
        assert_eq!(
            answer, b"\x81\x03one\x81\x03two",
            "a line is a text; what the called end says has no mask"
        );
        assert_eq!(calling.unwrap(answer), (b"one\ntwo\n".to_vec(), false));
        assert_eq!(calling.unwrap(b"\x81\x05a\nb\r\n".to_vec()), (b"a\nb\r\n".to_vec(), false));
        assert!(calling.take_owed().is_empty());
    }

    #[test]
    fn a_ping_is_answered_and_a_goodbye_behind_lines_is_the_end_with_them() {
        let (mut called, mut calling) = both();
        assert_eq!(calling.unwrap(b"\x89\x02hi\x81\x01a".to_vec()), (b"a\n".to_vec(), false));
        assert_eq!(called.unwrap(calling.take_owed()), (Vec::new(), false), "the answer is no line");
        let mut bytes = called.wrap("last\n").into_owned();
        bytes.extend(called.goodbye());
        assert_eq!(calling.unwrap(bytes), (b"last\n".to_vec(), true));
        assert!(calling.wrap("more\n").is_empty());
        let goodbye = calling.goodbye();
        assert_eq!(called.unwrap(goodbye), (Vec::new(), true), "the goodbye is answered");
        assert_eq!(both().0.unwrap(b"\x81\x01a".to_vec()), (Vec::new(), true), "no mask");
        let long = [0x81, 0xff, 0, 0, 0, 0, 0, 0x40, 0, 0, 1, 2, 3, 4];
        assert_eq!(both().0.unwrap(long.to_vec()), (Vec::new(), true), "too long");
    }
}
