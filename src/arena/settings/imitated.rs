//! The programs whose defaults and lines a match can take over.

use super::error::SettingsError;
use super::given::Imitated;
use super::table::SettingsTable;

impl Imitated {
    /// What the program takes where nothing is said: the group, the setting, its value. A group that is not
    /// there is left away.
    const fn defaults(self) -> &'static [(&'static str, &'static str, &'static str)] {
        match self {
            Self::Fastchess => &[
                ("", "rounds", "2"),
                ("", "games", "2"),
                ("", "most-turns", "0"),
                ("", "event", "Fastchess Tournament"),
                ("each", "timemargin", "0"),
                ("draw", "movenumber", "0"),
                ("draw", "movecount", "1"),
                ("draw", "score", "0"),
                ("resign", "movecount", "1"),
                ("resign", "score", "0"),
                ("openings", "policy", "default"),
            ],
            Self::Cutechess => &[
                ("", "rounds", "1"),
                ("", "games", "1"),
                ("", "repeat", "1"),
                ("", "most-turns", "0"),
                ("", "ratinginterval", "0"),
                ("each", "timemargin", "0"),
                ("openings", "policy", "default"),
                ("sprt", "model", "logistic"),
            ],
        }
    }

    /// Adds the defaults of the program for what `table` does not say.
    ///
    /// # Errors
    /// Never with the defaults that there are.
    pub(super) fn add_defaults(self, table: &mut SettingsTable) -> Result<(), SettingsError> {
        for (group, name, value) in self.defaults() {
            let said = match *group {
                "" => table.get(name).is_some(),
                "each" => table.has("each", name),
                group => !table.has_group(group) || table.has(group, name),
            };
            let replaced = match *name {
                "most-turns" => table.get("maxmoves").is_some(),
                "rounds" => table.get("tournament").as_deref() == Some("knockout"),
                // fastchess has this policy alone, and means another one by it.
                "policy" if self == Self::Fastchess => {
                    table.has(group, name) && {
                        table.set(group, 0, name, value)?;
                        true
                    }
                }
                _ => false,
            };
            if !said && !replaced {
                table.set(group, 0, name, value)?;
            }
        }
        Ok(())
    }
}
