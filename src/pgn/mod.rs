//! Game records: what is kept of a game, written and read as PGN.
//!
//! [`GameRecord`] is the one object that journals, PGN and tables are made from. Matches and the games of
//! people both end in it.

mod pairs;
mod read;
mod record;
mod write;

pub use pairs::{FinishedGame, find_pairs};
pub use read::{PgnGame, read_pgn};
pub use record::{Ending, GameRecord, MoreInfoRecord, MoveInfoRecord, Termination, TurnRecord, pgn_today};
pub use write::{ChessNotation, CommentFields, PgnStyle};
