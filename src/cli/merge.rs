//! The command `carom merge`.

use super::bad_input;
use super::matches::{file_parser, summary};
use crate::arena::journal::{self, Event, Header, JournalError};
use crate::arena::settings::{PgnOut, Shard};
use crate::arena::{
    Files, MatchState, OpeningBook, Settings, Verifier, all_different, cross_table, write_page,
};
use anyhow::{Context, bail, ensure};
use clap::Args;
use litemap::LiteMap;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// What `carom match --shard` wrote in many places, joined: exactly as if it had been played in one.
#[derive(Args, Debug)]
pub struct Merge {
    /// The journals of the parts
    #[arg(required = true, value_name = "JOURNAL")]
    journals: Vec<PathBuf>,
    /// Write the joined journal, games in the order of their numbers
    #[arg(long, value_name = "FILE", value_parser = file_parser())]
    journal: Option<PathBuf>,
    /// Write the games as PGN
    #[arg(long, alias = "pgn", value_name = "FILE", value_parser = file_parser())]
    pgnout: Option<PathBuf>,
    /// Write the final positions as EPD
    #[arg(long, value_name = "FILE", value_parser = file_parser())]
    epdout: Option<PathBuf>,
    /// Tell where a sequential test stands: elo0=, elo1=, alpha=, beta=, model=
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    sprt: Vec<String>,
    /// Write a cross table as a web page
    #[arg(long, value_name = "FILE", value_parser = file_parser())]
    html: Option<PathBuf>,
    /// Join what there is where games are missing
    #[arg(long)]
    partial: bool,
}

/// For the number of each game, the index of its journal and the offset of its line. The games of shards lie
/// between each other, so that a sorted list would be slow.
type Places = BTreeMap<u64, (usize, u64)>;

/// An output file, which is removed again on failure.
struct Output<'a> {
    path: &'a Path,
    /// Whether it existed before, empty.
    was_there: bool,
    kept: bool,
}

impl<'a> Output<'a> {
    fn new(path: &'a Path) -> Self {
        Self { path, was_there: path.exists(), kept: false }
    }

    fn keep(mut self) {
        self.kept = true;
    }
}

