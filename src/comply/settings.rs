//! The settings of an examination.

use crate::game::{Facts, Rules};
use crate::protocol::Protocol;
use std::time::Duration;

/// What to examine, and how patiently.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The protocol to speak; `None` to detect it.
    pub protocol: Option<Protocol>,
    /// The game to play.
    pub facts: &'static Facts,
    /// The rules it is played by.
    pub rules: Rules,
    /// The numbers of the checks to run; empty for all.
    pub only: Vec<String>,
    /// How long the engine may take to answer.
    pub timeout: Duration,
    /// How much longer than its limit an engine may think.
    pub margin: Duration,
    /// How long to listen where the engine should be silent.
    pub silence: Duration,
}
