//! `carom comply`: numbered checks of how an engine speaks UCI or the XBoard protocol, and a report of what it does wrong.
//!
//! A [`Check`] has a number that never changes its meaning, a level, and what the standard says. Each one is a small
//! conversation with the engine; what was said is kept as evidence. Moves are judged by our own rules, so engines of all
//! our games can be examined, other people's as well as ours.

mod check;
mod conversation;
mod document;
mod examine;
mod report;
mod scenes;
mod uci;
mod xboard;

pub use check::{Check, Level, Protocol};
pub use conversation::{EngineCommand, Said, Speaker};
pub use document::{document, list};
pub use examine::{ComplyError, Settings, examine};
pub use report::{Finding, Report, Verdict};

/// All checks of a protocol, by number.
#[must_use]
pub fn checks(protocol: Protocol) -> Vec<Check> {
    match protocol {
        Protocol::Uci => uci::table().map(|(check, _)| check).collect(),
        Protocol::Xboard => xboard::table().map(|(check, _)| check).collect(),
    }
}
