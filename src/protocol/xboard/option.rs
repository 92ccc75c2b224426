//! XBoard's spelling of an engine's option: the text of `feature option="…"`.

use crate::protocol::line::{self, Line, Parsed};
use crate::protocol::words::{self, OneLine, Parse, fail, number, remainder, required};
use crate::protocol::{EngineOption, OptionType, ParseError, TextPath};
use nom::Parser;
use std::fmt;

const TYPES: &str =
    "`-check`, `-spin`, `-combo`, `-string`, `-button`, `-save`, `-reset`, `-slider`, `-file` or `-path`";

impl EngineOption {
    /// Reads a declaration of the XBoard protocol, `NAME -TYPE ARGUMENTS`, as it stands between the quotes;
    /// `Ok(None)` when it is blank.
    ///
    /// # Errors
    /// When the name or the type is missing, or an argument does not fit the type.
    pub fn parse_xboard(text: &str) -> Result<Option<Parsed<'_, Self>>, ParseError> {
        line::parse(text, declaration)
    }

    /// The declaration in the XBoard protocol.
    #[must_use]
    pub fn to_xboard(&self) -> String {
        Declaration(self).to_string()
    }
}

fn declaration<'a>(_: &mut Line<'a>, input: &'a str) -> Parse<'a, EngineOption> {
    let (at, name) = words::until(input, is_type)?;
    if name.is_empty() {
        return fail(input, "option", "the name of an option");
    }
    let (rest, kind) = required(at, "option", TYPES)?;
    let text = |path| remainder.map(move |value| OptionType::Text { value: value.to_owned(), path });
    let (rest, kind) = match kind {
        // Before `-save` XBoard sends all other settings, after `-reset` it expects all declarations anew.
        "-button" | "-save" | "-reset" => (rest, OptionType::Button),
        "-check" => check(rest)?,
        "-string" => text(TextPath::None).parse(rest)?,
        "-file" => text(TextPath::File).parse(rest)?,
        "-path" => text(TextPath::Folder).parse(rest)?,
        "-spin" | "-slider" => spin(rest)?,
        _ => combo(rest)?,
    };
    Ok((rest, EngineOption { name: name.to_owned(), kind }))
}

fn is_type(word: &str) -> bool {
    words::is_one_of(word, "-button -save -reset -check -string -file -path -spin -slider -combo")
}

fn check(input: &str) -> Parse<'_, OptionType> {
    let (rest, on) = match words::word(input) {
        Ok((rest, "0")) => (rest, false),
        Ok((rest, "1")) => (rest, true),
        _ => return fail(input, "option", "`0` or `1`"),
    };
    Ok((rest, OptionType::Check { on, words: &["true", "false", "1", "0"] }))
}

fn spin(input: &str) -> Parse<'_, OptionType> {
    let (rest, value) = number(input, "option")?;
    let (rest, min) = number(rest, "option")?;
    let (rest, max) = number(rest, "option")?;
    Ok((rest, OptionType::Number { value, min, max }))
}

/// Reads texts divided by `///`. An asterisk marks the present one; without any it is the first.
fn combo(input: &str) -> Parse<'_, OptionType> {
    let (rest, text) = remainder(input)?;
    let choices = || text.split("///").map(|choice| choice.trim_matches(words::is_blank));
    let marked = choices().find_map(|choice| choice.strip_prefix('*'));
    let choices: Vec<_> =
        choices().map(|choice| choice.strip_prefix('*').unwrap_or(choice).to_owned()).collect();
    if choices == [""] {
        return fail(input, "option", "choices divided by `///`");
    }
    let current = marked.unwrap_or(&choices[0]).to_owned();
    Ok((rest, OptionType::OneOf { choices, current }))
}

/// An option, written as XBoard declares it.
struct Declaration<'a>(&'a EngineOption);

impl fmt::Display for Declaration<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} ", OneLine(&self.0.name))?;
        match &self.0.kind {
            OptionType::Button => out.write_str("-button"),
            OptionType::Check { on, .. } => write!(out, "-check {}", u8::from(*on)),
            OptionType::Text { value, path } => {
                let kind = match path {
                    TextPath::None => "-string",
                    TextPath::File => "-file",
                    TextPath::Folder => "-path",
                };
                write!(out, "{kind} {}", OneLine(value))
            }
            OptionType::Number { value, min, max } => write!(out, "-spin {value} {min} {max}"),
            OptionType::OneOf { choices, current } => {
                out.write_str("-combo")?;
                let marked = choices.iter().position(|choice| choice == current);
                for (index, choice) in choices.iter().enumerate() {
                    let divider = if index > 0 { " ///" } else { "" };
                    let mark = if marked == Some(index) { "*" } else { "" };
                    write!(out, "{divider} {mark}{}", OneLine(choice))?;
                }
                Ok(())
            }
        }
    }
}
