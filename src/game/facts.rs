//! What there is to say of a game besides its rules: names, sizes, letters, rule switches.

use super::gui::XboardView;
use super::men::Man;
use crate::notation::{Coordinate, Position};
use std::collections::BTreeMap;

/// Facts about one game, fixed at compile time.
#[derive(Debug)]
pub struct Facts {
    /// The name in both protocols, on the command line and in records: `alapo-demotion`.
    pub name: &'static str,
    /// Other names it is known by (XBoard calls chess `normal`).
    pub aliases: &'static [&'static str],
    /// The name for people: `Alapo 8x8 with demotion`.
    pub title: &'static str,
    /// One line: how it is played and won.
    pub summary: &'static str,
    /// Width of the board.
    pub files: u8,
    /// Height of the board.
    pub ranks: u8,
    /// The number printed for the bottom rank: 1, or 0 on boards of ten ranks.
    pub first_rank: u8,
    /// How many pieces a hand may hold; 0 for games without hands.
    pub hand: u8,
    /// The start position as text.
    pub start: &'static str,
    /// True when dice or cards decide something.
    pub chance: bool,
    /// True when a game may end without a winner; where none can, nobody offers a draw.
    pub draws: bool,
    /// How fast a handicap grows with the points of `UCI_Elo` that are missing, in percent: less where it costs more strength.
    /// Measured by matches between levels.
    pub elo_scale: u32,
    /// How many lines the weakest level of `UCI_Elo` chooses from; the strongest that errs has five. More where the best five are often
    /// as good as each other.
    pub elo_lines: usize,
    /// The page of its rules, which games may share: its name below `protocol-docs/rules`, and the text.
    pub rules: (&'static str, &'static str),
    /// The rule switches.
    pub switches: &'static [Switch],
    /// Who has the ball and the like, read from a position; `None` where men have no roles.
    pub roles: Option<fn(&Position) -> Roles>,
    /// Its men, in the letters they are shown by, as a legend has them.
    pub men: &'static [Man],
    /// Opposite corners of what a picture of the board sets off: goals, wickets.
    pub goals: &'static [(Coordinate, Coordinate)],
    /// Opposite corners of what it draws a line around: goal areas.
    pub areas: &'static [(Coordinate, Coordinate)],
    /// How XBoard is shown the game.
    pub xboard: &'static XboardView,
}

/// What a picture of the board says besides what stands where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roles {
    /// ASCII signs before the letters of men.
    pub marks: Vec<(Coordinate, char)>,
    /// The same in words, a line each.
    pub lines: Vec<String>,
}

/// A rule that can be switched: an engine option, `--rule NAME[=VALUE]`, and a line in every record.
#[derive(Debug)]
pub struct Switch {
    /// `clockwise-sideways`.
    pub name: &'static str,
    /// What it may be.
    pub kind: SwitchKind,
    /// One line for help texts.
    pub help: &'static str,
}

/// The values of a switch.
#[derive(Debug)]
pub enum SwitchKind {
    /// Off (the default) or on.
    Check,
    /// One of several; the first is the default.
    Choice(&'static [&'static str]),
}

/// What is played: a game, and the settings of its switches that are not the default.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rules {
    game: Option<&'static str>,
    switches: BTreeMap<&'static str, &'static str>,
}

/// A switch that cannot be set so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// The game has no such switch.
    #[error("{game} has no rule switch `{name}`; it has: {known}")]
    Unknown {
        /// The game.
        game: &'static str,
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// The switch has no such value.
    #[error("rule switch `{name}` cannot be `{value}`; it can be: {known}")]
    Value {
        /// The switch.
        name: &'static str,
        /// What was asked for.
        value: String,
        /// What there is.
        known: String,
    },
}

impl Facts {
    /// What most games have: ranks from 1, no hands, no dice, no switches, no other names. The rest is each game's own.
    pub const PLAIN: Self = Self {
        name: "",
        aliases: &[],
        title: "",
        summary: "",
        files: 8,
        ranks: 8,
        first_rank: 1,
        hand: 0,
        start: "",
        chance: false,
        draws: true,
        elo_scale: 100,
        elo_lines: 5,
        rules: ("", ""),
        switches: &[],
        roles: None,
        men: &[],
        goals: &[],
        areas: &[],
        xboard: &XboardView::KNOWN,
    };

    /// True for orthodox chess, which both protocols take for granted.
    pub fn is_chess(&self) -> bool {
        self.answers_to("normal")
    }

    /// True when `name` is one of the names of this game, in either case.
    pub fn answers_to(&self, name: &str) -> bool {
        std::iter::once(&self.name).chain(self.aliases).any(|own| own.eq_ignore_ascii_case(name))
    }
}

impl Rules {
    /// The usual rules of the game `facts` describes. (The default is of no game in particular: where a type plays
    /// several, of the first.)
    pub const fn of(facts: &'static Facts) -> Self {
        Self { game: Some(facts.name), switches: BTreeMap::new() }
    }

    /// The name of the game, if it was said.
    pub const fn game(&self) -> Option<&'static str> {
        self.game
    }

    /// Sets a switch of the game `facts` describes. Names and values are read in either case; for a check `true`,
    /// `on`, `1` and nothing at all switch it on.
    ///
    /// # Errors
    /// When the game has no such switch or the switch no such value; nothing is changed then.
    pub fn set(&mut self, facts: &'static Facts, name: &str, value: &str) -> Result<(), RulesError> {
        let Some(switch) = facts.switches.iter().find(|s| s.name.eq_ignore_ascii_case(name)) else {
            let known: Vec<_> = facts.switches.iter().map(|s| s.name).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            return Err(RulesError::Unknown { game: facts.name, name: name.to_owned(), known });
        };
        let fail = |known: &str| RulesError::Value {
            name: switch.name,
            value: value.to_owned(),
            known: known.to_owned(),
        };
        let lower = value.to_ascii_lowercase();
        let chosen = match switch.kind {
            SwitchKind::Check => match lower.as_str() {
                "" | "true" | "on" | "1" => "true",
                "false" | "off" | "0" => "false",
                _ => return Err(fail("true, false")),
            },
            SwitchKind::Choice(values) => {
                *values.iter().find(|v| **v == lower).ok_or_else(|| fail(&values.join(", ")))?
            }
        };
        if chosen == switch.default() {
            self.switches.remove(switch.name);
        } else {
            self.switches.insert(switch.name, chosen);
        }
        Ok(())
    }

    /// True when the check `name` is on.
    pub fn is_on(&self, name: &str) -> bool {
        self.switches.get(name).is_some_and(|v| *v == "true")
    }

    /// The value of `name` if it is not the default.
    pub fn get(&self, name: &str) -> Option<&'static str> {
        self.switches.get(name).copied()
    }

    /// The switches that are not at their default, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &'static str)> + '_ {
        self.switches.iter().map(|(name, value)| (*name, *value))
    }

    /// True when every switch is at its default.
    pub fn is_empty(&self) -> bool {
        self.switches.is_empty()
    }
}

impl Switch {
    /// The value it has when nobody sets it.
    pub const fn default(&self) -> &'static str {
        match self.kind {
            SwitchKind::Check => "false",
            SwitchKind::Choice(values) => values[0],
        }
    }
}
