//! Declarations of options: the `option` line.

use super::command::{write_text, write_value};
use crate::protocol::line::Line;
use crate::protocol::words::{
    self, GrammarError, OneLine, Parse, fail, keyword, made, number, required, until,
};
use nom::Parser;
use std::fmt;

/// The arguments of `option`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration<'a> {
    /// The name, which may contain blanks.
    pub name: &'a str,
    /// The values it takes.
    pub kind: OptionKind<'a>,
}

/// The five types of options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind<'a> {
    /// On or off.
    Check {
        /// The default value.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// The default value.
        default: i64,
        /// The least value allowed.
        min: i64,
        /// The greatest value allowed.
        max: i64,
    },
    /// One of several texts.
    Combo {
        /// The default value.
        default: &'a str,
        /// All allowed values, which may contain blanks.
        choices: Vec<&'a str>,
    },
    /// An action that the engine carries out at once.
    Button,
    /// Any text.
    String {
        /// The default value; an empty one is written `<empty>`.
        default: &'a str,
    },
}

impl fmt::Display for Declaration<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "option name {} type ", OneLine(self.name))?;
        match &self.kind {
            OptionKind::Check { default } => write!(out, "check default {default}"),
            OptionKind::Spin { default, min, max } => {
                write!(out, "spin default {default} min {min} max {max}")
            }
            OptionKind::Combo { default, choices } => {
                out.write_str("combo")?;
                write_value(out, "default", Some(OneLine(default)))?;
                choices.iter().try_for_each(|choice| write_text(out, "var", Some(choice)))
            }
            OptionKind::Button => out.write_str("button"),
            OptionKind::String { default: "" } => out.write_str("string default <empty>"),
            OptionKind::String { default } => write!(out, "string default {}", OneLine(default)),
        }
    }
}

/// Reads the arguments of `option`.
pub(super) fn declaration<'a>(line: &mut Line<'a>, input: &'a str) -> Parse<'a, Declaration<'a>> {
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
            ("combo", "var") => made(choice(rest), |choice| choices.push(choice)),
            ("string", "default") => line.store(&mut text, from, words::remainder(rest)),
            _ => return None,
        })
    })?;
    let kind = match kind {
        "check" => OptionKind::Check { default: said(end, on, "check", "`default`")? },
        "spin" => OptionKind::Spin {
            default: said(end, value, "spin", "`default`")?,
            min: said(end, min, "spin", "`min`")?,
            max: said(end, max, "spin", "`max`")?,
        },
        "combo" => OptionKind::Combo { default: said(end, text, "combo", "`default`")?, choices },
        "button" => OptionKind::Button,
        // Many engines omit the default of a string.
        "string" => {
            OptionKind::String { default: text.filter(|text| *text != "<empty>").unwrap_or_default() }
        }
        _ => return fail(rest, "type", TYPES),
    };
    Ok((end, Declaration { name, kind }))
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
