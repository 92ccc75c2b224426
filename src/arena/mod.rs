//! Matches of engines: processes, clocks, a referee that knows the rules, records.
//!
//! A match is a list of numbered games. The [`Settings`] and the number of a game decide who plays, from
//! which opening, and with which dice and cards; in Swiss and knockout matches the results before it count
//! too. [`Tournament`] hands the numbers out to workers, which play the games in processes of their own under
//! a referee ([`play`]). Each game comes back as a [`GameRecord`](crate::pgn::GameRecord), and everything that is written or counted
//! is made from these records alone.

mod adjudication;
pub mod cross_table;
mod files;
mod game;
mod greeting;
pub mod journal;
mod opening_book;
mod player;
mod record;
mod running;
pub mod schedule;
mod scoreboard;
pub mod settings;
mod tournament;
mod uci_player;
mod verifier;
mod xboard_player;

pub use adjudication::{Adjudication, Adjudicator, DrawRule, ResignRule};
pub use files::{Files, all_different, write_page};
pub use game::{AbsentPlayer, Game, GameSetup, GameSnapshot, IllegalOpening, play, referee};
pub use greeting::{Features, Greeting, UciGreeting, connect, greet_uci, rule_options};
pub use opening_book::{Opening, OpeningBook};
pub use player::{
    Clocks, Fault, Limits, MoveDeadline, MoveReply, MoveRequest, NewGame, Player, PlayerSettings,
    PositionFormat, SearchInfo, launch,
};
pub use running::RunningGame;
pub use scoreboard::{MatchState, Scoreboard, Standing, listed};
pub use settings::{Settings, SettingsError};
pub use tournament::{MatchEvent, RunningEngine, Spectator, Tournament, TournamentError};
pub use uci_player::UciPlayer;
pub use verifier::{GameFault, Verifier};
pub use xboard_player::{XboardPlayer, coordinate_move, corrects_board};
