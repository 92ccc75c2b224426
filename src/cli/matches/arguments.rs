//! The command line of a match, built from the table of settings.

use super::Match;
use crate::arena::SettingsError;
use crate::arena::settings::keys::{ALIASES, GROUPS, KEYS, file_word, find, keys_of};
use crate::arena::settings::words::{self, WORDS, Word, WordValue};
use crate::arena::settings::{Key, SettingsTable};
use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Words that say in every command which game and position are meant.
const COMMON: [&str; 6] = ["game", "rule", "position", "fen", "moves", "pgn"];

/// Between the words of one `-log`, which clap takes for one value.
const SEPARATOR: char = '\u{1f}';

/// Adds the second dash to arguments with a single one: to all of a match (`-engine`), as in fastchess and
/// cutechess-cli, and to those that are common to all commands. `carom fastchess` is a match that imitates
/// fastchess, and so is a program of that name.
pub fn two_dashes(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut in_match = false;
    // What stands behind the dashes is another program's.
    let mut ours = true;
    let mut in_log = false;
    let mut found: Vec<OsString> = Vec::new();
    for argument in arguments {
        let text = argument.to_str().unwrap_or_default();
        if found.is_empty() {
            let program = Path::new(&argument).file_stem().and_then(OsStr::to_str);
            let imitated = program.and_then(imitated);
            found.push(argument);
            if let Some(name) = imitated {
                in_match = true;
                found.extend(["match", "--imitate", name].map(OsString::from));
            }
            continue;
        }
        if found.len() == 1
            && let Some(name) = imitated(text)
        {
            in_match = true;
            found.extend(["match", "--imitate", name].map(OsString::from));
            continue;
        }
        in_match |= matches!(text, "match" | "merge");
        let word = text.strip_prefix('-').unwrap_or_default();
        let is_word = word.len() > 1
            && word.starts_with(|c: char| c.is_ascii_alphabetic())
            && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        ours &= text != "--";
        let long = (in_match || ours && COMMON.contains(&word)) && is_word;
        // fastchess has several words behind `-log`.
        if in_log
            && text.contains('=')
            && !text.starts_with('-')
            && let Some(log) = found.last_mut().filter(|log| *log != "--log")
        {
            log.push(format!("{SEPARATOR}{text}"));
            continue;
        }
        in_log = in_match && (matches!(text, "-log" | "--log") || in_log && !text.starts_with('-'));
        found.push(if long { format!("--{word}").into() } else { argument });
    }
    found
}

/// The program that is imitated under this name.
fn imitated(name: &str) -> Option<&'static str> {
    match name {
        "fastchess" => Some("fastchess"),
        "cutechess-cli" | "cutechess" => Some("cutechess"),
        _ => None,
    }
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
                    .num_args(if matches!(group, "draw" | "resign") { 0.. } else { 1.. })
                    .action(ArgAction::Append)
                    .help(help)
                    .help_heading(HEADING),
            );
        }
        for key in keys_of("") {
            command = command.arg(argument(key.name, key));
        }
        for word in foreign_words() {
            let arg = Arg::new(word.name).long(word.name).hide(true);
            command = command.arg(match word.value {
                WordValue::Nothing => arg.action(ArgAction::SetTrue),
                WordValue::Text => arg.allow_hyphen_values(true).action(ArgAction::Append),
                WordValue::MaybeText => arg.num_args(0..=1).default_missing_value("true"),
                WordValue::Keys => arg.num_args(1..).action(ArgAction::Append),
            });
        }
        command =
            command.arg(Arg::new(VERSION).long(VERSION).short('v').hide(true).action(ArgAction::SetTrue));
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
        command.after_long_help(format!("{}{EXAMPLES}", group_help()))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// The game as the first word.
const GAME: &str = "GAME";
const VERSION: &str = "version";

/// The words of other programs without a group that are none of our settings.
fn foreign_words() -> impl Iterator<Item = &'static Word> {
    WORDS.iter().filter(|word| {
        word.group.is_empty()
            && !matches!(word.name, "log" | "version" | "help")
            && find("", word.name).is_none()
            && !GROUPS.iter().any(|(group, _)| *group == word.name)
    })
}
const HEADING: &str = "Groups of settings";

