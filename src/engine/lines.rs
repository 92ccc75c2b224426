//! Cutting standard input into lines.

use crossbeam_channel::Sender;
use std::io::Read;
use std::time::Instant;

/// What the reader thread sends to the loop.
#[derive(Debug, PartialEq, Eq)]
pub enum Input {
    /// A line without its end, invalid UTF-8 replaced, and the moment at which it was complete.
    Line(String, Instant),
    /// A line longer than [`LONGEST_LINE`] was thrown away; the number is its length in bytes.
    TooLong(usize),
    /// The input has ended.
    End,
}

/// The longest line that is read, in bytes. A game of a thousand of the longest turns would fit twenty times.
pub const LONGEST_LINE: usize = 1 << 20;

/// Reads until the end of `input`, or until the receiver is gone. Lines end with a line feed, a carriage
/// return, or both; a last line without an end counts, and empty lines do not.
pub fn read_lines(mut input: impl Read, listener: &Sender<Input>) {
    let mut buffer = vec![0; 64 << 10];
    let mut line = Vec::new();
    let mut length = 0;
    loop {
        let read = match input.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => {
                log::error!("standard input: {error}");
                break;
            }
        };
        let mut rest = &buffer[..read];
        while let Some(end) = rest.iter().position(|&byte| byte == b'\n' || byte == b'\r') {
            take(&mut line, &mut length, &rest[..end]);
            rest = &rest[end + 1..];
            if length > 0 && listener.send(complete(&mut line, &mut length)).is_err() {
                return;
            }
        }
        take(&mut line, &mut length, rest);
    }
    if length > 0 {
        let _ = listener.send(complete(&mut line, &mut length));
    }
    // The receiver may be gone; then this does not matter.
    let _ = listener.send(Input::End);
}

fn take(line: &mut Vec<u8>, length: &mut usize, bytes: &[u8]) {
    *length += bytes.len();
    if *length <= LONGEST_LINE {
        line.extend_from_slice(bytes);
    } else {
        // Keep no memory for a line that will be thrown away.
        line.clear();
        line.shrink_to(1024);
    }
}

fn complete(line: &mut Vec<u8>, length: &mut usize) -> Input {
    let bytes = std::mem::take(length);
    if bytes > LONGEST_LINE {
        return Input::TooLong(bytes);
    }
    let text = String::from_utf8_lossy(line).into_owned();
    line.clear();
    Input::Line(text, Instant::now())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossbeam_channel::unbounded;

    fn lines(bytes: &[u8]) -> Vec<String> {
        let (sender, receiver) = unbounded();
        read_lines(bytes, &sender);
        drop(sender);
        receiver
            .iter()
            .map(|input| match input {
                Input::Line(text, _) => text,
                Input::TooLong(bytes) => format!("<{bytes} bytes>"),
                Input::End => "<end>".into(),
            })
            .collect()
    }

    #[test]
    fn all_kinds_of_line_ends() {
        assert_eq!(lines(b"a\nb\r\nc\rd"), ["a", "b", "c", "d", "<end>"]);
        assert_eq!(lines(b"\n\n\r\n"), ["<end>"]);
        assert_eq!(lines(b""), ["<end>"]);
    }

    #[test]
    fn bad_utf8_and_nul_survive() {
        assert_eq!(lines(b"a\xffb\n\0\n"), ["a\u{fffd}b", "\0", "<end>"]);
    }

    #[test]
    fn long_lines_are_reported_and_the_next_is_read() {
        let mut bytes = vec![b'x'; 10 << 20];
        bytes.extend_from_slice(b"\nisready\n");
        assert_eq!(lines(&bytes), [format!("<{} bytes>", 10 << 20), "isready".into(), "<end>".into()]);
    }
}
