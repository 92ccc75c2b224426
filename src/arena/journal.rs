//! The journal of a match: JSON, one line for the match and one for each finished game.
//!
//! Every line is written in one piece, so that a process killed at any instant leaves at worst one unfinished
//! line, which is cut off when the match goes on. All other records are made from the journal.

use super::settings::{Setting, SettingsTable};
use crate::base::files::{open_regular, private};
use crate::base::without_controls;
use crate::pgn::GameRecord;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The version of new journals. In version 1 both games of a pair have the same seed.
pub const VERSION: u32 = 2;

/// The first line: everything that the games depend on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The version of this format, and of how the games follow from the settings: [`VERSION`].
    pub journal: u32,
    /// The program that began the journal.
    pub program: String,
    /// The settings of the match.
    pub settings: SettingsTable,
    /// The engines' names, in the order of the list.
    pub names: Vec<String>,
    /// A digest of the list of openings.
    pub openings: u64,
    /// Each file of records and its length in bytes before the first game.
    pub files: Vec<(PathBuf, u64)>,
}

/// One line of a journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Event {
    /// The first line, for the match.
    Match(Header),
    /// A line for a finished game.
    Game(Box<GameRecord>),
}

/// A journal that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be read or written.
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    /// A line does not hold what a journal holds.
    #[error("{0}, line {1}: {2}")]
    Damaged(PathBuf, usize, String),
    /// The file is something else. It is left as it is.
    #[error("{0} is no journal of a match; it is left as it is")]
    NoJournal(PathBuf),
    /// A file of records holds something else. It is left as it is.
    #[error("{0} holds what this match has not written; it is left as it is")]
    Foreign(PathBuf),
    /// The journal belongs to another match.
    #[error("{0} belongs to another match: {1}")]
    Other(PathBuf, String),
    /// Another process is writing to it.
    #[error("{0} is in use by another process")]
    InUse(PathBuf),
}

/// A journal open for writing.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
}

impl Journal {
    /// Opens the journal for writing; `begin` makes the first line of a new one. With `secret` no other user
    /// may read the file, because its seed reveals what a player must not know. Returns the header, and calls
    /// `each` with every game in the journal and the offset of its line.
    ///
    /// # Errors
    /// When it cannot be opened, another process has it, it is damaged, or it belongs to a match with other
    /// settings.
    pub fn open(
        path: &Path,
        secret: bool,
        begin: impl FnOnce() -> Header,
        each: &mut dyn FnMut(GameRecord, u64),
    ) -> Result<(Self, Header), JournalError> {
        let failed = |error| JournalError::File(path.to_owned(), error);
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        let options = if secret { private(&mut options) } else { &mut options };
        // A device or a pipe would be read without end.
        if path.exists() {
            open_regular(path).map_err(failed)?;
        }
        let mut file = options.open(path).map_err(failed)?;
        lock(&file).map_err(|_| JournalError::InUse(path.to_owned()))?;
        let mut read = Reading::default();
        read_from(&file, path, &mut read, each)?;
        // Only what is certainly the beginning of one of our lines is cut off.
        file.set_len(read.length).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        let mut journal = Self { file, path: path.to_owned() };
        let header = match read.header {
            Some(header) => header,
            None => {
                let header = begin();
                journal.write(&Event::Match(header.clone()))?;
                header
            }
        };
        Ok((journal, header))
    }

    /// Appends a game.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add(&mut self, game: &GameRecord) -> Result<(), JournalError> {
        self.write(&Event::Game(Box::new(game.clone())))
    }

    /// Makes sure that everything is on the disk.
    ///
    /// # Errors
    /// When the system reports that it is not.
    pub fn sync(&self) -> Result<(), JournalError> {
        self.file.sync_data().map_err(|error| JournalError::File(self.path.clone(), error))
    }

    fn write(&mut self, event: &Event) -> Result<(), JournalError> {
        let failed = |error| JournalError::File(self.path.clone(), error);
        let mut line = serde_json::to_vec(event).map_err(|error| failed(error.into()))?;
        line.push(b'\n');
        self.file.write_all(&line).map_err(failed)
    }
}

