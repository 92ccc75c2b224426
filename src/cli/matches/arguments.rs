//! The command line of a match, built from the table of settings.

use super::Match;
use crate::arena::SettingsError;
use crate::arena::settings::SettingsTable;
use crate::arena::settings::keys::{ALIASES, GROUPS, KEYS, Key, file_word, find, keys_of};
use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use std::ffi::OsString;
use std::path::PathBuf;

/// Words that say in every command which game and position are meant.
const COMMON: [&str; 6] = ["game", "rule", "position", "fen", "moves", "pgn"];

/// Adds the second dash to arguments with a single one: to all of a match (`-engine`), as in fastchess and
/// cutechess-cli, and to those that are common to all commands.
pub fn two_dashes(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut in_match = false;
    // What stands behind the dashes is another program's.
    let mut ours = true;
    let mut found = Vec::new();
    for argument in arguments {
        let text = argument.to_str().unwrap_or_default();
        in_match |= matches!(text, "match" | "merge") && !found.is_empty();
        let word = text.strip_prefix('-').unwrap_or_default();
        let is_word = word.len() > 1 && word.chars().all(|c| c.is_ascii_alphabetic() || c == '-');
        ours &= text != "--";
        let long = (in_match || ours && COMMON.contains(&word)) && is_word && !word.starts_with('-');
        found.push(if long { format!("--{word}").into() } else { argument });
    }
    found
}

const EXAMPLES: &str = "\
Examples:
  carom match rollerball -games 2 -tc 5+0.05
      Carom against itself, drawn as it goes.
  carom match -engine cmd=carom name=new -engine cmd=./carom-old name=old -each tc=10+0.1 option.Hash=64
      -game hanniball -rounds 500 -repeat -concurrency 2 -openings file=fixtures/openings/hanniball.epd order=random
      -sprt elo0=0 elo1=5 -pgnout file=games.pgn -journal games.jsonl
      A thousand games, each opening with both colours; after an interruption the same command goes on.
  carom match -engine cmd=stockfish -engine cmd=fairymax -each st=0.1 -rounds 10
      Two other engines at chess; their protocols are found by trying.
  carom match -config match.toml
      The same settings from a file: `rounds = 500`, `[each]`, `[[engine]]`, `[engine.options]`.

Words may begin with one dash or two. After an engine's fault (illegal turn, crash, hang, flag) the game is lost, the
engine is started again, and the match goes on. See `carom docs match`.";

impl Args for Match {
    fn augment_args(command: Command) -> Command {
        let game = Arg::new(GAME)
            .value_name("GAME")
            .conflicts_with("game")
            .help("Which game: the same as -game GAME");
        let mut command = command.arg(game);
        for (group, help) in GROUPS {
            command = command.arg(
                Arg::new(group)
                    .long(group)
                    .value_name("KEY=VALUE")
                    .num_args(1..)
                    .action(ArgAction::Append)
                    .help(help)
                    .help_heading(HEADING),
            );
        }
        for key in keys_of("") {
            command = command.arg(argument(key.name, key));
        }
        for (_, word, group, name) in ALIASES.iter().filter(|alias| alias.0.is_empty()) {
            let meant = KEYS.iter().find(|key| key.group == *group && key.name == *name);
            if let Some(key) = meant {
                let help = if group.is_empty() {
                    format!("The same as -{name}")
                } else {
                    format!("The same as -{group} {name}=")
                };
                command = command.arg(argument(word, key).help(help).short(None));
            }
        }
        // Carom never stops a match because of a fault.
        command = command.arg(Arg::new("recover").long("recover").action(ArgAction::SetTrue).hide(true));
        command.after_long_help(format!("{}{EXAMPLES}", group_help()))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// The game as the first word.
const GAME: &str = "GAME";
const HEADING: &str = "Groups of settings";

fn argument(name: &'static str, key: &'static Key) -> Arg {
    let arg = Arg::new(name).long(name).help(key.help);
    let arg = match (name, key.value) {
        (_, "") => arg.action(ArgAction::SetTrue),
        ("repeat", _) => arg.value_name("N").num_args(0..=1).default_missing_value("2"),
        ("rule", value) => arg.value_name(value).action(ArgAction::Append),
        (_, value) => arg.value_name(value).allow_hyphen_values(true),
    };
    match name {
        "game" => arg.short('g'),
        "games" => arg.short('n'),
        "position" => arg.short('p'),
        "quiet" => arg.short('q'),
        _ => arg,
    }
}

/// The help for the keys of each group.
fn group_help() -> String {
    let mut text = String::new();
    for (group, _) in GROUPS {
        text.push_str(&format!("-{group} keys:\n"));
        for key in KEYS.iter().filter(|key| key.group == group) {
            let shape = format!("{}={}", key.name, key.value);
            text.push_str(&format!("  {shape:<36} {}\n", key.help));
        }
    }
    text.push('\n');
    text
}

impl FromArgMatches for Match {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self { given: given(matches) })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.given = given(matches);
        Ok(())
    }
}

/// Parses a file, with or without fastchess's `file=` before it.
pub fn file_parser() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().try_map(|word| match word.to_str() {
        Some(text) => file_word(text).map(PathBuf::from),
        None => Ok(word.into()),
    })
}

fn given(matches: &ArgMatches) -> Result<SettingsTable, SettingsError> {
    let mut given = SettingsTable::default();
    if let Some(game) = matches.get_one::<String>(GAME) {
        given.set("", 0, "game", game)?;
    }
    for (group, _) in GROUPS {
        let occurrences = matches.get_occurrences::<String>(group).into_iter().flatten();
        for (place, mut words) in occurrences.enumerate() {
            let place = if group == "engine" { place } else { 0 };
            words.try_for_each(|word| given.set_word(group, place, word))?;
        }
    }
    let alone = keys_of("").map(|key| (key.name, key.value));
    let aliases = ALIASES.iter().filter(|alias| alias.0.is_empty()).map(|alias| (alias.1, "x"));
    for (name, value) in alone.chain(aliases) {
        if value.is_empty() && matches.get_flag(name) {
            given.set("", 0, name, "true")?;
        } else if !value.is_empty() {
            let mut values = matches.get_many::<String>(name).into_iter().flatten();
            values.try_for_each(|value| {
                let is_file = find("", name).is_some_and(|key| key.value == "FILE");
                let value = if is_file { file_word(value) } else { Ok(value.as_str()) };
                let value = value.map_err(|fault| SettingsError(format!("-{name}: {fault}")))?;
                given.set("", 0, name, value)
            })?;
        }
    }
    Ok(given)
}
