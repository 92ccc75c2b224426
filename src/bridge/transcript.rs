//! Both conversations in a file, in the form of the tests' transcripts: the outer one as it is, the engine's
//! after `#`.
//!
//! ```text
//! # 0.000412
//! > isready
//! # 0.000431 > isready
//! # 0.000502 < readyok
//! # 0.000511
//! < readyok
//! ```
//!
//! So the file is a script of what the user's program sent and received. With
//! `sed -n 's/^# [0-9.]* \([<>]\)/\1/p'` it becomes one of what the engine received and sent.

use crate::base::files::private;
use crate::connection::LineHook;
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// The file of a transcript, if there is one.
#[derive(Clone)]
pub struct Transcript {
    file: Option<Arc<Mutex<BufWriter<File>>>>,
    begun: Instant,
}

impl Transcript {
    /// Creates the file at `path`; without one, nothing is written.
    pub fn new(path: Option<&Path>) -> std::io::Result<Self> {
        // The file holds everything that either side knows, so no one else may read it.
        let create = |path| private(OpenOptions::new().write(true).create(true).truncate(true)).open(path);
        let file = path.map(create).transpose()?;
        let file = file.map(|file| Arc::new(Mutex::new(BufWriter::new(file))));
        Ok(Self { file, begun: Instant::now() })
    }

    fn write(&self, outside: bool, mark: char, line: &str) {
        let Some(file) = &self.file else { return };
        let seconds = self.begun.elapsed().as_secs_f64();
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        let written = if outside {
            writeln!(file, "# {seconds:.6}\n{mark} {line}")
        } else {
            writeln!(file, "# {seconds:.6} {mark} {line}")
        };
        if let Err(error) = written.and_then(|()| file.flush()) {
            log::error!("the transcript: {error}");
        }
    }

    /// Notes a line of the user's program.
    pub fn user_said(&self, line: &str) {
        self.write(true, '>', line);
    }

    /// Notes what the user's program was sent, one line or several.
    pub fn user_heard(&self, lines: &str) {
        if self.file.is_some() {
            lines.lines().for_each(|line| self.write(true, '<', line));
        }
    }

    /// The hook that notes what the engine is sent and what it sends; `None` without a file.
    pub fn hook(&self) -> Option<LineHook> {
        let own = self.clone();
        self.file.as_ref()?;
        Some(Box::new(move |to_engine, line| own.write(false, if to_engine { '>' } else { '<' }, line)))
    }
}
