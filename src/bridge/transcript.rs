//! Both conversations in a file, as the transcripts of the tests are written: the outer one as such, the engine's behind `#`.
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
//! So the file is a script of what the user's program said and heard; with `sed -n 's/^# [0-9.]* \([<>]\)/\1/p'` it is one of
//! what the engine heard and said.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Instant;

/// A file that is being written, or none.
pub struct Transcript {
    file: Option<BufWriter<File>>,
    begun: Instant,
}

impl Transcript {
    /// Begins `path`, or nothing.
    pub fn new(path: Option<&Path>) -> std::io::Result<Self> {
        let file = path.map(File::create).transpose()?.map(BufWriter::new);
        Ok(Self { file, begun: Instant::now() })
    }

    fn write(&mut self, outside: bool, mark: char, line: &str) {
        let seconds = self.begun.elapsed().as_secs_f64();
        if let Some(file) = &mut self.file {
            let written = if outside {
                writeln!(file, "# {seconds:.6}\n{mark} {line}")
            } else {
                writeln!(file, "# {seconds:.6} {mark} {line}")
            };
            if let Err(error) = written.and_then(|()| file.flush()) {
                log::error!("the transcript cannot be written on: {error}");
                self.file = None;
            }
        }
    }

    /// The user's program said this.
    pub fn from_user(&mut self, line: &str) {
        self.write(true, '>', line);
    }

    /// It was told this, a line or several.
    pub fn to_user(&mut self, lines: &str) {
        if self.file.is_some() {
            lines.lines().for_each(|line| self.write(true, '<', line));
        }
    }

    /// The engine was told this.
    pub fn to_engine(&mut self, line: &str) {
        self.write(false, '>', line);
    }

    /// The engine said this.
    pub fn from_engine(&mut self, line: &str) {
        self.write(false, '<', line);
    }
}
