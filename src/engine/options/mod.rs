//! The options of the engine: one table that feeds UCI `option`, XBoard `feature option=`, `--help` and the docs.

mod table;

use crate::game::{Facts, Rules};
use crate::protocol::{EngineOption, OptionType, TextPath, same_words};
use crate::search::Player;
use crate::variants;
use crate::variants::chess::CHESS960;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;
pub use table::{document, table};

/// One option.
#[derive(Clone, Debug)]
pub struct Entry {
    /// As the protocols call it.
    pub name: &'static str,
    /// What values it takes.
    pub kind: Kind,
    /// One line for people.
    pub help: &'static str,
    /// Where it is offered.
    pub offered: Offered,
}

/// What values an option takes, and what it sets.
#[derive(Clone, Debug)]
pub enum Kind {
    /// On or off.
    Check {
        /// When nobody sets it.
        default: bool,
        /// What it sets.
        sets: Sets<bool>,
    },
    /// A whole number.
    Spin {
        /// When nobody sets it.
        default: u64,
        /// The least.
        min: u64,
        /// The greatest.
        max: u64,
        /// What it sets.
        sets: fn(&mut Settings, u64),
    },
    /// One of several words; the first is the default.
    Combo {
        /// The words.
        values: Vec<&'static str>,
        /// What it sets.
        sets: Sets<&'static str>,
    },
    /// The game; its values are what games are called first.
    Game(Vec<&'static str>),
    /// Something to be done at once.
    Button(Change),
    /// A text that only informs.
    Text(String),
    /// A text the user may set; empty by default.
    Words(fn(&mut Settings, &str)),
}

/// What a value is for.
#[derive(Clone, Copy, Debug)]
pub enum Sets<T> {
    /// A setting of the engine.
    Setting(fn(&mut Settings, T)),
    /// The rule switch that is called as the option is.
    Switch,
}

impl Entry {
    /// Its name in a list that says nothing of the games, as in XBoard's dialog: a rule switch with its game.
    pub fn label(&self) -> Cow<'static, str> {
        variants::switch_label(self.name).map_or(Cow::Borrowed(self.name), Cow::Owned)
    }

    /// As it is declared, under this name.
    pub fn declared(&self, name: &str) -> EngineOption {
        let kind = match &self.kind {
            Kind::Check { default, .. } => return EngineOption::check(name, *default),
            Kind::Spin { default, min, max, .. } => {
                return EngineOption::number(name, *default as i64, *min as i64, *max as i64);
            }
            Kind::Combo { values, .. } | Kind::Game(values) => OptionType::OneOf {
                choices: values.iter().copied().map(str::to_owned).collect(),
                current: values[0].to_owned(),
            },
            Kind::Button(_) => OptionType::Button,
            Kind::Text(text) => OptionType::Text { value: text.clone(), path: TextPath::None },
            Kind::Words(_) => OptionType::Text { value: String::new(), path: TextPath::None },
        };
        EngineOption { name: name.to_owned(), kind }
    }
}

/// In which protocols an option is offered as such; XBoard has commands of its own for some.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Offered {
    /// In UCI; XBoard says the same by the command named here.
    Uci {
        /// `memory`, `cores`, …; empty where it has none.
        xboard: &'static str,
    },
    /// In XBoard only.
    Xboard,
    /// In both.
    Both,
}

/// What a panic is, to the people who see it.
pub const MISTAKE: &str = "a mistake of this program (please report it)";

/// The largest table, in MB.
pub const MOST_HASH: u64 = 65_536;
/// The most threads.
pub const MOST_THREADS: u64 = 256;

/// The largest seed: XBoard holds numbers in 32 bits.
pub const MOST_SEED: u64 = i32::MAX as u64;

/// True for the facts of a game of ours; another program's games have facts of their own.
pub fn is_registered(facts: &Facts) -> bool {
    variants::all().into_iter().any(|own| std::ptr::eq(own, facts))
}

/// As GUIs show it: `Carom` and the number of its version.
pub fn engine_name() -> String {
    format!("Carom {}", env!("CARGO_PKG_VERSION"))
}

