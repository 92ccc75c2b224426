//! What describes a game besides its rules: names, sizes, letters, rule switches.

use super::lesson::Course;
use super::piece::Piece;
use super::win_model::WinModel;
use super::xboard_view::XboardView;
use crate::notation::{Coordinate, Position};
use litemap::LiteMap;

/// Facts about one game, fixed at compile time.
#[derive(Debug)]
pub struct Facts {
    /// The name in the protocols, on the command line and in records: `alapo-demotion`.
    pub name: &'static str,
    /// Other names of the game (XBoard calls chess `normal`).
    pub aliases: &'static [&'static str],
    /// The name shown to people: `Alapo 8x8 with demotion`.
    pub title: &'static str,
    /// One line on how the game is played and won.
    pub summary: &'static str,
    /// The width of the board.
    pub files: u8,
    /// The height of the board.
    pub ranks: u8,
    /// The number printed for the bottom rank: 1, or 0 on boards of ten ranks.
    pub first_rank: u8,
    /// The most pieces a hand may hold; 0 for games without hands.
    pub hand: u8,
    /// The start position, as text.
    pub start: &'static str,
    /// True when dice or cards decide something.
    pub chance: bool,
    /// True when the players hold cards that are hidden from each other.
    pub hidden: bool,
    /// True when a game may end without a winner. If not, no draws are offered.
    pub draws: bool,
    /// How fast a handicap grows with the points of `UCI_Elo` that are missing, in percent; smaller where a
    /// handicap costs more strength. It was measured by matches between levels.
    pub elo_scale: u32,
    /// How many of its centipawns a level of `UCI_Elo` gives away where a game with 100 gives away a hundred;
    /// more where a centipawn decides less.
    pub elo_margin: u32,
    /// How many lines the weakest level of `UCI_Elo` chooses from; the strongest level that makes mistakes
    /// has five. More where the best five are often equally good.
    pub elo_lines: usize,
    /// How scores become chances; `carom train` fits it to games.
    pub win_model: WinModel,
    /// The page of the game's rules, which games may share: its file name below `protocol-docs/rules`, and
    /// its text.
    pub rules: (&'static str, &'static str),
    /// The rule switches of the game.
    pub switches: &'static [Switch],
    /// Reads the roles of pieces (such as who has the ball) from a position; `None` where pieces have no
    /// roles.
    pub roles: Option<fn(&Position) -> Roles>,
    /// The pieces of the game, with the letters they are shown by, in the order of a legend.
    pub pieces: &'static [Piece],
    /// Rectangles, by opposite corners, that a picture of the board sets off: goals, wickets.
    pub goals: &'static [(Coordinate, Coordinate)],
    /// Rectangles, by opposite corners, that a picture of the board draws a line around: goal areas.
    pub areas: &'static [(Coordinate, Coordinate)],
    /// A guided first game, where there is one.
    pub course: Option<Course>,
    /// How the game is shown to XBoard.
    pub xboard: &'static XboardView,
}

/// What a picture of the board shows besides the pieces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roles {
    /// ASCII signs to print before the letters of pieces.
    pub marks: Vec<(Coordinate, char)>,
    /// The same as text, one line each.
    pub lines: Vec<String>,
}

/// A rule that can be switched: by an engine option, by `--rule NAME[=VALUE]`, and by a line in every record.
#[derive(Debug)]
pub struct Switch {
    /// The name of the switch: `clockwise-sideways`.
    pub name: &'static str,
    /// The values it may have.
    pub kind: SwitchKind,
    /// One line of description for help texts.
    pub help: &'static str,
}

/// The values that a switch may have.
#[derive(Debug)]
pub enum SwitchKind {
    /// Off (the default) or on.
    Check,
    /// One of several values; the first is the default.
    Choice(&'static [&'static str]),
}

/// The rules that are played: a game, and its switches that are not at their default.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rules {
    game: Option<&'static str>,
    switches: LiteMap<&'static str, &'static str>,
}

/// Why a switch cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// The game has no switch of this name.
    #[error("{game} has no rule switch `{name}`; it has: {known}")]
    Unknown {
        /// The name of the game.
        game: &'static str,
        /// The name that was given.
        name: String,
        /// The names of its switches, as a list.
        known: String,
    },
    /// The switch has no such value.
    #[error("rule switch `{name}` cannot be `{value}`; it can be: {known}")]
    Value {
        /// The name of the switch.
        name: &'static str,
        /// The value that was given.
        value: String,
        /// The values it may have, as a list.
        known: String,
    },
}

impl Facts {
    /// What most games have in common: ranks from 1, no hands, no dice, no switches, no other names. Each
    /// game sets the rest itself.
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
        hidden: false,
        draws: true,
        elo_scale: 100,
        elo_margin: 100,
        elo_lines: 5,
        win_model: WinModel::UNFITTED,
        rules: ("", ""),
        switches: &[],
        roles: None,
        pieces: &[],
        goals: &[],
        areas: &[],
        course: None,
        xboard: &XboardView::KNOWN,
    };

    /// The piece shown by a letter, in whatever case it is written.
    pub fn piece(&self, letter: u8) -> Option<&'static Piece> {
        self.pieces.iter().find(|piece| piece.letter == letter.to_ascii_uppercase())
    }

    /// True for chess, which both protocols take for granted.
    pub fn is_chess(&self) -> bool {
        self.answers_to("normal")
    }

    /// True when `name` is one of the names of this game; case is ignored.
    pub fn answers_to(&self, name: &str) -> bool {
        std::iter::once(&self.name).chain(self.aliases).any(|own| own.eq_ignore_ascii_case(name))
    }
}

impl Rules {
    /// The default rules of the game that `facts` describes. (`Rules::default()` names no game: a type that
    /// plays several games then plays the first.)
    pub const fn of(facts: &'static Facts) -> Self {
        Self { game: Some(facts.name), switches: LiteMap::new() }
    }

    /// The name of the game; `None` where none was given.
    pub const fn game(&self) -> Option<&'static str> {
        self.game
    }

    /// Sets a switch of the game that `facts` describes. The case of names and values is ignored; a check is
    /// switched on by `true`, `on`, `1` or an empty value.
    ///
    /// # Errors
    /// When the game has no such switch, or the switch no such value; nothing is changed then.
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

    /// True when the check named `name` is on.
    pub fn is_on(&self, name: &str) -> bool {
        self.switches.get(name).is_some_and(|v| *v == "true")
    }

    /// The value of the switch `name`; `None` if it is at its default.
    pub fn get(&self, name: &str) -> Option<&'static str> {
        self.switches.get(name).copied()
    }

    /// The names and values of the switches that are not at their default, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &'static str)> + '_ {
        self.switches.iter().map(|(name, value)| (*name, *value))
    }

    /// True when every switch is at its default.
    pub fn is_empty(&self) -> bool {
        self.switches.is_empty()
    }
}

impl Switch {
    /// The value of the switch when it is not set.
    pub const fn default(&self) -> &'static str {
        match self.kind {
            SwitchKind::Check => "false",
            SwitchKind::Choice(values) => values[0],
        }
    }
}
