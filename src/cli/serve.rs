//! The command `carom serve`.

use super::position::{Begun, Start, play_words};
use super::{bad_input, complain};
use crate::serve::{ServeError, Server, Settings};
use crate::session::{self, chance::Chance, play_recorded};
use clap::Args;
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The default port.
const USUAL_PORT: u16 = 7407;

#[derive(Args, Debug)]
pub struct Serve {
    #[command(flatten)]
    start: Start,
    /// The port; 0 for any that is free [default: 7407, or any that is free]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Show a match that runs or has run, from its journal
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Keep all games in this file: a server that is ended and started again has them back
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Who may come: 127.0.0.1 is this machine alone, 0.0.0.0 everybody in your network (to play a friend on
    /// another machine)
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::from(Ipv4Addr::LOCALHOST))]
    address: IpAddr,
    /// How many games the engine may think about at once [default: one a processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    searches: Option<u16>,
}

impl Serve {
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let begun = self.start.is_given().then(|| self.start.begun()).transpose()?;
        let address = begun.map(|begun| address(&begun)).transpose()?;
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let settings = |port| Settings {
            address: self.address,
            port,
            journal: self.journal.clone(),
            searches: self.searches.map_or(processors, usize::from),
            store: self.store.clone(),
        };
        let server = match (self.port, Server::open(&settings(self.port.unwrap_or(USUAL_PORT)))) {
            (None, Err(ServeError::Address(error))) if error.kind() == io::ErrorKind::AddrInUse => {
                Server::open(&settings(0))
            }
            (_, opened) => opened,
        };
        let server = server.map_err(|error| match (self.port, error) {
            (_, ServeError::Store(error)) => bad_input(error),
            (Some(port), ServeError::Address(error)) if error.kind() == io::ErrorKind::AddrInUse => {
                bad_input(format!(
                    "port {port} is in use: leave --port out, or say --port 0, for one that is free"
                ))
            }
            (_, ServeError::Address(error)) => anyhow::anyhow!("cannot listen on {}: {error}", self.address),
        })?;
        if let Some(path) = self.journal.as_ref().filter(|path| !path.exists()) {
            let path = path.display();
            complain(&format!(
                "{path} is not there (yet): the page shows the match when `carom match -journal {path}` has begun"
            ));
        }
        let host = match self.address {
            address if address.is_loopback() || address.is_unspecified() => "localhost".to_owned(),
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => format!("[{address}]"),
        };
        let fragment = match (address, &self.journal) {
            (Some(address), _) => format!("#{address}"),
            (None, Some(_)) => "#match".to_owned(),
            (None, None) => String::new(),
        };
        let page = format!("http://{host}:{}/{fragment}", server.port());
        writeln!(out, "The board is at {page} (Ctrl-C ends it)")?;
        out.flush()?;
        if self.open {
            open(&page)?;
        }
        server.run();
        Ok(())
    }
}

/// What the page is asked to begin with: `game=alapo&fen=…`.
fn address(begun: &Begun) -> anyhow::Result<String> {
    let mut session = session::open(begun.facts, begun.rules.clone(), Chance::Referee);
    let position = begun.position.as_deref().filter(|text| *text != "startpos");
    session.set_up(position, &mut std::iter::empty()).map_err(bad_input)?;
    play_words(&begun.moves, |word| play_recorded(&mut *session, word))?;
    let mut address = format!("game={}", begun.facts.name);
    for (name, value) in begun.rules.iter() {
        address.push_str(&format!("&rule.{name}={}", encoded(value)));
    }
    if position.is_some() || session.tokens_played() > 0 {
        address.push_str(&format!("&fen={}", encoded(&session.position().to_string())));
    }
    Ok(address)
}

/// A text as it stands in an address.
fn encoded(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'/' | b'-' | b'*' | b'.' => char::from(byte).to_string(),
        _ if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}

/// Opens a page in the system's default browser.
fn open(page: &str) -> anyhow::Result<()> {
    let (program, first): (&str, &[&str]) = if cfg!(windows) {
        ("cmd", &["/c", "start", ""])
    } else if cfg!(target_os = "macos") {
        ("open", &[])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(first).arg(page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.spawn() {
        Ok(mut child) => {
            // The browser may run for any time; only this thread waits for it.
            std::thread::Builder::new().name("browser".into()).spawn(move || drop(child.wait()))?;
        }
        Err(error) => log::warn!("{program}: {error}; open the page yourself"),
    }
    Ok(())
}
