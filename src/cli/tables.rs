//! The command `carom tables`.

use super::bad_input;
use super::position::Game;
use crate::game::{Notation, TableFault};
use crate::variants::rollerball::tables::{Build, Pieces, all, build, file_name, title, verify};
use crate::variants::rollerball::{CLOCKWISE_SIDEWAYS, FACTS};
use anyhow::Context;
use clap::{Args, ValueEnum};
use std::io::Write;
use std::path::PathBuf;

/// Makes the endgame tables of Rollerball, up to two pieces beside the kings: who wins every position, and
/// how soon.
///
/// What is in the folder already is not made again, so that work that was broken off can go on. An engine
/// looks into the tables when its option TablesPath names the folder.
#[derive(Args, Debug)]
pub struct TablesOf {
    /// Make them, or check that those in the folder follow from each other
    #[arg(value_enum)]
    work: Work,
    /// Which game: rollerball
    #[arg(value_name = "GAME")]
    game: String,
    /// Where they are
    #[arg(value_name = "FOLDER", default_value = "tables")]
    folder: PathBuf,
    /// Set a rule switch of the game
    #[arg(long = "rule", value_name = "SWITCH[=VALUE]")]
    rules: Vec<String>,
    /// The most pieces, kings included
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(2..=4))]
    pieces: u32,
    /// How many threads work
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Work {
    Build,
    Verify,
}

impl TablesOf {
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let game = Game { game: self.game.clone(), rules: self.rules.clone() };
        if !std::ptr::eq(game.facts()?, &FACTS) {
            return Err(bad_input("rollerball is the only game with endgame tables"));
        }
        let sideways = game.rules()?.is_on(CLOCKWISE_SIDEWAYS);
        let mut tables = Build::new(sideways, self.threads as usize);
        if self.work == Work::Build {
            let folder = self.folder.display();
            std::fs::create_dir_all(&self.folder)
                .with_context(|| format!("cannot make the folder {folder}"))?;
        }
        for pieces in all().iter().filter(|pieces| pieces.len() + 2 <= self.pieces as usize) {
            let name = file_name(pieces, sideways);
            let there = match tables.read(&self.folder, pieces) {
                Ok(there) => there,
                // If the path is something else, it must not be overwritten.
                Err(fault @ TableFault::Io(_)) => return Err(fault).context(name),
                Err(fault) if self.work == Work::Verify => return Err(fault).context(name),
                Err(fault) => {
                    super::complain(&format!("{name}: {fault}; it is made again"));
                    false
                }
            };
            match (self.work, there) {
                (Work::Verify, false) => {
                    return Err(bad_input(format!("{name} is not in {}", self.folder.display())));
                }
                (Work::Verify, true) => {
                    if let Some(state) = verify(&tables, pieces) {
                        anyhow::bail!("{name} is wrong about {}", state.write());
                    }
                    writeln!(out, "{} follows from what comes after", title(pieces))?;
                }
                (Work::Build, there) => {
                    if !there {
                        build(&mut tables, pieces)?;
                        let written = tables.write(&self.folder, pieces);
                        written.with_context(|| format!("cannot write {name}"))?;
                    }
                    self.tell(&tables, pieces, out)?;
                }
            }
            out.flush()?;
        }
        Ok(())
    }

    fn tell(&self, tables: &Build, pieces: &Pieces, out: &mut impl Write) -> anyhow::Result<()> {
        let summary = tables.summary(pieces);
        let sum = (summary.won + summary.lost + summary.drawn).max(1);
        let percent = |count: u64| count * 100 / sum;
        write!(
            out,
            "{:<5} {:>9} positions, won {} %, lost {} %, drawn {} %",
            title(pieces),
            sum,
            percent(summary.won),
            percent(summary.lost),
            percent(summary.drawn)
        )?;
        if let Some(example) = summary.example {
            write!(out, "; the longest win takes {} turns: {}", summary.longest, example.write())?;
        }
        writeln!(out)?;
        Ok(())
    }
}
