//! Finding good decisions: iterative deepening alpha-beta over decisions, for any game that fulfils the contract.
//!
//! The sign of a value follows the actor, not the ply: when the same player decides again, nothing is negated; when
//! chance decides, expected points are averaged by weight. Nothing here prints, reads options or looks at the real clock: the
//! clock is handed in, what is found is handed to a listener.

mod chances;
mod control;
mod limits;
mod order;
mod report;
mod root;
mod table;
mod tree;

pub use crate::base::threads::STACK;
pub use chances::Chances;
pub use control::{Clock, Control, WallClock};
pub use limits::{Budget, Deadlines, Limits};
pub use report::{Bound, Report};
pub use root::{Found, MAX_DEPTH, Task, search};
pub use table::{Table, TableError};
