//! All settings of a match: `keys.txt` is the one table behind the command line, the TOML file, the help and
//! the journal.

use crate::session::parse_seconds;
use std::sync::LazyLock;
use toml::Value;

/// One setting, as `keys.txt` describes it.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The group that it belongs to; empty for settings without a group.
    pub group: &'static str,
    /// Its name within the group.
    pub name: &'static str,
    /// The form of its value; empty for a flag.
    pub value: &'static str,
    /// The least and the greatest number allowed.
    range: [u64; 2],
    /// Its line in the help.
    pub help: &'static str,
    /// What depends on the setting.
    pub effect: Effect,
}

/// What depends on a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The games: all parts of a match must agree on it.
    Games,
    /// Where and how an engine runs: it may differ from machine to machine.
    Machine,
    /// What is written and shown.
    Records,
}

/// The groups: name and text in the help.
pub const GROUPS: [(&str, &str); 10] = [
    (
        "engine",
        "An engine; give it once for each. Keys as for -each, and name, cmd, dir, arg, args, env, conf, stderr",
    ),
    ("each", "Settings of every engine that has none of its own"),
    ("openings", "What games begin with"),
    ("draw", "Call a game a draw when both scores stay near zero"),
    ("resign", "Call a game lost when a score stays low"),
    ("exact", "Call a game won when a forced win is proved"),
    ("sprt", "Stop when the sequential probability ratio test has decided"),
    ("report", "What the report counts"),
    ("output", "Lines as another program prints them"),
    ("pgnout", "Write games as PGN"),
];

/// All settings, in the order of the help.
pub static KEYS: LazyLock<Vec<Key>> =
    LazyLock::new(|| include_str!("keys.txt").lines().filter_map(Key::read).collect());

/// Other names for settings: those of fastchess and cutechess-cli, and short forms.
pub const ALIASES: &[(&str, &str, &str, &str)] = &[
    // Group and name as given, group and name that are meant.
    ("", "variant", "", "game"),
    ("", "srand", "", "seed"),
    ("", "tc", "each", "tc"),
    ("", "st", "each", "st"),
    ("", "depth", "each", "depth"),
    ("", "nodes", "each", "nodes"),
    ("", "pgn", "pgnout", "file"),
    ("", "fen", "", "position"),
    ("each", "timeMargin", "each", "timemargin"),
    ("each", "plies", "each", "depth"),
    ("each", "initstr", "each", "init"),
    ("engine", "timeMargin", "each", "timemargin"),
    ("engine", "plies", "each", "depth"),
    ("engine", "initstr", "each", "init"),
];

impl Key {
    /// Reads a line of the table; `None` for a comment or a line of another form.
    fn read(line: &'static str) -> Option<Self> {
        let (head, help) = line.split_once(" | ").filter(|_| !line.starts_with('#'))?;
        let [group, name, value, effect] = head.split(' ').collect::<Vec<_>>().try_into().ok()?;
        let (value, range) = value.split_once(':').unwrap_or((value, ".."));
        let (least, most) = range.split_once("..")?;
        Some(Self {
            group: if group == "-" { "" } else { group },
            name,
            value: if value == "flag" { "" } else { value },
            range: [least.parse().unwrap_or(0), most.parse().unwrap_or(u64::MAX)],
            help,
            effect: match effect {
                "games" => Effect::Games,
                "machine" => Effect::Machine,
                _ => Effect::Records,
            },
        })
    }

    /// True for settings that may be given more than once.
    pub fn is_list(&self) -> bool {
        matches!(self.name, "rule" | "arg" | "args" | "init" | "option.NAME" | "env.NAME" | "match_line")
    }

