//! The commands `carom listen` and `carom wire`: engines over TCP and WebSockets.

use super::bad_input;
use crate::connection::EngineCommand;
use crate::connection::wire::{Address, Listener, ListenerSettings, relay};
use anyhow::Context;
use clap::Args;
use std::ffi::OsString;
use std::io::Write;
use std::net::{IpAddr, SocketAddr};

#[derive(Args, Debug)]
pub struct Listen {
    /// Where to listen
    #[arg(long, value_name = "IP", default_value = "127.0.0.1")]
    address: IpAddr,
    /// The port; 0: any that is free
    #[arg(long, value_name = "N", default_value_t = 7333)]
    port: u16,
    /// What callers must know: they call ws://HOST:PORT/TOKEN [only on this machine: nothing; else a new one]
    #[arg(long, value_name = "TEXT")]
    token: Option<String>,
    /// How many callers may have an engine at the same time
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..))]
    most: u16,
    /// What to speak with callers, whatever the engine speaks (see `carom bridge`)
    #[arg(long, value_name = "PROTOCOL", value_parser = ["uci", "xboard", "ugi", "usi", "ucci"])]
    bridge: Option<String>,
    /// The engine and its arguments [this Carom]
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

impl Listen {
    /// Listens until it is ended.
    pub fn run(self, out: &mut impl Write) -> anyhow::Result<()> {
        let own = std::env::current_exe().context("where am I?")?;
        let mut words: Vec<OsString> = self.command;
        if let Some(protocol) = &self.bridge {
            if words.is_empty() {
                return Err(bad_input("--bridge: which engine? say it behind `--`"));
            }
            let bridge = [own.clone().into(), "bridge".into(), "--as".into(), protocol.into(), "--".into()];
            words.splice(0..0, bridge);
        }
        let mut words = words.into_iter();
        let command = match words.next() {
            Some(program) => EngineCommand::with_arguments(program, words.collect()),
            None => EngineCommand::new(own),
        };
        let token = match self.token {
            Some(token) => token,
            None if self.address.is_loopback() => String::new(),
            None => format!("{:032x}", u128::from(fresh()) << 64 | u128::from(fresh())),
        };
        let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
        if !token.bytes().all(is_token) {
            return Err(bad_input("--token: letters, digits and -_.~ alone"));
        }
        if token.is_empty() && !self.address.is_loopback() {
            return Err(bad_input("--token: without one only this machine may call"));
        }
        super::end_engines_with_us()?;
        let settings = ListenerSettings { command, token: token.clone(), most: self.most.into() };
        let listener = Listener::new(SocketAddr::new(self.address, self.port), settings)
            .map_err(|error| bad_input(format!("{}:{}: {error}", self.address, self.port)))?;
        let address = listener.address()?;
        let slash = if token.is_empty() { "" } else { "/" };
        writeln!(out, "tcp://{address}{slash}{token}\nws://{address}{slash}{token}")?;
        out.flush()?;
        Ok(listener.run()?)
    }
}

fn fresh() -> u64 {
    crate::session::chance::fresh_seed()
}

#[derive(Args, Debug)]
pub struct Wire {
    /// tcp://HOST:PORT/TOKEN or ws://HOST:PORT/TOKEN, as `carom listen` prints it
    #[arg(value_name = "ADDRESS")]
    address: String,
}

impl Wire {
    /// Carries lines until one of both ends.
    pub fn run(&self) -> anyhow::Result<()> {
        relay(&self.address, std::io::stdout().lock()).map_err(|error| match error.kind() {
            std::io::ErrorKind::InvalidInput => bad_input(error),
            _ => anyhow::Error::new(error).context(Address::place(&self.address).to_owned()),
        })
    }
}