impl Drop for Output<'_> {
    fn drop(&mut self) {
        if self.kept {
            return;
        }
        // If this fails, nothing more can be done.
        if !self.was_there {
            let _ = std::fs::remove_file(self.path);
        } else if self.path.is_file() {
            let _ = OpenOptions::new().write(true).open(self.path).and_then(|file| file.set_len(0));
        }
    }
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
        let (mut header, games) = self.read_parts()?;
        // The parts' own output files are not those of the joined match.
        for own in ["journal", "shard", "epdout", "html", "pgnout"] {
            header.settings.remove(own);
        }
        header.files.clear();
        let mut given = header.settings.clone();
        // A sequential test may have ended the match before its last game.
        let tested = Settings::read(&given, 1).map_err(bad_input)?.sprt.is_some();
        self.sprt.iter().try_for_each(|word| given.set_word("sprt", 0, word)).map_err(bad_input)?;
        let mut settings = Settings::read(&given, 1).map_err(bad_input)?;
        settings.records.pgnout = self.pgnout.clone().map(|file| PgnOut { file, ..PgnOut::default() });
        settings.records.epdout = self.epdout.clone();
        if settings.engines.len() != header.names.len() {
            return Err(bad_input("the journals name more or fewer engines than their settings"));
        }
        let missing = settings.schedule.total().map_or(0, |total| total.saturating_sub(games.len() as u64));
        let incomplete = || format!("{missing} games are missing (--partial joins what there is)");
        ensure!(missing == 0 || self.partial || tested, incomplete());
        let records = [&self.pgnout, &self.epdout].into_iter().flatten();
        for path in records.clone() {
            if std::fs::metadata(path).is_ok_and(|old| old.is_file() && old.len() > 0) {
                return Err(JournalError::Foreign(path.clone()).into());
            }
        }
        let mut outputs: Vec<Output<'_>> = records.map(|path| Output::new(path)).collect();
        if let Some(path) = &self.journal {
            File::create_new(path).with_context(|| format!("cannot create {}", path.display()))?;
            outputs.push(Output { path, was_there: false, kept: false });
        }
        let state = self.join(&header, &settings, &games)?;
        ensure!(missing == 0 || self.partial || state.decided.is_some(), incomplete());
        outputs.into_iter().for_each(Output::keep);
        if let Some(path) = &self.html {
            let total = settings.schedule.total();
            let title = settings.records.event();
            write_page(path, &cross_table::html(&state.scoreboard, &header.names, title, total))?;
        }
        out.write_all(summary(&state.scoreboard, &settings, &header.names, false, None).as_bytes())?;
        if missing > 0 {
            writeln!(out, "{missing} games are missing")?;
        }
        Ok(())
    }

    /// What the parts have in common, and where their games are.
    fn read_parts(&self) -> anyhow::Result<(Header, Places)> {
        let mut first: Option<Header> = None;
        let mut games = Places::new();
        let mut shards: LiteMap<String, &Path> = LiteMap::new();
        for (index, path) in self.journals.iter().enumerate() {
            let mut twice = None;
            let mut pairs = Vec::new();
            let reading = journal::read(path, &mut |game, offset| {
                pairs.push((game.number, game.pair));
                if let Some((earlier, _)) = games.insert(game.number, (index, offset)) {
                    twice.get_or_insert((game.number, earlier));
                }
            });
            let reading = reading.map_err(bad_input)?;
            let missing = || bad_input(format!("{}: no match begins there", path.display()));
            let header = reading.header.ok_or_else(missing)?;
            if let Some(difference) = first.as_ref().and_then(|first| header.difference(first, false)) {
                let (path, first) = (path.display(), self.journals[0].display());
                return Err(bad_input(format!("{path} is no part of the match of {first}: {difference}")));
            }
            if let Some((number, earlier)) = twice {
                let earlier = self.journals[earlier].display();
                let why = format!("game {number} stands in {earlier} and in {}", path.display());
                return Err(bad_input(why));
            }
            if let Some(text) = header.settings.get("shard") {
                let shard = Shard::try_from(text.clone()).map_err(bad_input)?;
                if let Some((number, _)) = pairs.iter().find(|(_, pair)| !shard.has(*pair)) {
                    bail!("{}: game {number} is none of part {text}", path.display());
                }
                if let Some(other) = shards.insert(text.clone(), path) {
                    bail!("{} and {} are both part {text}", other.display(), path.display());
                }
            }
            first.get_or_insert(header);
        }
        Ok((first.ok_or_else(|| bad_input("no journal is named"))?, games))
    }

    /// Verifies each game and writes it into the files.
    fn join(&self, header: &Header, settings: &Settings, games: &Places) -> anyhow::Result<MatchState> {
        // The openings may be on another machine.
        let book = OpeningBook::of(settings).map_err(|fault| fault.to_string()).and_then(|book| {
            let same = book.digest() == header.openings;
            if same { Ok(book) } else { Err("the openings are not those of the match".to_owned()) }
        });
        let warn = |fault: &String| {
            super::complain(&format!("{fault}: what each game began with is not compared with them"));
        };
        let mut verifier = Verifier::new(settings, header, book.inspect_err(warn).ok());
        let mut state = MatchState::default();
        let mut files = Files::open(settings)?;
        let append = |path: &PathBuf| OpenOptions::new().append(true).open(path);
        let mut joined = self.journal.as_ref().map(append).transpose()?.map(BufWriter::new);
        let mut write = |event: &Event| -> anyhow::Result<()> {
            if let Some(file) = &mut joined {
                serde_json::to_writer(&mut *file, event)?;
                file.write_all(b"\n")?;
            }
            Ok(())
        };
        write(&Event::Match(header.clone()))?;
        let mut sources: Vec<File> = self.journals.iter().map(File::open).collect::<Result<_, _>>()?;
        for (number, (index, offset)) in games {
            let path = &self.journals[*index];
            let game = journal::game_at(&mut sources[*index], path, *offset)?;
            let verified = verifier.verify(&game, &state.results);
            verified.with_context(|| format!("{}: game {number}", path.display()))?;
            state.add(settings, &game);
            files.add(&game)?;
            write(&Event::Game(Box::new(game)))?;
        }
        if let Some(file) = &mut joined {
            file.flush()?;
        }
        Ok(state)
    }
}