    /// Parses `text` as the value of this setting.
    ///
    /// # Errors
    /// What the value must be instead.
    pub fn parse(&self, text: &str) -> Result<Value, String> {
        let number =
            || text.trim().parse::<u64>().ok().filter(|n| (self.range[0]..=self.range[1]).contains(n));
        let float = || text.trim().parse().ok().map(Value::Float);
        let (value, wanted) = match self.value {
            "[N]" if text == "true" => (Some(Value::Integer(2)), ""),
            "N" | "[N]" => (number().map(whole), "a whole number"),
            "MS" => (number().map(whole), "a whole number of milliseconds"),
            "CP" => {
                let score = text.trim().parse::<i32>().ok();
                (score.map(|score| Value::Integer(score.into())), "a whole number of centipawns")
            }
            "SECONDS" => {
                let time = parse_seconds(text).ok();
                (time.map(|time| Value::Float(time.as_secs_f64())), "a number of seconds")
            }
            "ELO" | "P" => (float(), "a number"),
            "FACTOR" => {
                let factor = text.trim().parse().ok().filter(|factor| (0.01..=100.0).contains(factor));
                (factor.map(Value::Float), "a number from 0.01 to 100")
            }
            "" | "BOOL" => (truth(text), "true or false"),
            "on|off" if text == "auto" => (Some(Value::Boolean(false)), ""),
            "on|off" => (truth(text), self.value),
            choices if choices.contains('|') => {
                let word = match text.to_ascii_lowercase().as_str() {
                    "xboard" | "winboard" => "cecp".to_owned(),
                    "bayesian" => "bayeselo".to_owned(),
                    word => word.to_owned(),
                };
                (choices.split('|').any(|choice| choice == word).then_some(Value::String(word)), choices)
            }
            _ => (Some(Value::String(text.to_owned())), ""),
        };
        value.ok_or_else(|| match self.range {
            [1, u64::MAX] => format!("{wanted} from 1 on"),
            [1, most] => format!("{wanted} from 1 to {most}"),
            _ => wanted.to_owned(),
        })
    }
}

/// The largest integer in TOML. Larger numbers are replaced by it, which makes no difference in practice.
pub const LARGEST: u64 = i64::MAX as u64;

fn whole(number: u64) -> Value {
    Value::Integer(number.min(LARGEST) as i64)
}

fn truth(text: &str) -> Option<Value> {
    match text {
        "true" | "on" | "1" | "yes" | "" => Some(Value::Boolean(true)),
        "false" | "off" | "0" | "no" => Some(Value::Boolean(false)),
        _ => None,
    }
}

/// The file that an argument of the command line names where a file stands alone; fastchess writes `file=`
/// before it there. A file name must not begin with another key.
///
/// # Errors
/// Why the argument names no file.
pub fn file_word(word: &str) -> Result<&str, String> {
    match word.split_once('=') {
        Some(("file", "")) => Err("no file is named".to_owned()),
        Some(("file", name)) => Ok(name),
        Some((key, _)) if !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphabetic()) => {
            Err(format!("there is no key `{key}` here, only `file`; a file of that name is ./{word}"))
        }
        _ => Ok(word),
    }
}

/// The setting called `name` in `group`, aliases included. Every key of `each` is one of `engine` as well, and the other way round.
pub fn find(group: &str, name: &str) -> Option<&'static Key> {
    let (group, name) = match ALIASES.iter().find(|alias| alias.0 == group && alias.1 == name) {
        Some(alias) => (alias.2, alias.3),
        None => (group, name),
    };
    let shape = match name.split_once('.') {
        Some((before, _)) => format!("{before}.NAME"),
        None => name.to_owned(),
    };
    keys_of(group).find(|key| key.name == shape)
}

/// The settings of a group.
pub fn keys_of(group: &str) -> impl Iterator<Item = &'static Key> + '_ {
    let is_both = |group: &str| matches!(group, "engine" | "each");
    KEYS.iter().filter(move |key| key.group == group || is_both(group) && is_both(key.group))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_found_under_its_name_and_only_there() {
        for key in KEYS.iter() {
            assert_eq!(find(key.group, key.name).map(|found| found.help), Some(key.help), "{}", key.name);
            assert!(key.group.is_empty() || GROUPS.iter().any(|(group, _)| *group == key.group));
        }
        assert_eq!(find("engine", "option.Hash").map(|key| key.name), Some("option.NAME"));
        assert_eq!(find("engine", "tc").map(|key| key.group), Some("each"));
        assert_eq!(find("", "depth").map(|key| key.group), Some("each"));
        assert_eq!(find("each", "cmd").map(|key| key.group), Some("engine"));
        assert!(find("", "cmd").is_none() && find("nowhere", "x").is_none());
    }

    #[test]
    fn a_key_is_never_taken_for_a_file() {
        for (word, name) in [
            ("games.epd", "games.epd"),
            ("file=games.epd", "games.epd"),
            ("file=a=b", "a=b"),
            ("./append=x", "./append=x"),
            ("a.b=c", "a.b=c"),
            ("=", "="),
        ] {
            assert_eq!(file_word(word), Ok(name));
        }
        for word in ["append=true", "level=", "File=x", "file="] {
            assert!(file_word(word).is_err(), "{word}");
        }
    }

    #[test]
    fn every_line_of_the_table_is_a_key() {
        let lines = include_str!("keys.txt").lines().filter(|line| !line.starts_with('#'));
        assert_eq!(lines.count(), KEYS.len());
    }
}
