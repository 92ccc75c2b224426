//! Engine against engine: processes, clocks, a referee that knows the rules, records.

mod clock;
mod game;
mod pgn;
mod pgn_reader;
mod player;
mod process;
pub mod statistics;
mod uci_player;
mod words;
mod xboard_player;

pub use clock::{Clock, TimeControl, TimeControlError};
pub use game::{Ending, Game, Limits, Moment, Termination, play};
pub use pgn::pgn;
pub use pgn_reader::{TaggedGame, read_pgn};
pub use player::{Allowance, Answer, Fault, Opening, Player};
pub use process::{EngineCommand, Process};
pub use uci_player::UciPlayer;
pub use xboard_player::XboardPlayer;
