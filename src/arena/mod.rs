//! Engine against engine: processes, clocks, a referee that knows the rules, records.
//!
//! A match is a list of numbered games, each a function of the [`Settings`] and its number (for Swiss and knockout also
//! of the results before it): who plays, from which opening, with which luck. [`Contest`] hands the numbers out to workers,
//! each of which plays games in processes of its own under a referee ([`play`]); what comes back is a [`GameRecord`], and
//! everything that is written or counted is made from those alone.

mod adjudication;
mod clock;
pub mod columns;
mod contest;
pub mod cross_table;
mod declared;
mod ending;
mod files;
mod game;
mod handshake;
pub mod journal;
mod launch;
mod match_state;
mod pgn;
mod pgn_reader;
mod player;
mod record;
mod san;
pub mod schedule;
pub mod settings;
mod starts;
pub mod statistics;
mod strength;
mod tally;
mod uci_player;
mod words;
mod xboard_player;

pub use adjudication::{Adjudication, DrawRule, Judge, ResignRule};
pub use clock::{Clock, TimeControl, TimeControlError, parse_seconds};
pub use contest::{Contest, ContestError, News, Seat, Spectator};
pub use ending::{Ending, Termination};
pub use files::{Files, all_different, write_page};
pub use game::{Absent, BadOpening, Game, Moment, Terms, Thought, Turn, play, referee};
pub use launch::{Protocol, launch};
pub use match_state::MatchState;
pub use pgn::PgnStyle;
pub use pgn_reader::{PgnGame, read_pgn};
pub use player::{
    Allowance, Answer, Fault, Limits, Manner, Opening, Opinion, Patience, Player, Positions, Question, Score,
};
pub use record::{GameRecord, ThoughtRecord, TurnRecord, pgn_date};
pub use settings::{Settings, SettingsError};
pub use starts::{Start, Starts};
pub use strength::{Strength, strength};
pub use tally::{Score as HeadToHead, Standing, Tally};
pub use uci_player::UciPlayer;
pub use words::{Transcript, Word};
pub use xboard_player::XboardPlayer;
