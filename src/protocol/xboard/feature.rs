//! Features of the engine: the `feature` line.

use crate::base::grammar::Parse;
use crate::protocol::line::Line;
use crate::protocol::words::{OneLine, is_blank, required, word};
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{take_till, take_till1, take_while1};
use nom::character::complete::char;
use nom::combinator::peek;
use nom::sequence::{delimited, preceded, terminated};
use std::fmt;

/// A feature: `NAME=VALUE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feature<'a> {
    /// The name, such as `ping`, `variants`, `option`, `done`.
    pub name: &'a str,
    /// The value of the feature.
    pub value: FeatureValue<'a>,
}

/// The value of a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeatureValue<'a> {
    /// A number, or 1 for yes and 0 for no.
    Number(i64),
    /// A text in double quotes. The protocol has no way to write a double quote inside, so it is written as
    /// `'`.
    Text(&'a str),
}

impl<'a> Feature<'a> {
    /// A feature that is on or off: `name=1` or `name=0`.
    #[must_use]
    pub const fn flag(name: &'a str, on: bool) -> Self {
        Self { name, value: FeatureValue::Number(on as i64) }
    }

    /// A feature with a text: `name="text"`.
    #[must_use]
    pub const fn text(name: &'a str, text: &'a str) -> Self {
        Self { name, value: FeatureValue::Text(text) }
    }
}

impl fmt::Display for Feature<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}=", self.name)?;
        match self.value {
            FeatureValue::Number(number) => number.fmt(out),
            FeatureValue::Text(text) => write!(out, "\"{}\"", OneLine(&text.replace('"', "'"))),
        }
    }
}

/// Reads all features of a line. Words of any other form are skipped; a quote that is never closed is an
/// error.
pub(super) fn features<'a>(line: &mut Line<'a>, input: &'a str) -> Parse<'a, Vec<Feature<'a>>> {
    let mut features = Vec::new();
    let mut from = input.trim_start_matches(is_blank);
    while !from.is_empty() {
        from = match feature(from) {
            Ok((rest, feature)) => {
                features.push(feature);
                rest
            }
            Err(failure @ nom::Err::Failure(_)) => return Err(failure),
            Err(_) => {
                let (rest, _) = word(from)?;
                line.skip(from, rest);
                rest
            }
        };
        from = from.trim_start_matches(is_blank);
    }
    Ok((from, features))
}

fn feature(input: &str) -> Parse<'_, Feature<'_>> {
    let is_name = |character: char| character.is_ascii_alphanumeric() || character == '_' || character == '-';
    let name = terminated(take_while1(is_name), char('='));
    let quoted = delimited(char('"'), take_till(|character| character == '"'), char('"'));
    let text = preceded(peek(char('"')), required("feature", "a closing quote", quoted));
    // No blank may stand here, so that `done= 1` is not read as `done=1`.
    let number = take_till1(is_blank).map_opt(|text: &str| text.parse().ok());
    (name, alt((text.map(FeatureValue::Text), number.map(FeatureValue::Number))))
        .map(|(name, value)| Feature { name, value })
        .parse(input)
}
