//! Who decides next, and how games end.

use crate::base::Color;
use std::fmt;

/// Who makes the next decision.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Actor {
    /// A player decides.
    Player(Color),
    /// Chance decides: the die or the pack of cards.
    Chance,
    /// Nobody decides: what stands on the board has ended the game.
    Nobody,
}

impl Actor {
    /// The player; `None` for chance and after the end.
    pub const fn player(self) -> Option<Color> {
        match self {
            Self::Player(color) => Some(color),
            Self::Chance | Self::Nobody => None,
        }
    }
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Player(color) => color.fmt(f),
            Self::Chance => f.write_str("Chance"),
            Self::Nobody => f.write_str("Nobody"),
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
    /// The number of the rule that ended it, as in `protocol-docs/rules`: `R36`.
    pub rule: &'static str,
    /// The reason, as text for the result line: `White king reached d6`.
    pub reason: &'static str,
}

impl Outcome {
    /// A win for `winner`.
    pub const fn win(winner: Color, rule: &'static str, reason: &'static str) -> Self {
        Self { winner: Some(winner), rule, reason }
    }

    /// A win for `winner`, where the reason names the winner: `reasons` holds the one for White, then the one
    /// for Black.
    pub const fn win_of(winner: Color, rule: &'static str, reasons: [&'static str; 2]) -> Self {
        Self::win(winner, rule, reasons[winner.index()])
    }

    /// A draw, by a rule and with a reason.
    pub const fn draw(rule: &'static str, reason: &'static str) -> Self {
        Self { winner: None, rule, reason }
    }

    /// The result: `1-0`, `0-1` or `1/2-1/2`.
    pub const fn result(&self) -> &'static str {
        match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

/// `1-0 {White king reached d6}`, as both protocols and PGN write it.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {{{}}}", self.result(), self.reason)
    }
}
