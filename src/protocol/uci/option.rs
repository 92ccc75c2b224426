//! UCI's spelling of an engine's option: the `option` line.

use super::command::{text_of, text_or_empty};
use crate::protocol::line::Line;
use crate::protocol::words::{
    GrammarError, OneLine, Parse, fail, keyword, number, one_of, remainder, required, some_word, until,
};
use crate::protocol::{EngineOption, OptionType, TextPath};
use nom::Parser;
use nom::combinator::verify;
use nom::sequence::preceded;
use std::fmt;

/// Writes the declaration of `option`.
pub(super) fn write_declaration(out: &mut fmt::Formatter<'_>, option: &EngineOption) -> fmt::Result {
    write!(out, "option name {} type ", OneLine(&option.name))?;
    match &option.kind {
        OptionType::Check { on, .. } => write!(out, "check default {on}"),
        OptionType::Number { value, min, max } => {
            write!(out, "spin default {value} min {min} max {max}")
        }
        OptionType::OneOf { choices, current } => {
            write!(out, "combo default {}", OneLine(current))?;
            choices.iter().try_for_each(|choice| write!(out, " var {}", OneLine(choice)))
        }
        OptionType::Button => out.write_str("button"),
        OptionType::Text { value, .. } => {
            write!(out, "string default {}", OneLine(text_or_empty(value)))
        }
    }
}

/// Reads the arguments of `option`.
pub(super) fn declaration<'a>(line: &mut Line<'a>, input: &'a str) -> Parse<'a, EngineOption> {
    const TYPES: &str = "`check`, `spin`, `combo`, `button` or `string`";
    let name = verify(until(|word| word == "type"), |name: &str| !name.is_empty());
    let (rest, name) = preceded(
        required("option", "`name`", keyword("name")),
        required("name", "the name of an option", name),
    )
    .parse(input)?;
    let (rest, _) = required("option", "`type`", keyword("type")).parse(rest)?;
    let (after, kind) = some_word("type", TYPES).parse(rest)?;
    let (mut on, mut value, mut min, mut max) = (None, None, None, None);
    let (mut text, mut choices) = (None, Vec::new());
    let check = || required("default", "`true` or `false`", one_of(&[("true", true), ("false", false)]));
    let choice = || until(|word| matches!(word, "default" | "var"));
    let (end, ()) = line.arguments(after, |line, from, word, rest| {
        Some(match (kind, word) {
            ("check", "default") => line.store(&mut on, from, check().parse(rest)),
            ("spin", "default") => line.store(&mut value, from, number("default").parse(rest)),
            ("spin", "min") => line.store(&mut min, from, number("min").parse(rest)),
            ("spin", "max") => line.store(&mut max, from, number("max").parse(rest)),
            ("combo", "default") => line.store(&mut text, from, choice().parse(rest)),
            ("combo", "var") => choice().map(|choice| choices.push(choice.to_owned())).parse(rest),
            ("string", "default") => line.store(&mut text, from, remainder(rest)),
            _ => return None,
        })
    })?;
    let kind = match kind {
        "check" => OptionType::Check { on: given(end, on, "check", "`default`")?, words: &["true", "false"] },
        "spin" => OptionType::Number {
            value: given(end, value, "spin", "`default`")?,
            min: given(end, min, "spin", "`min`")?,
            max: given(end, max, "spin", "`max`")?,
        },
        "combo" => OptionType::OneOf { current: given(end, text, "combo", "`default`")?.to_owned(), choices },
        "button" => OptionType::Button,
        // Many engines omit the default of a string. UCI has no type for the path of a file; its options are
        // known by their names.
        "string" => OptionType::Text {
            value: text.map(text_of).unwrap_or_default().to_owned(),
            path: if name.to_ascii_lowercase().ends_with("file") { TextPath::File } else { TextPath::None },
        },
        _ => return fail(rest, "type", TYPES),
    };
    Ok((end, EngineOption { name: name.to_owned(), kind }))
}

/// An argument, which must have been given by the `end` of the line.
fn given<'a, T>(
    end: &'a str,
    value: Option<T>,
    parameter: &'static str,
    expected: &'static str,
) -> Result<T, nom::Err<GrammarError<'a>>> {
    value.ok_or(nom::Err::Failure(GrammarError::missing(end, parameter, expected)))
}