/// Who made this.
pub const AUTHOR: &str = "the Carom authors";

fn about() -> String {
    format!("{} by {AUTHOR}: chess programs' protocols for games they never heard of", engine_name())
}

/// What to do about draws by agreement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DrawOffers {
    /// Accept them when no better than that.
    Accept,
    /// Offer them, too.
    Offer,
    /// Neither.
    Ignore,
}

/// What the options are set to.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Size of the transposition table in MB.
    pub hash: usize,
    /// Threads to search with.
    pub threads: usize,
    /// How many best lines.
    pub lines: usize,
    /// Think on the opponent's time.
    pub ponder: bool,
    /// What is lost between engine and clock.
    pub overhead: Duration,
    /// The game.
    pub game: &'static Facts,
    /// The user analyses.
    pub analysing: bool,
    /// Show chances behind scores.
    pub show_wdl: bool,
    /// Play below strength.
    pub limit_strength: bool,
    /// How strong, if so.
    pub elo: u32,
    /// Who thinks.
    pub player: Player,
    /// The folder of endgame tables; empty for none.
    pub tables_path: String,
    /// Who plays against us, as UCI's text has it; empty when nobody said.
    pub opponent: String,
    /// A referee speaks for chance.
    pub referee: bool,
    /// The seed of our own dice and cards; 0: new in every game.
    pub seed: u64,
    /// Send `piece` lines to XBoard.
    pub piece_lines: bool,
    /// What to do about draws by agreement.
    pub draw_offers: DrawOffers,
    /// What such a draw is worth less than 0, in centipawns.
    pub contempt: i32,
    /// Turns that must have been played before one is agreed to.
    pub draw_after: usize,
    /// Resign lost games.
    pub resign: bool,
    /// How far behind one is in a lost game, in centipawns.
    pub resign_score: i32,
    /// For how many own turns in a row.
    pub resign_moves: u32,
    /// How turns of several steps are written in XBoard's protocol; holds from the next game on.
    pub turn_view: TurnView,
    /// How much is told to who plays by mouse, in XBoard's protocol.
    pub prompts: Prompts,
    /// Rule switches, by name.
    switches: BTreeMap<&'static str, String>,
}

/// How much is told to who plays by mouse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prompts {
    /// What may be decided, in a line of thinking.
    Brief,
    /// Also in a box, when it comes for the first time.
    Full,
    /// Only what must be answered.
    None,
}

/// How turns of several steps are written in XBoard's protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TurnView {
    /// Step by step for a program that lets us guide the user's mouse, else whole.
    Auto,
    /// A turn is one word.
    Whole,
    /// A step is a ply, with others that make XBoard's board agree.
    Steps,
}

/// What the holder of the settings must do after a change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// Nothing now.
    Quiet,
    /// Forget the table.
    ClearHash,
    /// The game was chosen (possibly the same again).
    Game,
}

/// An option that cannot be set so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// There is none of that name.
    #[error("no option is called `{0}`")]
    Unknown(String),
    /// It does not take this value.
    #[error("option {name} takes {expected}, not `{found}`")]
    Value {
        /// The option.
        name: String,
        /// What it takes.
        expected: String,
        /// What it was given.
        found: String,
    },
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            hash: 16,
            threads: 1,
            lines: 1,
            ponder: false,
            overhead: Duration::from_millis(10),
            game: variants::all()[0],
            analysing: false,
            show_wdl: false,
            limit_strength: false,
            elo: 1500,
            player: Player::Search,
            tables_path: String::new(),
            opponent: String::new(),
            referee: false,
            seed: 0,
            piece_lines: false,
            draw_offers: DrawOffers::Accept,
            contempt: 0,
            draw_after: 20,
            resign: false,
            resign_score: 900,
            resign_moves: 3,
            turn_view: TurnView::Auto,
            prompts: Prompts::Brief,
            switches: BTreeMap::new(),
        }
    }
}

