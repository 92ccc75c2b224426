//! The command `carom comply`.

use super::bad_input;
use super::position::Game;
use super::progress::Progress;
use crate::comply::{ComplyError, Event, PROTOCOLS, Settings, examine, list};
use crate::connection::EngineCommand;
use crate::protocol::Protocol;
use anyhow::bail;
use clap::Args;
use clap::builder::PossibleValue;
use std::ffi::OsString;
use std::io::Write;
use std::time::Duration;

#[derive(Args, Debug)]
pub struct Comply {
    #[command(flatten)]
    game: Game,
    /// The language to speak with the engine
    #[arg(long, default_value = "auto", value_parser = [PossibleValue::new("auto").help("Try UCI first, then XBoard"), "uci".into(), "ugi".into(), "xboard".into()])]
    protocol: String,
    /// Only these checks
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',')]
    only: Vec<String>,
    /// Show the table of checks instead of examining an engine
    #[arg(long)]
    list: bool,
    /// How long the engine may take to answer, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds)]
    timeout: f64,
    /// How much longer than it was told an engine may think, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 500)]
    margin: u64,
    /// How long to listen where the engine should be silent, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 300)]
    silence: u64,
    /// One JSON object instead of text
    #[arg(long)]
    json: bool,
    /// Show what was said in every check, not only in those that failed
    #[arg(long)]
    verbose: bool,
    /// The engine and its arguments
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

pub(super) fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if seconds > 0.0 && seconds <= 3600.0 { Ok(seconds) } else { Err("not between 0 and 3600".to_owned()) }
}

impl Comply {
    pub fn run(self, out: &mut impl Write) -> anyhow::Result<()> {
        let protocol = Protocol::named(&self.protocol);
        if self.list {
            write!(out, "{}", list(protocol.as_ref().map_or(&PROTOCOLS[..], std::slice::from_ref)))?;
            return Ok(());
        }
        let settings = Settings {
            protocol,
            facts: self.game.facts()?,
            rules: self.game.rules()?,
            only: self.only,
            timeout: Duration::from_secs_f64(self.timeout),
            margin: Duration::from_millis(self.margin),
            silence: Duration::from_millis(self.silence),
        };
        let mut words = self.command.into_iter();
        let Some(program) = words.next() else {
            return Err(bad_input("which engine? say `carom comply -- COMMAND`"));
        };
        let command = EngineCommand::with_arguments(program, words.collect());
        let mut unwritten = Ok(());
        super::end_engines_with_us()?;
        let progress = Progress::begin("checks", 0)?;
        let examined = examine(&command, &settings, &mut |event| match event {
            Event::Asked(protocol) => progress.now(format!("does it speak {}?", protocol)),
            Event::Begun { number, done, of } => {
                progress.set(done as u64, of as u64);
                progress.now(number);
            }
            Event::Found(finding) => {
                super::wait_if_ending();
                if !self.json && unwritten.is_ok() {
                    let text = finding.text(self.verbose);
                    unwritten = progress.write(|| write!(out, "{text}").and_then(|()| out.flush()));
                }
            }
        });
        drop(progress);
        super::wait_if_ending();
        let report = examined.map_err(|error| match error {
            ComplyError::Number(_) => bad_input(error),
            error => error.into(),
        })?;
        unwritten?;
        if self.json {
            writeln!(out, "{}", report.json())?;
        } else {
            write!(out, "{}{}", report.title(), report.summary())?;
        }
        if !report.is_compliant() {
            bail!("{} fails checks that every engine must pass", report.engine);
        }
        Ok(())
    }
}
