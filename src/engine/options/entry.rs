//! An option: its name, the values it takes and what it sets.

use super::settings::Settings;
use crate::protocol::{EngineOption, OptionType, TextPath};
use crate::variants;
use std::borrow::Cow;

/// An option of the engine, in both protocols.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its name in the protocols.
    pub name: &'static str,
    /// The values it takes, and what it sets.
    pub kind: OptionKind,
    /// One line that explains it to the user.
    pub help: &'static str,
    /// The protocols that offer it.
    pub offered: Offered,
}

/// The values an option takes, and what it sets.
#[derive(Clone, Debug)]
pub enum OptionKind {
    /// On or off.
    Check {
        /// The value until it is set.
        default: bool,
        /// What the value sets.
        sets: Setter<bool>,
    },
    /// A whole number in a range.
    Spin {
        /// The value until it is set.
        default: u64,
        /// The least value.
        min: u64,
        /// The greatest value.
        max: u64,
        /// What the value sets.
        sets: fn(&mut Settings, u64),
    },
    /// One of several fixed values; the first is the default.
    Combo {
        /// The values it takes.
        values: Vec<&'static str>,
        /// What the value sets.
        sets: Setter<&'static str>,
    },
    /// The game that is played; the values are the primary names of the games.
    Game(Vec<&'static str>),
    /// An action that is done at once.
    Button(Change),
    /// A text that only informs and cannot be changed.
    Text(String),
    /// A text the user may set; empty by default.
    Words(fn(&mut Settings, &str)),
}

/// Where the value of an option goes.
#[derive(Clone, Copy, Debug)]
pub enum Setter<T> {
    /// A setting of the engine.
    Setting(fn(&mut Settings, T)),
    /// The rule switch of the same name as the option.
    Switch,
}

impl Entry {
    /// Its name in a list that does not show the game, such as XBoard's dialog: a rule switch is shown with
    /// its game.
    pub fn label(&self) -> Cow<'static, str> {
        variants::switch_label(self.name).map_or(Cow::Borrowed(self.name), Cow::Owned)
    }

    /// The declaration of the option under the name `name`.
    pub fn declared(&self, name: &str) -> EngineOption {
        let kind = match &self.kind {
            OptionKind::Check { default, .. } => return EngineOption::check(name, *default),
            OptionKind::Spin { default, min, max, .. } => {
                return EngineOption::number(name, *default as i64, *min as i64, *max as i64);
            }
            OptionKind::Combo { values, .. } | OptionKind::Game(values) => OptionType::OneOf {
                choices: values.iter().copied().map(str::to_owned).collect(),
                current: values[0].to_owned(),
            },
            OptionKind::Button(_) => OptionType::Button,
            OptionKind::Text(text) => OptionType::Text { value: text.clone(), path: TextPath::None },
            OptionKind::Words(_) => OptionType::Text { value: String::new(), path: TextPath::None },
        };
        EngineOption { name: name.to_owned(), kind }
    }
}

/// The protocols in which an option is offered as such. XBoard has commands of its own for some.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Offered {
    /// In UCI; XBoard has the command named here instead.
    Uci {
        /// `memory`, `cores`, …; empty where XBoard has none.
        xboard: &'static str,
    },
    /// It is offered in the XBoard protocol only.
    Xboard,
    /// It is offered in both protocols.
    Both,
}

/// What the owner of the settings must do after a change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// Nothing has to be done now.
    Quiet,
    /// Clear the transposition table.
    ClearHash,
    /// The game was chosen, possibly the same again.
    Game,
}
