//! `carom merge`

use super::bad_input;
use super::matches::summary;
use crate::arena::journal::{self, Event, Header, JournalError};
use crate::arena::settings::PgnOut;
use crate::arena::{Files, MatchState, Settings, all_different, cross_table, write_page};
use anyhow::Context;
use clap::Args;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

/// What `carom match --shard` wrote in many places, joined: exactly as if it had been played in one.
#[derive(Args, Debug)]
pub struct Merge {
    /// The journals of the parts
    #[arg(required = true, value_name = "JOURNAL")]
    journals: Vec<PathBuf>,
    /// Write the joined journal, games in the order of their numbers
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Write the games as PGN
    #[arg(long, alias = "pgn", value_name = "FILE")]
    pgnout: Option<PathBuf>,
    /// Write the final positions as EPD
    #[arg(long, value_name = "FILE")]
    epdout: Option<PathBuf>,
    /// Tell where a sequential test stands: elo0=, elo1=, alpha=, beta=, model=
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    sprt: Vec<String>,
    /// Write a cross table as a web page
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

impl Merge {
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let inputs = self.journals.iter().map(|path| ("the part", path));
        let outputs = [
            ("--journal", &self.journal),
            ("--pgnout", &self.pgnout),
            ("--epdout", &self.epdout),
            ("--html", &self.html),
        ];
        let outputs = outputs.into_iter().filter_map(|(what, path)| Some((what, path.as_ref()?)));
        let files = inputs.chain(outputs).map(|(what, path)| (what, path.as_path()));
        all_different(files).map_err(bad_input)?;
        let mut first: Option<Header> = None;
        // Game number: which journal, where in it.
        let mut games: BTreeMap<u64, (usize, u64)> = BTreeMap::new();
        for (index, path) in self.journals.iter().enumerate() {
            let mut twice = None;
            let reading = journal::read(path, &mut |game, offset| {
                if let Some((earlier, _)) = games.insert(game.number, (index, offset)) {
                    twice.get_or_insert((game.number, earlier));
                }
            })?;
            let missing = || bad_input(format!("{}: no match begins there", path.display()));
            let header = reading.header.ok_or_else(missing)?;
            if let Some(difference) = first.as_ref().and_then(|first| header.difference(first, false)) {
                let (path, first) = (path.display(), self.journals[0].display());
                return Err(bad_input(format!("{path} is no part of the match of {first}: {difference}")));
            }
            first.get_or_insert(header);
            if let Some((number, earlier)) = twice {
                let earlier = self.journals[earlier].display();
                let why = format!("game {number} stands in {earlier} and in {}", path.display());
                return Err(bad_input(why));
            }
        }
        let Some(mut header) = first else { return Ok(()) };
        // The parts' own files are theirs.
        for own in ["journal", "shard", "epdout", "html", "pgnout"] {
            header.settings.remove(own);
        }
        header.files.clear();
        let mut given = header.settings.clone();
        self.sprt.iter().try_for_each(|word| given.set_word("sprt", 0, word)).map_err(bad_input)?;
        let mut settings = Settings::read(&given, 1).map_err(bad_input)?;
        settings.records.pgnout = self.pgnout.clone().map(|file| PgnOut { file, ..PgnOut::default() });
        settings.records.epdout = self.epdout.clone();
        if settings.engines.len() != header.names.len() {
            return Err(bad_input("the journals name more or fewer engines than their settings"));
        }
        let mut state = MatchState::default();
        for path in [&self.pgnout, &self.epdout].into_iter().flatten() {
            if std::fs::metadata(path).is_ok_and(|old| old.is_file() && old.len() > 0) {
                return Err(JournalError::Foreign(path.clone()).into());
            }
        }
        let mut files = Files::open(&settings)?;
        let create = |path: &PathBuf| {
            File::create_new(path).with_context(|| format!("cannot create {}", path.display()))
        };
        let mut joined = self.journal.as_ref().map(create).transpose()?.map(BufWriter::new);
        let mut write = |event: &Event| -> anyhow::Result<()> {
            if let Some(file) = &mut joined {
                serde_json::to_writer(&mut *file, event)?;
                file.write_all(b"\n")?;
            }
            Ok(())
        };
        let names = header.names.clone();
        write(&Event::Match(header))?;
        let mut sources: Vec<File> = self.journals.iter().map(File::open).collect::<Result<_, _>>()?;
        for (index, offset) in games.values() {
            let game = journal::game_at(&mut sources[*index], &self.journals[*index], *offset)?;
            state.add(&settings, &game);
            files.add(&game)?;
            write(&Event::Game(Box::new(game)))?;
        }
        if let Some(file) = &mut joined {
            file.flush()?;
        }
        if let Some(path) = &self.html {
            let total = settings.schedule.total();
            write_page(path, &cross_table::html(&state.scoreboard, &names, settings.records.event(), total))?;
        }
        out.write_all(summary(&state.scoreboard, &settings, &names, false, None).as_bytes())?;
        let missing = settings.schedule.total().map_or(0, |total| total.saturating_sub(games.len() as u64));
        if missing > 0 {
            writeln!(out, "{missing} games are missing")?;
        }
        Ok(())
    }
}
