//! From a line to a [`Reply`].

use super::feature::features;
use super::outcome::outcome;
use super::reply::{AUDIENCES, Geometry, Reply, Setup, Status};
use super::thinking::thinking;
use crate::protocol::line::{self, Line};
use crate::protocol::words::{
    self, Parse, blanks, fail, is_blank, made, number, remainder, required, required_remainder,
};
use crate::protocol::{ParseError, Parsed};
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_while1};
use nom::character::complete::{char, u32 as unsigned};
use nom::combinator::{all_consuming, opt};
use nom::sequence::preceded;

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
    if let Some(text) = start.strip_prefix('#') {
        return remainder.map(Reply::Comment).parse(text);
    }
    if let Ok(found) = outcome.map(Reply::Result).parse(start) {
        return Ok(found);
    }
    let illegal_move = alt((tag("Illegal move"), tag("illegal move")));
    if let Ok((rest, (reason, text))) = preceded(illegal_move, refusal).parse(start) {
        return Ok((rest, Reply::IllegalMove { reason, text }));
    }
    if let Ok((rest, (reason, command))) = preceded(tag("Error"), refusal).parse(start) {
        return Ok((rest, Reply::Error { reason, command }));
    }
    let (rest, first) = words::word(start)?;
    match first {
        "feature" => made(features(line, rest), Reply::Features),
        "pong" => made(number(rest, "pong"), Reply::Pong),
        "move" => made(required(rest, "move", "a move"), Reply::Move),
        "resign" => Ok((rest, Reply::Resign)),
        "offer" => match words::word(rest) {
            Ok((rest, "draw")) => Ok((rest, Reply::OfferDraw)),
            _ => made(remainder(start), Reply::Unknown),
        },
        "setup" => made(setup(rest), Reply::Setup),
        "piece" => {
            let (rest, id) = required(rest, "piece", "the letter of a piece")?;
            made(required(rest, "piece", "moves in Betza's notation"), |moves| Reply::Piece { id, moves })
        }
        "highlight" => made(required(rest, "highlight", "a board of colours"), Reply::Highlight),
        "choice" => made(required(rest, "choice", "piece letters"), Reply::Choice),
        "click" => made(required(rest, "click", "a square"), Reply::Click),
        "stat01:" => made(status(rest), Reply::Status),
        "Hint:" => made(required(rest, "Hint", "a move"), Reply::Hint),
        "askuser" => {
            let (rest, tag) = required(rest, "askuser", "a tag")?;
            made(required_remainder(rest, "askuser", "a question"), |text| Reply::AskUser { tag, text })
        }
        _ => match AUDIENCES.iter().find(|(keyword, _)| *keyword == first) {
            Some(&(_, audience)) => remainder.map(|text| Reply::Tell { audience, text }).parse(rest),
            None => remainder.map(Reply::Unknown).parse(start),
        },
    }
}

/// Reads ` (REASON): SUBJECT` after `Illegal move` or `Error`; old engines omit the reason or the colon. A
/// recoverable error where the word before goes on, or where nothing shows that this is a refusal.
fn refusal(input: &str) -> Parse<'_, (&str, &str)> {
    let (rest, _) = blanks(input);
    let closing = || rest.find("):").or_else(|| rest.find(')'));
    let (reason, rest) = match rest.strip_prefix('(').and_then(|_| closing()) {
        Some(end) => (rest[1..end].trim_matches(is_blank), &rest[end + 1..]),
        None if rest.len() < input.len() || rest.is_empty() || rest.starts_with(':') => ("", rest),
        None => return Err(nom::Err::Error(words::GrammarError::missing(rest, "line", "`:`"))),
    };
    let (rest, _) = blanks(rest);
    let rest = rest.strip_prefix(':').unwrap_or(rest);
    remainder.map(|subject| (reason, subject)).parse(rest)
}

fn setup(input: &str) -> Parse<'_, Setup<'_>> {
    let (rest, _) = blanks(input);
    let (rest, table) = match rest.strip_prefix('(') {
        None => (rest, None),
        Some(inside) => match inside.split_once(')') {
            Some((table, rest)) => (rest, Some(table)),
            None => return fail(rest, "setup", "a closing parenthesis"),
        },
    };
    let (rest, geometry) = opt(words::word.map_opt(geometry)).parse(rest)?;
    let (rest, position) = required_remainder(rest, "setup", "a position")?;
    Ok((rest, Setup { table, geometry, position }))
}

fn geometry(word: &str) -> Option<Geometry<'_>> {
    let parent = take_while1(|_: char| true);
    let grammar = (unsigned, char('x'), unsigned, char('+'), unsigned, char('_'), parent);
    let parsed: Parse<'_, _> = all_consuming(grammar).parse(word);
    let (_, (files, _, ranks, _, hand, _, parent)) = parsed.ok()?;
    Some(Geometry { files, ranks, hand, parent })
}

fn status(input: &str) -> Parse<'_, Status<'_>> {
    let (rest, time) = number(input, "stat01")?;
    let (rest, nodes) = number(rest, "stat01")?;
    let (rest, ply) = number(rest, "stat01")?;
    let (rest, moves_left) = number(rest, "stat01")?;
    let (rest, moves_total) = number(rest, "stat01")?;
    let (rest, current) = opt(words::word).parse(rest)?;
    Ok((rest, Status { time, nodes, ply, moves_left, moves_total, current }))
}
