//! The command `carom serve`.

use super::bad_input;
use crate::serve::{Server, Settings};
use crate::variants;
use clap::Args;
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The default port.
const USUAL_PORT: u16 = 7407;

#[derive(Args, Debug)]
pub struct Serve {
    /// Which game the page begins with (see `carom games`)
    #[arg(value_name = "GAME")]
    game: Option<String>,
    /// The port; 0 for any that is free [default: 7407, or any that is free]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Show a match that runs or has run, from its journal
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Who may connect: the address to listen on; any but the loopback address lets others play on this machine
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::from(Ipv4Addr::LOCALHOST))]
    address: IpAddr,
    /// How many games the engine may think about at once [default: one a processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    searches: Option<u16>,
}

impl Serve {
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let game = self.game.as_deref().map(variants::find).transpose().map_err(bad_input)?;
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let settings = |port| Settings {
            address: self.address,
            port,
            journal: self.journal.clone(),
            searches: self.searches.map_or(processors, usize::from),
        };
        let server = match (self.port, Server::open(&settings(self.port.unwrap_or(USUAL_PORT)))) {
            (None, Err(error)) if error.kind() == io::ErrorKind::AddrInUse => Server::open(&settings(0)),
            (_, opened) => opened,
        };
        let server = server.map_err(|error| anyhow::anyhow!("cannot listen on {}: {error}", self.address))?;
        let host = match self.address {
            address if address.is_loopback() || address.is_unspecified() => "localhost".to_owned(),
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => format!("[{address}]"),
        };
        let fragment = match (game, &self.journal) {
            (Some(facts), _) => format!("#game={}", facts.name),
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