fn argument(name: &'static str, key: &'static Key) -> Arg {
    let arg = Arg::new(name).long(name).help(key.help);
    let arg = match (name, key.value) {
        (_, "") => arg.action(ArgAction::SetTrue),
        ("debug" | "use-affinity", value) => {
            arg.value_name(value.trim_matches(['[', ']'])).num_args(0..=1).default_missing_value("true")
        }
        // fastchess has keys behind these.
        ("config" | "epdout", value) => arg.value_name(value).num_args(1..).action(ArgAction::Append),
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
        Ok(Self { given: given(matches), version: matches.get_flag(VERSION) })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
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

/// What stands behind `--log`: a file, or fastchess's keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogWords {
    /// The file; `None` for standard error.
    pub file: Option<PathBuf>,
    /// What is logged, as `RUST_LOG` says it.
    pub level: Option<String>,
    /// Whether the file is begun anew.
    pub anew: bool,
}

/// Parses what stands behind `--log`.
pub fn log_parser() -> impl TypedValueParser<Value = LogWords> {
    OsStringValueParser::new().try_map(|value| {
        let Some(text) = value.to_str() else {
            return Ok(LogWords { file: Some(value.into()), ..LogWords::default() });
        };
        log_words(text)
    })
}

fn log_words(text: &str) -> Result<LogWords, String> {
    let mut log = LogWords::default();
    let mut engines = false;
    for word in text.split(SEPARATOR) {
        match word.split_once('=') {
            Some(("level", level)) => {
                let level = match level {
                    "err" | "fatal" => "error",
                    "trace" | "info" | "warn" => level,
                    _ => return Err(format!("level={level}: it must be trace|info|warn|err|fatal")),
                };
                log.level = Some(level.to_owned());
            }
            Some((key @ ("append" | "engine" | "realtime"), value)) => {
                let value = match value {
                    "true" => true,
                    "false" => false,
                    _ => return Err(format!("{word}: it must be true or false")),
                };
                log.anew |= key == "append" && !value;
                engines |= key == "engine" && value;
            }
            Some(("compress", "false")) => {}
            Some(("compress", _)) => {
                let note = words::find("log", "compress").map_or("", |word| word.note);
                return Err(format!("{word}: {note}"));
            }
            _ => log.file = Some(file_word(word)?.into()),
        }
    }
    if engines {
        let level = log.level.as_deref().unwrap_or("warn");
        log.level = Some(format!("{level},{ENGINE_LINES}"));
    }
    Ok(log)
}

/// The part of `RUST_LOG` that logs what engines are sent and say.
pub const ENGINE_LINES: &str = "carom::connection=debug";

fn given(matches: &ArgMatches) -> Result<SettingsTable, SettingsError> {
    let mut given = SettingsTable::default();
    if let Some(game) = matches.get_one::<String>(GAME) {
        given.set("", 0, "game", game)?;
    }
    let quick = matches.get_occurrences::<String>("quick").into_iter().flatten().flatten();
    add_quick(&mut given, &quick.collect::<Vec<_>>())?;
    for (group, _) in GROUPS {
        let occurrences = matches.get_occurrences::<String>(group).into_iter().flatten();
        for (place, mut words) in occurrences.enumerate() {
            let place = if group == "engine" { place } else { 0 };
            given.name_group(group, place);
            words.try_for_each(|word| given.set_word(group, place, word))?;
        }
    }
    for word in foreign_words().filter(|word| word.name != "quick") {
        if word.value == WordValue::Nothing {
            if matches.get_flag(word.name) {
                given.set("", 0, word.name, "true")?;
            }
            continue;
        }
        for value in matches.get_many::<String>(word.name).into_iter().flatten() {
            match word.value {
                WordValue::Keys => given.set_word(word.name, 0, value)?,
                _ => given.set("", 0, word.name, value)?,
            }
        }
    }
    let alone = keys_of("").map(|key| (key.name, key.value));
    let aliases = ALIASES.iter().filter(|alias| alias.0.is_empty()).map(|alias| (alias.1, "x"));
    for (name, value) in alone.chain(aliases) {
        if value.is_empty() && matches.get_flag(name) {
            given.set("", 0, name, "true")?;
        } else if !value.is_empty() {
            let values = matches.get_many::<String>(name).into_iter().flatten();
            let mut values: Vec<&str> = values.map(String::as_str).collect();
            if matches!(name, "config" | "epdout") {
                // With `discard=true` fastchess reads no file, and only that.
                let discards = values.contains(&"discard=true");
                let is_key = |word: &&str| match word.split_once('=') {
                    Some((key, _)) => words::find(name, key).is_some() && key != "file",
                    None => false,
                };
                let keys: Vec<&str> = values.iter().copied().filter(|word| is_key(word)).collect();
                values.retain(|word| !(is_key(word) || discards && word.starts_with("file=")));
                for word in keys.into_iter().filter(|word| !word.starts_with("discard=")) {
                    given.set_word(name, 0, word)?;
                }
                if values.len() > 1 {
                    return Err(SettingsError(format!("-{name} {}: one file alone", values.join(" "))));
                }
            }
            values.into_iter().try_for_each(|value| {
                let is_file = find("", name).is_some_and(|key| key.value == "FILE");
                let value = if is_file { file_word(value) } else { Ok(value) };
                let value = value.map_err(|fault| SettingsError(format!("-{name}: {fault}")))?;
                given.set("", 0, name, value)
            })?;
        }
    }
    if given.get("debug").as_deref() == Some("all") {
        given.set("each", 0, "debug", "true")?;
    }
    Ok(given)
}

/// Adds what fastchess's `-quick cmd=A cmd=B book=FILE` stands for.
fn add_quick(given: &mut SettingsTable, words: &[&String]) -> Result<(), SettingsError> {
    if words.is_empty() {
        return Ok(());
    }
    let mut engines = Vec::new();
    let mut book = None;
    for word in words {
        match word.split_once('=') {
            Some(("cmd", command)) => engines.push(command),
            Some(("book", file)) => book = Some(file),
            _ => return Err(SettingsError(format!("-quick {word}: it has cmd= and book="))),
        }
    }
    let ([one, other], Some(book)) = (engines.as_slice(), book) else {
        return Err(SettingsError("-quick needs cmd= twice, and book=".to_owned()));
    };
    let names = if one == other {
        [format!("{one}1"), format!("{other}2")]
    } else {
        [one, other].map(|name| (*name).to_owned())
    };
    for (place, (command, name)) in [one, other].into_iter().zip(names).enumerate() {
        given.set("engine", place, "cmd", command)?;
        given.set("engine", place, "name", &name)?;
    }
    let others = [
        ("each", "tc", "10+0.1"),
        ("openings", "file", book),
        ("openings", "order", "random"),
        ("", "rounds", "25000"),
        ("", "games", "2"),
        ("", "recover", "true"),
        ("draw", "movenumber", "30"),
        ("draw", "movecount", "8"),
        ("draw", "score", "8"),
        ("output", "format", "cutechess"),
    ];
    others.into_iter().try_for_each(|(group, name, value)| given.set(group, 0, name, value))
}
