//! From a line to a [`Reply`].

use super::outcome::outcome;
use super::reply::{AUDIENCES, Geometry, Reply, Setup, Status};
use super::thinking::thinking;
use crate::base::grammar::{Grammar, Parse};
use crate::protocol::line::{self, Line};
use crate::protocol::words::{
    self, blanks, is_blank, keyword, number, one_of, remainder, required, some_text,
};
use crate::protocol::{ParseError, Parsed};
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_until, take_while1};
use nom::character::complete::{char, u32 as unsigned};
use nom::combinator::{all_consuming, eof, opt, peek, value};
use nom::sequence::{delimited, preceded, terminated};

impl<'a> Reply<'a> {
    /// Reads one line; `Ok(None)` when it is blank.
    ///
    /// # Errors
    /// When an argument of a known reply is missing, malformed or out of range.
    pub fn parse(line: &'a str) -> Result<Option<Parsed<'a, Self>>, ParseError> {
        let indented = line.starts_with(is_blank);
        line::parse(line, |notes, start| reply(notes, start, indented))
    }
}

fn reply<'a>(line: &mut Line<'a>, start: &'a str, indented: bool) -> Parse<'a, Reply<'a>> {
    if let Ok((rest, thinking)) = thinking(line, start) {
        return Ok((rest, Reply::Thinking(thinking)));
    }
    if indented {
        return remainder.map(Reply::Indented).parse(start);
    }
    let (rest, first) = words::word(start)?;
    if let (rest, Some(reply)) = Reply::message(line, first, rest)? {
        return Ok((rest, reply));
    }
    let illegal_move = preceded(alt((tag("Illegal move"), tag("illegal move"))), refusal);
    let tell = (one_of(&AUDIENCES), remainder);
    alt((
        preceded(char('#'), remainder).map(Reply::Comment),
        outcome.map(Reply::Result),
        illegal_move.map(|(reason, text)| Reply::IllegalMove { reason, text }),
        preceded(tag("Error"), refusal).map(|(reason, command)| Reply::Error { reason, command }),
        value(Reply::OfferDraw, (keyword("offer"), keyword("draw"))),
        tell.map(|(audience, text)| Reply::Tell { audience, text }),
        remainder.map(Reply::Unknown),
    ))
    .parse(start)
}

/// Reads ` (REASON): SUBJECT` after `Illegal move` or `Error`; old engines omit the reason or the colon. A
/// recoverable error where the word before goes on, or where nothing shows that this is a refusal.
fn refusal(input: &str) -> Parse<'_, (&str, &str)> {
    let reason = delimited((blanks, char('(')), alt((take_until("):"), take_until(")"))), char(')'));
    let reason = reason.map(|reason: &str| reason.trim_matches(is_blank));
    let no_reason = value("", peek(alt((take_while1(is_blank), tag(":"), eof))));
    terminated(alt((reason, no_reason)), opt((blanks, char(':')))).and(remainder).parse(input)
}

pub(super) fn setup<'a>(parameter: &'static str) -> impl Grammar<'a, Setup<'a>> {
    let table = delimited(char('('), take_until(")"), char(')'));
    let table = preceded((blanks, peek(char('('))), required(parameter, "a closing parenthesis", table));
    (opt(table), opt(words::word.map_opt(geometry)), some_text(parameter, "a position"))
        .map(|(table, geometry, position)| Setup { table, geometry, position })
}

fn geometry(word: &str) -> Option<Geometry<'_>> {
    let parent = take_while1(|_: char| true);
    let grammar = (unsigned, char('x'), unsigned, char('+'), unsigned, char('_'), parent);
    let parsed: Parse<'_, _> = all_consuming(grammar).parse(word);
    let (_, (files, _, ranks, _, hand, _, parent)) = parsed.ok()?;
    Some(Geometry { files, ranks, hand, parent })
}

pub(super) fn status<'a>(word: &'static str) -> impl Grammar<'a, Status<'a>> {
    let numbers = (number(word), number(word), number(word), number(word), number(word));
    (numbers, opt(words::word)).map(|((time, nodes, ply, moves_left, moves_total), current)| Status {
        time,
        nodes,
        ply,
        moves_left,
        moves_total,
        current,
    })
}
