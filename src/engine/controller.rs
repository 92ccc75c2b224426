//! The loop between standard input and standard output. Nothing else writes to the latter.
//!
//! A reader thread cuts the input into lines and sends them down a bounded channel. The loop here waits for
//! lines and for search events, passes them to the state machine of the protocol, and writes its replies.

use super::events::SearchEvent;
use super::lines::{Input, read_lines};
use crate::base::is_control;
use crossbeam_channel::{Receiver, bounded, select};
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::time::Instant;

/// The state machine of a protocol.
pub trait Frontend {
    /// Handles a line that was read at `when`; a break ends the conversation.
    fn line(&mut self, line: &str, when: Instant) -> ControlFlow<()>;
    /// Handles a line that was longer than [`LONGEST_LINE`](super::LONGEST_LINE) and was thrown away; `bytes`
    /// is its length.
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

#[cfg(test)]
mod tests {
    use super::Replies;

    #[test]
    fn no_control_character_of_a_client_comes_back() {
        let mut replies = Replies::default();
        replies.say("no option is called `\u{1b}[2J\u{7}`");
        replies.say("1 2 3 4\te2e4");
        assert_eq!(replies.take(), "no option is called `\u{FFFD}[2J\u{FFFD}`\n1 2 3 4\te2e4\n");
    }
}
