//! Options of the command line that several commands share.

use crate::draw::{Look, Style};
use clap::{Args, ValueEnum};
use std::io::{self, IsTerminal};

/// How the screen is drawn.
#[derive(Args, Debug, Clone, Copy)]
pub struct ScreenOptions {
    /// Colours: on a terminal, unless NO_COLOR is set [default]; always; never
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_default_value = true)]
    color: When,
    /// Letters for the pieces, where Unicode has figures for them
    #[arg(long)]
    letters: bool,
    /// Turn the board round: Black's pieces below
    #[arg(long)]
    pub flip: bool,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    Auto,
    Always,
    Never,
}

impl ScreenOptions {
    /// The look that follows from the options and the environment.
    pub fn look(self) -> Look {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let color = match self.color {
            When::Always => true,
            When::Never => false,
            When::Auto => {
                let dumb = set("TERM").is_some_and(|terminal| terminal == "dumb");
                io::stdout().is_terminal() && set("NO_COLOR").is_none() && !dumb
            }
        };
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set).unwrap_or_default();
        let locale = locale.to_string_lossy().to_ascii_lowercase().replace('-', "");
        let unicode = cfg!(windows) || locale.contains("utf8");
        let style = match (color, unicode && !self.letters) {
            (false, _) => Style::Plain,
            (true, false) => Style::Terminal,
            (true, true) => Style::Figures,
        };
        Look { style, turned: self.flip, tall: false }
    }
}
