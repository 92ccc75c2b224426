//! Settings as words: what the command line, a file and a journal give.

use super::SettingsError;
use super::keys::{self, Effect, Key};
use crate::base::similar;
use serde::{Deserialize, Serialize};

/// One setting as it was given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The group; empty for none.
    pub group: String,
    /// For engines: which, from 0 on.
    pub place: usize,
    /// The name; `option.Hash`.
    pub name: String,
    /// The value.
    pub value: String,
}

impl Entry {
    /// An entry, its name being checked and put as the table has it.
    ///
    /// # Errors
    /// When there is no such setting.
    pub fn new(group: &str, place: usize, name: &str, value: &str) -> Result<Self, SettingsError> {
        let Some(key) = keys::find(group, name) else {
            let known = keys::names(group);
            let place = if group.is_empty() { "a match".to_owned() } else { format!("-{group}") };
            let meant = similar(name, known.split(", "));
            let meant = meant.map_or(String::new(), |meant| format!(", did you mean `{meant}`?"));
            return Err(SettingsError(format!("{place} has no setting `{name}`{meant}; it has: {known}")));
        };
        let group = if group == "engine" { group } else { key.group };
        let name = if key.name.contains('.') { name } else { key.name };
        Ok(Self { group: group.to_owned(), place, name: name.to_owned(), value: value.to_owned() })
    }

    /// `KEY=VALUE` in a group; a bare word is the `file` where there is one, else a flag that is set.
    ///
    /// # Errors
    /// When there is no such setting.
    pub fn from_word(group: &str, place: usize, word: &str) -> Result<Self, SettingsError> {
        match word.split_once('=') {
            Some((name, value)) => Self::new(group, place, name, value),
            None if keys::find(group, "file").is_some() && keys::find(group, word).is_none() => {
                Self::new(group, place, "file", word)
            }
            None => Self::new(group, place, word, "true"),
        }
    }

    /// The table's line for it.
    pub fn key(&self) -> Option<&'static Key> {
        keys::find(&self.group, &self.name)
    }

    /// What depends on it.
    pub fn effect(&self) -> Effect {
        self.key().map_or(Effect::Games, |key| key.effect)
    }

    /// How to speak of it: `-each tc=soon`.
    pub fn spoken(&self) -> String {
        match self.group.as_str() {
            "" => format!("-{} {}", self.name, self.value),
            group => format!("-{group} {}={}", self.name, self.value),
        }
    }
}

/// The entries of a TOML file: settings that stand alone at the top, a table for each group, `[[engine]]` for engines;
/// `options` and `env` may be tables.
///
/// # Errors
/// When the text is no TOML, or names what there is not.
pub fn from_toml(text: &str) -> Result<Vec<Entry>, SettingsError> {
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        let line = error.span().map_or(1, |span| text[..span.start].lines().count().max(1));
        SettingsError(format!("line {line}: {}", error.message()))
    })?;
    let mut entries = Vec::new();
    for (name, value) in &table {
        match value {
            toml::Value::Array(list) if name == "engine" || name == "engines" => {
                for (place, engine) in list.iter().enumerate() {
                    let toml::Value::Table(engine) = engine else {
                        return Err(SettingsError("`engine` must be written [[engine]]".to_owned()));
                    };
                    group_entries("engine", place, engine, &mut entries)?;
                }
            }
            toml::Value::Table(group) if name != "engine" => group_entries(name, 0, group, &mut entries)?,
            toml::Value::Table(_) => {
                return Err(SettingsError("engines must be written [[engine]]".to_owned()));
            }
            value => scalar_entries("", 0, name, value, &mut entries)?,
        }
    }
    Ok(entries)
}

fn group_entries(
    group: &str,
    place: usize,
    table: &toml::Table,
    entries: &mut Vec<Entry>,
) -> Result<(), SettingsError> {
    for (name, value) in table {
        match (name.as_str(), value) {
            ("options" | "option" | "env", toml::Value::Table(inner)) => {
                let word = if name == "env" { "env" } else { "option" };
                for (inner_name, value) in inner {
                    scalar_entries(group, place, &format!("{word}.{inner_name}"), value, entries)?;
                }
            }
            (_, value) => scalar_entries(group, place, name, value, entries)?,
        }
    }
    Ok(())
}

/// A value, or a list of them for settings that may be given more than once.
fn scalar_entries(
    group: &str,
    place: usize,
    name: &str,
    value: &toml::Value,
    entries: &mut Vec<Entry>,
) -> Result<(), SettingsError> {
    let text = match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Integer(number) => number.to_string(),
        toml::Value::Float(number) => number.to_string(),
        toml::Value::Boolean(on) => on.to_string(),
        toml::Value::Array(list) => {
            return list.iter().try_for_each(|value| scalar_entries(group, place, name, value, entries));
        }
        _ => return Err(SettingsError(format!("`{name}` has a value of a kind no setting has"))),
    };
    entries.push(Entry::new(group, place, name, &text)?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_and_words_give_the_same_entries() {
        let file = r#"
            game = "hanniball"
            rounds = 500
            rule = ["red-card=true"]
            [[engine]]
            cmd = "one"
            [engine.options]
            Hash = 64
            [[engine]]
            cmd = "two"
            st = 0.5
            env = { A = "b" }
            [each]
            tc = "10+0.1"
            [resign]
            twosided = true
        "#;
        let mut read = from_toml(file).unwrap();
        let words = [
            ("", 0, "game=hanniball"),
            ("", 0, "rounds=500"),
            ("", 0, "rule=red-card=true"),
            ("engine", 0, "cmd=one"),
            ("engine", 0, "option.Hash=64"),
            ("engine", 1, "cmd=two"),
            ("engine", 1, "st=0.5"),
            ("engine", 1, "env.A=b"),
            ("each", 0, "tc=10+0.1"),
            ("resign", 0, "twosided"),
        ];
        let mut given: Vec<Entry> =
            words.iter().map(|(group, place, word)| Entry::from_word(group, *place, word).unwrap()).collect();
        let order =
            |entries: &mut Vec<Entry>| entries.sort_by_key(|e| (e.group.clone(), e.place, e.name.clone()));
        order(&mut read);
        order(&mut given);
        assert_eq!(read, given);
        assert_eq!(Entry::from_word("pgnout", 0, "games.pgn").unwrap().name, "file");
        for (text, fault) in [
            ("game = ", "line 1"),
            ("tempo = 3", "a match has no setting `tempo`"),
            ("[each]\ncmd = \"x\"", "-each has no setting `cmd`"),
            ("[engine]\ncmd = \"x\"", "[[engine]]"),
            ("game = 1979-05-27", "no setting has"),
        ] {
            let error = from_toml(text).unwrap_err().to_string();
            assert!(error.contains(fault), "{text}: {error}");
        }
    }
}
