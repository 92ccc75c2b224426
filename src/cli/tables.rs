//! The command `carom tables`.

use super::bad_input;
use super::position::GameBefore;
use super::progress::Progress;
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
    #[command(flatten)]
    game: GameBefore,
    /// Which game, rollerball, and the folder where they are [default: tables]
    #[arg(value_name = "GAME [FOLDER]", num_args = 0..=2)]
    words: Vec<PathBuf>,
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
        let (facts, rules, folder) = self.game.split(&self.words)?;
        let usual = [PathBuf::from("tables")];
        let [folder] = (if folder.is_empty() { &usual[..] } else { folder }) else {
            return Err(bad_input("expected a game and one folder: `carom tables build rollerball FOLDER`"));
        };
        if !std::ptr::eq(facts, &FACTS) {
            return Err(bad_input("rollerball is the only game with endgame tables"));
        }
        let sideways = rules.is_on(CLOCKWISE_SIDEWAYS);
        let mut tables = Build::new(sideways, self.threads as usize);
        if self.work == Work::Build {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        }
        let all = all();
        let all: Vec<&Pieces> =
            all.iter().filter(|pieces| pieces.len() + 2 <= self.pieces as usize).collect();
        let progress = Progress::begin("tables", all.len() as u64)?;
        progress.ends_at_interrupt()?;
        for pieces in &all {
            progress.now(title(pieces));
            let name = file_name(pieces, sideways);
            let there = match tables.read(folder, pieces) {
                Ok(there) => there,
                // If the path is something else, it must not be overwritten.
                Err(fault @ TableFault::Io(_)) => return Err(fault).context(name),
                Err(fault) if self.work == Work::Verify => return Err(fault).context(name),
                Err(fault) => {
                    progress.write(|| super::complain(&format!("{name}: {fault}; it is made again")));
                    false
                }
            };
            match (self.work, there) {
                (Work::Verify, false) => {
                    return Err(bad_input(format!("{name} is not in {}", folder.display())));
                }
                (Work::Verify, true) => {
                    if let Some(state) = verify(&tables, pieces) {
                        anyhow::bail!("{name} is wrong about {}", state.write());
                    }
                    progress.write(|| writeln!(out, "{} follows from what comes after", title(pieces)))?;
                }
                (Work::Build, there) => {
                    if !there {
                        build(&mut tables, pieces)?;
                        let written = tables.write(folder, pieces);
                        written.with_context(|| format!("cannot write {name}"))?;
                    }
                    progress.write(|| self.tell(&tables, pieces, out))?;
                }
            }
            progress.write(|| out.flush())?;
            progress.add(1);
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
