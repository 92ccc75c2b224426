//! Results of games, which are written alike in both directions.

use crate::base::grammar::{Grammar, Parse};
use crate::protocol::field::displayed;
use crate::protocol::words::{OneLine, blanks, is_blank, meaning, remainder, required};
use nom::Parser;
use nom::bytes::complete::take_till;
use nom::sequence::preceded;
use std::fmt;

/// A result with a comment: `RESULT {COMMENT}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome<'a> {
    /// The result.
    pub verdict: Verdict,
    /// The reason, without the braces; may be empty.
    pub comment: &'a str,
}

/// A result as PGN writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// White won: `1-0`.
    WhiteWins,
    /// Black won: `0-1`.
    BlackWins,
    /// A draw: `1/2-1/2`.
    Draw,
    /// The game is not finished: `*`.
    Open,
}

/// The spellings, in the order of [`Verdict`].
const VERDICTS: [(&str, Verdict); 4] = [
    ("1-0", Verdict::WhiteWins),
    ("0-1", Verdict::BlackWins),
    ("1/2-1/2", Verdict::Draw),
    ("*", Verdict::Open),
];

impl fmt::Display for Verdict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(VERDICTS[*self as usize].0)
    }
}

impl fmt::Display for Outcome<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.verdict.fmt(out)?;
        if self.comment.is_empty() { Ok(()) } else { write!(out, " {{{}}}", OneLine(self.comment)) }
    }
}

displayed!(Outcome<'_>);

/// Reads a result and its comment, to the end of the line. A recoverable error where no result begins.
pub(super) fn outcome(input: &str) -> Parse<'_, Outcome<'_>> {
    // A result ends at a blank, at the brace of its comment, or with the line.
    let verdict = take_till(|character| is_blank(character) || character == '{').map_opt(meaning(&VERDICTS));
    // Blanks just inside the braces have no meaning.
    let comment = remainder.map(|text| {
        let inside = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
        inside.map_or(text, |inside| inside.trim_matches(is_blank))
    });
    preceded(blanks, (verdict, comment)).map(|(verdict, comment)| Outcome { verdict, comment }).parse(input)
}

/// Reads a result that must be there.
pub(super) fn some_outcome<'a>(
    parameter: &'static str,
    expected: &'static str,
) -> impl Grammar<'a, Outcome<'a>> {
    required(parameter, expected, outcome)
}
