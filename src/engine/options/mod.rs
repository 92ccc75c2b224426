//! The options of the engine: one table that feeds UCI's `option`, XBoard's `feature option=`, `--help` and
//! the docs.

mod table;

use crate::base::score::Score;
use crate::game::{Facts, Rules};
use crate::protocol::{EngineOption, OptionType, TextPath, same_words};
use crate::search::Player;
use crate::variants;
use crate::variants::chess::CHESS960;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;
pub use table::{document, table};

/// An option.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its name in the protocols.
    pub name: &'static str,
    /// The values it takes, and what it sets.
    pub kind: Kind,
    /// One line that explains it to the user.
    pub help: &'static str,
    /// The protocols that offer it.
    pub offered: Offered,
}

/// The values an option takes, and what it sets.
#[derive(Clone, Debug)]
pub enum Kind {
    /// On or off.
    Check {
        /// The value until it is set.
        default: bool,
        /// What the value sets.
        sets: Sets<bool>,
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
        sets: Sets<&'static str>,
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
pub enum Sets<T> {
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

/// The protocols in which an option is offered as such. XBoard has commands of its own for some.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Offered {
    /// In UCI; XBoard has the command named here instead.
    Uci {
        /// `memory`, `cores`, …; empty where XBoard has none.
        xboard: &'static str,
    },
    /// In XBoard only.
    Xboard,
    /// In both.
    Both,
}

/// How the user sees a panic described.
pub const MISTAKE: &str = "a mistake of this program (please report it)";

/// The largest transposition table, in MB.
pub const MOST_HASH: u64 = 65_536;
/// The largest number of threads.
pub const MOST_THREADS: u64 = 256;

/// The largest seed: XBoard holds numbers in 32 bits.
pub const MOST_SEED: u64 = i32::MAX as u64;

/// True for the facts of a registered game. Another program's games may have facts of their own.
pub fn is_registered(facts: &Facts) -> bool {
    variants::all().into_iter().any(|own| std::ptr::eq(own, facts))
}

/// The name GUIs show: `Carom` and the version.
pub fn engine_name() -> String {
    format!("Carom {}", env!("CARGO_PKG_VERSION"))
}

/// The authors, as the protocols send them.
pub const AUTHOR: &str = "the Carom authors";

fn about() -> String {
    format!("{} by {AUTHOR}: chess programs' protocols for games they never heard of", engine_name())
}

/// How to deal with draws by agreement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DrawOffers {
    /// Accept an offer when the engine expects nothing better.
    Accept,
    /// Accept offers and make them, too.
    Offer,
    /// Neither offer nor accept.
    Ignore,
}

/// The values of the options.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Size of the transposition table in MB.
    pub hash: usize,
    /// Threads to search with.
    pub threads: usize,
    /// How many best lines to search (`MultiPV`).
    pub lines: usize,
    /// The client may let the engine think on the opponent's time.
    pub ponder: bool,
    /// Time lost between engine and clock with every move.
    pub overhead: Duration,
    /// The game that is chosen.
    pub game: &'static Facts,
    /// True while the user analyses.
    pub analysing: bool,
    /// Show the chances of winning, drawing and losing with every score.
    pub show_wdl: bool,
    /// Play below strength.
    pub limit_strength: bool,
    /// The Elo to play at, if below strength.
    pub elo: u32,
    /// The algorithm that chooses the moves.
    pub player: Player,
    /// The folder of endgame tables; empty for none.
    pub tables_path: String,
    /// The opponent, as UCI sends it: title, rating, kind and name. Empty when it was not sent.
    pub opponent: String,
    /// A referee writes the outcome of chance into the moves.
    pub referee: bool,
    /// The seed of the engine's own dice and cards; 0 for a new one in every game.
    pub seed: u64,
    /// Send `piece` lines to XBoard.
    pub piece_lines: bool,
    /// How to deal with draws by agreement.
    pub draw_offers: DrawOffers,
    /// How much less than 0 a draw by agreement is worth, in centipawns.
    pub contempt: i32,
    /// Turns of both sides that must have been played before a draw is agreed to.
    pub draw_after: usize,
    /// Resign lost games.
    pub resign: bool,
    /// How far behind the engine must be for a game to count as lost, in centipawns.
    pub resign_score: i32,
    /// For how many of its own turns in a row it must be so.
    pub resign_moves: u32,
    /// How turns of several steps are written in the XBoard protocol; takes effect with the next game.
    pub turn_view: TurnView,
    /// How much is shown to a user who plays by mouse, in the XBoard protocol.
    pub prompts: Prompts,
    /// The values of rule switches, by name.
    switches: BTreeMap<&'static str, String>,
}

/// How much is shown to a user who plays by mouse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prompts {
    /// What may be decided is shown in a line of thinking.
    Brief,
    /// It is also shown in a box when it comes up for the first time.
    Full,
    /// Only what must be answered is shown.
    None,
}

/// How turns of several steps are written in the XBoard protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TurnView {
    /// Step by step for a program that lets us guide the user's mouse, otherwise whole.
    Auto,
    /// A turn is one token.
    Whole,
    /// A step is a ply, with further plies that make XBoard's board agree.
    Steps,
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

/// Why an option could not be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// There is no option of that name.
    #[error("no option is called `{0}`")]
    Unknown(String),
    /// The option does not take this value.
    #[error("option {name} takes {expected}, not `{found}`")]
    Value {
        /// The name of the option.
        name: String,
        /// The values it takes, as text.
        expected: String,
        /// The value it was given.
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
    /// Makes the engine play at this Elo, or at full strength when `elo` is `None`.
    pub fn play_at(&mut self, elo: Option<u32>) {
        self.limit_strength = elo.is_some();
        self.elo = elo.unwrap_or(self.elo);
    }

    /// True when the engine, which thinks `score` of its position, accepts a draw after this number of tokens.
    pub fn accepts_draw(&self, score: Score, tokens_played: usize) -> bool {
        tokens_played >= self.draw_after && score <= -self.contempt
    }

    /// Sets an option. Names and values are read in either case. On an error nothing has changed.
    ///
    /// # Errors
    /// When there is no such option, or it does not take the value.
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

    /// Chooses between plain chess and Chess960.
    pub fn set_chess960(&mut self, on: bool) {
        self.switches.insert(CHESS960, on.to_string());
    }

    /// The rules by which the chosen game is played.
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

    /// Which settings an option changes when it is set to something other than its default.
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
        // The map of the rule switches shows up as a field of its own, and so does the switch in it.
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
