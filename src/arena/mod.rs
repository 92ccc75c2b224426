//! Matches of engines: processes, clocks, a referee that knows the rules, records.
//!
//! A match is a list of numbered games. The [`Settings`] and the number of a game decide who plays, from
//! which opening, and with which dice and cards; in Swiss and knockout matches the results before it count
//! too. [`Tournament`] hands the numbers out to workers, which play the games in processes of their own under
//! a referee ([`play`]). Each game comes back as a [`GameRecord`](crate::pgn::GameRecord), and everything
//! that is written or counted is made from these records alone.

mod adjudication;
mod affinity;
mod claims;
pub mod cross_table;
mod files;
mod game;
pub mod journal;
mod opening_book;
mod player;
mod record;
mod running;
pub mod schedule;
mod scoreboard;
pub mod settings;
mod tournament;
mod verifier;

pub use crate::client::{
    Clocks, Fault, Limits, MoveRequest, NewGame, PlayerSettings, PositionFormat, Protocol, SearchInfo,
};
pub use adjudication::{Adjudication, Adjudicator, DrawRule, ResignRule};
pub use files::{Files, all_different, write_page};
pub use game::{AbsentPlayer, Game, GameSetup, GameSnapshot, IllegalOpening, play, referee};
pub use opening_book::{Opening, OpeningBook};
pub use player::{EnginePlayer, MoveReply, Player};
pub use running::RunningGame;
#[cfg(test)]
pub use scoreboard::tests::game as scoreboard_tests_game;
pub use scoreboard::{MatchState, Scoreboard, Standing, listed};
pub use settings::{Settings, SettingsError};
pub use tournament::{MatchEvent, RunningEngine, Spectator, Tournament, TournamentError};
pub use verifier::{GameFault, Verifier};
