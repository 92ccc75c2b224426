//! The standard error of a process, passed on line by line without control characters.

use super::line_buffer::LineBuffer;
use crossbeam_channel::{Receiver, bounded};
use std::io::{ErrorKind, Read};
use std::process::ChildStderr;

/// The stack is small, since there may be many such threads.
const STACK: usize = 128 << 10;
/// Longer lines are broken.
const LONGEST: usize = 1 << 12;

/// Passes the lines of `stderr` to `to` until it ends. The returned channel is disconnected then.
///
/// # Errors
/// When the system gives no thread.
pub fn forward(
    mut stderr: ChildStderr,
    mut to: impl FnMut(String) + Send + 'static,
) -> std::io::Result<Receiver<()>> {
    let (done, ended) = bounded(0);
    let thread = std::thread::Builder::new().name("stderr".into()).stack_size(STACK);
    thread.spawn(move || {
        let _done = done;
        let (mut lines, mut chunk) = (LineBuffer::default(), [0; LONGEST]);
        loop {
            match stderr.read(&mut chunk) {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Ok(read) if read > 0 => lines.push(&chunk[..read]),
                _ => break,
            }
            while let Some(line) = lines.next_line() {
                to(line);
            }
            if lines.unfinished() >= LONGEST {
                lines.take_unfinished().into_iter().for_each(&mut to);
            }
        }
        lines.take_unfinished().into_iter().for_each(to);
    })?;
    Ok(ended)
}
