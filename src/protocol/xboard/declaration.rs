//! Declarations of options: the text of `feature option="…"`.

use crate::protocol::ParseError;
use crate::protocol::line::{self, Line, Parsed};
use crate::protocol::words::{self, OneLine, Parse, fail, number, remainder, required};
use nom::Parser;
use std::fmt;

/// A declaration, `NAME -TYPE ARGUMENTS`, as it stands between the quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration<'a> {
    /// The name, which may contain blanks.
    pub name: &'a str,
    /// The values it takes.
    pub kind: OptionKind<'a>,
}

/// The ten types of options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind<'a> {
    /// `-button`: an action that the engine carries out at once.
    Button,
    /// `-save`: like a button; all other settings are sent first.
    Save,
    /// `-reset`: like a button; all options are declared again afterwards. (XBoard 4.9.1 rejects it.)
    Reset,
    /// `-check`: on (1) or off (0), with the present value.
    Check(bool),
    /// `-string`: any text, with the present value.
    String(&'a str),
    /// `-file`: the path of a file, with the present value.
    File(&'a str),
    /// `-path`: the path of a folder, with the present value.
    Path(&'a str),
    /// `-spin`: a whole number.
    Spin(Span),
    /// `-slider`: a whole number, shown as a slider.
    Slider(Span),
    /// `-combo`: one of several texts, separated by ` /// `; an asterisk marks the present one.
    Combo {
        /// All allowed values.
        choices: Vec<&'a str>,
        /// The index of the present value, if one is marked.
        current: Option<usize>,
    },
}

/// A whole number and its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The present value.
    pub value: i64,
    /// The least value allowed.
    pub min: i64,
    /// The greatest value allowed.
    pub max: i64,
}

const TYPES: &str =
    "`-check`, `-spin`, `-combo`, `-string`, `-button`, `-save`, `-reset`, `-slider`, `-file` or `-path`";

impl<'a> Declaration<'a> {
    /// Reads the text between the quotes; `Ok(None)` when it is blank.
    ///
    /// # Errors
    /// When the name or the type is missing, or an argument does not fit the type.
    pub fn parse(text: &'a str) -> Result<Option<Parsed<'a, Self>>, ParseError> {
        line::parse(text, declaration)
    }
}

fn declaration<'a>(_: &mut Line<'a>, input: &'a str) -> Parse<'a, Declaration<'a>> {
    let (at, name) = words::until(input, is_type)?;
    if name.is_empty() {
        return fail(input, "option", "the name of an option");
    }
    let (rest, kind) = required(at, "option", TYPES)?;
    let (rest, kind) = match kind {
        "-button" => (rest, OptionKind::Button),
        "-save" => (rest, OptionKind::Save),
        "-reset" => (rest, OptionKind::Reset),
        "-check" => check(rest)?,
        "-string" => remainder.map(OptionKind::String).parse(rest)?,
        "-file" => remainder.map(OptionKind::File).parse(rest)?,
        "-path" => remainder.map(OptionKind::Path).parse(rest)?,
        "-spin" => span.map(OptionKind::Spin).parse(rest)?,
        "-slider" => span.map(OptionKind::Slider).parse(rest)?,
        _ => combo(rest)?,
    };
    Ok((rest, Declaration { name, kind }))
}

fn is_type(word: &str) -> bool {
    words::is_one_of(word, "-button -save -reset -check -string -file -path -spin -slider -combo")
}

fn check(input: &str) -> Parse<'_, OptionKind<'_>> {
    match words::word(input) {
        Ok((rest, "0")) => Ok((rest, OptionKind::Check(false))),
        Ok((rest, "1")) => Ok((rest, OptionKind::Check(true))),
        _ => fail(input, "option", "`0` or `1`"),
    }
}

fn span(input: &str) -> Parse<'_, Span> {
    let (rest, value) = number(input, "option")?;
    let (rest, min) = number(rest, "option")?;
    let (rest, max) = number(rest, "option")?;
    Ok((rest, Span { value, min, max }))
}

fn combo(input: &str) -> Parse<'_, OptionKind<'_>> {
    let (rest, text) = remainder(input)?;
    let mut current = None;
    let mut choices = Vec::new();
    for (index, choice) in text.split("///").enumerate() {
        let choice = choice.trim_matches(words::is_blank);
        let marked = choice.strip_prefix('*');
        if marked.is_some() && current.is_none() {
            current = Some(index);
        }
        choices.push(marked.unwrap_or(choice));
    }
    if choices == [""] {
        return fail(input, "option", "choices divided by `///`");
    }
    Ok((rest, OptionKind::Combo { choices, current }))
}

impl fmt::Display for Declaration<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} ", OneLine(self.name))?;
        match &self.kind {
            OptionKind::Button => out.write_str("-button"),
            OptionKind::Save => out.write_str("-save"),
            OptionKind::Reset => out.write_str("-reset"),
            OptionKind::Check(on) => write!(out, "-check {}", u8::from(*on)),
            OptionKind::String(value) => write!(out, "-string {}", OneLine(value)),
            OptionKind::File(value) => write!(out, "-file {}", OneLine(value)),
            OptionKind::Path(value) => write!(out, "-path {}", OneLine(value)),
            OptionKind::Spin(span) => write!(out, "-spin {span}"),
            OptionKind::Slider(span) => write!(out, "-slider {span}"),
            OptionKind::Combo { choices, current } => {
                out.write_str("-combo")?;
                for (index, choice) in choices.iter().enumerate() {
                    let divider = if index > 0 { " ///" } else { "" };
                    let mark = if *current == Some(index) { "*" } else { "" };
                    write!(out, "{divider} {mark}{}", OneLine(choice))?;
                }
                Ok(())
            }
        }
    }
}

impl fmt::Display for Span {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {} {}", self.value, self.min, self.max)
    }
}
