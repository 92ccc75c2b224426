//! The list of all options, and the page made from it.

use super::about::about;
use super::entry::{Change, Entry, Offered, OptionKind, Setter};
use super::settings::{DrawOffers, MOST_HASH, MOST_SEED, MOST_THREADS, Prompts, TurnView};
use crate::game::SwitchKind;
use crate::search::{LEAST_ELO, MOST_ELO, Player};
use crate::variants;
use crate::variants::chess::CHESS960;
use std::ops::RangeInclusive;
use std::time::Duration;

/// All options; rule switches come last.
pub fn table() -> Vec<Entry> {
    let spin = |name, default, range: RangeInclusive<u64>, offered, help, sets| Entry {
        name,
        kind: OptionKind::Spin { default, min: *range.start(), max: *range.end(), sets },
        help,
        offered,
    };
    let check = |name, offered, help, sets| Entry {
        name,
        kind: OptionKind::Check { default: false, sets: Setter::Setting(sets) },
        help,
        offered,
    };
    let combo = |name, values: &[&'static str], offered, help, sets| Entry {
        name,
        kind: OptionKind::Combo { values: values.to_vec(), sets: Setter::Setting(sets) },
        help,
        offered,
    };
    let uci = |xboard| Offered::Uci { xboard };
    let games = variants::all();
    let mut table = vec![
        spin(
            "Hash",
            16,
            1..=MOST_HASH,
            uci("memory"),
            "size of the transposition table in MB",
            |settings, megabytes| settings.hash = megabytes as usize,
        ),
        Entry {
            name: "Clear Hash",
            kind: OptionKind::Button(Change::ClearHash),
            help: "forget what the transposition table holds",
            offered: Offered::Both,
        },
        spin(
            "Threads",
            1,
            1..=MOST_THREADS,
            uci("cores"),
            "threads to search with; only one is reproducible",
            |settings, threads| settings.threads = threads as usize,
        ),
        spin("MultiPV", 1, 1..=256, Offered::Both, "how many best lines to show", |settings, lines| {
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
            0..=5000,
            Offered::Both,
            "milliseconds lost between engine and clock with every move; kept in hand",
            |settings, milliseconds| settings.overhead = Duration::from_millis(milliseconds),
        ),
        Entry {
            name: "UCI_Variant",
            kind: OptionKind::Game(games.iter().map(|facts| facts.name).collect()),
            help: "the game",
            offered: uci("variant"),
        },
        Entry {
            name: "TablesPath",
            kind: OptionKind::Words(|settings, folder| folder.clone_into(&mut settings.tables_path)),
            help: "the folder of endgame tables that `carom tables build` has made",
            offered: Offered::Both,
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
            u64::from(LEAST_ELO)..=u64::from(MOST_ELO),
            Offered::Both,
            "how strong to play when strength is limited; levels as far apart as their numbers say, from a nominal bottom",
            |settings, elo| settings.elo = elo as u32,
        ),
        Entry {
            name: "UCI_Opponent",
            kind: OptionKind::Words(|settings, name| {
                name.clone_into(&mut settings.opponent);
                log::info!("playing against `{name}`");
            }),
            help: "who plays against the engine: title, rating, computer or human, name; only written to the log",
            offered: uci("name"),
        },
        Entry {
            name: "UCI_EngineAbout",
            kind: OptionKind::Text(about()),
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
        combo(
            "Player",
            &["search", "mcts", "greedy", "random"],
            Offered::Both,
            "who thinks: the search, or one to measure it against: Monte Carlo tree search, one decision of foresight, random decisions",
            |settings, player| {
                settings.player = match player {
                    "mcts" => Player::Mcts,
                    "greedy" => Player::Greedy,
                    "random" => Player::Random,
                    _ => Player::Search,
                };
            },
        ),
        spin(
            "Chance Seed",
            0,
            0..=MOST_SEED,
            Offered::Both,
            "seed of the engine's own dice and cards, and of its mistakes when strength is limited; 0: new in every game",
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
            0..=1000,
            Offered::Xboard,
            "centipawns that a draw by agreement is worth less than 0",
            |settings, centipawns| settings.contempt = centipawns as i32,
        ),
        spin(
            "Draw After",
            20,
            0..=1000,
            Offered::Xboard,
            "turns of both sides that must have been played before a draw is agreed to",
            |settings, turns| settings.draw_after = turns as usize,
        ),
        check("Resign", Offered::Xboard, "resign lost games", |settings, on| settings.resign = on),
        spin(
            "Resign Score",
            900,
            50..=10_000,
            Offered::Xboard,
            "centipawns one must be behind for a game to count as lost",
            |settings, centipawns| settings.resign_score = centipawns as i32,
        ),
        spin(
            "Resign Moves",
            3,
            1..=100,
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
            kind: OptionKind::Button(Change::Quiet),
            help: "where a turn has several steps: make no more of them",
            offered: Offered::Xboard,
        },
    ];
    for switch in games.iter().flat_map(|facts| facts.switches) {
        if table.iter().any(|entry| entry.name == switch.name) {
            continue;
        }
        let kind = match switch.kind {
            SwitchKind::Check => OptionKind::Check { default: false, sets: Setter::Switch },
            SwitchKind::Choice(values) => OptionKind::Combo { values: values.to_vec(), sets: Setter::Switch },
        };
        // XBoard has a variant of its own for Chess960.
        let offered = if switch.name == CHESS960 {
            Offered::Uci { xboard: "variant fischerandom" }
        } else {
            Offered::Both
        };
        table.push(Entry { name: switch.name, kind, help: switch.help, offered });
    }
    table
}

/// The table as a page for users: `protocol-docs/options.md`.
pub fn document() -> String {
    let mut page = String::from(
        "# Options\n\nUCI sets an option by `setoption name NAME value VALUE`, XBoard by `option NAME=VALUE` or by the command named in the last\n\
         column; where that names the option anew, both names are read. Names and values are read in either case. (This page is made from the table in the program; a test keeps it so.)\n\n\
         | option | values | default | what it does | in XBoard |\n|---|---|---|---|---|\n",
    );
    for entry in table() {
        let (values, default) = match &entry.kind {
            OptionKind::Check { default, .. } => ("`true`, `false`".to_owned(), format!("`{default}`")),
            OptionKind::Spin { default, min, max, .. } => (format!("{min} to {max}"), default.to_string()),
            OptionKind::Combo { values, .. } | OptionKind::Game(values) => (
                values.iter().map(|value| format!("`{value}`")).collect::<Vec<_>>().join(", "),
                format!("`{}`", values[0]),
            ),
            OptionKind::Button(_) => ("a button".to_owned(), String::new()),
            OptionKind::Text(_) => ("a text, read only".to_owned(), String::new()),
            OptionKind::Words(_) => ("a text".to_owned(), "empty".to_owned()),
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