/// Locks the file. A process that another thread is just starting also holds the lock, until it runs its own
/// program, hence the retries.
fn lock(file: &File) -> Result<(), TryLockError> {
    for _ in 0..100 {
        if file.try_lock().is_ok() {
            return Ok(());
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    file.try_lock()
}

/// How far a journal has been read.
#[derive(Default)]
pub struct Reading {
    /// The first line; `None` while there is none.
    pub header: Option<Header>,
    /// The length of the valid part, in bytes.
    pub length: u64,
    /// The number of lines in it.
    lines: usize,
    /// The numbers of the games in it.
    seen: HashSet<u64>,
}

/// Reads a journal, and calls `each` with every game and the offset of its line.
///
/// # Errors
/// When it cannot be read, or is damaged otherwise than by an unfinished last line.
pub fn read(path: &Path, each: &mut dyn FnMut(GameRecord, u64)) -> Result<Reading, JournalError> {
    let mut reading = Reading::default();
    read_on(path, &mut reading, each)?;
    Ok(reading)
}

/// Goes on reading where `reading` stopped.
///
/// # Errors
/// As [`read`]. What is valid before the damage has then been read.
pub fn read_on(
    path: &Path,
    reading: &mut Reading,
    each: &mut dyn FnMut(GameRecord, u64),
) -> Result<(), JournalError> {
    let failed = |error| JournalError::File(path.to_owned(), error);
    let mut file = open_regular(path).map_err(failed)?;
    file.seek(SeekFrom::Start(reading.length)).map_err(failed)?;
    read_from(&file, path, reading, each)
}

/// Reads the game whose line begins at `offset`.
///
/// # Errors
/// When it cannot be read.
pub fn game_at(file: &mut File, path: &Path, offset: u64) -> Result<GameRecord, JournalError> {
    let failed = |error| JournalError::File(path.to_owned(), error);
    file.seek(SeekFrom::Start(offset)).map_err(failed)?;
    let mut line = Vec::new();
    BufReader::new(file).read_until(b'\n', &mut line).map_err(failed)?;
    match serde_json::from_slice(&line) {
        Ok(Event::Game(mut game)) => {
            game.clean();
            Ok(*game)
        }
        Ok(Event::Match(_)) => Err(JournalError::Damaged(path.to_owned(), 1, "no game".to_owned())),
        Err(error) => Err(failed(error.into())),
    }
}

fn read_from(
    file: &File,
    path: &Path,
    reading: &mut Reading,
    each: &mut dyn FnMut(GameRecord, u64),
) -> Result<(), JournalError> {
    let mut lines = BufReader::new(file.take(u64::MAX));
    let mut line = Vec::new();
    loop {
        let number = reading.lines + 1;
        line.clear();
        let read = lines.read_until(b'\n', &mut line);
        let length = read.map_err(|error| JournalError::File(path.to_owned(), error))?;
        let damaged = |why: String| JournalError::Damaged(path.to_owned(), number, why);
        if line.last() != Some(&b'\n') {
            // The end of the file, or a line that was being written when the process was killed.
            let ours = if number == 1 { BEGIN_MATCH } else { BEGIN_GAME }.as_bytes();
            return match line.starts_with(ours) || ours.starts_with(&line) {
                true => Ok(()),
                false if number == 1 => Err(JournalError::NoJournal(path.to_owned())),
                false => Err(damaged("it has no end, and is no line of a journal".to_owned())),
            };
        }
        if number == 1 && !line.starts_with(b"{\"event\":") {
            return Err(JournalError::NoJournal(path.to_owned()));
        }
        let event = serde_json::from_slice(&line).map_err(|error| damaged(error.to_string()))?;
        match (event, &reading.header) {
            (Event::Match(mut header), None) if (1..=VERSION).contains(&header.journal) => {
                for name in &mut header.names {
                    *name = without_controls(name).into_owned();
                }
                reading.header = Some(header);
            }
            (Event::Match(header), None) => {
                return Err(damaged(format!("a journal of version {}, not 1 to {VERSION}", header.journal)));
            }
            (Event::Match(_), Some(_)) => return Err(damaged("the match begins twice".to_owned())),
            (Event::Game(_), None) => return Err(damaged("a game before the match".to_owned())),
            (Event::Game(mut game), Some(header)) => {
                let [white, black] = game.engines;
                if white == black || white.max(black) >= header.names.len() {
                    return Err(damaged("a game of engines that the match has not".to_owned()));
                }
                game.clean();
                if !reading.seen.insert(game.number) {
                    return Err(damaged(format!("game {} a second time", game.number)));
                }
                each(*game, reading.length);
            }
        }
        reading.length += length as u64;
        reading.lines = number;
    }
}

/// How the two kinds of line begin.
const BEGIN_MATCH: &str = "{\"event\":\"match\",\"journal\":";
const BEGIN_GAME: &str = "{\"event\":\"game\",\"number\":";

impl Header {
    /// Why `other` is not the same match, or `None`. With `machine` commands and folders count as well.
    pub fn difference(&self, other: &Self, machine: bool) -> Option<String> {
        if self.journal != other.journal {
            let program = &self.program;
            return Some(format!("{program} began it and deals otherwise: use that, or another journal"));
        }
        let [own, others] = [self, other].map(|header| header.settings.identity(machine));
        let missing = |all: &[Setting], from: &[Setting]| {
            all.iter().find(|setting| !from.contains(setting)).map(|setting| setting.spoken.clone())
        };
        if self.names != other.names {
            return Some(format!("its engines are {}", self.names.join(", ")));
        }
        if let Some(entry) = missing(&own, &others) {
            return Some(format!("it has {entry}"));
        }
        if let Some(entry) = missing(&others, &own) {
            return Some(format!("it has not {entry}"));
        }
        (self.openings != other.openings).then(|| "its openings are others".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::scoreboard::tests::game;

    fn header() -> Header {
        let mut settings = SettingsTable::default();
        settings.set("", 0, "rounds", "3").unwrap();
        settings.set("", 0, "event", "x").unwrap();
        let names = vec!["A".to_owned(), "B".to_owned()];
        Header {
            journal: VERSION,
            program: "carom".to_owned(),
            settings,
            names,
            openings: 4,
            files: Vec::new(),
        }
    }

    fn path(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("carom-journal-{name}-{}", std::process::id()))
    }

    /// Reading a device need not end, and opening a pipe can block for ever.
    #[cfg(unix)]
    #[test]
    fn only_a_regular_file_is_a_journal() {
        let pipe = path("pipe");
        let _ = std::fs::remove_file(&pipe);
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for path in [Path::new("/dev/zero"), &std::env::temp_dir(), &pipe] {
            let refused =
                |error: JournalError| assert!(error.to_string().contains("no regular file"), "{error}");
            refused(read(path, &mut |_, _| ()).map(|_| ()).unwrap_err());
            refused(Journal::open(path, false, header, &mut |_, _| ()).map(|_| ()).unwrap_err());
        }
        let journal = pipe.with_extension("jsonl");
        std::fs::rename(&pipe, journal.with_extension("jsonl.running")).unwrap();
        assert!(crate::arena::RunningGame::read(&journal).is_err());
        std::fs::remove_file(journal.with_extension("jsonl.running")).unwrap();
    }

    #[test]
    fn whatever_was_cut_off_is_cut_off_and_nothing_else() {
        let path = path("cut");
        let _ = std::fs::remove_file(&path);
        let (mut journal, first) =
            Journal::open(&path, false, header, &mut |_, _| panic!("no game yet")).unwrap();
        assert_eq!(first, header());
        assert!(matches!(Journal::open(&path, false, header, &mut |_, _| ()), Err(JournalError::InUse(_))));
        for number in 1..=2 {
            journal.add(&game(number, [0, 1], "1-0")).unwrap();
        }
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        let ends: Vec<usize> =
            whole.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1).collect();
        for length in 0..=whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let mut games = Vec::new();
            let (mut journal, _) =
                Journal::open(&path, false, header, &mut |game, _| games.push(game.number)).unwrap();
            let complete = ends.iter().filter(|end| **end <= length).count();
            assert_eq!(games, (1..complete.max(1) as u64).collect::<Vec<_>>());
            journal.add(&game(3, [0, 1], "0-1")).unwrap();
            drop(journal);
            let mut games = Vec::new();
            read(&path, &mut |game, _| games.push(game)).unwrap();
            assert_eq!(games.last(), Some(&game(3, [0, 1], "0-1")));
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_file_that_is_no_journal_is_left_as_it_is() {
        let path = path("foreign");
        let begin = serde_json::to_string(&Event::Match(header())).unwrap() + "\n";
        assert!(begin.starts_with(BEGIN_MATCH));
        let one = serde_json::to_string(&Event::Game(Box::new(game(1, [0, 1], "1-0")))).unwrap();
        assert!(one.starts_with(BEGIN_GAME));
        for (text, told) in [
            ("my only notes, without a line feed".to_owned(), "is no journal"),
            ("notes\n".to_owned(), "is no journal"),
            ("\n".to_owned(), "is no journal"),
            ("{\"event\":\"party\",\"day\":1".to_owned(), "is no journal"),
            (format!("{begin}and a note"), "line 2: it has no end"),
            (format!("{begin}{one}\n{{\"event\":\"match\""), "line 3: it has no end"),
        ] {
            std::fs::write(&path, &text).unwrap();
            let error = Journal::open(&path, false, header, &mut |_, _| ()).unwrap_err().to_string();
            assert!(error.contains(told), "{text}: {error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn what_is_read_has_no_control_characters() {
        let path = path("controls");
        let bad = "a\r\x1b[2J\tb\u{85}".to_owned();
        let mut record = game(1, [0, 1], "1-0");
        record.names[1] = bad.clone();
        (record.reason, record.position, record.turns[0].0) = (bad.clone(), Some(bad.clone()), bad.clone());
        let mut header = header();
        header.names[0] = bad;
        let lines = [Event::Match(header), Event::Game(Box::new(record))];
        let lines = lines.map(|event| serde_json::to_string(&event).unwrap() + "\n");
        std::fs::write(&path, lines.concat()).unwrap();
        let mut games = Vec::new();
        let header = read(&path, &mut |game, offset| games.push((game, offset))).unwrap().header.unwrap();
        let clean = "a\u{fffd}\u{fffd}[2J b\u{fffd}";
        let (game, offset) = &games[0];
        let again = game_at(&mut File::open(&path).unwrap(), &path, *offset).unwrap();
        assert_eq!(*game, again);
        assert_eq!([&header.names[0], &game.names[1], &game.reason, &game.turns[0].0], [clean; 4]);
        assert_eq!(game.position.as_deref(), Some(clean));
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn damage_is_told_with_its_line() {
        let path = path("damage");
        let line = |event: &Event| serde_json::to_string(event).unwrap() + "\n";
        let begin = line(&Event::Match(header()));
        let one = line(&Event::Game(Box::new(game(1, [0, 1], "1-0"))));
        for (text, number, fault) in [
            (format!("{begin}{one}{one}"), 3, "game 1 a second time"),
            (format!("{begin}nonsense\n{one}"), 2, "expected"),
            (one.clone(), 1, "before the match"),
            (format!("{begin}{begin}"), 2, "twice"),
            (format!("{begin}{}", one.replace("[0,1]", "[0,2]")), 2, "engines that the match has not"),
            (begin.replace("\"journal\":2", "\"journal\":3"), 1, "version 3"),
        ] {
            std::fs::write(&path, text).unwrap();
            match read(&path, &mut |_, _| ()) {
                Err(JournalError::Damaged(_, line, why)) => {
                    assert!(line == number && why.contains(fault), "{line}: {why}");
                }
                other => panic!("{fault}: {:?}", other.map(|reading| reading.length)),
            }
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn another_match_is_told_apart() {
        let mut other = header();
        other.settings.set("", 0, "event", "y").unwrap();
        assert_eq!(header().difference(&other, true), None, "only what is written differs");
        other.settings.set("", 0, "rounds", "4").unwrap();
        assert_eq!(header().difference(&other, false).unwrap(), "it has -rounds 3");
        let names = Header { names: vec!["A".to_owned(), "C".to_owned()], ..header() };
        assert!(header().difference(&names, false).unwrap().contains("A, B"));
        assert!(header().difference(&Header { openings: 1, ..header() }, false).is_some());
        assert!(
            header().difference(&Header { journal: 1, ..header() }, false).unwrap().contains("carom began")
        );
    }
}
