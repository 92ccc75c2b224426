//! The game under way, for those who watch a match: a file beside the journal, in the format of one of its
//! lines, replaced as the game goes on.

use super::Tournament;
use super::game::GameSnapshot;
use super::journal::{self, Event, JournalError};
use super::schedule::Pairing;
use crate::base::files::open_regular;
use crate::pgn::GameRecord;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The least time between two writes, so that the players need not wait for the file.
const BETWEEN: Duration = Duration::from_millis(200);

/// The file of the game under way.
#[derive(Debug)]
pub struct RunningGame {
    path: PathBuf,
    written: Mutex<Option<Instant>>,
}

/// The path of the file: `games.jsonl.running` for `games.jsonl`.
fn beside(journal: &Path) -> PathBuf {
    let mut path = journal.as_os_str().to_owned();
    path.push(".running");
    path.into()
}

impl RunningGame {
    /// The file beside this journal. Nothing is written yet.
    pub fn new(journal: &Path) -> Self {
        Self { path: beside(journal), written: Mutex::default() }
    }

    /// Writes the game as far as it has been played.
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
        // A failure must not stop the match: it can also be played where no one can watch.
        let fresh = self.path.with_extension("running~");
        let replace = |text| std::fs::write(&fresh, text).and_then(|()| std::fs::rename(&fresh, &self.path));
        if let Err(error) = text.and_then(replace) {
            log::debug!("{}: {error}", self.path.display());
        }
    }

    /// Removes the file, since no game is under way any more.
    pub fn end(&self) {
        let _ = std::fs::remove_file(&self.path);
    }

    /// Reads the game that the match with this `journal` is playing now.
    ///
    /// # Errors
    /// When there is no such file, or it cannot be read.
    pub fn read(journal: &Path) -> Result<GameRecord, JournalError> {
        let path = beside(journal);
        let file = open_regular(&path).map_err(|error| JournalError::File(path.clone(), error));
        journal::game_at(&mut file?, &path, 0)
    }
}
