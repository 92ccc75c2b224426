//! UCI's spelling of an engine's option: the `option` line.

use super::command::write_text;
use crate::protocol::line::Line;
use crate::protocol::words::{
    self, GrammarError, OneLine, Parse, fail, keyword, made, number, required, until,
};
use crate::protocol::{EngineOption, OptionType, TextPath};
use nom::Parser;
use std::fmt;

/// Writes the declaration of `option`.
pub(super) fn write_declaration(out: &mut fmt::Formatter<'_>, option: &EngineOption) -> fmt::Result {
    write!(out, "option name {} type ", OneLine(&option.name))?;
    match &option.kind {
        OptionType::Check { on, .. } => write!(out, "check default {on}"),
        OptionType::Number { value, min, max } => write!(out, "spin default {value} min {min} max {max}"),
        OptionType::OneOf { choices, current } => {
            out.write_str("combo")?;
            write_text(out, "default", Some(current))?;
            choices.iter().try_for_each(|choice| write_text(out, "var", Some(choice)))
        }
        OptionType::Button => out.write_str("button"),
        OptionType::Text { value, .. } => {
            let value = if value.is_empty() { "<empty>" } else { value };
            write!(out, "string default {}", OneLine(value))
        }
    }
}

/// Reads the arguments of `option`.
pub(super) fn declaration<'a>(line: &mut Line<'a>, input: &'a str) -> Parse<'a, EngineOption> {
    let Ok((rest, _)) = keyword("name").parse(input) else {
        return fail(input, "option", "`name`");
    };
    let (after, name) = until(rest, |word| word == "type")?;
    if name.is_empty() {
        return fail(rest, "name", "the name of an option");
    }
    let Ok((rest, _)) = keyword("type").parse(after) else {
        return fail(after, "option", "`type`");
    };
    const TYPES: &str = "`check`, `spin`, `combo`, `button` or `string`";
    let (after, kind) = required(rest, "type", TYPES)?;
    let (mut on, mut value, mut min, mut max) = (None, None, None, None);
    let (mut text, mut choices) = (None, Vec::new());
    let choice = |rest| until(rest, |word| matches!(word, "default" | "var"));
    let (end, ()) = line.arguments(after, |line, from, word, rest| {
        Some(match (kind, word) {
            ("check", "default") => line.store(&mut on, from, check(rest)),
            ("spin", "default") => line.store(&mut value, from, number(rest, "default")),
            ("spin", "min") => line.store(&mut min, from, number(rest, "min")),
            ("spin", "max") => line.store(&mut max, from, number(rest, "max")),
            ("combo", "default") => line.store(&mut text, from, choice(rest)),
            ("combo", "var") => made(choice(rest), |choice| choices.push(choice.to_owned())),
            ("string", "default") => line.store(&mut text, from, words::remainder(rest)),
            _ => return None,
        })
    })?;
    let kind = match kind {
        "check" => OptionType::Check { on: said(end, on, "check", "`default`")?, words: &["true", "false"] },
        "spin" => OptionType::Number {
            value: said(end, value, "spin", "`default`")?,
            min: said(end, min, "spin", "`min`")?,
            max: said(end, max, "spin", "`max`")?,
        },
        "combo" => OptionType::OneOf { current: said(end, text, "combo", "`default`")?.to_owned(), choices },
        "button" => OptionType::Button,
        // Many engines omit the default of a string. UCI has no type for the path of a file; its options are
        // known by their names.
        "string" => OptionType::Text {
            value: text.filter(|text| *text != "<empty>").unwrap_or_default().to_owned(),
            path: if name.to_ascii_lowercase().ends_with("file") { TextPath::File } else { TextPath::None },
        },
        _ => return fail(rest, "type", TYPES),
    };
    Ok((end, EngineOption { name: name.to_owned(), kind }))
}

fn check(input: &str) -> Parse<'_, bool> {
    match words::word(input) {
        Ok((rest, "true")) => Ok((rest, true)),
        Ok((rest, "false")) => Ok((rest, false)),
        _ => fail(input, "default", "`true` or `false`"),
    }
}

/// Requires an argument, which must have been given by the `end` of the line.
fn said<'a, T>(
    end: &'a str,
    value: Option<T>,
    parameter: &'static str,
    expected: &'static str,
) -> Result<T, nom::Err<GrammarError<'a>>> {
    value.ok_or(nom::Err::Failure(GrammarError::missing(end, parameter, expected)))
}
