//! `carom comply`: numbered checks of how an engine speaks UCI or the XBoard protocol, and a report of what
//! it does wrong.
//!
//! A [`Check`] has a number that never changes its meaning, a level, and a quotation of the standard. All
//! checks are listed in `checks/*.txt`, each with its script: a small conversation with the engine
//! (`script.rs` explains the form). What a script cannot judge is code, in `uci/checks.rs` and
//! `xboard/checks.rs`. The conversation is kept as evidence. Moves are judged by our own rules, so engines of
//! all our games can be examined, other people's as well as ours.

mod check;
mod conversation;
mod document;
mod examine;
mod positions;
mod protocols;
mod report;
mod runner;
mod script;
mod settings;
mod uci;
mod xboard;

pub use check::{Check, Level};
pub use conversation::{LogLine, Speaker};
pub use document::{document, list};
pub use examine::{ComplyError, Event, examine};
pub use protocols::{PROTOCOLS, checks};
pub use report::{Finding, Report, Verdict};
pub use settings::Settings;
