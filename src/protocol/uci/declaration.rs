//! What options an engine has: the `option` line.

use super::command::{write_text, write_value};
use crate::protocol::line::Line;
use crate::protocol::words::{self, OneLine, Parse, fail, keyword, number, required, until};
use nom::Parser;
use std::fmt;

/// The arguments of `option`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration<'a> {
    /// May hold blanks.
    pub name: &'a str,
    /// What values it takes.
    pub kind: OptionKind<'a>,
}

/// The five types of options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind<'a> {
    /// On or off.
    Check {
        /// The value when nobody says otherwise.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// The value when nobody says otherwise.
        default: i64,
        /// The least allowed.
        min: i64,
        /// The greatest allowed.
        max: i64,
    },
    /// One of several texts.
    Combo {
        /// The value when nobody says otherwise.
        default: &'a str,
        /// All allowed values. They may hold blanks.
        choices: Vec<&'a str>,
    },
    /// Something to be done at once.
    Button,
    /// Any text.
    String {
        /// The value when nobody says otherwise; written `<empty>` when it is.
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

/// The arguments of `option`.
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
    let (rest, kind) = match kind {
        "check" => check(line, after)?,
        "spin" => spin(line, after)?,
        "combo" => combo(line, after)?,
        "button" => (after, OptionKind::Button),
        "string" => string(line, after)?,
        _ => return fail(rest, "type", TYPES),
    };
    Ok((rest, Declaration { name, kind }))
}

fn check<'a>(line: &mut Line<'a>, input: &'a str) -> Parse<'a, OptionKind<'a>> {
    let mut default = None;
    let (rest, ()) = line.arguments(input, |line, from, word, rest| {
        let value = || match words::word(rest) {
            Ok((after, "true")) => Ok((after, true)),
            Ok((after, "false")) => Ok((after, false)),
            _ => fail(rest, "default", "`true` or `false`"),
        };
        (word == "default").then(|| line.store(&mut default, from, value()))
    })?;
    match default {
        Some(default) => Ok((rest, OptionKind::Check { default })),
        None => fail(rest, "check", "`default`"),
    }
}

fn spin<'a>(line: &mut Line<'a>, input: &'a str) -> Parse<'a, OptionKind<'a>> {
    let (mut default, mut min, mut max) = (None, None, None);
    let (rest, ()) = line.arguments(input, |line, from, word, rest| {
        Some(match word {
            "default" => line.store(&mut default, from, number(rest, "default")),
            "min" => line.store(&mut min, from, number(rest, "min")),
            "max" => line.store(&mut max, from, number(rest, "max")),
            _ => return None,
        })
    })?;
    match (default, min, max) {
        (Some(default), Some(min), Some(max)) => Ok((rest, OptionKind::Spin { default, min, max })),
        (None, ..) => fail(rest, "spin", "`default`"),
        (_, None, _) => fail(rest, "spin", "`min`"),
        _ => fail(rest, "spin", "`max`"),
    }
}

fn combo<'a>(line: &mut Line<'a>, input: &'a str) -> Parse<'a, OptionKind<'a>> {
    let (mut default, mut choices) = (None, Vec::new());
    let text = |rest| until(rest, |word| matches!(word, "default" | "var"));
    let (rest, ()) = line.arguments(input, |line, from, word, rest| match word {
        "default" => Some(line.store(&mut default, from, text(rest))),
        "var" => Some(text(rest).map(|(rest, choice)| {
            choices.push(choice);
            (rest, ())
        })),
        _ => None,
    })?;
    match default {
        Some(default) => Ok((rest, OptionKind::Combo { default, choices })),
        None => fail(rest, "combo", "`default`"),
    }
}

fn string<'a>(line: &mut Line<'a>, input: &'a str) -> Parse<'a, OptionKind<'a>> {
    // Many engines leave the default of a string out.
    let mut default = None;
    let (rest, ()) = line.arguments(input, |line, from, word, rest| {
        (word == "default").then(|| line.store(&mut default, from, words::remainder(rest)))
    })?;
    let default = default.filter(|text| *text != "<empty>").unwrap_or_default();
    Ok((rest, OptionKind::String { default }))
}
