//! Parsing a line into a message: what was understood, what was skipped, what is wrong.

use super::field::Field;
use super::words::{is_blank, word};
use super::{Found, ParseError};
use crate::base::grammar::{Mismatch, Parse, Problem};
use nom::Offset;
use std::ops::Range;

/// A message, and the words of its line that do not belong to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed<'a, T> {
    /// The message that was understood.
    pub message: T,
    /// The words that were not understood, adjacent ones joined, in the order of the line. Usually empty;
    /// worth a warning in a log.
    pub skipped: Vec<Skipped<'a>>,
}

/// Words that were skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skipped<'a> {
    /// A word or several adjacent ones, as written.
    pub text: &'a str,
    /// The column where they begin, in bytes from 1.
    pub column: usize,
}

/// Reads one line with the grammar of a message. What the grammar leaves unread is reported as skipped.
pub(super) fn parse<'a, T>(
    text: &'a str,
    grammar: impl FnOnce(&mut Line<'a>, &'a str) -> Parse<'a, T>,
) -> Result<Option<Parsed<'a, T>>, ParseError> {
    let start = text.trim_start_matches(is_blank);
    if start.is_empty() {
        return Ok(None);
    }
    let mut line = Line { text, skipped: Vec::new() };
    match grammar(&mut line, start) {
        Ok((rest, message)) => {
            line.skip(rest, "");
            let skipped =
                line.skipped.into_iter().map(|range| Skipped { column: range.start + 1, text: &text[range] });
            Ok(Some(Parsed { message, skipped: skipped.collect() }))
        }
        Err(nom::Err::Error(mismatch) | nom::Err::Failure(mismatch)) => Err(line.explain(&mismatch)),
        Err(nom::Err::Incomplete(_)) => Err(line.explain(&Mismatch::new(&text[text.len()..], "more"))),
    }
}

/// The line being read.
pub(super) struct Line<'a> {
    text: &'a str,
    /// Byte ranges of `text`, ascending, with more than blanks between them.
    skipped: Vec<Range<usize>>,
}

impl<'a> Line<'a> {
    /// Records that the words from `from` up to `to` are not understood. Both are tails of the line; an empty
    /// `to` stands for its end.
    pub(super) fn skip(&mut self, from: &'a str, to: &'a str) {
        self.note(&from[..from.len() - to.len()]);
    }

    /// Records that these words, a part of the line, are not understood.
    pub(super) fn note(&mut self, words: &'a str) {
        let words = words.trim_matches(is_blank);
        if words.is_empty() {
            return;
        }
        let start = self.text.offset(words);
        let end = start + words.len();
        match self.skipped.last_mut() {
            Some(last) if self.text[last.end..start].chars().all(is_blank) => last.end = end,
            _ => self.skipped.push(start..end),
        }
    }

    /// Stores an argument unless there is one already: the first counts, a repetition is skipped. `from`
    /// begins with the keyword, `parsed` is the result of the argument's parser.
    pub(super) fn store<F: Field>(
        &mut self,
        field: &mut F,
        from: &'a str,
        parsed: Parse<'a, F::Value>,
    ) -> Parse<'a, ()> {
        let (rest, value) = parsed?;
        if !field.fill(value) {
            self.skip(from, rest);
        }
        Ok((rest, ()))
    }

    /// Reads arguments that begin with a keyword, in any order; unknown words are skipped. `argument` gets
    /// the line, the text from the keyword on, the keyword and the text after it.
    pub(super) fn arguments(
        &mut self,
        input: &'a str,
        mut argument: impl FnMut(&mut Self, &'a str, &'a str, &'a str) -> Option<Parse<'a, ()>>,
    ) -> Parse<'a, ()> {
        let mut from = input;
        while let Ok((rest, found)) = word(from) {
            from = match argument(self, from, found, rest) {
                Some(parsed) => parsed?.0,
                None => {
                    self.skip(from, rest);
                    rest
                }
            };
        }
        Ok((from, ()))
    }

    fn explain(&self, mismatch: &Mismatch<'a>) -> ParseError {
        let at = mismatch.rest.trim_start_matches(is_blank);
        let column = self.text.offset(at) + 1;
        let found = match (word(at), mismatch.problem) {
            (Err(_), _) => Found::End,
            (Ok((_, found)), Problem::Form | Problem::Width { .. }) => Found::Malformed(shortened(found)),
            (Ok((_, found)), Problem::Range) => Found::OutOfRange(shortened(found)),
        };
        // Some words of the XBoard protocol end with a colon.
        let parameter = mismatch.parameter.trim_end_matches(':');
        ParseError { parameter, expected: mismatch.expected, found, column }
    }
}

/// A word as an error message shows it: quoted, escaped, shortened to 24 characters.
fn shortened(word: &str) -> String {
    const LONGEST: usize = 24;
    match word.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{:?}…", &word[..end]),
        None => format!("{word:?}"),
    }
}
