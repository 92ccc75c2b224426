//! `carom xboard` and `carom install`: XBoard, or WinBoard on Windows, with all that a game needs.

use super::bad_input;
use super::position::GameName;
use crate::desktop::{self, DesktopError, Plan, Program};
use crate::game::{Facts, Rules};
use crate::session::{self, chance::Chance};
use crate::variants;
use crate::xboard;
use anyhow::Context;
use clap::Args;
use std::io::Write;
use std::path::PathBuf;

/// `carom xboard`
#[derive(Args, Debug)]
pub struct Start {
    #[command(flatten)]
    game: GameName,
    /// More options for XBoard, such as `-- -mode TwoMachines`
    #[arg(value_name = "OPTIONS", last = true)]
    options: Vec<String>,
}

/// `carom install`
#[derive(Args, Debug)]
pub struct Install {
    /// Into which program
    program: Program,
    /// Only say what would be written, and where
    #[arg(long)]
    print: bool,
    /// For all users of this machine: XBoard's own folder and the engines it finds by itself
    #[arg(long)]
    system: bool,
    /// With --system: the folder above share [/usr/local]
    #[arg(long, value_name = "FOLDER", requires = "system")]
    prefix: Option<PathBuf>,
    /// With --system: the path of Carom that XBoard is to start [this program]
    #[arg(long = "program", value_name = "FILE", requires = "system")]
    started: Option<PathBuf>,
    /// Take away what was installed; what is not Carom's stays
    #[arg(long)]
    uninstall: bool,
}

impl Start {
    /// Runs XBoard until it ends.
    pub fn run(&self) -> anyhow::Result<()> {
        let facts = self.game.facts()?.unwrap_or(variants::all()[0]);
        let mut start = desktop::Start::new(facts).map_err(fault)?;
        if self.options.is_empty() {
            eprintln!("{}", first_words(facts));
            if start.first {
                // Who plays this game for the first time is told in boxes what may be decided.
                start.command.args(["-firstOptions", "Prompts=full"]);
            }
        }
        // Ending this program ends XBoard and its engines, too.
        super::end_engines_with_us()?;
        let status = start.command.args(&self.options).status();
        // XBoard may be the first to be gone; its engines must be, too, before this program is.
        super::wait_if_ending();
        let status = status
            .with_context(|| format!("cannot start {}", start.command.get_program().to_string_lossy()))?;
        anyhow::ensure!(status.success(), "{} ended with {status}", start.program.title());
        Ok(())
    }
}

/// What the user must change is bad input; all else is a failure.
fn fault(error: DesktopError) -> anyhow::Error {
    match error {
        DesktopError::Refused(text) => bad_input(text),
        error => error.into(),
    }
}

/// The introduction, for XBoard accepts no line of thinking before the first ply.
fn first_words(facts: &'static Facts) -> String {
    let session = session::open(facts, Rules::of(facts), Chance::Own { seed: 1 });
    xboard::first_words(facts, session.prompt(&[]))
}

impl Install {
    /// Writes, or takes away, or shows what would be written.
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let plan = match self.program {
            Program::Winboard if self.system => {
                let text = "WinBoard keeps its settings in one place, for all users: leave out --system";
                return Err(bad_input(text));
            }
            Program::Winboard => Plan::for_winboard(),
            Program::Xboard if cfg!(windows) => {
                return Err(bad_input("XBoard is not for Windows: install winboard"));
            }
            Program::Xboard if self.system => {
                Plan::for_all_users(self.prefix.as_deref(), self.started.as_deref())
            }
            Program::Xboard => Plan::for_one_user(),
        };
        let plan = plan.map_err(fault)?;
        match (self.print, self.uninstall) {
            (true, _) => print(&plan, out),
            (_, true) => uninstall(&plan, out),
            _ => install(&plan, out),
        }
    }
}

fn print(plan: &Plan, out: &mut impl Write) -> anyhow::Result<()> {
    for (path, content) in &plan.files {
        writeln!(out, "# {}", path.display())?;
        // Pictures are of no use as text.
        if path.extension().is_none_or(|ending| ending != "svg" && ending != "bmp" && ending != "png") {
            writeln!(out, "{}", String::from_utf8_lossy(content))?;
        }
    }
    if let Some((path, lines)) = &plan.list {
        writeln!(out, "# {}: in -firstChessProgramNames", path.display())?;
        lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    }
    Ok(())
}

fn install(plan: &Plan, out: &mut impl Write) -> anyhow::Result<()> {
    for path in plan.install().map_err(fault)? {
        writeln!(out, "{} is not Carom's and stays as it is", path.display())?;
    }
    if plan.list.is_some() {
        let title = plan.program.title();
        writeln!(out, "{title} lists Carom's games among its engines (Engine > Load New 1st Engine)")?;
    }
    let names: Vec<_> = variants::all().iter().map(|facts| facts.name).collect();
    let name = plan.program.name();
    writeln!(out, "`{name} @GAME` starts a game: {}", names.join(", "))?;
    Ok(())
}

fn uninstall(plan: &Plan, out: &mut impl Write) -> anyhow::Result<()> {
    for line in plan.uninstall().map_err(fault)? {
        writeln!(out, "{line}")?;
    }
    Ok(writeln!(out, "{} knows nothing of Carom any more", plan.program.title())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_who_starts_xboard_reads_what_may_be_done_first() {
        let words = |name| first_words(variants::find(name).unwrap());
        assert_eq!(
            words("hanniball"),
            "HanniBall: you are White.\nStep 1 of 2: move a piece.\nClick a piece, and marks show where it may go. Once you have \
             moved, the line above the board and the window Engine Output say what may be decided."
        );
        for facts in variants::all() {
            assert!(words(facts.name).starts_with(facts.title), "{}", facts.name);
        }
    }
}
