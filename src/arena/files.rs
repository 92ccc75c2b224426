//! The records of a match besides the journal: games as PGN and final positions as EPD. Both files grow at
//! their end, game by game.

use super::cross_table::GENERATOR;
use super::journal::{self, Header, JournalError};
use super::settings::{Records, Settings, SettingsError};
use crate::base::files::{private, replace};
use crate::base::without_controls;
use crate::pgn::{ChessNotation, CommentFields, GameRecord, PgnStyle};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The open record files of a match.
#[derive(Debug)]
pub struct Files {
    style: PgnStyle,
    pgn: Option<AppendFile>,
    epd: Option<AppendFile>,
}

#[derive(Debug)]
struct AppendFile {
    path: PathBuf,
    file: File,
}

impl AppendFile {
    /// Opens the file for appending. It is made private if `secret`: then a later game repeats what one in
    /// the file has revealed.
    fn open(path: &Path, secret: bool) -> Result<Self, JournalError> {
        let mut options = OpenOptions::new();
        options.create(true).append(true);
        let options = if secret { private(&mut options) } else { &mut options };
        Ok(Self {
            file: options.open(path).map_err(|error| JournalError::File(path.to_owned(), error))?,
            path: path.to_owned(),
        })
    }

    /// Writes in one call, so that no part of a game stands in the file without the rest.
    fn add(&mut self, text: &str) -> Result<(), JournalError> {
        let written = self.file.write_all(text.as_bytes());
        written.map_err(|error| JournalError::File(self.path.clone(), error))
    }
}

/// A final position as a line of EPD, with the game's data as operations. For chess these are EPD's four
/// fields, and the counters as operations; the positions of other games stand as they are.
fn epd_line(game: &GameRecord) -> String {
    let plain = |text: &str| without_controls(text).replace('"', "'");
    let fields: Vec<&str> = game.last.split(' ').collect();
    let position = match fields.as_slice() {
        [board, side, castling, passing, clock, number] if number.parse::<u32>().is_ok() => {
            format!("{board} {side} {castling} {passing} hmvc {clock}; fmvn {number};")
        }
        _ => game.last.clone(),
    };
    format!(
        "{position} c0 \"{} {}\"; c1 \"{} - {}\"; id \"game {}\";\n",
        game.result,
        plain(&game.reason),
        plain(&game.names[0]),
        plain(&game.names[1]),
        game.number
    )
}

/// How the games of a match are written as PGN.
pub fn style(settings: &Settings) -> PgnStyle {
    let pgnout = settings.records.pgnout.clone().unwrap_or_default();
    PgnStyle {
        facts: settings.facts,
        rules: settings.rules.clone(),
        event: settings.records.event().to_owned(),
        site: settings.records.site.clone().unwrap_or_else(|| "?".to_owned()),
        notation: match pgnout.notation.as_deref() {
            Some("uci") => ChessNotation::Coordinates,
            Some("lan") => ChessNotation::Long,
            _ => ChessNotation::Short,
        },
        minimal: pgnout.min,
        extras: CommentFields {
            time_left: pgnout.timeleft,
            latency: pgnout.latency,
            nodes: pgnout.nodes,
            selective_depth: pgnout.seldepth,
            nps: pgnout.nps,
            hash_full: pgnout.hashfull,
            table_hits: pgnout.tbhits,
            pv: pgnout.pv,
        },
    }
}

/// The paths of the PGN file and the EPD file.
fn names(records: &Records) -> [Option<&Path>; 2] {
    [records.pgnout.as_ref().map(|pgnout| pgnout.file.as_path()), records.epdout.as_deref()]
}

impl Files {
    /// The paths of the files and their present lengths in bytes, for the journal's first line.
    pub fn lengths(settings: &Settings) -> Vec<(PathBuf, u64)> {
        let files = names(&settings.records).into_iter().flatten();
        files.map(|path| (path.to_owned(), std::fs::metadata(path).map_or(0, |data| data.len()))).collect()
    }

