//! The commands `carom completions` and `carom man`: files that a package installs beside the program.

use super::{bad_input, help};
use crate::base::files::write_whole;
use anyhow::Context;
use clap::{Args, Command};
use clap_complete::Shell;
use std::io::{self, Write};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct Completions {
    /// For which shell
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

#[derive(Args, Debug)]
pub struct Man {
    /// Of which command [default: of the program]
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
    /// Write the pages of a package there: one of the program, and one for each group of commands
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    folder: Option<PathBuf>,
}

impl Completions {
    pub fn run(&self, command: &mut Command, out: &mut impl Write) -> anyhow::Result<()> {
        // The generator panics if it cannot write.
        let mut text = Vec::new();
        clap_complete::generate(self.shell, command, "carom", &mut text);
        Ok(out.write_all(&text)?)
    }
}

/// The section of the manual for games.
const SECTION: &str = "6";

impl Man {
    pub fn run(&self, mut command: Command, out: &mut impl Write) -> anyhow::Result<()> {
        command.build();
        if let Some(folder) = &self.folder {
            for (name, page) in package(&command)? {
                let path = folder.join(name);
                write_whole(&path, &page).with_context(|| format!("cannot write {}", path.display()))?;
            }
            return Ok(());
        }
        let page = match &self.command {
            None => command,
            Some(name) => {
                let found = command.find_subcommand(name).cloned();
                found.ok_or_else(|| bad_input(format!("no command is called `{name}`")))?
            }
        };
        Ok(manual(page).render(out)?)
    }
}

fn manual(page: Command) -> clap_mangen::Man {
    clap_mangen::Man::new(page).section(SECTION)
}

/// The files of a package: the page of the program, one for each group of commands, and for each other
/// command a file that leads to the page of its group.
fn package(command: &Command) -> io::Result<Vec<(String, Vec<u8>)>> {
    let file = |name: &str| format!("carom-{name}.{SECTION}");
    let mut files = vec![(format!("carom.{SECTION}"), Vec::new())];
    manual(command.clone()).render(&mut files[0].1)?;
    for (heading, names) in help::GROUPS {
        let group = heading.to_lowercase();
        files.push((file(&group), page_of_group(command, &group, names)?));
        let others = names.iter().filter(|name| **name != group && **name != "help");
        files.extend(
            others.map(|name| (file(name), format!(".so man{SECTION}/{}\n", file(&group)).into_bytes())),
        );
    }
    Ok(files)
}

/// One page for the commands of a group, with a chapter for each.
fn page_of_group(command: &Command, group: &str, names: &[&str]) -> io::Result<Vec<u8>> {
    let commands = || names.iter().filter_map(|name| command.find_subcommand(name));
    let listed: Vec<&str> = commands().map(Command::get_name).filter(|name| *name != "help").collect();
    let mut page = Vec::new();
    let source = concat!("carom ", env!("CARGO_PKG_VERSION"));
    manual(command.clone()).title(format!("carom-{group}")).source(source).render_title(&mut page)?;
    writeln!(page, ".SH NAME\ncarom\\-{group} \\- the commands {} of carom(6)", listed.join(", "))?;
    for command in commands().filter(|command| command.get_name() != "help") {
        let (manual, mut chapter) = (manual(command.clone()), Vec::new());
        manual.render_synopsis_section(&mut chapter)?;
        manual.render_description_section(&mut chapter)?;
        manual.render_options_section(&mut chapter)?;
        if command.get_after_help().is_some() || command.get_after_long_help().is_some() {
            manual.render_extra_section(&mut chapter)?;
        }
        // What are sections on a page of its own are parts of a chapter here.
        let chapter = String::from_utf8_lossy(&chapter).replace("\n.SH ", "\n.SS ");
        writeln!(page, ".SH CAROM {}\n{chapter}", command.get_name().to_uppercase())?;
    }
    writeln!(page, ".SH SEE ALSO\ncarom(6), `carom docs` for all pages")?;
    Ok(page)
}
