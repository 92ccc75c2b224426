//! Settings as the command line, a file and a journal give them: one TOML table, with every value of the type
//! that its key requires.

use super::error::SettingsError;
use super::key::Effect;
use super::keys;
use super::words::{self, Verdict};
use crate::base::{is_control, similar, without_controls};
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

/// A table of settings: those without a group at the top, a table for each group, and a list of tables named
/// `engine`. Settings that may be given more than once are lists; the items of `option` and `env` are
/// `NAME=VALUE`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored")]
pub struct SettingsTable(pub(super) Table);

/// The settings in a journal. Those of Carom 0.1.0 have a list of them.
#[derive(Deserialize)]
#[serde(untagged)]
enum Stored {
    Table(Table),
    List(Vec<StoredSetting>),
}

#[derive(Deserialize)]
struct StoredSetting {
    group: String,
    place: u16,
    name: String,
    value: String,
}

impl TryFrom<Stored> for SettingsTable {
    type Error = SettingsError;

    fn try_from(stored: Stored) -> Result<Self, SettingsError> {
        let mut settings = Self::default();
        match stored {
            Stored::Table(table) => settings.0 = table,
            Stored::List(list) => {
                list.iter()
                    .try_for_each(|it| settings.set(&it.group, it.place.into(), &it.name, &it.value))?;
            }
        }
        Ok(settings)
    }
}

/// One setting of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The index of the engine, from 0 on; 0 for other settings.
    pub place: usize,
    /// What depends on the setting.
    pub effect: Effect,
    /// The setting as text: `-each tc=10`.
    pub spoken: String,
}

impl SettingsTable {
    /// Sets a value from `text`. A setting that is given twice keeps the last value, or becomes a list.
    ///
    /// # Errors
    /// When there is no such setting, or it cannot have this value.
    pub fn set(&mut self, group: &str, place: usize, name: &str, text: &str) -> Result<(), SettingsError> {
        if let Some((group, name, text)) = words::translated(group, name, text) {
            return self.set(group, place, name, &text);
        }
        let Some(key) = keys::find(group, name) else {
            match words::find(group, name) {
                Some(word) if word.verdict == Verdict::Refused => {
                    let said = without_controls(&spoken(group, name, text)).into_owned();
                    return Err(SettingsError(format!("{said}: {}", word.note)));
                }
                Some(_) => return Ok(()),
                None => {}
            }
            let known: Vec<&str> = keys::keys_of(group).map(|key| key.name).collect();
            let place = if group.is_empty() { "a match".to_owned() } else { format!("-{group}") };
            let meant = similar(name, known.iter().copied());
            let meant = meant.map_or(String::new(), |meant| format!(", did you mean `{meant}`?"));
            let known = known.join(", ");
            return Err(SettingsError(format!("{place} has no setting `{name}`{meant}; it has: {known}")));
        };
        let group = if matches!(group, "engine" | "each") { group } else { key.group };
        let (name, item, given) = match name.split_once('.') {
            Some((list, own)) => (list, format!("{own}={text}"), name),
            None => (key.name, text.to_owned(), key.name),
        };
        let refused =
            |why: &str| SettingsError(format!("{}: {why}", without_controls(&spoken(group, given, text))));
        // Some values are sent to engines and written into records.
        if item.contains(is_control) {
            return Err(refused("there is a control character in it"));
        }
        let value = key.parse(&item).map_err(|wanted| refused(&format!("it must be {wanted}")))?;
        let no_table = || SettingsError(format!("`{group}` is no table"));
        let table = self.group(group, place).ok_or_else(no_table)?;
        if key.is_list {
            let (name, items) = match name {
                "args" => ("arg", split(text)?.into_iter().map(Value::String).collect()),
                // cutechess parts lines so.
                "init" => ("init", text.split("\\n").map(|line| Value::String(line.to_owned())).collect()),
                _ => (name, vec![value]),
            };
            if let Value::Array(list) = table.entry(name).or_insert_with(|| Value::Array(Vec::new())) {
                list.extend(items);
            }
        } else {
            table.insert(name.to_owned(), value);
        }
        Ok(())
    }

