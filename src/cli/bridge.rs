//! The command `carom bridge`.

use super::{bad_input, unreadable};
use crate::bridge::{Settings, run};
use crate::client::{Aliases, Protocol};
use crate::connection::EngineCommand;
use clap::Args;
use clap::builder::PossibleValue;
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
    #[arg(long = "as", value_name = "PROTOCOL", value_parser = ["uci".into(), "xboard".into(), PossibleValue::new("ugi").help("UCI, until `ugi` is said"), PossibleValue::new("usi").help("Of programs for Shogi"), PossibleValue::new("ucci").help("Of programs for Xiangqi")])]
    outside: Option<String>,
    /// What the engine speaks [default: found out]
    #[arg(long, value_name = "PROTOCOL", value_parser = ["uci", "xboard", "ugi", "usi", "ucci"])]
    engine: Option<String>,
    /// A file with the engine's own names of games and pieces (see `carom docs bridge`)
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

impl Bridge {
    pub fn run(self, transcript: Option<PathBuf>, out: impl Write) -> anyhow::Result<()> {
        let aliases = match &self.aliases {
            None => Aliases::default(),
            Some(path) => {
                let text = std::fs::read_to_string(path).map_err(|error| unreadable(path, &error))?;
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
            command: EngineCommand::with_arguments(program, words.collect()),
            inside: self.engine.as_deref().and_then(Protocol::named),
            outside: self.outside.as_deref().and_then(Protocol::named),
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
