//! What the engine says to the user's program.

use super::declaration::{Declaration, declaration};
use super::info::{Info, info};
use crate::protocol::line::{self, Line};
use crate::protocol::words::{self, OneLine, Parse, fail, made, required, required_remainder};
use crate::protocol::{ParseError, Parsed};
use nom::Parser;
use std::fmt;

/// One line from the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply<'a> {
    /// `id name …`.
    IdName(&'a str),
    /// `id author …`.
    IdAuthor(&'a str),
    /// `uciok`: all options are told.
    UciOk,
    /// `ugiok` (UGI): all options are told.
    UgiOk,
    /// `readyok`.
    ReadyOk,
    /// `response …` (UGI): the answer to a `query`.
    Response(&'a str),
    /// `bestmove …`: the search is over.
    BestMove {
        /// The move as text; `None` is written `(none)`: there is nothing to play.
        best: Option<&'a str>,
        /// The reply the engine would like to ponder on.
        ponder: Option<&'a str>,
    },
    /// `copyprotection …`.
    CopyProtection(Clearance),
    /// `registration …`.
    Registration(Clearance),
    /// `info …`.
    Info(Info<'a>),
    /// `option …`.
    Option(Declaration<'a>),
    /// A line that begins with no keyword, blanks at its ends cut off.
    Unknown(&'a str),
}

/// How a check of the engine's licence stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clearance {
    /// It is being checked.
    Checking,
    /// All is well.
    Ok,
    /// It failed.
    Error,
}

impl fmt::Display for Reply<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::IdName(name) => write!(out, "id name {}", OneLine(name)),
            Self::IdAuthor(author) => write!(out, "id author {}", OneLine(author)),
            Self::UciOk => out.write_str("uciok"),
            Self::ReadyOk => out.write_str("readyok"),
            Self::UgiOk => out.write_str("ugiok"),
            Self::Response(text) => write!(out, "response {}", OneLine(text)),
            Self::BestMove { best, ponder } => {
                write!(out, "bestmove {}", best.unwrap_or("(none)"))?;
                ponder.map_or(Ok(()), |ponder| write!(out, " ponder {ponder}"))
            }
            Self::CopyProtection(clearance) => write!(out, "copyprotection {clearance}"),
            Self::Registration(clearance) => write!(out, "registration {clearance}"),
            Self::Info(info) => info.fmt(out),
            Self::Option(declaration) => declaration.fmt(out),
            Self::Unknown(text) => OneLine(text).fmt(out),
        }
    }
}

impl fmt::Display for Clearance {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Checking => "checking",
            Self::Ok => "ok",
            Self::Error => "error",
        })
    }
}

impl<'a> Reply<'a> {
    /// Reads one line. `Ok(None)` when it is blank.
    ///
    /// # Errors
    /// A known reply with an argument that is missing, malformed or out of range.
    pub fn parse(line: &'a str) -> Result<Option<Parsed<'a, Self>>, ParseError> {
        line::parse(line, reply)
    }
}

fn reply<'a>(line: &mut Line<'a>, start: &'a str) -> Parse<'a, Reply<'a>> {
    let (rest, first) = words::word(start)?;
    match first {
        "id" => identity(rest),
        "uciok" => Ok((rest, Reply::UciOk)),
        "readyok" => Ok((rest, Reply::ReadyOk)),
        "ugiok" => Ok((rest, Reply::UgiOk)),
        "response" => made(required_remainder(rest, "response", "an answer"), Reply::Response),
        "bestmove" => best_move(line, rest),
        "copyprotection" => made(clearance(rest, "copyprotection"), Reply::CopyProtection),
        "registration" => made(clearance(rest, "registration"), Reply::Registration),
        "info" => made(info(line, rest), Reply::Info),
        "option" => made(declaration(line, rest), Reply::Option),
        _ => words::remainder.map(Reply::Unknown).parse(start),
    }
}

fn identity(input: &str) -> Parse<'_, Reply<'_>> {
    match required(input, "id", "`name` or `author`")? {
        (rest, "name") => made(required_remainder(rest, "name", "a name"), Reply::IdName),
        (rest, "author") => made(required_remainder(rest, "author", "a name"), Reply::IdAuthor),
        _ => fail(input, "id", "`name` or `author`"),
    }
}

fn best_move<'a>(line: &mut Line<'a>, input: &'a str) -> Parse<'a, Reply<'a>> {
    let (mut rest, best) = required(input, "bestmove", "a move or `(none)`")?;
    let best = Some(best).filter(|text| *text != "(none)");
    let mut ponder = None;
    while let Ok((after, word)) = words::word(rest) {
        // A `ponder` with nothing behind it says nothing, and must not cost the engine its move.
        rest = match words::word(after) {
            Ok(parsed) if word == "ponder" => line.store(&mut ponder, rest, Ok(parsed))?.0,
            _ => {
                line.skip(rest, after);
                after
            }
        };
    }
    Ok((rest, Reply::BestMove { best, ponder: ponder.filter(|text| *text != "(none)") }))
}

fn clearance<'a>(input: &'a str, parameter: &'static str) -> Parse<'a, Clearance> {
    const STATES: &str = "`checking`, `ok` or `error`";
    match required(input, parameter, STATES)? {
        (rest, "checking") => Ok((rest, Clearance::Checking)),
        (rest, "ok") => Ok((rest, Clearance::Ok)),
        (rest, "error") => Ok((rest, Clearance::Error)),
        _ => fail(input, parameter, STATES),
    }
}
