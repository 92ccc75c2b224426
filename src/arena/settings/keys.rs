//! Every setting of a match: the one table behind the command line, the TOML file, the help and the journal.

/// One setting.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The group it belongs to; empty for settings that stand alone.
    pub group: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What its value looks like; empty for a flag.
    pub value: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// What depends on it.
    pub effect: Effect,
}

/// What depends on a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The games: parts of a match must agree on it.
    Games,
    /// Where and how an engine runs: may differ from machine to machine.
    Machine,
    /// What is written and shown.
    Records,
}

/// The groups: name, what the help calls it.
pub const GROUPS: [(&str, &str); 8] = [
    (
        "engine",
        "An engine; give it once for each. Keys as for -each, and name, cmd, dir, arg, args, env, stderr",
    ),
    ("each", "Settings of every engine that has none of its own"),
    ("openings", "What games begin with"),
    ("draw", "Call a game a draw when both scores stay near zero"),
    ("resign", "Call a game lost when a score stays low"),
    ("exact", "Call a game won when a forced win is proved"),
    ("sprt", "Stop when the sequential probability ratio test has decided"),
    ("pgnout", "Write games as PGN"),
];

const fn key(
    group: &'static str,
    name: &'static str,
    value: &'static str,
    help: &'static str,
    effect: Effect,
) -> Key {
    Key { group, name, value, help, effect }
}

use Effect::{Games, Machine, Records};

/// The settings, in the order of the help.
pub const KEYS: &[Key] = &[
    key(
        "",
        "config",
        "FILE",
        "Read settings from a TOML file; what the command line says counts more",
        Records,
    ),
    key("", "game", "NAME", "Which game (see `carom games`) [chess]", Games),
    key("", "rule", "SWITCH[=VALUE]", "Set a rule switch of the game", Games),
    key("", "rounds", "N", "Rounds [1]", Games),
    key("", "games", "N", "Games of an encounter in each round [2]", Games),
    key("", "repeat", "[N]", "Games in a row that share an opening and luck, colours changed [2]", Games),
    key("", "noswap", "", "Do not change colours", Games),
    key("", "tournament", "FORM", "roundrobin, gauntlet, swiss or knockout [roundrobin]", Games),
    key("", "seeds", "N", "How many engines run the gauntlet [1]", Games),
    key("", "seed", "N", "Seed of openings, dice and cards; 0: a new one [0]", Games),
    key("", "position", "TEXT", "Position to begin with [the start]", Games),
    key("", "maxmoves", "N", "Draw after so many turns of each player", Games),
    key("", "most-turns", "N", "Draw after so many turns of both together; 0: never [1000]", Games),
    key("", "concurrency", "N", "Games at the same time [1]", Records),
    key("", "shard", "I/N", "Play the I-th of N parts of the match (see `carom merge`)", Records),
    key(
        "",
        "journal",
        "FILE",
        "Keep everything in this file (JSON Lines) and go on from it if it exists",
        Records,
    ),
    key("", "resume", "FILE", "Go on from this journal, with its settings", Records),
    key("", "epdout", "FILE", "Write final positions as EPD", Records),
    key("", "html", "FILE", "Write a cross table as a web page", Records),
    key("", "event", "TEXT", "Name of the event, for PGN [Carom match]", Records),
    key("", "site", "TEXT", "Name of the place, for PGN [?]", Records),
    key("", "ratinginterval", "N", "Tell the state after so many games; 0: only at the end [10]", Records),
    key("", "watch", "", "Draw the running game", Records),
    key("", "quiet", "", "Tell results only", Records),
    key("", "check", "", "Read the settings, tell what they ask for, and play nothing", Records),
    key("engine", "name", "TEXT", "What to call it [its own name]", Games),
    key(
        "engine",
        "cmd",
        "COMMAND",
        "How to start it, as a shell would (`ssh host carom`); `carom` is this program",
        Machine,
    ),
    key("engine", "arg", "TEXT", "One more argument of the command", Machine),
    key("engine", "args", "TEXT", "More arguments, as a shell would part them", Machine),
    key("engine", "dir", "FOLDER", "The folder it runs in", Machine),
    key("engine", "env.NAME", "TEXT", "A variable of its environment", Machine),
    key("engine", "stderr", "FILE", "Append its standard error to a file; `none`: nowhere", Machine),
    key("each", "proto", "uci|cecp|ugi", "Its protocol [found by trying]", Machine),
    key(
        "each",
        "tc",
        "TC",
        "[TURNS/]SECONDS or MINUTES:SECONDS, +INCREMENT; 60hg: hourglass; inf [10+0.1]",
        Games,
    ),
    key("each", "st", "SECONDS", "Time for each turn, instead of tc", Games),
    key("each", "nodes", "N", "Search no more positions; without tc there is no clock", Games),
    key("each", "depth", "N", "Search no deeper; without tc there is no clock", Games),
    key(
        "each",
        "timemargin",
        "MS",
        "How far the flag may fall before it counts, in milliseconds [50]",
        Games,
    ),
    key("each", "ponder", "BOOL", "Let it think on the opponent's time [false]", Games),
    key("each", "option.NAME", "VALUE", "Set an option of the engine", Games),
    key("each", "variant", "NAME", "The name it knows the game by", Games),
    key("each", "positions", "own|fen", "How it reads positions; fen: board, side, `- - 0 1` [own]", Games),
    key("each", "init", "LINE", "A line to send after the handshake", Games),
    key("each", "restart", "on|off", "Start it anew for each game [off]", Games),
    key("each", "start", "SECONDS", "How long it may take to start [10]", Machine),
    key("each", "ready", "SECONDS", "How long it may take to get ready [15]", Machine),
    key("each", "hang", "SECONDS", "How long it is waited for after its flag fell [10]", Machine),
    key("each", "silence", "SECONDS", "How long it may be silent when it has no clock [600]", Machine),
    key("each", "quit", "SECONDS", "How long it may take to leave [2]", Machine),
    key("openings", "file", "FILE", "Positions, EPD, lists of turns, or PGN (by its ending .pgn)", Games),
    key("openings", "order", "random|sequential", "[sequential]", Games),
    key("openings", "start", "N", "Begin with the N-th opening [1]", Games),
    key("openings", "plies", "N", "Play only so many turns of each", Games),
    key("draw", "movenumber", "N", "Not before this turn [40]", Games),
    key("draw", "movecount", "N", "Turns of each player in a row [8]", Games),
    key("draw", "score", "CP", "No score further from zero, in centipawns [10]", Games),
    key("resign", "movecount", "N", "Turns of the loser in a row [4]", Games),
    key("resign", "score", "CP", "No score above minus this [600]", Games),
    key("resign", "twosided", "BOOL", "The winner must see it as well [false]", Games),
    key("exact", "turns", "N", "Turns of both together to look ahead [3]", Games),
    key("exact", "positions", "N", "Positions to look at after each turn [20000]", Games),
    key("sprt", "elo0", "ELO", "The null hypothesis", Games),
    key("sprt", "elo1", "ELO", "The alternative", Games),
    key("sprt", "alpha", "P", "Risk of a false acceptance [0.05]", Games),
    key("sprt", "beta", "P", "Risk of a false rejection [0.05]", Games),
    key("sprt", "model", "normalized|logistic|bayeselo", "[normalized]", Games),
    key("pgnout", "file", "FILE", "The file; games are added at its end", Records),
    key("pgnout", "notation", "san|uci", "How chess turns are written [san]", Records),
    key("pgnout", "min", "BOOL", "No comments [false]", Records),
];

