//! The options an engine has declared, and what values they take.

use super::Fault;
use crate::protocol::{same_words, uci, xboard};

/// An option of an engine.
pub(super) struct EngineOption {
    /// As the engine wrote it.
    pub name: String,
    values: Values,
}

/// What values an option takes.
enum Values {
    /// On or off, in the words its protocol has for them.
    Check(&'static [&'static str]),
    Number {
        min: i64,
        max: i64,
    },
    OneOf(Vec<String>),
    Any,
}

impl EngineOption {
    /// The one of this name, whatever its capitals and blanks.
    pub fn find<'a>(options: &'a [Self], name: &str) -> Option<&'a Self> {
        options.iter().find(|own| same_words(&own.name, name))
    }

    /// The values it may be chosen from; empty when they are not listed.
    pub fn choices(&self) -> &[String] {
        match &self.values {
            Values::OneOf(choices) => choices,
            _ => &[],
        }
    }

    /// That the option takes this value.
    pub fn check(&self, value: &str) -> Result<(), Fault> {
        let wanted = match &self.values {
            Values::Check(words) if !words.contains(&value) => "true or false".to_owned(),
            Values::Number { min, max } if !value.parse().is_ok_and(|n: i64| (*min..=*max).contains(&n)) => {
                format!("a whole number from {min} to {max}")
            }
            Values::OneOf(choices) if !choices.iter().any(|choice| same_words(choice, value)) => {
                format!("one of {}", choices.join(", "))
            }
            _ => return Ok(()),
        };
        Err(Fault::Unfit(format!("option {}={value}: it must be {wanted}", self.name)))
    }
}

fn owned(choices: &[&str]) -> Values {
    Values::OneOf(choices.iter().copied().map(str::to_owned).collect())
}

impl From<uci::Declaration<'_>> for EngineOption {
    fn from(declared: uci::Declaration<'_>) -> Self {
        let values = match declared.kind {
            uci::OptionKind::Check { .. } => Values::Check(&["true", "false"]),
            uci::OptionKind::Spin { min, max, .. } => Values::Number { min, max },
            uci::OptionKind::Combo { choices, .. } => owned(&choices),
            _ => Values::Any,
        };
        Self { name: declared.name.to_owned(), values }
    }
}

impl From<xboard::Declaration<'_>> for EngineOption {
    fn from(declared: xboard::Declaration<'_>) -> Self {
        use xboard::OptionKind;
        let values = match declared.kind {
            OptionKind::Check(_) => Values::Check(&["true", "false", "1", "0"]),
            OptionKind::Spin(span) | OptionKind::Slider(span) => {
                Values::Number { min: span.min, max: span.max }
            }
            OptionKind::Combo { choices, .. } => owned(&choices),
            _ => Values::Any,
        };
        Self { name: declared.name.to_owned(), values }
    }
}
