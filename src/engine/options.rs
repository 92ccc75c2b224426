//! The options of the engine: one table that feeds UCI `option`, XBoard `feature option=`, `--help` and the docs.

use super::handicap::{LEAST_ELO, MOST_ELO};
use crate::game::{Facts, Rules, SwitchKind};
use crate::variants;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

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

/// All options, rule switches last.
pub fn table() -> Vec<Entry> {
    let spin = |name, default, min, max, offered, help, sets| Entry {
        name,
        kind: Kind::Spin { default, min, max, sets },
        help,
        offered,
    };
    let check = |name, offered, help, sets| Entry {
        name,
        kind: Kind::Check { default: false, sets: Sets::Setting(sets) },
        help,
        offered,
    };
    let combo = |name, values: &[&'static str], offered, help, sets| Entry {
        name,
        kind: Kind::Combo { values: values.to_vec(), sets: Sets::Setting(sets) },
        help,
        offered,
    };
    let uci = |xboard| Offered::Uci { xboard };
    let games = variants::all();
    let mut table = vec![
        spin(
            "Hash",
            16,
            1,
            MOST_HASH,
            uci("memory"),
            "size of the transposition table in MB",
            |settings, megabytes| settings.hash = megabytes as usize,
        ),
        Entry {
            name: "Clear Hash",
            kind: Kind::Button(Change::ClearHash),
            help: "forget what the transposition table holds",
            offered: Offered::Both,
        },
        spin(
            "Threads",
            1,
            1,
            MOST_THREADS,
            uci("cores"),
            "threads to search with; only one is reproducible",
            |settings, threads| settings.threads = threads as usize,
        ),
        spin("MultiPV", 1, 1, 256, Offered::Both, "how many best lines to show", |settings, lines| {
            settings.lines = lines as usize;
        }),
        check(
            "Ponder",
            uci("hard"),
            "the user's program may let the engine think on the opponent's time",
            |settings, on| settings.ponder = on,
        ),
        spin(
            "Move Overhead",
            10,
            0,
            5000,
            Offered::Both,
            "milliseconds lost between engine and clock with every move; kept in hand",
            |settings, milliseconds| settings.overhead = Duration::from_millis(milliseconds),
        ),
        Entry {
            name: "UCI_Variant",
            kind: Kind::Game(games.iter().map(|facts| facts.name).collect()),
            help: "the game",
            offered: uci("variant"),
        },
        check("UCI_AnalyseMode", uci("analyze"), "the user is analysing, not playing", |settings, on| {
            settings.analysing = on;
        }),
        check(
            "UCI_ShowWDL",
            uci(""),
            "show the chances of winning, drawing and losing behind every score",
            |settings, on| settings.show_wdl = on,
        ),
        check(
            "UCI_LimitStrength",
            Offered::Both,
            "play below strength, as UCI_Elo says; not while analysing",
            |settings, on| settings.limit_strength = on,
        ),
        spin(
            "UCI_Elo",
            1500,
            u64::from(LEAST_ELO),
            u64::from(MOST_ELO),
            Offered::Both,
            "how strong to play when strength is limited; a nominal scale, the same in all games",
            |settings, elo| settings.elo = elo as u32,
        ),
        Entry {
            name: "UCI_Opponent",
            kind: Kind::Words(|settings, name| {
                name.clone_into(&mut settings.opponent);
                log::info!("playing against `{name}`");
            }),
            help: "who plays against the engine: title, rating, computer or human, name; only written to the log",
            offered: uci("name"),
        },
        Entry {
            name: "UCI_EngineAbout",
            kind: Kind::Text(about()),
            help: "who made this",
            offered: uci("feature myname"),
        },
        combo(
            "Chance",
            &["self", "referee"],
            Offered::Both,
            "who rolls and deals: the engine itself, or a referee who writes the outcome into the moves",
            |settings, who| settings.referee = who == "referee",
        ),
        spin(
            "Chance Seed",
            0,
            0,
            MOST_SEED,
            Offered::Both,
            "the luck of the engine's own dice and cards, and of its mistakes when strength is limited; 0: new in every game",
            |settings, seed| settings.seed = seed,
        ),
        check(
            "Piece Lines",
            Offered::Xboard,
            "describe the moves to XBoard where it can express them, for playing with its legality testing on",
            |settings, on| settings.piece_lines = on,
        ),
        combo(
            "Draw Offers",
            &["accept", "offer", "ignore"],
            Offered::Xboard,
            "draws by agreement: only accept them, offer them too, or neither",
            |settings, what| {
                settings.draw_offers = match what {
                    "offer" => DrawOffers::Offer,
                    "ignore" => DrawOffers::Ignore,
                    _ => DrawOffers::Accept,
                };
            },
        ),
        spin(
            "Contempt",
            0,
            0,
            1000,
            Offered::Xboard,
            "centipawns that a draw by agreement is worth less than 0",
            |settings, centipawns| settings.contempt = centipawns as i32,
        ),
        spin(
            "Draw After",
            20,
            0,
            1000,
            Offered::Xboard,
            "turns of both sides that must have been played before a draw is agreed to",
            |settings, turns| settings.draw_after = turns as usize,
        ),
        check("Resign", Offered::Xboard, "resign lost games", |settings, on| settings.resign = on),
        spin(
            "Resign Score",
            900,
            50,
            10_000,
            Offered::Xboard,
            "centipawns one must be behind for a game to count as lost",
            |settings, centipawns| settings.resign_score = centipawns as i32,
        ),
        spin(
            "Resign Moves",
            3,
            1,
            100,
            Offered::Xboard,
            "own turns in a row that it must have been so",
            |settings, moves| settings.resign_moves = moves as u32,
        ),
        combo(
            "Turn View",
            &["auto", "whole", "steps"],
            Offered::Xboard,
            "how turns of several steps are written: each as one word, or step by step in plies that agree with \
             XBoard's board; auto: step by step for a program that accepted `highlight`",
            |settings, view| {
                settings.turn_view = match view {
                    "whole" => TurnView::Whole,
                    "steps" => TurnView::Steps,
                    _ => TurnView::Auto,
                };
            },
        ),
        combo(
            "Prompts",
            &["brief", "full", "none"],
            Offered::Xboard,
            "how much is told to who plays by mouse: brief, in a line of thinking, which XBoard shows above the board and in \
             its engine output; full, also in a box when it comes for the first time; none, only what must be answered",
            |settings, how_much| {
                settings.prompts = match how_much {
                    "full" => Prompts::Full,
                    "none" => Prompts::None,
                    _ => Prompts::Brief,
                };
            },
        ),
        Entry {
            name: "End Turn",
            kind: Kind::Button(Change::Quiet),
            help: "where a turn has several steps: make no more of them",
            offered: Offered::Xboard,
        },
    ];
    for switch in games.iter().flat_map(|facts| facts.switches) {
        if table.iter().any(|entry| entry.name == switch.name) {
            continue;
        }
        let kind = match switch.kind {
            SwitchKind::Check => Kind::Check { default: false, sets: Sets::Switch },
            SwitchKind::Choice(values) => Kind::Combo { values: values.to_vec(), sets: Sets::Switch },
        };
        table.push(Entry { name: switch.name, kind, help: switch.help, offered: Offered::Both });
    }
    table
}

