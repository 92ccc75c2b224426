//! An engine's option as the engine declared it in either protocol, and how each protocol declares it.

use super::same_words;

/// An option of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineOption {
    /// The name, as the engine wrote it.
    pub name: String,
    /// The values it takes, and the present one.
    pub kind: OptionType,
}

/// The values that an option takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionType {
    /// On or off.
    Check {
        /// The declared value.
        on: bool,
        /// The values as the engine's protocol spells them.
        words: &'static [&'static str],
    },
    /// A whole number.
    Number {
        /// The declared value.
        value: i64,
        /// The least value allowed.
        min: i64,
        /// The greatest value allowed.
        max: i64,
    },
    /// One of several texts.
    OneOf {
        /// All allowed values.
        choices: Vec<String>,
        /// The declared value.
        current: String,
    },
    /// An action that the engine carries out at once.
    Button,
    /// Any text.
    Text {
        /// The declared value.
        value: String,
        /// Whether the text is a path.
        path: TextPath,
    },
}

/// What a text is the path of, if it is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextPath {
    /// Not a path, as far as is known.
    None,
    /// The path of a file.
    File,
    /// The path of a folder.
    Folder,
}

/// A value that an option refuses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("option {name}={value}: it must be {wanted}")]
pub struct OptionValueError {
    /// The name of the option.
    pub name: String,
    /// The value that was refused.
    pub value: String,
    /// The values it takes, as text.
    pub wanted: String,
}

impl EngineOption {
    /// An option that is on or off, with UCI's spelling of the values.
    #[must_use]
    pub fn check(name: &str, on: bool) -> Self {
        Self { name: name.to_owned(), kind: OptionType::Check { on, words: &["true", "false"] } }
    }

    /// An option that takes a whole number from `min` to `max`.
    #[must_use]
    pub fn number(name: &str, value: i64, min: i64, max: i64) -> Self {
        Self { name: name.to_owned(), kind: OptionType::Number { value, min, max } }
    }

    /// The option of this name; case and blanks are ignored.
    #[must_use]
    pub fn find<'a>(options: &'a [Self], name: &str) -> Option<&'a Self> {
        options.iter().find(|own| same_words(&own.name, name))
    }

    /// The values to choose from; empty when they are not listed.
    #[must_use]
    pub fn choices(&self) -> &[String] {
        match &self.kind {
            OptionType::OneOf { choices, .. } => choices,
            _ => &[],
        }
    }

    /// Checks that the option takes this value.
    ///
    /// # Errors
    /// When it does not; the error lists what it takes instead.
    pub fn takes(&self, value: &str) -> Result<(), OptionValueError> {
        let wanted = match &self.kind {
            OptionType::Check { words, .. } if !words.contains(&value) => "true or false".to_owned(),
            OptionType::Number { min, max, .. }
                if !value.parse().is_ok_and(|n: i64| (*min..=*max).contains(&n)) =>
            {
                format!("a whole number from {min} to {max}")
            }
            OptionType::OneOf { choices, .. } if !choices.iter().any(|choice| same_words(choice, value)) => {
                format!("one of {}", choices.join(", "))
            }
            _ => return Ok(()),
        };
        Err(OptionValueError { name: self.name.clone(), value: value.to_owned(), wanted })
    }

    /// The value in the engine's own spelling: checks are numbers in the XBoard protocol, choices keep the
    /// case in which they were declared.
    #[must_use]
    pub fn spelled(&self, value: &str) -> String {
        match &self.kind {
            OptionType::Check { words, .. } => match value.trim().to_ascii_lowercase().as_str() {
                "true" | "1" | "on" if words.contains(&"1") => "1".to_owned(),
                "false" | "0" | "off" if words.contains(&"0") => "0".to_owned(),
                "true" | "1" | "on" => "true".to_owned(),
                "false" | "0" | "off" => "false".to_owned(),
                _ => value.to_owned(),
            },
            OptionType::OneOf { choices, .. } => choices
                .iter()
                .find(|choice| same_words(choice, value))
                .map_or(value, String::as_str)
                .to_owned(),
            _ => value.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::uci::Reply;

    /// A declaration in UCI, converted to the XBoard protocol.
    fn to_xboard(line: &str) -> String {
        let Reply::Option(declared) = Reply::parse(line).unwrap().unwrap().message else { panic!("{line}") };
        declared.to_xboard()
    }

    fn xboard(text: &str) -> EngineOption {
        EngineOption::parse_xboard(text).unwrap().unwrap().message
    }

    fn to_uci(text: &str) -> String {
        Reply::Option(xboard(text)).to_string()
    }

    #[test]
    fn every_type_of_option_has_its_like_in_the_other_protocol() {
        for (uci, xboard) in [
            ("option name Ponder type check default false", "Ponder -check 0"),
            ("option name Skill Level type spin default 20 min -20 max 20", "Skill Level -spin 20 -20 20"),
            ("option name Style type combo default Calm var Wild var Calm", "Style -combo Wild /// *Calm"),
            ("option name Clear Hash type button", "Clear Hash -button"),
            ("option name Book File type string default a b.bin", "Book File -file a b.bin"),
            ("option name Note type string default <empty>", "Note -string "),
        ] {
            assert_eq!(to_xboard(uci), xboard);
            assert_eq!(to_uci(xboard), uci);
        }
        assert_eq!(to_uci("Slow -slider 2 0 9"), "option name Slow type spin default 2 min 0 max 9");
        assert_eq!(to_uci("Save It -save"), "option name Save It type button");
        assert_eq!(
            to_uci("Style -combo Wild /// Calm"),
            "option name Style type combo default Wild var Wild var Calm"
        );
    }

    #[test]
    fn a_value_is_written_as_the_engine_knows_it() {
        let uci = EngineOption::check("Ponder", false);
        assert_eq!((uci.spelled("1").as_str(), uci.takes("1").is_err()), ("true", true));
        assert_eq!(xboard("Resign -check 0").spelled("true"), "1");
        let combo = xboard("Style -combo Wild /// *Calm");
        assert_eq!(combo.spelled("wild"), "Wild");
        let refused = combo.takes("Odd").unwrap_err();
        assert_eq!(refused.to_string(), "option Style=Odd: it must be one of Wild, Calm");
    }
}
