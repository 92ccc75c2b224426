//! The files a match is recorded in, besides the journal: games as PGN, final positions as EPD. Both grow at their end,
//! game by game.

use super::PgnStyle;
use super::journal::{self, Header, JournalError};
use super::record::GameRecord;
use super::settings::Settings;
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// The files of a match.
#[derive(Debug)]
pub struct Files {
    style: PgnStyle,
    pgn: Option<Growing>,
    epd: Option<Growing>,
}

#[derive(Debug)]
struct Growing {
    path: PathBuf,
    file: File,
}

impl Growing {
    fn open(path: &Path) -> Result<Self, JournalError> {
        let file = OpenOptions::new().create(true).append(true).open(path);
        Ok(Self {
            file: file.map_err(|error| JournalError::File(path.to_owned(), error))?,
            path: path.to_owned(),
        })
    }

    /// At once, so that no part of a game stands in the file without the rest.
    fn add(&mut self, text: &str) -> Result<(), JournalError> {
        let written = self.file.write_all(text.as_bytes());
        written.map_err(|error| JournalError::File(self.path.clone(), error))
    }
}

/// A final position, with what the game was in operations of EPD. Chess has EPD's four fields and its counters as
/// operations; the positions of other games stand as they are.
fn epd_line(game: &GameRecord) -> String {
    let plain = |text: &str| text.replace('"', "'");
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

/// The style of a match's PGN.
pub fn style(settings: &Settings) -> PgnStyle {
    PgnStyle {
        facts: settings.facts,
        rules: settings.rules.clone(),
        event: settings.records.event.clone(),
        site: settings.records.site.clone(),
        san: !settings.records.pgn_coordinates,
        minimal: settings.records.pgn_minimal,
    }
}

impl Files {
    /// The names of the files and how long they are, for the journal's first line.
    pub fn lengths(settings: &Settings) -> Vec<(PathBuf, u64)> {
        let records = &settings.records;
        let files = [&records.pgn, &records.epd].into_iter().flatten();
        files.map(|path| (path.clone(), std::fs::metadata(path).map_or(0, |data| data.len()))).collect()
    }

    /// Opens the files for games to come.
    ///
    /// # Errors
    /// When one cannot be opened.
    pub fn open(settings: &Settings) -> Result<Self, JournalError> {
        let open = |path: &Option<PathBuf>| path.as_deref().map(Growing::open).transpose();
        let records = &settings.records;
        Ok(Self { style: style(settings), pgn: open(&records.pgn)?, epd: open(&records.epd)? })
    }

    /// Makes the files say what the journal at `path` says, whatever they said before: what stood in them when the match
    /// began, then each of its games. Each is put in its place at once.
    ///
    /// # Errors
    /// When one cannot be written.
    pub fn restore(settings: &Settings, path: &Path, header: &Header) -> Result<(), JournalError> {
        let style = style(settings);
        let records = &settings.records;
        type Text<'a> = &'a dyn Fn(&GameRecord) -> String;
        let texts: [(&Option<PathBuf>, Text<'_>); 2] =
            [(&records.pgn, &|game| style.write(game)), (&records.epd, &epd_line)];
        for (file, text) in texts {
            let Some(file) = file else { continue };
            let failed = |error| JournalError::File(file.clone(), error);
            let before = header.files.iter().find(|(name, _)| name == file).map_or(0, |(_, length)| *length);
            let mut read = Ok(());
            replace(file, |out| {
                if before > 0 {
                    io::copy(&mut File::open(file)?.take(before), out)?;
                }
                let mut written = Ok(());
                read = journal::read(path, &mut |game, _| {
                    if written.is_ok() {
                        written = out.write_all(text(&game).as_bytes());
                    }
                })
                .map(drop);
                written
            })
            .map_err(failed)?;
            read?;
        }
        Ok(())
    }

    /// Adds a game.
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

/// Writes a whole file beside `path` and puts it in its place: readers see the old one or the new one.
fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut name: OsString = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let beside = path.with_file_name(name);
    let mut out = BufWriter::new(File::create(&beside)?);
    write(&mut out)?;
    out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_data()?;
    std::fs::rename(beside, path)
}

/// Puts `text` in place of the file's content, at once.
///
/// # Errors
/// When it cannot be written.
pub fn write_whole(path: &Path, text: &str) -> Result<(), JournalError> {
    replace(path, |out| out.write_all(text.as_bytes()))
        .map_err(|error| JournalError::File(path.to_owned(), error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::tally::tests::game;

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