    /// Empties the file of games if it is to be begun anew. What is no PGN is left alone.
    ///
    /// # Errors
    /// When the file cannot be emptied, or holds something else.
    pub fn begin_anew(settings: &Settings) -> Result<(), JournalError> {
        let Some(pgnout) = settings.records.pgnout.as_ref().filter(|pgnout| pgnout.append == Some(false))
        else {
            return Ok(());
        };
        let path = &pgnout.file;
        let failed = |error| JournalError::File(path.clone(), error);
        if !std::fs::metadata(path).is_ok_and(|old| old.is_file() && old.len() > 0) {
            return Ok(());
        }
        let mut begin = Vec::new();
        File::open(path).and_then(|file| file.take(7).read_to_end(&mut begin)).map_err(failed)?;
        if begin != *b"[Event " {
            return Err(JournalError::Foreign(path.clone()));
        }
        OpenOptions::new().write(true).truncate(true).open(path).map(drop).map_err(failed)
    }

    /// Opens the files for the games to come.
    ///
    /// # Errors
    /// When a file cannot be opened.
    pub fn open(settings: &Settings) -> Result<Self, JournalError> {
        let secret = settings.schedule.duplicate;
        let open = |path| AppendFile::open(path, secret);
        let [pgn, epd] = names(&settings.records).map(|path| path.map(open).transpose());
        Ok(Self { style: style(settings), pgn: pgn?, epd: epd? })
    }

    /// Makes the files agree with the journal at `path`: what stood in them when the match began, followed by
    /// each of its games. Each file is replaced in one step. What a file holds already must be the beginning
    /// of that; anything else is not ours to delete.
    ///
    /// # Errors
    /// When a file cannot be written, or holds what this match did not write.
    pub fn restore(settings: &Settings, path: &Path, header: &Header) -> Result<(), JournalError> {
        let style = style(settings);
        let texts: [&dyn Fn(&GameRecord) -> String; 2] = [&|game| style.write(game), &epd_line];
        for (file, text) in names(&settings.records).into_iter().zip(texts) {
            let Some(file) = file else { continue };
            // A file that exists keeps its permissions.
            AppendFile::open(file, settings.schedule.duplicate)?;
            let failed = |error| JournalError::File(file.to_owned(), error);
            let mut old = match File::open(file) {
                Ok(old) => Some(old),
                Err(error) if error.kind() == io::ErrorKind::NotFound => None,
                Err(error) => return Err(failed(error)),
            };
            if old.as_ref().is_some_and(|old| !old.metadata().is_ok_and(|data| data.is_file())) {
                continue;
            }
            let before = header.files.iter().find(|(name, _)| name == file).map_or(0, |(_, length)| *length);
            let mut read = Ok(());
            let mut ours = true;
            let replaced = replace(file, |out| {
                if let Some(old) = &mut old {
                    io::copy(&mut old.take(before), out)?;
                }
                let mut written = Ok(());
                read = journal::read(path, &mut |game, _| {
                    if written.is_ok() && ours {
                        let text = text(&game);
                        ours = old.as_mut().is_none_or(|old| goes_on_with(old, text.as_bytes()));
                        written = out.write_all(text.as_bytes());
                    }
                })
                .map(drop);
                ours &= old.as_mut().is_none_or(|old| goes_on_with(old, &[]));
                // Windows does not reliably replace a file that is open.
                old = None;
                if ours { written } else { Err(io::ErrorKind::InvalidData.into()) }
            });
            if !ours {
                return Err(JournalError::Foreign(file.to_owned()));
            }
            read?;
            replaced.map_err(failed)?;
        }
        Ok(())
    }

    /// Appends a game to the files.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn add(&mut self, game: &GameRecord) -> Result<(), JournalError> {
        if let Some(pgn) = &mut self.pgn {
            pgn.add(&self.style.write(game))?;
        }
        if let Some(epd) = &mut self.epd {
            epd.add(&epd_line(game))?;
        }
        Ok(())
    }

    /// The game as PGN.
    pub fn pgn(&self, game: &GameRecord) -> String {
        self.style.write(game)
    }
}