/// True for the facts of a game of ours; another program's games have facts of their own.
pub fn is_registered(facts: &Facts) -> bool {
    variants::all().into_iter().any(|own| std::ptr::eq(own, facts))
}

/// `Carom 0.1.0`.
pub fn engine_name() -> String {
    format!("Carom {}", env!("CARGO_PKG_VERSION"))
}

/// Who made this.
pub const AUTHOR: &str = "the Carom authors";

fn about() -> String {
    format!("{} by {AUTHOR}: chess programs' protocols for games they never heard of", engine_name())
}

/// The table as a page for people: `protocol-docs/options.md`.
pub fn document() -> String {
    let mut page = String::from(
        "# Options\n\nUCI sets an option by `setoption name NAME value VALUE`, XBoard by `option NAME=VALUE` or by the command named in the last\n\
         column; where that names the option anew, both names are read. Names and values are read in either case. (This page is made from the table in the program; a test keeps it so.)\n\n\
         | option | values | default | what it does | in XBoard |\n|---|---|---|---|---|\n",
    );
    for entry in table() {
        let (values, default) = match &entry.kind {
            Kind::Check { default, .. } => ("`true`, `false`".to_owned(), format!("`{default}`")),
            Kind::Spin { default, min, max, .. } => (format!("{min} to {max}"), default.to_string()),
            Kind::Combo { values, .. } | Kind::Game(values) => (
                values.iter().map(|value| format!("`{value}`")).collect::<Vec<_>>().join(", "),
                format!("`{}`", values[0]),
            ),
            Kind::Button(_) => ("a button".to_owned(), String::new()),
            Kind::Text(_) => ("a text, read only".to_owned(), String::new()),
            Kind::Words(_) => ("a text".to_owned(), "empty".to_owned()),
        };
        let xboard = match entry.offered {
            Offered::Uci { xboard: "" } => "none".to_owned(),
            Offered::Uci { xboard } => format!("`{xboard}`"),
            Offered::Xboard => "option, not in UCI".to_owned(),
            Offered::Both if entry.label() == entry.name => "option".to_owned(),
            Offered::Both => format!("option `{}`", entry.label()),
        };
        page.push_str(&format!("| {} | {values} | {default} | {} | {xboard} |\n", entry.name, entry.help));
    }
    page
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
    /// Who plays against us, as UCI's text has it; empty when nobody said.
    pub opponent: String,
    /// A referee speaks for chance.
    pub referee: bool,
    /// The luck of our own dice and cards; 0: new in every game.
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Prompts {
    /// What may be decided, in a line of thinking.
    #[default]
    Brief,
    /// Also in a box, when it comes for the first time.
    Full,
    /// Only what must be answered.
    None,
}

/// How turns of several steps are written in XBoard's protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TurnView {
    /// Step by step for a program that lets us guide the user's mouse, else whole.
    #[default]
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
    /// A rule switch was set.
    Rules,
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
        let entry = table().into_iter().find(|entry| same(entry.name, name) || same(&entry.label(), name));
        let entry = entry.ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        let wrong = |expected: String| OptionError::Value {
            name: entry.name.to_owned(),
            expected,
            found: value.to_owned(),
        };
        let value = value.trim();
        match entry.kind {
            Kind::Button(change) => Ok(change),
            Kind::Text(_) => Ok(Change::Quiet),
            Kind::Words(sets) => {
                sets(self, value);
                Ok(Change::Quiet)
            }
            Kind::Spin { min, max, sets, .. } => {
                let number = value.parse::<u64>().ok().filter(|n| (min..=max).contains(n));
                sets(self, number.ok_or_else(|| wrong(format!("a number from {min} to {max}")))?);
                Ok(Change::Quiet)
            }
            Kind::Check { sets, .. } => {
                let on = match value.to_ascii_lowercase().as_str() {
                    "true" | "1" | "on" => true,
                    "false" | "0" | "off" => false,
                    _ => return Err(wrong("true or false".to_owned())),
                };
                Ok(self.put(entry.name, sets, on))
            }
            Kind::Combo { values, sets } => {
                let chosen = values.iter().find(|v| v.eq_ignore_ascii_case(value));
                Ok(self.put(entry.name, sets, *chosen.ok_or_else(|| wrong(values.join(", ")))?))
            }
            Kind::Game(values) => {
                self.game = variants::find(value).map_err(|_| wrong(values.join(", ")))?;
                Ok(Change::Game)
            }
        }
    }

    fn put<T: ToString>(&mut self, name: &'static str, sets: Sets<T>, value: T) -> Change {
        match sets {
            Sets::Setting(set) => {
                set(self, value);
                Change::Quiet
            }
            Sets::Switch => {
                self.switches.insert(name, value.to_string());
                Change::Rules
            }
        }
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

/// Option names are compared without regard to case and to the number of blanks.
fn same(a: &str, b: &str) -> bool {
    crate::protocol::same_words(a, b)
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
