//! The file in which games are kept: lines of JSON, in the form of a match's journal.
//!
//! Each line is written in one piece before anybody is told what it holds, so a server that is killed at any
//! instant leaves at worst one unfinished line. The last line of a game counts.

use super::kept::Kept;
use crate::base::files::{open_regular, private, replace};
use crate::engine::options;
use litemap::LiteMap;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The version of this format.
const VERSION: u32 = 1;
/// The most games that are kept; the one that was played least recently makes way.
const MOST_GAMES: usize = 1000;
/// The file is written anew, without old lines, when it has grown by so many bytes.
const MOST_OLD: u64 = 32 << 20;

/// One line of the file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum Event {
    /// The first line.
    Serve {
        /// [`VERSION`].
        store: u32,
        /// The program that began the file.
        program: String,
    },
    /// A game as it stands.
    Game(Box<Kept>),
}

/// A file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file cannot be read or written.
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    /// A line does not hold what this file holds.
    #[error("{0}, line {1}: {2}")]
    Damaged(PathBuf, usize, String),
    /// The file is something else.
    #[error("{0} holds no games of `carom serve`; it is left as it is")]
    NoStore(PathBuf),
    /// Another process is writing to it.
    #[error("{0} is in use by another process")]
    InUse(PathBuf),
}

/// The games of a file.
pub struct Store(Mutex<Games>);

/// The last line of each game, and when it was written, counted in lines.
type Lines = LiteMap<String, (u64, String)>;

struct Games {
    path: PathBuf,
    file: File,
    lines: Lines,
    count: u64,
    /// The bytes written since the file was made.
    grown: u64,
    /// Whether writing has failed; that is told once.
    failed: bool,
}

impl Store {
    /// Opens the file, or makes it.
    ///
    /// # Errors
    /// When it cannot be opened, holds something else, is damaged, or another process has it.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let failed = |error| StoreError::File(path.to_owned(), error);
        if path.exists() {
            open_regular(path).map_err(failed)?;
        }
        let file = locked(path)?;
        let (lines, count) = read(&file, path)?;
        let mut games = Games { path: path.to_owned(), file, lines, count, grown: 0, failed: false };
        games.write_anew()?;
        Ok(Self(Mutex::new(games)))
    }

    /// Keeps a game as it stands now.
    pub fn keep(&self, kept: Kept) {
        let session = kept.session.clone();
        let line = match serde_json::to_string(&Event::Game(Box::new(kept))) {
            Ok(line) => line + "\n",
            Err(error) => return log::error!("a game cannot be kept: {error}"),
        };
        let mut games = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = games.add(session, line)
            && !std::mem::replace(&mut games.failed, true)
        {
            log::warn!("{error}; games are not kept any more");
        }
    }

    /// The game of that name.
    pub fn find(&self, session: &str) -> Option<Kept> {
        let games = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, line) = games.lines.get(session)?;
        match serde_json::from_str(line).ok()? {
            Event::Game(kept) => Some(*kept),
            Event::Serve { .. } => None,
        }
    }
}

impl Games {
    fn add(&mut self, session: String, line: String) -> Result<(), StoreError> {
        self.file.write_all(line.as_bytes()).map_err(|error| StoreError::File(self.path.clone(), error))?;
        self.grown += line.len() as u64;
        self.count += 1;
        self.lines.insert(session, (self.count, line));
        if self.lines.len() > MOST_GAMES
            && let Some(oldest) = self.lines.iter().min_by_key(|(_, (count, _))| *count)
        {
            let oldest = oldest.0.clone();
            self.lines.remove(&oldest);
        }
        if self.grown > MOST_OLD { self.write_anew() } else { Ok(()) }
    }

    /// Writes the file without the lines that do not count any more.
    fn write_anew(&mut self) -> Result<(), StoreError> {
        let failed = |error| StoreError::File(self.path.clone(), error);
        let header = Event::Serve { store: VERSION, program: options::engine_name() };
        let header = serde_json::to_string(&header).map_err(|error| failed(error.into()))?;
        let mut lines: Vec<&(u64, String)> = self.lines.values().collect();
        lines.sort_unstable();
        // The keys of seats stand in it, which nobody else may read; a file that is replaced keeps its
        // permissions.
        replace(&self.path, |out| {
            writeln!(out, "{header}")?;
            lines.iter().try_for_each(|(_, line)| out.write_all(line.as_bytes()))
        })
        .map_err(failed)?;
        self.file = locked(&self.path)?;
        self.grown = 0;
        Ok(())
    }
}

/// Opens the file for reading and for writing at its end, so that no other process does.
fn locked(path: &Path) -> Result<File, StoreError> {
    let mut options = OpenOptions::new();
    private(options.read(true).append(true).create(true));
    let file = options.open(path).map_err(|error| StoreError::File(path.to_owned(), error))?;
    file.try_lock().map_err(|_| StoreError::InUse(path.to_owned()))?;
    Ok(file)
}

/// The last line of each game.
fn read(file: &File, path: &Path) -> Result<(Lines, u64), StoreError> {
    let mut lines = LiteMap::new();
    let mut reader = BufReader::new(file);
    let mut count = 0;
    loop {
        let mut line = Vec::new();
        reader.read_until(b'\n', &mut line).map_err(|error| StoreError::File(path.to_owned(), error))?;
        // What was not written to its end was told to nobody.
        if line.last() != Some(&b'\n') {
            let begins = count > 0
                || line.is_empty()
                || b"{\"event\":\"serve\"".starts_with(&line[..line.len().min(16)]);
            return if begins { Ok((lines, count)) } else { Err(StoreError::NoStore(path.to_owned())) };
        }
        let damaged = |what: String| StoreError::Damaged(path.to_owned(), count as usize + 1, what);
        let event = serde_json::from_slice::<Event>(&line);
        match (count, event) {
            (0, Ok(Event::Serve { store: VERSION, .. })) => {}
            (0, Ok(Event::Serve { store, .. })) => {
                return Err(damaged(format!("version {store} is not known")));
            }
            (0, _) => return Err(StoreError::NoStore(path.to_owned())),
            (_, Ok(Event::Game(kept))) => {
                let line = String::from_utf8(line).map_err(|error| damaged(error.to_string()))?;
                lines.insert(kept.session, (count, line));
            }
            (_, Ok(Event::Serve { .. })) => return Err(damaged("the file begins twice".into())),
            (_, Err(error)) => return Err(damaged(error.to_string())),
        }
        count += 1;
    }
}
