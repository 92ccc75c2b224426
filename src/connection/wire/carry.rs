//! Lines between an engine and somebody else.

use crate::connection::{Either, EngineCommand, OwnInput, OwnLine, Process, ProcessError};
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// A wait that never ends: an engine may be silent for as long as it likes.
const EVER: Duration = Duration::from_secs(1 << 32);

/// Carries lines between `own` and `engine` until one of them ends; `out` is given the engine's. Lines that have come
/// together go on together.
///
/// # Errors
/// When the engine does not read, or writes without end, or `out` fails.
pub(super) fn carry(
    engine: &mut Process,
    own: &mut OwnInput,
    mut out: impl FnMut(&str) -> io::Result<()>,
) -> io::Result<()> {
    let lost = |error| io::Error::other(format!("the engine {error}"));
    let mut lines = Vec::new();
    let mut text = String::new();
    loop {
        match engine.receive_either(own, Instant::now() + EVER) {
            Ok(Either::Own(first)) => {
                let mut next = Some(first);
                while let Some(OwnLine::Line(line, _)) = next {
                    lines.push(line);
                    next = own.next_line();
                }
                match engine.send_all(&lines) {
                    // What it has said before is carried first.
                    Ok(_) | Err(ProcessError::Disconnected) => {}
                    Err(error) => return Err(lost(error)),
                }
                if next.is_some() {
                    return Ok(());
                }
                lines.clear();
            }
            Ok(Either::Engine(first, _)) => {
                let mut next = Some(first);
                while let Some(line) = next {
                    text.push_str(&line);
                    text.push('\n');
                    next = engine.at_hand();
                }
                out(&text)?;
                text.clear();
            }
            Err(ProcessError::Disconnected) => return Ok(()),
            Err(error) => return Err(lost(error)),
        }
    }
}

/// Carries the lines of standard input to the engine at `address`, and its lines to `out`, until one of them ends.
///
/// # Errors
/// When the engine cannot be called, or `out` cannot be written.
pub fn relay(address: &str, mut out: impl Write) -> io::Result<()> {
    let mut engine = Process::start(&EngineCommand::new(address))?;
    let mut own = OwnInput::new()?;
    carry(&mut engine, &mut own, |lines| out.write_all(lines.as_bytes()).and_then(|()| out.flush()))
}
