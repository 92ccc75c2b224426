//! XBoard's spelling of an engine's option: the text of `feature option="…"`.

use crate::base::grammar::Parse;
use crate::protocol::line::{self, Line, Parsed};
use crate::protocol::words::{OneLine, is_blank, number, one_of, remainder, required, some_word, some_words};
use crate::protocol::{EngineOption, OptionType, ParseError, TextPath};
use nom::Parser;
use nom::combinator::verify;
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
    let (rest, name) = some_words("option", "the name of an option", is_type).parse(input)?;
    let (rest, kind) = some_word("option", TYPES).parse(rest)?;
    let text = |path| remainder.map(move |value| OptionType::Text { value: value.to_owned(), path });
    let (rest, kind) = match kind {
        // Before `-save` XBoard sends all other settings, after `-reset` it expects all declarations anew.
        "-button" | "-save" | "-reset" => (rest, OptionType::Button),
        "-check" => check(rest)?,
        "-string" => text(TextPath::None).parse(rest)?,
        "-file" => text(TextPath::File).parse(rest)?,
        "-path" => text(TextPath::Folder).parse(rest)?,
        "-spin" | "-slider" => spin(rest)?,
        _ => required("option", "choices divided by `///`", combo).parse(rest)?,
    };
    Ok((rest, EngineOption { name: name.to_owned(), kind }))
}

fn is_type(word: &str) -> bool {
    matches!(
        word,
        "-button"
            | "-save"
            | "-reset"
            | "-check"
            | "-string"
            | "-file"
            | "-path"
            | "-spin"
            | "-slider"
            | "-combo"
    )
}

fn check(input: &str) -> Parse<'_, OptionType> {
    required("option", "`0` or `1`", one_of(&[("0", false), ("1", true)]))
        .map(|on| OptionType::Check { on, words: &["true", "false", "1", "0"] })
        .parse(input)
}

fn spin(input: &str) -> Parse<'_, OptionType> {
    let numbers = (number("option"), number("option"), number("option"));
    numbers.map(|(value, min, max)| OptionType::Number { value, min, max }).parse(input)
}

/// Reads texts divided by `///`. An asterisk marks the present one; without any it is the first.
fn combo(input: &str) -> Parse<'_, OptionType> {
    let (rest, text) = verify(remainder, |text: &str| !matches!(text, "" | "*")).parse(input)?;
    let choices = || text.split("///").map(|choice| choice.trim_matches(is_blank));
    let plain = |choice: &str| choice.strip_prefix('*').unwrap_or(choice).to_owned();
    let current = choices().find(|choice| choice.starts_with('*')).or_else(|| choices().next());
    let current = current.map(plain).unwrap_or_default();
    Ok((rest, OptionType::OneOf { choices: choices().map(plain).collect(), current }))
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