/// True when `old` goes on with `text`, or ends after a beginning of it. An empty `text` asks whether `old`
/// is at its end.
fn goes_on_with(old: &mut File, text: &[u8]) -> bool {
    let mut there = Vec::new();
    let most = text.len().max(1) as u64;
    old.take(most).read_to_end(&mut there).is_ok() && text.starts_with(&there)
}

/// Replaces the file's content by the page `text`, in one step. A file that is neither empty nor such a page
/// is left as it is.
///
/// # Errors
/// When the file cannot be written, or is something else.
pub fn write_page(path: &Path, text: &str) -> Result<(), JournalError> {
    let failed = |error| JournalError::File(path.to_owned(), error);
    if std::fs::metadata(path).is_ok_and(|old| old.is_file() && old.len() > 0) {
        let mut begin = Vec::new();
        File::open(path).and_then(|file| file.take(4096).read_to_end(&mut begin)).map_err(failed)?;
        if !String::from_utf8_lossy(&begin).contains(GENERATOR) {
            return Err(JournalError::Foreign(path.to_owned()));
        }
    }
    replace(path, |out| out.write_all(text.as_bytes())).map_err(failed)
}

/// Checks that no two of these are one file under two names. Each comes with a description for the error.
///
/// # Errors
/// Names the first two that are the same file.
pub fn all_different<'a>(files: impl IntoIterator<Item = (&'a str, &'a Path)>) -> Result<(), SettingsError> {
    let mut seen: Vec<(&str, &Path, FileIdentity)> = Vec::new();
    for (what, path) in files {
        // Any number of writers may share a device or a pipe.
        let Some(identity) = FileIdentity::of(path) else { continue };
        if let Some((other, name, _)) = seen.iter().find(|(.., other)| *other == identity) {
            let (name, path) = (name.display(), path.display());
            return Err(SettingsError(format!("{other} {name} and {what} {path} are the same file")));
        }
        seen.push((what, path, identity));
    }
    Ok(())
}

/// What two names of the same file have in common.
#[derive(PartialEq, Eq)]
enum FileIdentity {
    /// Device and inode number.
    #[cfg(unix)]
    Node(u64, u64),
    /// The canonical path.
    Path(PathBuf),
}

impl FileIdentity {
    /// `None` when the path is not an ordinary file.
    fn of(path: &Path) -> Option<Self> {
        match std::fs::metadata(path) {
            Ok(data) if !data.is_file() => None,
            #[cfg(unix)]
            Ok(data) => {
                use std::os::unix::fs::MetadataExt;
                Some(Self::Node(data.dev(), data.ino()))
            }
            #[cfg(not(unix))]
            Ok(_) => path.canonicalize().ok().map(Self::Path),
            // A link to a file that does not exist yet, or nothing at all.
            Err(_) => {
                let target =
                    std::fs::read_link(path).map_or_else(|_| path.to_owned(), |to| path.with_file_name(to));
                let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
                let folder = folder.unwrap_or(Path::new(".")).canonicalize();
                Some(Self::Path(
                    folder
                        .map_or(target.clone(), |folder| folder.join(target.file_name().unwrap_or_default())),
                ))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::scoreboard::tests::game;

    #[test]
    fn final_positions_have_the_fields_and_operations_of_epd() {
        let line = epd_line(&game(1, [0, 1], "1-0"));
        let board = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR";
        let operations = "hmvc 0; fmvn 2; c0 \"1-0 somebody mates\"; c1 \"E0 - E1\"; id \"game 1\";";
        assert_eq!(line, format!("{board} w KQkq - {operations}\n"));
        let last = "2rbp2/2rkp2/2***2/2***2/2***2/2PKR2/2PBR2 w - 0 1".to_owned();
        let other = epd_line(&GameRecord { last: last.clone(), ..game(1, [0, 1], "1-0") });
        assert!(other.starts_with(&format!("{last} c0 ")), "{other}");
    }
}
