//! The record of a game of a match, made from what the referee saw.

use super::schedule::Pairing;
use super::{Fault, Game, GameSnapshot, MoveReply, SearchInfo};
use crate::base::Color;
use crate::connection::ProcessError;
use crate::pgn::{Ending, GameRecord, MoveInfoRecord, Termination, pgn_today};
use crate::session::TimeControl;
use std::time::Duration;

impl Fault {
    /// The ending of a game in which `color` has this fault.
    pub fn ending(&self, color: Color) -> Ending {
        let termination = match self {
            Self::Process(ProcessError::Disconnected) => Termination::Disconnect,
            Self::Process(ProcessError::TimedOut) => Termination::Stall,
            Self::Process(ProcessError::Flooded) => Termination::Flood,
            Self::Unfit(_) => Termination::Unfit,
            Self::Resigned => Termination::Resignation,
            Self::NoMove(_) => Termination::NoMove,
            Self::FalseClaim(_) => Termination::FalseClaim,
            Self::Refused(_) => Termination::Refusal,
        };
        Ending::loss(color, termination, self)
    }
}

impl MoveReply {
    /// The data that is recorded with the turn; `left` is the time on the player's clock afterwards.
    pub fn record(&self, left: Option<Duration>) -> MoveInfoRecord {
        let milliseconds = |time: Duration| time.as_millis() as u64;
        let SearchInfo { time, nodes, selective_depth, .. } = self.search_info;
        let opinion = self.search_info.to_string();
        let spent = self.spent.as_micros() as u64;
        let more = self.more.clone();
        let (left, time) = (left.map(milliseconds), time.map(milliseconds));
        MoveInfoRecord(opinion, spent, left, time, nodes, selective_depth, more)
    }
}

impl Pairing {
    /// The record of `game`, which was played as this pairing says.
    pub fn record(&self, game: Game, position: Option<String>, controls: [TimeControl; 2]) -> GameRecord {
        let mut record = GameRecord {
            number: self.number,
            round: self.round,
            pair: self.pair,
            engines: self.engines,
            names: game.names,
            result: game.ending.result().to_owned(),
            termination: game.ending.termination,
            reason: game.ending.reason,
            position,
            seed: self.seed,
            controls: controls.map(|control| control.to_string()),
            date: pgn_today(),
            turns: game.turns,
            last: game.last,
        };
        record.clean();
        record
    }

    /// The record of a game under way, as far as everyone may see it. The seed is always left out; where
    /// cards are hidden, so are the players' opinions.
    pub fn unfinished_record(
        &self,
        snapshot: &GameSnapshot<'_>,
        names: [String; 2],
        controls: [TimeControl; 2],
    ) -> GameRecord {
        let session = snapshot.session;
        let (start, last) = (session.public_start(), session.public_position());
        let turns = snapshot.turns.iter().map(|turn| snapshot.public_turn(turn)).collect();
        let ending = Ending::draw(Termination::Unterminated, "it is played");
        let game = Game { names, turns, ending, last: last.to_string(), reusable: [false; 2] };
        let start = (start != session.usual_start()).then(|| start.to_string());
        let record = self.record(game, start, controls);
        GameRecord { result: "*".to_owned(), seed: 0, ..record }
    }
}
