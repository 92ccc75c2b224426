//! The words of a line: the parsers from which all four grammars are built, and helpers for writing free
//! text.

use crate::base::grammar::{Grammar, Mismatch, Parse, Problem};
use nom::bytes::complete::{take_till1, take_while};
use nom::combinator::verify;
use nom::sequence::preceded;
use nom::{Err, Parser};
use std::fmt;
use std::num::IntErrorKind;
use std::str::{FromStr, SplitAsciiWhitespace};

/// Ends the parse with an error: the message is known and its argument is wrong.
pub(super) fn fail<'a, T>(at: &'a str, parameter: &'static str, expected: &'static str) -> Parse<'a, T> {
    Err(Err::Failure(Mismatch { parameter, ..Mismatch::new(at, expected) }))
}

/// True for the characters that separate words: space, tab, carriage return, newline, form feed.
pub(super) const fn is_blank(character: char) -> bool {
    character.is_ascii_whitespace()
}

/// Skips blanks. Cannot fail.
pub(super) fn blanks(input: &str) -> Parse<'_, &str> {
    take_while(is_blank).parse(input)
}

/// Reads a word, after any blanks. A recoverable error at the end of the line.
pub(super) fn word(input: &str) -> Parse<'_, &str> {
    preceded(blanks, take_till1(is_blank)).parse(input)
}

/// Reads exactly the word `wanted`.
pub(super) fn keyword<'a>(wanted: &'static str) -> impl Grammar<'a, &'a str> {
    verify(word, move |found: &str| found == wanted)
}

/// Finds what a word stands for.
pub(super) fn meaning<T: Copy>(words: &'static [(&'static str, T)]) -> impl Fn(&str) -> Option<T> {
    move |found| words.iter().find(|(own, _)| *own == found).map(|(_, value)| *value)
}

/// Reads one of these words and returns what it stands for.
pub(super) fn one_of<'a, T: Copy>(words: &'static [(&'static str, T)]) -> impl Grammar<'a, T> {
    word.map_opt(meaning(words))
}

/// Runs a parser that must succeed, because the message is known by now.
pub(super) fn required<'a, T>(
    parameter: &'static str,
    expected: &'static str,
    mut parser: impl Grammar<'a, T>,
) -> impl Grammar<'a, T> {
    move |input: &'a str| match parser.parse(input) {
        Err(Err::Error(_)) => fail(input, parameter, expected),
        parsed => parsed,
    }
}

/// Reads a word that must be there.
pub(super) fn some_word<'a>(parameter: &'static str, expected: &'static str) -> impl Grammar<'a, &'a str> {
    required(parameter, expected, word)
}

/// Reads the rest of the line, which must not be blank.
pub(super) fn some_text<'a>(parameter: &'static str, expected: &'static str) -> impl Grammar<'a, &'a str> {
    required(parameter, expected, verify(remainder, |text: &str| !text.is_empty()))
}

/// Reads the rest of the line, which may be blank.
pub(super) fn any_text<'a>(_: &'static str) -> impl Grammar<'a, &'a str> {
    remainder
}

/// Reads the rest of the line, without the blanks around it; may be empty.
pub(super) fn remainder(input: &str) -> Parse<'_, &str> {
    Ok((&input[input.len()..], input.trim_matches(is_blank)))
}

/// Reads the words before the next one for which `stop` holds; there must be some.
pub(super) fn some_words<'a>(
    parameter: &'static str,
    expected: &'static str,
    stop: impl Fn(&str) -> bool,
) -> impl Grammar<'a, &'a str> {
    required(parameter, expected, verify(until(stop), |text: &str| !text.is_empty()))
}

/// Reads the words before the next one for which `stop` holds, as one text without the blanks around it; may
/// be empty.
pub(super) fn until<'a>(stop: impl Fn(&str) -> bool) -> impl Grammar<'a, &'a str> {
    move |input: &'a str| {
        let mut rest = input;
        while let Ok((after, found)) = word(rest) {
            if stop(found) {
                break;
            }
            rest = after;
        }
        Ok((rest, input[..input.len() - rest.len()].trim_matches(is_blank)))
    }
}

/// The types of whole numbers that the protocols use.
pub(super) trait Number: FromStr<Err = std::num::ParseIntError> {
    /// The range, as text for error messages.
    const RANGE: &'static str;
}

impl Number for u32 {
    const RANGE: &'static str = "a whole number from 0 to 4294967295";
}

impl Number for u64 {
    const RANGE: &'static str = "a whole number from 0 up (64 bits)";
}

impl Number for i32 {
    const RANGE: &'static str = "a whole number from -2147483648 to 2147483647";
}

impl Number for i64 {
    const RANGE: &'static str = "a whole number (64 bits)";
}

/// Reads a whole number that must be there.
pub(super) fn number<'a, N: Number>(parameter: &'static str) -> impl Grammar<'a, N> {
    move |input: &'a str| {
        let (rest, text) = some_word(parameter, N::RANGE).parse(input)?;
        text.parse().map(|value| (rest, value)).map_err(|error: std::num::ParseIntError| {
            let negative = text
                .strip_prefix('-')
                .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()));
            let problem = match error.kind() {
                IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => Problem::Range,
                _ if negative => Problem::Range,
                _ => Problem::Form,
            };
            Err::Failure(Mismatch { rest: input, parameter, expected: N::RANGE, problem })
        })
    }
}

/// A list of moves (or tokens, or other words), kept as text.
///
/// Lists are equal when their words are equal; they are written with a space between words.
#[derive(Clone, Copy, Default)]
pub struct Moves<'a>(&'a str);

impl<'a> Moves<'a> {
    /// The list of the words in `text`.
    #[must_use]
    pub const fn new(text: &'a str) -> Self {
        Self(text)
    }

    /// The text as it was given.
    #[must_use]
    pub const fn text(self) -> &'a str {
        self.0
    }

    /// The words, in order.
    #[must_use]
    pub fn iter(self) -> SplitAsciiWhitespace<'a> {
        self.0.split_ascii_whitespace()
    }

    /// True when there are no words.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.iter().next().is_none()
    }
}

impl PartialEq for Moves<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Moves<'_> {}

impl fmt::Debug for Moves<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_list().entries(self.iter()).finish()
    }
}

impl fmt::Display for Moves<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_joined(out, self.iter())
    }
}

/// True when two names are the same to a protocol, which ignores ASCII case and the kind and number of
/// blanks.
///
/// ```
/// assert!(carom::protocol::same_words("Move  Overhead", "move overhead"));
/// ```
#[must_use]
pub fn same_words(one: &str, other: &str) -> bool {
    let mut others = other.split_ascii_whitespace();
    one.split_ascii_whitespace().all(|word| others.next().is_some_and(|twin| word.eq_ignore_ascii_case(twin)))
        && others.next().is_none()
}

/// Free text as it may stand in a line: line breaks become spaces, so that no text can forge a second line.
pub(super) struct OneLine<'a>(pub(super) &'a str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_joined(out, self.0.split(['\n', '\r']))
    }
}

/// Writes `pieces`, separated by spaces.
fn write_joined<'a>(out: &mut fmt::Formatter<'_>, pieces: impl Iterator<Item = &'a str>) -> fmt::Result {
    for (index, piece) in pieces.enumerate() {
        if index > 0 {
            out.write_str(" ")?;
        }
        out.write_str(piece)?;
    }
    Ok(())
}
