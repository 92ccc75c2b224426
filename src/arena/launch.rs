//! Starting an engine in the protocol it speaks.

use super::player::{Player, PlayerSettings};
use super::{Fault, UciPlayer, XboardPlayer};
use crate::process::EngineCommand;
use crate::protocol::uci::Dialect;
use serde::Deserialize;
use std::time::Duration;

/// A protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// UCI.
    Uci,
    /// The XBoard protocol.
    Cecp,
    /// UGI.
    Ugi,
}

/// How long an engine may take to answer a greeting in a protocol it perhaps does not speak, at the first try.
const FIRST_TRY: Duration = Duration::from_secs(3);

/// Starts the engine; with no `protocol` given, finds the one it answers to: UCI, XBoard's, UGI, each in a fresh process.
/// Also says which it was.
///
/// # Errors
/// When it does not start, or answers to none.
pub fn launch(
    command: &EngineCommand,
    protocol: Option<Protocol>,
    settings: &PlayerSettings,
) -> Result<(Box<dyn Player + Send>, Protocol), Fault> {
    let start = |protocol, settings: PlayerSettings, sure| -> Result<Box<dyn Player + Send>, Fault> {
        Ok(match protocol {
            Protocol::Uci => Box::new(UciPlayer::start(command, Dialect::Uci, settings)?),
            Protocol::Ugi => Box::new(UciPlayer::start(command, Dialect::Ugi, settings)?),
            Protocol::Cecp => Box::new(XboardPlayer::start(command, sure, settings)?),
        })
    };
    if let Some(protocol) = protocol {
        return Ok((start(protocol, settings.clone(), true)?, protocol));
    }
    let quick = PlayerSettings { start: settings.start.min(FIRST_TRY), ..settings.clone() };
    // A slow engine gets its whole time at the second try.
    let tries = if quick.start < settings.start { vec![&quick, settings] } else { vec![settings] };
    for settings in tries {
        for protocol in [Protocol::Uci, Protocol::Cecp, Protocol::Ugi] {
            match start(protocol, settings.clone(), false) {
                Ok(player) => return Ok((player, protocol)),
                // It speaks this protocol or none, but cannot be used.
                Err(fault @ Fault::Unfit(_)) => return Err(fault),
                Err(_) => {}
            }
        }
    }
    Err(Fault::Unfit(format!("`{command}` answers neither to `uci` nor to `xboard` nor to `ugi`")))
}
