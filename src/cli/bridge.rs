//! The command `carom bridge`.

use super::bad_input;
use crate::bridge::Outside;
use crate::bridge::{Settings, run};
use crate::client::Aliases;
use crate::client::Protocol;
use crate::connection::EngineCommand;
use anyhow::Context;
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args, Debug)]
pub struct Bridge {
    /// The game to begin with, by our name or the engine's
    #[arg(long, short, value_name = "NAME")]
    game: Option<String>,
    /// What to speak with the user's program [default: what its first line asks for]
    #[arg(long = "as", value_enum, value_name = "PROTOCOL")]
    outside: Option<Front>,
    /// What the engine speaks [default: found out]
    #[arg(long, value_enum, value_name = "PROTOCOL")]
    engine: Option<Speech>,
    /// A file with the engine's own names of games and men (see `carom docs bridge`)
    #[arg(long, value_name = "FILE")]
    aliases: Option<PathBuf>,
    /// Answer `isready` and `ping` at once, not when the engine has answered
    #[arg(long)]
    ready: bool,
    /// How long the engine may take to start, to get ready and to stop, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0, value_parser = super::comply::seconds)]
    patience: f64,
    /// The engine and its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// What is spoken outside.
#[derive(ValueEnum, Clone, Copy, Debug)]
enum Front {
    Uci,
    Xboard,
    /// UCI, until `ugi` is said
    Ugi,
}

/// What the engine speaks.
#[derive(ValueEnum, Clone, Copy, Debug)]
enum Speech {
    Uci,
    Xboard,
    Ugi,
}

impl Bridge {
    pub fn run(self, transcript: Option<PathBuf>, out: impl Write) -> anyhow::Result<()> {
        let aliases = match &self.aliases {
            None => Aliases::default(),
            Some(path) => {
                let text = std::fs::read_to_string(path)
                    .with_context(|| format!("cannot read {}", path.display()))?;
                let bad = |error| bad_input(format!("{}: {error}", path.display()));
                Aliases::read(&text).map_err(bad)?
            }
        };
        let mut words = self.command.into_iter();
        let Some(program) = words.next() else {
            return Err(bad_input("which engine? say `carom bridge -- COMMAND`"));
        };
        super::end_engines_with_us()?;
        let settings = Settings {
            command: EngineCommand { arguments: words.collect(), ..EngineCommand::new(program) },
            inside: self.engine.map(|speech| match speech {
                Speech::Uci => Protocol::Uci,
                Speech::Xboard => Protocol::Cecp,
                Speech::Ugi => Protocol::Ugi,
            }),
            outside: self.outside.map(|front| match front {
                Front::Uci | Front::Ugi => Outside::Uci,
                Front::Xboard => Outside::Xboard,
            }),
            game: self.game,
            aliases,
            transcript,
            answer_at_once: self.ready,
            patience: Duration::from_secs_f64(self.patience),
        };
        let done = run(settings, out);
        super::wait_if_ending();
        Ok(done?)
    }
}