/// Other words for settings: those of fastchess and cutechess-cli, and short ways.
pub const ALIASES: &[(&str, &str, &str, &str)] = &[
    // Group and word as given, group and name as meant.
    ("", "variant", "", "game"),
    ("", "srand", "", "seed"),
    ("", "tc", "each", "tc"),
    ("", "st", "each", "st"),
    ("", "depth", "each", "depth"),
    ("", "nodes", "each", "nodes"),
    ("", "pgn", "pgnout", "file"),
    ("each", "timeMargin", "each", "timemargin"),
    ("each", "initstr", "each", "init"),
];

/// The setting that `name` in `group` means. Every key of `each` is one of `engine` as well.
pub fn find(group: &str, name: &str) -> Option<&'static Key> {
    let (group, name) = match ALIASES.iter().find(|alias| alias.0 == group && alias.1 == name) {
        Some(alias) => (alias.2, alias.3),
        None => (group, name),
    };
    let shape = match name.split_once('.') {
        Some((before, _)) => format!("{before}.NAME"),
        None => name.to_owned(),
    };
    let is =
        |key: &&Key| key.name == shape && (key.group == group || group == "engine" && key.group == "each");
    KEYS.iter().find(is)
}

/// The names that may stand in a group, for messages.
pub fn names(group: &str) -> String {
    let own = KEYS.iter().filter(|key| key.group == group || group == "engine" && key.group == "each");
    own.map(|key| key.name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_found_under_its_name_and_only_there() {
        for key in KEYS {
            assert_eq!(find(key.group, key.name).map(|found| found.help), Some(key.help), "{}", key.name);
            assert!(key.group.is_empty() || GROUPS.iter().any(|(group, _)| *group == key.group));
        }
        assert_eq!(find("engine", "option.Hash").map(|key| key.name), Some("option.NAME"));
        assert_eq!(find("engine", "tc").map(|key| key.group), Some("each"));
        assert_eq!(find("", "depth").map(|key| key.group), Some("each"));
        assert!(find("each", "cmd").is_none() && find("", "cmd").is_none() && find("nowhere", "x").is_none());
    }
}
