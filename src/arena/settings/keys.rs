//! All settings of a match, by name.

use super::given::{
    DrawKeys, EngineKeys, ExactKeys, MatchKeys, OpeningsFile, OutputKeys, PgnOut, Records, RefereeKeys,
    ReportKeys, ResignKeys, SprtKeys,
};
use super::key::{Effect, Key};
use std::sync::LazyLock;

/// The groups: name and text in the help.
pub const GROUPS: [(&str, &str); 11] = [
    (
        "engine",
        "An engine; give it once for each. Keys as for -each, and name, cmd, dir, arg, args, env, conf, stderr",
    ),
    ("each", "Settings of every engine that has none of its own"),
    ("referee", "An engine that knows the rules of a game which Carom does not know"),
    ("openings", "What games begin with"),
    ("draw", "Call a game a draw when both scores stay near zero"),
    ("resign", "Call a game lost when a score stays low"),
    ("exact", "Call a game won when a forced win is proved"),
    ("sprt", "Stop when the sequential probability ratio test has decided"),
    ("report", "What the report counts"),
    ("output", "Lines as another program prints them"),
    ("pgnout", "Write games as PGN"),
];

/// All settings, in the order of the help. The three named here are replaced by others as soon as they are
/// read, so no struct has them.
pub static KEYS: LazyLock<Vec<Key>> = LazyLock::new(|| {
    let config = "Read settings from a TOML file; what the command line says counts more";
    let resume = "Go on from this journal, with its settings";
    let args = "More arguments, as a shell would part them";
    [
        vec![Key::new("", "config", "FILE", false, Effect::Records, config)],
        MatchKeys::described(),
        Records::described(),
        vec![
            Key::new("", "resume", "FILE", false, Effect::Records, resume),
            Key::new("engine", "args", "TEXT", true, Effect::Machine, args),
        ],
        EngineKeys::described(),
        RefereeKeys::described(),
        OpeningsFile::described(),
        DrawKeys::described(),
        ResignKeys::described(),
        ExactKeys::described(),
        SprtKeys::described(),
        ReportKeys::described(),
        OutputKeys::described(),
        PgnOut::described(),
    ]
    .concat()
});

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

/// The setting called `name` in `group`, aliases included. Every key of `each` is one of `engine` as well,
/// and the other way round.
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
}