impl Settings {
    /// Sets an option; names and values in either case. On an error nothing has changed.
    ///
    /// # Errors
    /// When there is no such option or it does not take the value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<Change, OptionError> {
        let named = |entry: &Entry| same_words(entry.name, name) || same_words(&entry.label(), name);
        let entry = table().into_iter().find(named).ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        let wrong = |expected: String| OptionError::Value {
            name: entry.name.to_owned(),
            expected,
            found: value.to_owned(),
        };
        let value = value.trim();
        match entry.kind {
            Kind::Button(change) => return Ok(change),
            Kind::Text(_) => {}
            Kind::Words(sets) => sets(self, value),
            Kind::Spin { min, max, sets, .. } => {
                let number = value.parse::<u64>().ok().filter(|n| (min..=max).contains(n));
                sets(self, number.ok_or_else(|| wrong(format!("a number from {min} to {max}")))?);
            }
            Kind::Check { sets, .. } => {
                let on = match value.to_ascii_lowercase().as_str() {
                    "true" | "1" | "on" => true,
                    "false" | "0" | "off" => false,
                    _ => return Err(wrong("true or false".to_owned())),
                };
                self.put(entry.name, sets, on);
            }
            Kind::Combo { values, sets } => {
                let chosen = values.iter().find(|v| v.eq_ignore_ascii_case(value));
                self.put(entry.name, sets, *chosen.ok_or_else(|| wrong(values.join(", ")))?);
            }
            Kind::Game(values) => {
                self.game = variants::find(value).map_err(|_| wrong(values.join(", ")))?;
                return Ok(Change::Game);
            }
        }
        Ok(Change::Quiet)
    }

    fn put<T: ToString>(&mut self, name: &'static str, sets: Sets<T>, value: T) {
        match sets {
            Sets::Setting(set) => set(self, value),
            Sets::Switch => drop(self.switches.insert(name, value.to_string())),
        }
    }

    /// Chess as it is, or Chess960.
    pub fn set_chess960(&mut self, on: bool) {
        self.switches.insert(CHESS960, on.to_string());
    }

    /// The rules the chosen game is played by.
    pub fn rules(&self) -> Rules {
        let mut rules = Rules::of(self.game);
        for switch in self.game.switches {
            if let Some(value) = self.switches.get(switch.name)
                && let Err(error) = rules.set(self.game, switch.name, value)
            {
                log::warn!("{error}");
            }
        }
        rules
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// What of the settings an option changes when it is set to something else than its default.
    fn changed(entry: &Entry) -> BTreeSet<String> {
        let value = match &entry.kind {
            Kind::Check { default, .. } => (!default).to_string(),
            Kind::Spin { default, min, max, .. } => if default == max { min } else { max }.to_string(),
            Kind::Combo { values, .. } | Kind::Game(values) => values[1].to_owned(),
            Kind::Words(_) => "somebody".to_owned(),
            Kind::Button(_) | Kind::Text(_) => String::new(),
        };
        let fields = |settings: &Settings| -> BTreeSet<(String, String)> {
            let text = format!("{settings:#?}");
            let field = |line: &str| {
                line.split_once(": ").map(|(name, value)| (name.trim().to_owned(), value.to_owned()))
            };
            text.lines().filter_map(field).collect()
        };
        let mut settings = Settings::default();
        let before = fields(&settings);
        settings.set(entry.name, &value).unwrap();
        // The map of the rule switches shows as a field, and the switch in it as one.
        let after =
            fields(&settings).difference(&before).map(|(name, _)| name.clone()).collect::<BTreeSet<_>>();
        after.into_iter().filter(|name| name != "switches").collect()
    }

    #[test]
    fn every_option_sets_something_and_no_other_sets_the_same() {
        let mut owners: BTreeMap<String, &str> = BTreeMap::new();
        for entry in table() {
            let changed = changed(&entry);
            let silent = matches!(entry.kind, Kind::Button(_) | Kind::Text(_));
            assert_eq!(changed.is_empty(), silent, "{}: {changed:?}", entry.name);
            for field in changed {
                let other = owners.insert(field.clone(), entry.name);
                assert_eq!(other, None, "{field} is set by {} too", entry.name);
            }
        }
    }
}
