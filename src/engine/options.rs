//! The options of the engine: one table that feeds UCI `option`, XBoard `feature option=`, `--help` and the docs.

use super::handicap::{LEAST_ELO, MOST_ELO};
use crate::game::{Facts, Rules, SwitchKind};
use crate::variants;
use std::collections::BTreeMap;
use std::time::Duration;

/// One option.
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// What values an option takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// On or off.
    Check {
        /// When nobody sets it.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// When nobody sets it.
        default: u64,
        /// The least.
        min: u64,
        /// The greatest.
        max: u64,
    },
    /// One of several words; the first is the default.
    Combo(Vec<&'static str>),
    /// Something to be done at once.
    Button,
    /// A text that only informs.
    Text(String),
    /// A text the user may set; empty by default.
    Words,
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

/// The largest table, in MB.
pub const MOST_HASH: u64 = 65_536;
/// The most threads.
pub const MOST_THREADS: u64 = 256;

/// The largest seed: XBoard holds numbers in 32 bits.
pub const MOST_SEED: u64 = i32::MAX as u64;

/// All options, rule switches last.
pub fn table() -> Vec<Entry> {
    let spin = |name, default, min, max, offered, help| Entry {
        name,
        kind: Kind::Spin { default, min, max },
        help,
        offered,
    };
    let uci = |xboard| Offered::Uci { xboard };
    let games = variants::all();
    let mut table = vec![
        spin("Hash", 16, 1, MOST_HASH, uci("memory"), "size of the transposition table in MB"),
/// What a panic is, to the people who see it.
pub const MISTAKE: &str = "a mistake of this program (please report it)";

        Entry {
            name: "Clear Hash",
            kind: Kind::Button,
            help: "forget what the transposition table holds",
            offered: Offered::Both,
        },
        spin("Threads", 1, 1, MOST_THREADS, uci("cores"), "threads to search with; only one is reproducible"),
        spin("MultiPV", 1, 1, 256, Offered::Both, "how many best lines to show"),
        Entry {
            name: "Ponder",
            kind: Kind::Check { default: false },
            help: "the user's program may let the engine think on the opponent's time",
            offered: uci("hard"),
        },
        spin(
            "Move Overhead",
            10,
            0,
            5000,
            Offered::Both,
            "milliseconds lost between engine and clock with every move; kept in hand",
        ),
        Entry {
            name: "UCI_Variant",
            kind: Kind::Combo(games.iter().map(|facts| facts.name).collect()),
            help: "the game",
            offered: uci("variant"),
        },
        Entry {
            name: "UCI_AnalyseMode",
            kind: Kind::Check { default: false },
            help: "the user is analysing, not playing",
            offered: uci("analyze"),
        },
        Entry {
            name: "UCI_ShowWDL",
            kind: Kind::Check { default: false },
            help: "show the chances of winning, drawing and losing behind every score",
            offered: uci(""),
        },
        Entry {
            name: "UCI_LimitStrength",
            kind: Kind::Check { default: false },
            help: "play below strength, as UCI_Elo says; not while analysing",
            offered: Offered::Both,
        },
        spin(
            "UCI_Elo",
            1500,
            u64::from(LEAST_ELO),
            u64::from(MOST_ELO),
            Offered::Both,
            "how strong to play when strength is limited; a nominal scale, the same in all games",
        ),
        Entry {
            name: "UCI_Opponent",
            kind: Kind::Words,
            help: "who plays against the engine: title, rating, computer or human, name; only written to the log",
            offered: uci("name"),
        },
        Entry {
            name: "UCI_EngineAbout",
            kind: Kind::Text(about()),
            help: "who made this",
            offered: uci("feature myname"),
        },
        Entry {
            name: "Chance",
            kind: Kind::Combo(vec!["self", "referee"]),
            help: "who rolls and deals: the engine itself, or a referee who writes the outcome into the moves",
            offered: Offered::Both,
        },
        spin(
            "Chance Seed",
            0,
            0,
            MOST_SEED,
            Offered::Both,
            "the luck of the engine's own dice and cards, and of its mistakes when strength is limited; 0: new in every game",
        ),
        Entry {
            name: "Piece Lines",
            kind: Kind::Check { default: false },
            help: "describe the moves to XBoard where it can express them, for playing with its legality testing on",
            offered: Offered::Xboard,
        },
        Entry {
            name: "Draw Offers",
            kind: Kind::Combo(vec!["accept", "offer", "ignore"]),
            help: "draws by agreement: only accept them, offer them too, or neither",
            offered: Offered::Xboard,
        },
        spin(
            "Contempt",
            0,
            0,
            1000,
            Offered::Xboard,
            "centipawns that a draw by agreement is worth less than 0",
        ),
        spin(
            "Draw After",
            20,
            0,
            1000,
            Offered::Xboard,
            "turns of both sides that must have been played before a draw is agreed to",
        ),
        Entry {
            name: "Resign",
            kind: Kind::Check { default: false },
            help: "resign lost games",
            offered: Offered::Xboard,
        },
        spin(
            "Resign Score",
            900,
            50,
            10_000,
            Offered::Xboard,
            "centipawns one must be behind for a game to count as lost",
        ),
        spin("Resign Moves", 3, 1, 100, Offered::Xboard, "own turns in a row that it must have been so"),
        Entry {
            name: "Turn View",
            kind: Kind::Combo(vec!["auto", "whole", "steps"]),
            help: "how turns of several steps are written: each as one word, or step by step in plies that agree with \
                   XBoard's board; auto: step by step for a program that accepted `highlight`",
            offered: Offered::Xboard,
        },
        Entry {
            name: "End Turn",
            kind: Kind::Button,
            help: "where a turn has several steps: make no more of them",
            offered: Offered::Xboard,
        },
    ];
    for switch in games.iter().flat_map(|facts| facts.switches) {
        if table.iter().any(|entry| entry.name == switch.name) {
            continue;
        }
        let kind = match switch.kind {
            SwitchKind::Check => Kind::Check { default: false },
            SwitchKind::Choice(values) => Kind::Combo(values.to_vec()),
        };
        table.push(Entry { name: switch.name, kind, help: switch.help, offered: Offered::Both });
    }
    table
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
         column. Names and values are read in either case. (This page is made from the table in the program; a test keeps it so.)\n\n\
         | option | values | default | what it does | in XBoard |\n|---|---|---|---|---|\n",
    );
    for entry in table() {
        let (values, default) = match &entry.kind {
            Kind::Check { default } => ("`true`, `false`".to_owned(), format!("`{default}`")),
            Kind::Spin { default, min, max } => (format!("{min} to {max}"), default.to_string()),
            Kind::Combo(values) => (
                values.iter().map(|value| format!("`{value}`")).collect::<Vec<_>>().join(", "),
                format!("`{}`", values[0]),
            ),
            Kind::Button => ("a button".to_owned(), String::new()),
            Kind::Text(_) => ("a text, read only".to_owned(), String::new()),
            Kind::Words => ("a text".to_owned(), "empty".to_owned()),
        };
        let xboard = match entry.offered {
            Offered::Uci { xboard: "" } => "none".to_owned(),
            Offered::Uci { xboard } => format!("`{xboard}`"),
            Offered::Xboard => "option, not in UCI".to_owned(),
            Offered::Both => "option".to_owned(),
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
    pub chances: bool,
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
    /// Rule switches, by name.
    switches: BTreeMap<&'static str, String>,
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
        name: &'static str,
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
            chances: false,
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
        let entry = table().into_iter().find(|entry| same(entry.name, name));
        let entry = entry.ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        let wrong =
            |expected: String| OptionError::Value { name: entry.name, expected, found: value.to_owned() };
        match &entry.kind {
            Kind::Button if entry.name == "Clear Hash" => return Ok(Change::ClearHash),
            Kind::Button => return Ok(Change::Quiet),
            Kind::Text(_) => return Ok(Change::Quiet),
            Kind::Words => {
                value.trim().clone_into(&mut self.opponent);
                log::info!("playing against `{}`", self.opponent);
                return Ok(Change::Quiet);
            }
            Kind::Spin { min, max, .. } => {
                let number = value.trim().parse::<u64>().ok().filter(|n| (min..=max).contains(&n));
                let number = number.ok_or_else(|| wrong(format!("a number from {min} to {max}")))?;
                match entry.name {
                    "Hash" => self.hash = number as usize,
                    "Threads" => self.threads = number as usize,
                    "MultiPV" => self.lines = number as usize,
                    "Chance Seed" => self.seed = number,
                    "Contempt" => self.contempt = number as i32,
                    "Draw After" => self.draw_after = number as usize,
                    "Resign Score" => self.resign_score = number as i32,
                    "Resign Moves" => self.resign_moves = number as u32,
                    "UCI_Elo" => self.elo = number as u32,
                    _ => self.overhead = Duration::from_millis(number),
                }
                return Ok(Change::Quiet);
            }
            Kind::Check { .. } => {
                let on = match value.trim().to_ascii_lowercase().as_str() {
                    "true" | "1" | "on" => true,
                    "false" | "0" | "off" => false,
                    _ => return Err(wrong("true or false".to_owned())),
                };
                match entry.name {
                    "Ponder" => self.ponder = on,
                    "UCI_AnalyseMode" => self.analysing = on,
                    "Piece Lines" => self.piece_lines = on,
                    "Resign" => self.resign = on,
                    "UCI_ShowWDL" => self.chances = on,
                    "UCI_LimitStrength" => self.limit_strength = on,
                    switch => {
                        self.switches.insert(switch, on.to_string());
                        return Ok(Change::Rules);
                    }
                }
            }
            Kind::Combo(values) => {
                if entry.name == "UCI_Variant" {
                    self.game = variants::find(value.trim()).map_err(|_| wrong(values.join(", ")))?;
                    return Ok(Change::Game);
                }
                let chosen = values.iter().find(|v| v.eq_ignore_ascii_case(value.trim()));
                let chosen = chosen.ok_or_else(|| wrong(values.join(", ")))?;
                if entry.name == "Chance" {
                    self.referee = *chosen == "referee";
                    return Ok(Change::Quiet);
                }
                if entry.name == "Draw Offers" {
                    self.draw_offers = match *chosen {
                        "offer" => DrawOffers::Offer,
                        "ignore" => DrawOffers::Ignore,
                        _ => DrawOffers::Accept,
                    };
                    return Ok(Change::Quiet);
                }
                if entry.name == "Turn View" {
                    self.turn_view = match *chosen {
                        "whole" => TurnView::Whole,
                        "steps" => TurnView::Steps,
                        _ => TurnView::Auto,
                    };
                    return Ok(Change::Quiet);
                }
                self.switches.insert(entry.name, (*chosen).to_owned());
                return Ok(Change::Rules);
            }
        }
        Ok(Change::Quiet)
    }

    /// The rules the chosen game is played by.
    pub fn rules(&self) -> Rules {
        let mut rules = Rules::default();
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
