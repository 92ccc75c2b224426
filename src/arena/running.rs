//! The game that is played, for who watches a match: a file beside the journal, like a line of it, replaced as the game goes on.

use super::Tournament;
use super::game::GameSnapshot;
use super::journal::{self, Event, JournalError};
use super::schedule::Pairing;
use crate::pgn::GameRecord;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// It is written no more often: who plays shall not wait for it.
const BETWEEN: Duration = Duration::from_millis(200);

/// The file.
#[derive(Debug)]
pub struct RunningGame {
    path: PathBuf,
    written: Mutex<Option<Instant>>,
}

/// `games.jsonl.running`
fn beside(journal: &Path) -> PathBuf {
    let mut path = journal.as_os_str().to_owned();
    path.push(".running");
    path.into()
}

impl RunningGame {
    /// Beside that journal; nothing is written yet.
    pub fn new(journal: &Path) -> Self {
        Self { path: beside(journal), written: Mutex::default() }
    }

    /// The game has come so far.
    pub fn show(&self, tournament: &Tournament, pairing: &Pairing, snapshot: &GameSnapshot<'_>) {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        if written.is_some_and(|written| written.elapsed() < BETWEEN) {
            return;
        }
        *written = Some(Instant::now());
        let names = pairing.engines.map(|place| tournament.names[place].clone());
        let controls = pairing.engines.map(|place| tournament.settings.engines[place].limits.control);
        let record = pairing.unfinished_record(snapshot, names, controls);
        let text = serde_json::to_string(&Event::Game(Box::new(record))).map_err(io::Error::from);
        // A match is played also where nobody can watch.
        let fresh = self.path.with_extension("running~");
        let replace = |text| std::fs::write(&fresh, text).and_then(|()| std::fs::rename(&fresh, &self.path));
        if let Err(error) = text.and_then(replace) {
            log::debug!("{}: {error}", self.path.display());
        }
    }

    /// No game is played any more.
    pub fn end(&self) {
        let _ = std::fs::remove_file(&self.path);
    }

    /// What the match that writes `journal` plays now.
    ///
    /// # Errors
    /// When nothing is known of it.
    pub fn read(journal: &Path) -> Result<GameRecord, JournalError> {
        let path = beside(journal);
        let file = File::open(&path).map_err(|error| JournalError::File(path.clone(), error));
        journal::game_at(&mut file?, &path, 0)
    }
}
