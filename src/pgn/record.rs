//! The record of a game and its ending: one object that every kind of output is made from.

use crate::base::{Color, is_control, without_controls};
use crate::notation::parse_token;
use std::fmt;
use std::time::SystemTime;

/// How a game ended, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The winner; `None` for a draw or an unfinished game.
    pub winner: Option<Color>,
    /// What ended the game.
    pub termination: Termination,
    /// The reason as text, with the player's colour: `Black stalls`.
    pub reason: String,
}

/// The causes that end a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "cli", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Termination {
    /// The rules of the game ended it.
    Normal,
    /// A player resigned.
    Resignation,
    /// The players agreed to a draw.
    Agreement,
    /// Both scores stayed near zero.
    DrawAdjudication,
    /// A player's score stayed low.
    WinAdjudication,
    /// The game reached the limit on its length.
    LengthAdjudication,
    /// A forced win was proved.
    ExactAdjudication,
    /// A player's time ran out.
    TimeForfeit,
    /// A player made an illegal turn.
    IllegalMove,
    /// A player made no turn though there are legal ones: `0000`, `(none)`.
    NoMove,
    /// A player claimed wrongly that the game is over.
    FalseClaim,
    /// A player refused a legal turn.
    Refusal,
    /// An engine's process ended.
    Disconnect,
    /// An engine did not answer.
    Stall,
    /// An engine wrote without end.
    Flood,
    /// An engine could not be started again, or cannot play this game.
    Unfit,
    /// The game has not ended: a player saved it.
    Unterminated,
}

impl Termination {
    /// The text for statistics, the class in PGN's `Termination` tag, and whether an engine was at fault.
    const fn row(self) -> (&'static str, &'static str, bool) {
        match self {
            Self::Normal => ("normal", "normal", false),
            Self::Resignation => ("resignation", "normal", false),
            Self::Agreement => ("agreement", "normal", false),
            Self::DrawAdjudication => ("draw adjudication", "adjudication", false),
            Self::WinAdjudication => ("win adjudication", "adjudication", false),
            Self::LengthAdjudication => ("length", "adjudication", false),
            Self::ExactAdjudication => ("proved win", "adjudication", false),
            Self::TimeForfeit => ("time forfeit", "time forfeit", true),
            Self::IllegalMove => ("illegal move", "illegal move", true),
            Self::NoMove => ("no move", "rules infraction", true),
            Self::FalseClaim => ("false claim", "rules infraction", true),
            Self::Refusal => ("refusal", "rules infraction", true),
            Self::Disconnect => ("disconnect", "abandoned", true),
            Self::Stall => ("stall", "stalled connection", true),
            Self::Flood => ("flood", "rules infraction", true),
            Self::Unfit => ("unfit", "abandoned", true),
            Self::Unterminated => ("unterminated", "unterminated", false),
        }
    }

    /// The class in PGN's `Termination` tag.
    pub const fn pgn(self) -> &'static str {
        self.row().1
    }

    /// True when the engine's process was gone, perhaps because the whole match was being ended.
    pub const fn is_absence(self) -> bool {
        matches!(self, Self::Disconnect | Self::Unfit)
    }

    /// True when an engine was at fault.
    pub const fn is_fault(self) -> bool {
        self.row().2
    }
}

/// The text for statistics, such as `time forfeit`.
impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row().0)
    }
}

/// The longest reason in characters; a longer one is cut off.
const LONGEST_REASON: usize = 300;

impl Ending {
    /// The result as text: `1-0`, `0-1` or `1/2-1/2`.
    pub const fn result(&self) -> &'static str {
        match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }

    /// An ending without a winner.
    pub fn draw(termination: Termination, reason: impl Into<String>) -> Self {
        Self { winner: None, termination, reason: reason.into() }
    }

    /// `color` loses by something other than the rules of the game.
    pub fn loss(color: Color, termination: Termination, what: impl fmt::Display) -> Self {
        // The text may contain output of an engine.
        let reason = format!("{color} {what}");
        let mut reason = without_controls(&reason).into_owned();
        if let Some((end, _)) = reason.char_indices().nth(LONGEST_REASON) {
            reason.truncate(end);
            reason.push('…');
        }
        Self { winner: Some(!color), termination, reason }
    }

    /// The ending when a forced win was found for `winner`.
    pub fn proved(winner: Color) -> Self {
        Self {
            winner: Some(winner),
            termination: Termination::ExactAdjudication,
            reason: format!("{winner} wins by adjudication: a forced win was proved"),
        }
    }
}

