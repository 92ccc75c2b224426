//! Starting an engine in the protocol it speaks.

use super::player::{Manner, Player};
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
    manner: &Manner,
) -> Result<(Box<dyn Player + Send>, Protocol), Fault> {
    let start = |protocol, manner: Manner, sure| -> Result<Box<dyn Player + Send>, Fault> {
        Ok(match protocol {
            Protocol::Uci => Box::new(UciPlayer::start(command, Dialect::Uci, manner)?),
            Protocol::Ugi => Box::new(UciPlayer::start(command, Dialect::Ugi, manner)?),
            Protocol::Cecp => Box::new(XboardPlayer::start(command, sure, manner)?),
        })
    };
    if let Some(protocol) = protocol {
        return Ok((start(protocol, manner.clone(), true)?, protocol));
    }
    let quick = Manner { start: manner.start.min(FIRST_TRY), ..manner.clone() };
    // A slow engine gets its whole time at the second try.
    let tries = if quick.start < manner.start { vec![&quick, manner] } else { vec![manner] };
    for manner in tries {
        for protocol in [Protocol::Uci, Protocol::Cecp, Protocol::Ugi] {
            match start(protocol, manner.clone(), false) {
                Ok(player) => return Ok((player, protocol)),
                // It speaks this protocol or none, but cannot be used.
                Err(fault @ Fault::Unfit(_)) => return Err(fault),
                Err(_) => {}
            }
        }
    }
    Err(Fault::Unfit(format!("`{command}` answers neither to `uci` nor to `xboard` nor to `ugi`")))
}
