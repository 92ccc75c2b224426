//! The commands `carom completions` and `carom man`: files that a package installs beside the program.

use super::bad_input;
use clap::{Args, Command};
use clap_complete::Shell;
use std::io::Write;

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
}

impl Completions {
    pub fn run(&self, command: &mut Command, out: &mut impl Write) -> anyhow::Result<()> {
        // The generator panics if it cannot write.
        let mut text = Vec::new();
        clap_complete::generate(self.shell, command, "carom", &mut text);
        Ok(out.write_all(&text)?)
    }
}

impl Man {
    pub fn run(&self, mut command: Command, out: &mut impl Write) -> anyhow::Result<()> {
        command.build();
        let page = match &self.command {
            None => command,
            Some(name) => {
                let found = command.find_subcommand(name).cloned();
                found.ok_or_else(|| bad_input(format!("no command is called `{name}`")))?
            }
        };
        Ok(clap_mangen::Man::new(page).render(out)?)
    }
}
