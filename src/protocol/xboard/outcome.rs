//! Results of games, said in the same words in both directions.

use crate::protocol::words::{OneLine, Parse, remainder};
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::combinator::{peek, value};
use nom::sequence::terminated;
use std::fmt;

/// `RESULT {COMMENT}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome<'a> {
    /// Who won.
    pub verdict: Verdict,
    /// Why, without the braces; may be empty.
    pub comment: &'a str,
}

/// A result as PGN writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: not finished.
    Open,
}

impl fmt::Display for Verdict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Open => "*",
        })
    }
}

impl fmt::Display for Outcome<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.verdict.fmt(out)?;
        if self.comment.is_empty() { Ok(()) } else { write!(out, " {{{}}}", OneLine(self.comment)) }
    }
}

/// A result and its comment, to the end of the line. A recoverable error where no result begins.
pub(super) fn outcome(input: &str) -> Parse<'_, Outcome<'_>> {
    let (input, _) = crate::protocol::words::blanks(input);
    let verdict = alt((
        value(Verdict::WhiteWins, tag("1-0")),
        value(Verdict::BlackWins, tag("0-1")),
        value(Verdict::Draw, tag("1/2-1/2")),
        value(Verdict::Open, tag("*")),
    ));
    let (rest, verdict) = terminated(verdict, peek(boundary)).parse(input)?;
    let (rest, text) = remainder(rest)?;
    let inside = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
    Ok((rest, Outcome { verdict, comment: inside.map_or(text, trimmed) }))
}

/// Blanks just inside the braces say nothing.
fn trimmed(text: &str) -> &str {
    text.trim_matches(crate::protocol::words::is_blank)
}

/// A result ends at a blank, at the brace of its comment, or with the line.
fn boundary(input: &str) -> Parse<'_, ()> {
    use nom::character::complete::one_of;
    use nom::combinator::eof;
    alt((value((), one_of(" \t\r\n\x0c{")), value((), eof))).parse(input)
}
