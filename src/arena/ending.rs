//! How games end.

use super::Fault;
use crate::base::{Color, without_controls};
use crate::process::ProcessError;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How a game ended, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Who won; `None` for a draw or an unfinished game.
    pub winner: Option<Color>,
    /// What ended it.
    pub termination: Termination,
    /// The reason in words, with colours: `Black stalls`.
    pub reason: String,
}

/// What ends games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Termination {
    /// The rules of the game.
    Normal,
    /// A player gave up.
    Resignation,
    /// Both players wanted a draw.
    Agreement,
    /// Both scores stayed near zero.
    DrawAdjudication,
    /// A player's score stayed low.
    WinAdjudication,
    /// The runner's limit on the length of games.
    LengthAdjudication,
    /// A forced win that was proved.
    ExactAdjudication,
    /// A flag fell.
    TimeForfeit,
    /// An illegal turn.
    IllegalMove,
    /// No turn where there are legal ones: `0000`, `(none)`.
    NoMove,
    /// A claim that the game is over when it is not.
    FalseClaim,
    /// A refusal of what is legal.
    Refusal,
    /// The process ended.
    Disconnect,
    /// The process did not answer.
    Stall,
    /// The process wrote without end.
    Flood,
    /// The engine could not be started again, or cannot play this game.
    Unfit,
}

impl Termination {
    /// Every one.
    pub const ALL: [Self; 16] = [
        Self::Normal,
        Self::Resignation,
        Self::Agreement,
        Self::DrawAdjudication,
        Self::WinAdjudication,
        Self::LengthAdjudication,
        Self::ExactAdjudication,
        Self::TimeForfeit,
        Self::IllegalMove,
        Self::NoMove,
        Self::FalseClaim,
        Self::Refusal,
        Self::Disconnect,
        Self::Stall,
        Self::Flood,
        Self::Unfit,
    ];

    /// The class in PGN's `Termination` tag.
    pub const fn pgn(self) -> &'static str {
        match self {
            Self::Normal | Self::Resignation | Self::Agreement => "normal",
            Self::DrawAdjudication
            | Self::WinAdjudication
            | Self::LengthAdjudication
            | Self::ExactAdjudication => "adjudication",
            Self::TimeForfeit => "time forfeit",
            Self::IllegalMove | Self::NoMove | Self::FalseClaim | Self::Refusal | Self::Flood => {
                "rules infraction"
            }
            Self::Disconnect | Self::Unfit => "abandoned",
            Self::Stall => "stalled connection",
        }
    }

    /// True when an engine did what it must not do.
    pub const fn is_fault(self) -> bool {
        matches!(
            self,
            Self::TimeForfeit
                | Self::IllegalMove
                | Self::NoMove
                | Self::FalseClaim
                | Self::Refusal
                | Self::Disconnect
                | Self::Stall
                | Self::Flood
                | Self::Unfit
        )
    }
}

/// For statistics: `time forfeit`.
impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Normal => "normal",
            Self::Resignation => "resignation",
            Self::Agreement => "agreement",
            Self::DrawAdjudication => "draw adjudication",
            Self::WinAdjudication => "win adjudication",
            Self::LengthAdjudication => "length",
            Self::ExactAdjudication => "proved win",
            Self::TimeForfeit => "time forfeit",
            Self::IllegalMove => "illegal move",
            Self::NoMove => "no move",
            Self::FalseClaim => "false claim",
            Self::Refusal => "refusal",
            Self::Disconnect => "disconnect",
            Self::Stall => "stall",
            Self::Flood => "flood",
            Self::Unfit => "unfit",
        })
    }
}

/// A longer reason is cut off, in characters.
const LONGEST_REASON: usize = 300;

impl Ending {
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub const fn result(&self) -> &'static str {
        match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }

    /// `color` loses by something else than the rules of the game.
    pub fn loss(color: Color, termination: Termination, what: impl fmt::Display) -> Self {
        // What an engine said may stand in it.
        let reason = format!("{color} {what}");
        let mut reason = without_controls(&reason).into_owned();
        if let Some((end, _)) = reason.char_indices().nth(LONGEST_REASON) {
            reason.truncate(end);
            reason.push('…');
        }
        Self { winner: Some(!color), termination, reason }
    }

    /// `color` broke off.
    pub fn fault(color: Color, fault: &Fault) -> Self {
        let termination = match fault {
            Fault::Process(ProcessError::Disconnected) => Termination::Disconnect,
            Fault::Process(ProcessError::TimedOut) => Termination::Stall,
            Fault::Process(ProcessError::Flooded) => Termination::Flood,
            Fault::Unfit(_) => Termination::Unfit,
            Fault::Resigned => Termination::Resignation,
            Fault::NoMove(_) => Termination::NoMove,
            Fault::FalseClaim(_) => Termination::FalseClaim,
            Fault::Refused(_) => Termination::Refusal,
        };
        Self::loss(color, termination, fault)
    }
}
