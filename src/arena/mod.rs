//! Engine against engine: processes, clocks, a referee that knows the rules, records.
//!
//! A match is a list of numbered games, each a function of the [`Settings`] and its number (for Swiss and knockout also
//! of the results before it): who plays, from which opening, with which dice and cards. [`Tournament`] hands the numbers out to workers,
//! each of which plays games in processes of its own under a referee ([`play`]); what comes back is a [`GameRecord`], and
//! everything that is written or counted is made from those alone.

mod adjudication;
mod clock;
pub mod columns;
pub mod cross_table;
mod files;
mod game;
mod greeting;
pub mod journal;
mod move_list;
mod opening_book;
mod pgn;
mod pgn_pairs;
mod pgn_reader;
mod player;
mod record;
mod running;
mod san;
pub mod schedule;
mod scoreboard;
pub mod settings;
pub mod statistics;
mod tournament;
mod uci_player;
mod verifier;
mod xboard_player;

pub use adjudication::{Adjudication, Adjudicator, DrawRule, ResignRule};
pub use clock::{Clock, TimeControl, TimeControlError, parse_seconds};
pub use files::{Files, all_different, private, write_page};
pub use game::{AbsentPlayer, Game, GameSetup, GameSnapshot, IllegalOpening, play, referee};
pub use greeting::{Features, Greeting, UciGreeting, connect, greet_uci, rule_options};
pub use move_list::{MoveList, MovePart};
pub use opening_book::{Opening, OpeningBook, legal_position};
pub use pgn::PgnStyle;
pub use pgn_pairs::{FinishedGame, find_pairs};
pub use pgn_reader::{PgnGame, read_pgn};
pub use player::{
    Clocks, Fault, Limits, MoveDeadline, MoveReply, MoveRequest, NewGame, Player, PlayerSettings,
    PositionFormat, Protocol, SearchInfo, launch,
};
pub use record::{Ending, GameRecord, MoveInfoRecord, Termination, TurnRecord, pgn_today};
pub use running::RunningGame;
pub use san::from_short;
pub use scoreboard::{MatchState, Scoreboard, Standing, listed};
pub use settings::{Settings, SettingsError};
pub use tournament::{MatchEvent, RunningEngine, Spectator, Tournament, TournamentError};
pub use uci_player::UciPlayer;
pub use verifier::{GameFault, Verifier};
pub use xboard_player::{XboardPlayer, coordinate_move, corrects_board};