    /// Sets `KEY=VALUE` in a group. A word without `=` is the `file` in groups that have one, else a flag
    /// that is set.
    ///
    /// # Errors
    /// As [`SettingsTable::set`].
    pub fn set_word(&mut self, group: &str, place: usize, word: &str) -> Result<(), SettingsError> {
        match word.split_once('=') {
            Some((name, value)) => self.set(group, place, name, value),
            None if keys::find(group, "file").is_some()
                && keys::find(group, word).is_none()
                && words::find(group, word).is_none() =>
            {
                self.set(group, place, "file", word)
            }
            None => self.set(group, place, word, "true"),
        }
    }

    /// Names a group without any of its settings.
    pub fn name_group(&mut self, group: &str, place: usize) {
        let _ = self.group(group, place);
    }

    /// The table of a group, created if necessary.
    fn group(&mut self, group: &str, place: usize) -> Option<&mut Table> {
        if group.is_empty() {
            return Some(&mut self.0);
        }
        let empty = || if group == "engine" { Value::Array(Vec::new()) } else { Value::Table(Table::new()) };
        match self.0.entry(group).or_insert_with(empty) {
            Value::Array(list) => {
                list.resize(list.len().max(place + 1), Value::Table(Table::new()));
                list[place].as_table_mut()
            }
            inner => inner.as_table_mut(),
        }
    }

    /// The settings of a TOML file; `options` and `env` may be tables.
    ///
    /// # Errors
    /// When the text is not TOML, or names a setting that does not exist.
    pub fn from_toml(text: &str) -> Result<Self, SettingsError> {
        let table: Table = text.parse().map_err(|error: toml::de::Error| {
            let line = error.span().map_or(1, |span| text[..span.start].lines().count().max(1));
            SettingsError(format!("line {line}: {}", error.message()))
        })?;
        let mut settings = Self::default();
        settings.add(&Self(table))?;
        Ok(settings)
    }

    /// Adds the settings of `more`. Each value is checked again, since they may come from anywhere.
    ///
    /// # Errors
    /// As [`SettingsTable::set`].
    pub fn add(&mut self, more: &Self) -> Result<(), SettingsError> {
        more.entries().into_iter().try_for_each(|entry| {
            let Entry { group, place, name, text } = entry?;
            self.set(&group, place, &name, &text)
        })
    }

    /// Every value as the command line would give it, or why it could not.
    fn entries(&self) -> Vec<Result<Entry, SettingsError>> {
        let mut found = Vec::new();
        let refused = |why: &str| Err(SettingsError(why.to_owned()));
        for (name, value) in &self.0 {
            match value {
                Value::Array(list) if name == "engine" || name == "engines" => {
                    for (place, engine) in list.iter().enumerate() {
                        match engine.as_table() {
                            Some(engine) => engine.iter().for_each(|(name, value)| {
                                add_entries("engine", place, name, value, &mut found)
                            }),
                            None => found.push(refused("`engine` must be written [[engine]]")),
                        }
                    }
                }
                Value::Table(_) if name == "engine" => {
                    found.push(refused("engines must be written [[engine]]"));
                }
                Value::Table(group) => {
                    group.iter().for_each(|(own, value)| add_entries(name, 0, own, value, &mut found));
                }
                value => add_entries("", 0, name, value, &mut found),
            }
        }
        found
    }

    /// The value of a setting without a group, as text.
    pub fn get(&self, name: &str) -> Option<String> {
        self.0.get(name).and_then(text)
    }

    /// True when something is said in this group.
    pub(super) fn has_group(&self, group: &str) -> bool {
        self.0.contains_key(group)
    }

    /// True when this setting of a group is said.
    pub(super) fn has(&self, group: &str, name: &str) -> bool {
        matches!(self.0.get(group), Some(Value::Table(table)) if table.contains_key(name))
    }

    /// Removes a setting without a group, or a whole group.
    pub fn remove(&mut self, name: &str) -> Option<String> {
        self.0.remove(name).as_ref().and_then(text)
    }

