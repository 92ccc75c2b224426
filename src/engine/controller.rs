//! The loop between standard input and standard output. Nothing else writes to the latter.
//!
//! A reader thread cuts the input into lines and sends them down a bounded channel. The loop here waits for
//! lines and for search events, passes them to the state machine of the protocol, and writes its replies.

use super::events::SearchEvent;
use crate::base::is_control;
use crossbeam_channel::{Receiver, Sender, bounded, select};
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::time::Instant;

/// The state machine of a protocol.
pub trait Frontend {
    /// Handles a line that was read at `when`; a break ends the conversation.
    fn line(&mut self, line: &str, when: Instant) -> ControlFlow<()>;
    /// Handles a line that was longer than [`LONGEST_LINE`] and was thrown away; `bytes` is its length.
    fn too_long(&mut self, bytes: usize);
    /// The channel on which its searches report, each event with the number of its search.
    fn events(&self) -> &Receiver<(u64, SearchEvent)>;
    /// Handles an event of search number `id`.
    fn event(&mut self, id: u64, event: SearchEvent);
    /// Stops what is running, because the input has ended or `quit` was read. True while a last event must
    /// still be waited for.
    fn finish(&mut self) -> bool;
    /// The replies that wait to be written.
    fn replies(&mut self) -> &mut Replies;
}

/// Lines to be written, in the order they were added.
#[derive(Default)]
pub struct Replies(String);

impl Replies {
    /// Adds a line. Control characters in it are replaced, except for tabs.
    pub fn say(&mut self, reply: impl std::fmt::Display) {
        use std::fmt::Write as _;
        let begin = self.0.len();
        // Writing to a String cannot fail.
        let _ = writeln!(self.0, "{reply}");
        // A reply may quote what a client sent. The XBoard protocol itself uses tabs.
        let is_odd = |c| is_control(c) && !matches!(c, '\n' | '\t');
        if self.0[begin..].contains(is_odd) {
            let clean = self.0[begin..].replace(is_odd, "\u{FFFD}");
            self.0.truncate(begin);
            self.0.push_str(&clean);
        }
    }

    /// Takes out the lines that were added so far.
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.0)
    }
}

/// How many lines may wait for the loop. The reader thread blocks beyond that.
const WAITING_LINES: usize = 1024;

/// Runs the front end that `choose` returns until `quit` or the end of input. `choose` gets one line after
/// the other until it returns a front end, which then handles that line, too.
///
/// # Errors
/// When `output` cannot be written. A broken pipe is no error: it ends the conversation.
pub fn run(
    input: impl Read + Send + 'static,
    output: impl Write,
    choose: impl FnMut(&str) -> Option<Box<dyn Frontend>>,
) -> io::Result<()> {
    let (to_loop, lines) = bounded(WAITING_LINES);
    // This thread may still be blocked in `read` when we are done; it owns nothing but its end of the
    // channel.
    std::thread::Builder::new().name("input".into()).spawn(move || read_lines(input, &to_loop))?;
    let talk = Conversation { lines, output };
    match talk.hold(choose) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

struct Conversation<W> {
    lines: Receiver<Input>,
    output: W,
}

impl<W: Write> Conversation<W> {
    fn hold(mut self, mut choose: impl FnMut(&str) -> Option<Box<dyn Frontend>>) -> io::Result<()> {
        // The first line that `choose` accepts decides on the protocol.
        let mut front: Box<dyn Frontend> = loop {
            let (line, when) = match self.lines.recv() {
                Ok(Input::Line(line, when)) => (line, when),
                Ok(Input::TooLong(_)) => continue,
                Ok(Input::End) | Err(_) => return Ok(()),
            };
            match line.trim() {
                "" => {}
                "quit" => return Ok(()),
                first => {
                    if let Some(mut front) = choose(first) {
                        let flow = front.line(&line, when);
                        self.write(front.replies())?;
                        if flow.is_break() {
                            return Ok(());
                        }
                        break front;
                    }
                }
            }
        };
        let events = front.events().clone();
        loop {
            let flow = select! {
                recv(self.lines) -> line => match line {
                    Ok(Input::Line(line, when)) => front.line(&line, when),
                    Ok(Input::TooLong(bytes)) => {
                        front.too_long(bytes);
                        ControlFlow::Continue(())
                    }
                    Ok(Input::End) | Err(_) => ControlFlow::Break(()),
                },
                recv(events) -> event => match event {
                    Ok((id, event)) => {
                        front.event(id, event);
                        ControlFlow::Continue(())
                    }
                    Err(_) => ControlFlow::Break(()),
                },
            };
            self.write(front.replies())?;
            if flow.is_break() {
                break;
            }
        }
        // Every search that was begun reports its end, and its threads end before we do.
        while front.finish() {
            self.write(front.replies())?;
            match events.recv() {
                Ok((id, event)) => front.event(id, event),
                Err(_) => break,
            }
        }
        self.write(front.replies())
    }

    fn write(&mut self, replies: &mut Replies) -> io::Result<()> {
        if !replies.0.is_empty() {
            self.output.write_all(replies.0.as_bytes())?;
            self.output.flush()?;
            replies.0.clear();
        }
        Ok(())
    }
}

/// What the reader thread sends to the loop.
#[derive(Debug, PartialEq, Eq)]
enum Input {
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
fn read_lines(mut input: impl Read, listener: &Sender<Input>) {
    let mut buffer = vec![0; 64 << 10];
    let mut line = Vec::new();
    let mut length = 0;
    loop {
        let read = match input.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
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

    #[test]
    fn no_control_character_of_a_client_comes_back() {
        let mut replies = Replies::default();
        replies.say("no option is called `\u{1b}[2J\u{7}`");
        replies.say("1 2 3 4\te2e4");
        assert_eq!(replies.take(), "no option is called `\u{FFFD}[2J\u{FFFD}`\n1 2 3 4\te2e4\n");
    }
}
