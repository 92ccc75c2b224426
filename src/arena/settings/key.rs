//! A setting of a match and what its value can be. The macro `keys!` describes the settings of a group where
//! serde's struct declares them: the command line, the help, TOML files and journals all go by that one
//! description.

use crate::session::parse_seconds;
use toml::Value;

/// One setting.
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
    /// Whether it may be given more than once.
    pub is_list: bool,
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

/// Declares a struct of settings. A field is `name: Type, "VALUE", Effect, "help";` in the block of its
/// group, with `as "NAME"` where its name is no identifier. The help shows VALUE, of `N:1..9` only N; a flag
/// has none.
macro_rules! keys {
    ($(#[$attribute:meta])* $sight:vis struct $keys:ident {
        $($group:literal { $(
            $(#[$of_field:meta])* $field:ident $(as $name:literal)?: $type:ty, $value:literal, $effect:ident, $help:literal;
        )* })*
        $(groups { $($inner:ident: $of_inner:ty;)* })?
    }) => {
        $(#[$attribute])*
        #[allow(rustdoc::broken_intra_doc_links, reason = "a default in brackets is no link")]
        $sight struct $keys {
            $($($(#[$of_field])* #[doc = $help] pub $field: $type,)*)*
            $($(#[doc = concat!("The group `", stringify!($inner), "`.")] pub $inner: $of_inner,)*)?
        }

        impl $keys {
            /// The settings of the struct, in the order of the help.
            pub(super) fn described() -> Vec<$crate::arena::settings::key::Key> {
                use $crate::arena::settings::key::{Effect, Key};
                vec![$($({
                    let name = [stringify!($field), $($name)?];
                    let is_list = stringify!($type).starts_with("Vec");
                    Key::new($group, name[name.len() - 1], $value, is_list, Effect::$effect, $help)
                },)*)*]
            }
        }
    };
}
pub(super) use keys;

impl Key {
    /// A setting whose `value` may end in a range, such as `N:1..9`.
    pub fn new(
        group: &'static str,
        name: &'static str,
        value: &'static str,
        is_list: bool,
        effect: Effect,
        help: &'static str,
    ) -> Self {
        let (value, range) = value.split_once(':').unwrap_or((value, ".."));
        let (least, most) = range.split_once("..").unwrap_or_default();
        let range = [least.parse().unwrap_or(0), most.parse().unwrap_or(u64::MAX)];
        Self { group, name, value, range, is_list, help, effect }
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