    /// True when engines are named.
    pub fn names_engines(&self) -> bool {
        self.0.contains_key("engine")
    }

    /// All settings of the table.
    pub fn settings(&self) -> Vec<Setting> {
        let setting = |Entry { group, place, name, text }: Entry| Setting {
            place,
            effect: keys::find(&group, &name).map_or(Effect::Games, |key| key.effect),
            spoken: spoken(&group, &name, &text),
        };
        self.entries().into_iter().flatten().map(setting).collect()
    }

    /// The settings that two parts of the same match must share: everything that the games depend on, and
    /// with `machine` also how the engines are run.
    pub fn identity(&self, machine: bool) -> Vec<Setting> {
        let mut own = self.settings();
        own.retain(|setting| match setting.effect {
            Effect::Games => true,
            Effect::Machine => machine,
            Effect::Records => false,
        });
        own
    }
}

/// A value as the command line would give it: `-engine option.Hash=64`.
struct Entry {
    group: String,
    place: usize,
    name: String,
    text: String,
}

/// Adds a value to `found`; of a list, or of a table with names of its own, each item.
fn add_entries(
    group: &str,
    place: usize,
    name: &str,
    value: &Value,
    found: &mut Vec<Result<Entry, SettingsError>>,
) {
    let name = if name == "options" { "option" } else { name };
    let is_named = matches!(name, "option" | "env");
    match value {
        Value::Array(list) => list.iter().for_each(|value| add_entries(group, place, name, value, found)),
        Value::Table(inner) if is_named => inner
            .iter()
            .for_each(|(own, value)| add_entries(group, place, &format!("{name}.{own}"), value, found)),
        value => {
            let kind = || SettingsError(format!("`{name}` has a value of a kind no setting has"));
            found.push(text(value).ok_or_else(kind).map(|text| {
                let (name, text) = match text.split_once('=').filter(|_| is_named) {
                    Some((own, text)) => (format!("{name}.{own}"), text.to_owned()),
                    None => (name.to_owned(), text),
                };
                Entry { group: group.to_owned(), place, name, text }
            }));
        }
    }
}

/// A setting with this value as text: `-each tc=soon`.
fn spoken(group: &str, name: &str, value: &str) -> String {
    match group {
        "" => format!("-{name} {value}"),
        _ => format!("-{group} {name}={value}"),
    }
}

/// A scalar as text.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Float(number) => Some(number.to_string()),
        Value::Boolean(on) => Some(on.to_string()),
        _ => None,
    }
}

/// Splits a text into words as a shell does.
pub(super) fn split(text: &str) -> Result<Vec<String>, SettingsError> {
    shlex::split(text).ok_or_else(|| SettingsError(format!("`{text}`: a quotation mark is open")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_and_words_give_the_same_table() {
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
        let mut given = SettingsTable::default();
        for (group, place, word) in [
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
        ] {
            given.set_word(group, place, word).unwrap();
        }
        assert_eq!(SettingsTable::from_toml(file).unwrap(), given);
        let mut again = SettingsTable::default();
        again.add(&given).unwrap();
        assert_eq!(again, given, "what was checked once stays as it is");
        let json = serde_json::to_string(&given).unwrap();
        assert_eq!(serde_json::from_str::<SettingsTable>(&json).unwrap(), given);
        assert_eq!(given.settings()[2].spoken, "-engine option.Hash=64");
        for (text, fault) in [
            ("game = ", "line 1"),
            ("tempo = 3", "a match has no setting `tempo`"),
            ("[each]\ncolour = \"x\"", "-each has no setting `colour`"),
            ("[engine]\ncmd = \"x\"", "[[engine]]"),
            ("game = 1979-05-27", "no setting has"),
        ] {
            let error = SettingsTable::from_toml(text).unwrap_err().to_string();
            assert!(error.contains(fault), "{text}: {error}");
        }
    }

    #[test]
    fn a_bare_word_is_the_file_of_a_group() {
        let mut table = SettingsTable::default();
        table.set_word("pgnout", 0, "games.pgn").unwrap();
        assert_eq!(table.settings()[0].spoken, "-pgnout file=games.pgn");
    }
}
