//! UCI's spelling of an engine's option: the `option` line.

use super::command::{text_of, text_or_empty};
use crate::base::grammar::Parse;
use crate::protocol::line::Line;
use crate::protocol::words::{
    OneLine, fail, keyword, number, one_of, remainder, required, some_word, some_words, until,
};
use crate::protocol::{EngineOption, OptionType, TextPath};
use nom::Parser;
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
    let name = some_words("name", "the name of an option", |word| word == "type");
    let (rest, name) = preceded(required("option", "`name`", keyword("name")), name).parse(input)?;
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
        "check" => match on {
            Some(on) => OptionType::Check { on, words: &["true", "false"] },
            None => return fail(end, "check", "`default`"),
        },
        "spin" => match (value, min, max) {
            (Some(value), Some(min), Some(max)) => OptionType::Number { value, min, max },
            (None, ..) => return fail(end, "spin", "`default`"),
            (_, None, _) => return fail(end, "spin", "`min`"),
            (.., None) => return fail(end, "spin", "`max`"),
        },
        "combo" => match text {
            Some(current) => OptionType::OneOf { current: current.to_owned(), choices },
            None => return fail(end, "combo", "`default`"),
        },
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