/// A finished game, as in the journal. Everything that is written about a game (PGN, EPD, tables) is made
/// from this alone.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(serde::Serialize, serde::Deserialize))]
pub struct GameRecord {
    /// The number of the game in the match, from 1 on.
    pub number: u64,
    /// The number of the round, from 1 on.
    pub round: u64,
    /// The number of the pair: the games that share an opening.
    pub pair: u64,
    /// The engines' indices in the list, White's first.
    pub engines: [usize; 2],
    /// The players' names, White's first.
    pub names: [String; 2],
    /// The result: `1-0`, `0-1` or `1/2-1/2`.
    pub result: String,
    /// What ended the game.
    pub termination: Termination,
    /// The reason as text.
    pub reason: String,
    /// The first position, unless it is the game's own.
    #[cfg_attr(feature = "cli", serde(default, skip_serializing_if = "Option::is_none"))]
    pub position: Option<String>,
    /// The seed of its dice and cards; 0 while the game is under way.
    pub seed: u64,
    /// The time controls, White's first.
    pub controls: [String; 2],
    /// The date in UTC, in the format of PGN.
    pub date: String,
    /// The turns, those of the opening included.
    pub turns: Vec<TurnRecord>,
    /// The last position, as text.
    pub last: String,
}

/// A turn: its token, `w` or `b`, and the player's search data, which turns of the opening lack.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(serde::Serialize, serde::Deserialize))]
pub struct TurnRecord(pub String, pub char, pub Option<MoveInfoRecord>);

impl TurnRecord {
    /// Masks what not everyone may know: cards drawn, and all search data but the time used.
    pub fn hide_cards(&mut self) {
        if let Ok(token) = parse_token(&self.0) {
            self.0 = token.with_draws_hidden(|_| true).to_string();
        }
        if let Some(MoveInfoRecord(opinion, _, _, own_time, nodes, depth, more)) = &mut self.2 {
            (*opinion, *own_time, *nodes, *depth, *more) = (String::new(), None, None, None, None);
        }
    }
}

/// The data of a search: score and depth (`+0.15/12`); microseconds used; milliseconds left on the clock;
/// milliseconds used as the engine reports them; positions searched; selective depth in plies; and what else
/// the records ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(serde::Serialize, serde::Deserialize))]
pub struct MoveInfoRecord(
    pub String,
    pub u64,
    pub Option<u64>,
    pub Option<u64>,
    pub Option<u64>,
    #[cfg_attr(feature = "cli", serde(default))] pub Option<u32>,
    #[cfg_attr(feature = "cli", serde(default, skip_serializing_if = "Option::is_none"))]
    pub  Option<Box<MoreInfoRecord>>,
);

/// What an engine said of a turn beyond what every record has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "cli", serde(default))]
pub struct MoreInfoRecord {
    /// Positions a second.
    pub nps: Option<u64>,
    /// How full the hash table was, in thousandths.
    pub hashfull: Option<u32>,
    /// The positions found in endgame tables.
    pub tbhits: Option<u64>,
    /// The turns that it expected.
    pub pv: Option<String>,
    /// Lines that the settings ask for.
    pub lines: Vec<String>,
}

impl GameRecord {
    /// Removes control characters from all texts: nothing that is written or sent may contain them.
    pub fn clean(&mut self) {
        let texts = [&mut self.result, &mut self.reason, &mut self.date, &mut self.last];
        let texts =
            texts.into_iter().chain(&mut self.names).chain(&mut self.controls).chain(&mut self.position);
        let turns = self.turns.iter_mut().flat_map(|turn| {
            let (opinion, more) = match &mut turn.2 {
                Some(move_info) => (Some(&mut move_info.0), move_info.6.as_deref_mut()),
                None => (None, None),
            };
            let more = more.into_iter().flat_map(|more| more.lines.iter_mut().chain(&mut more.pv));
            opinion.into_iter().chain([&mut turn.0]).chain(more)
        });
        for text in texts.chain(turns).filter(|text| text.contains(is_control)) {
            *text = without_controls(text).into_owned();
        }
    }

    /// The winner; `None` for a draw or an unfinished game.
    pub fn winner(&self) -> Option<Color> {
        match self.result.as_str() {
            "1-0" => Some(Color::White),
            "0-1" => Some(Color::Black),
            _ => None,
        }
    }

    /// The half points of the engine at index `place`: 2 for a win, 1 for a draw, 0 for a loss or when it did
    /// not play.
    pub fn half_points(&self, place: usize) -> u32 {
        match self.winner() {
            Some(winner) => 2 * u32::from(self.engines[winner.index()] == place),
            None => u32::from(self.engines.contains(&place)),
        }
    }
}

/// Today's date in UTC, in the format of PGN.
pub fn pgn_today() -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    pgn_date(now.map_or(0, |past| past.as_secs()))
}

/// The date `seconds` after the beginning of 1970, in the format of PGN.
fn pgn_date(seconds: u64) -> String {
    // H. Hinnant's algorithm `civil_from_days`.
    let shifted = (seconds / 86_400) as i64 + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_index = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_index + 2) / 5 + 1;
    let month = if month_index < 10 { month_index + 3 } else { month_index - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}.{month:02}.{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_civil() {
        // Reference: `date -u -d @N`.
        for (seconds, date) in [
            (0, "1970.01.01"),
            (951_782_400, "2000.02.29"),
            (1_767_225_599, "2025.12.31"),
            (1_767_225_600, "2026.01.01"),
        ] {
            assert_eq!(pgn_date(seconds), date);
        }
    }
}
