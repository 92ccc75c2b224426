//! The options of the engine: one table that feeds UCI's `option`, XBoard's `feature option=`, `--help` and
//! the docs.

mod about;
mod entry;
mod settings;
mod table;

use crate::base::similar;
use crate::game::Facts;
use crate::protocol::same_words;
use crate::variants::{self, UnknownGame};

pub use about::{AUTHOR, MISTAKE, engine_name};
pub use entry::{Change, Entry, Offered, OptionKind, Setter};
pub use settings::{DrawOffers, MOST_HASH, MOST_SEED, MOST_THREADS, Prompts, Settings, TurnView};
pub use table::{document, table};

/// True for the facts of a registered game. Another program's games may have facts of their own.
pub fn is_registered(facts: &Facts) -> bool {
    variants::all().into_iter().any(|own| std::ptr::eq(own, facts))
}

/// Why an option could not be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// There is no option of that name.
    #[error("no option is called `{name}`{}", similar.as_ref().map_or(String::new(), |option| format!(", did you mean `{option}`?")))]
    Unknown {
        /// The name that was looked up.
        name: String,
        /// The known name most like it, if any is close.
        similar: Option<String>,
    },
    /// There is no game of the name that `UCI_Variant` was given.
    #[error("option UCI_Variant: {0}")]
    Game(#[from] UnknownGame),
    /// The option does not take this value.
    #[error("option {name} takes {expected}, not `{found}`")]
    Value {
        /// The name of the option.
        name: String,
        /// The values it takes, as text.
        expected: String,
        /// The value it was given.
        found: String,
    },
}

impl OptionError {
    /// No option has this name; these are the `known` ones.
    pub(super) fn unknown<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        Self::Unknown { name: name.to_owned(), similar: similar(name, known).map(str::to_owned) }
    }
}

impl Settings {
    /// Sets an option. Names and values are read in either case. On an error nothing has changed.
    ///
    /// # Errors
    /// When there is no such option, or it does not take the value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<Change, OptionError> {
        let named = |entry: &Entry| same_words(entry.name, name) || same_words(&entry.label(), name);
        let unknown = || OptionError::unknown(name, table().iter().map(|entry| entry.name));
        let entry = table().into_iter().find(named).ok_or_else(unknown)?;
        let wrong = |expected: String| OptionError::Value {
            name: entry.name.to_owned(),
            expected,
            found: value.to_owned(),
        };
        let value = value.trim();
        match entry.kind {
            OptionKind::Button(change) => return Ok(change),
            OptionKind::Text(_) => {}
            OptionKind::Words(sets) => sets(self, value),
            OptionKind::Spin { min, max, sets, .. } => {
                let number = value.parse::<u64>().ok().filter(|n| (min..=max).contains(n));
                sets(self, number.ok_or_else(|| wrong(format!("a number from {min} to {max}")))?);
            }
            OptionKind::Check { sets, .. } => {
                let on = match value.to_ascii_lowercase().as_str() {
                    "true" | "1" | "on" => true,
                    "false" | "0" | "off" => false,
                    _ => return Err(wrong("true or false".to_owned())),
                };
                self.put(entry.name, sets, on);
            }
            OptionKind::Combo { values, sets } => {
                let chosen = values.iter().find(|v| v.eq_ignore_ascii_case(value));
                self.put(entry.name, sets, *chosen.ok_or_else(|| wrong(values.join(", ")))?);
            }
            OptionKind::Game(_) => {
                self.game = variants::find(value)?;
                return Ok(Change::Game);
            }
        }
        Ok(Change::Quiet)
    }

    fn put<T: ToString>(&mut self, name: &'static str, sets: Setter<T>, value: T) {
        match sets {
            Setter::Setting(set) => set(self, value),
            Setter::Switch => drop(self.switches.insert(name, value.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    /// Which settings an option changes when it is set to something other than its default.
    fn changed(entry: &Entry) -> BTreeSet<String> {
        let value = match &entry.kind {
            OptionKind::Check { default, .. } => (!default).to_string(),
            OptionKind::Spin { default, min, max, .. } => if default == max { min } else { max }.to_string(),
            OptionKind::Combo { values, .. } | OptionKind::Game(values) => values[1].to_owned(),
            OptionKind::Words(_) => "somebody".to_owned(),
            OptionKind::Button(_) | OptionKind::Text(_) => String::new(),
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
        // The map of the rule switches shows up as a field of its own, and so does the switch in it.
        let after =
            fields(&settings).difference(&before).map(|(name, _)| name.clone()).collect::<BTreeSet<_>>();
        after.into_iter().filter(|name| name != "switches").collect()
    }

    #[test]
    fn every_option_sets_something_and_no_other_sets_the_same() {
        let mut owners: BTreeMap<String, &str> = BTreeMap::new();
        for entry in table() {
            let changed = changed(&entry);
            let silent = matches!(entry.kind, OptionKind::Button(_) | OptionKind::Text(_));
            assert_eq!(changed.is_empty(), silent, "{}: {changed:?}", entry.name);
            for field in changed {
                let other = owners.insert(field.clone(), entry.name);
                assert_eq!(other, None, "{field} is set by {} too", entry.name);
            }
        }
    }
}
