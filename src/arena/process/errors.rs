//! An engine's standard error, handed on line by line without control characters.

use super::read_line;
use crate::base::without_controls;
use crossbeam_channel::{Receiver, bounded};
use std::io::{BufReader, Write};
use std::process::ChildStderr;

/// There may be many such threads.
const STACK: usize = 128 << 10;
/// Longer lines are broken.
const LONGEST: usize = 1 << 12;

/// Writes the lines of `errors` to `to` until it ends; then what is returned is disconnected.
///
/// # Errors
/// When there is no thread to be had.
pub fn hand_on(errors: ChildStderr, mut to: impl Write + Send + 'static) -> std::io::Result<Receiver<()>> {
    let (done, ended) = bounded(0);
    let thread = std::thread::Builder::new().name("engine errors".into()).stack_size(STACK);
    thread.spawn(move || {
        let _done = done;
        let mut errors = BufReader::new(errors);
        while let Some(line) = read_line(&mut errors, LONGEST) {
            let line = String::from_utf8_lossy(&line);
            let line = without_controls(line.trim_end_matches(['\n', '\r']));
            // Whether anybody reads it or not, the engine must be able to write.
            if !line.is_empty() {
                let _ = to.write_all(format!("{line}\n").as_bytes());
            }
        }
    })?;
    Ok(ended)
}
