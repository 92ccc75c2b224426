//! From a line to a [`Command`].

use super::command::{Command, Position, Register, Start, text_of};
use crate::base::grammar::Parse;
use crate::protocol::line::{self, Line};
use crate::protocol::words::{self, keyword, one_of, required, some_words};
use crate::protocol::{Moves, ParseError, Parsed};
use nom::Parser;
use nom::branch::alt;
use nom::combinator::{not, opt, peek, success, value};
use nom::sequence::preceded;

impl<'a> Command<'a> {
    /// Reads one line; `Ok(None)` when it is blank.
    ///
    /// # Errors
    /// When an argument of a known command is missing, malformed or out of range.
    pub fn parse(line: &'a str) -> Result<Option<Parsed<'a, Self>>, ParseError> {
        line::parse(line, command)
    }

    /// True when `line` is a `go`, whether or not its arguments can be understood.
    #[must_use]
    pub fn is_go(line: &str) -> bool {
        let mut words = line.split_ascii_whitespace();
        let first = words.clone().next().unwrap_or_default();
        !is_dialect(first) && words.find(|word| is_command(word)) == Some("go")
    }
}

/// The words that are commands wherever they stand.
fn is_command(word: &str) -> bool {
    word == "setoption" || Command::WORDS.contains(&word) && !is_dialect(word)
}

/// The words that are commands only at the start of a line: they are too common to be looked for after other
/// words.
fn is_dialect(word: &str) -> bool {
    matches!(word, "d" | "eval" | "bench" | "flip" | "help" | "ugi" | "uginewgame" | "query")
}

fn command<'a>(line: &mut Line<'a>, start: &'a str) -> Parse<'a, Command<'a>> {
    let (_, first) = words::word(start)?;
    let at = if is_dialect(first) { start } else { seek(line, start, is_command) };
    let (rest, word) = words::word(at)?;
    match word {
        "setoption" => set_option(line, rest),
        _ => match Command::message(line, word, rest)? {
            (rest, Some(command)) => Ok((rest, command)),
            _ => words::remainder.map(Command::Unknown).parse(start),
        },
    }
}

/// Skips words until one is among `wanted`; that word is left to be read. If there is none, nothing is
/// skipped.
fn seek<'a>(line: &mut Line<'a>, input: &'a str, wanted: impl Fn(&str) -> bool) -> &'a str {
    let mut rest = input;
    while let Ok((after, word)) = words::word(rest) {
        if wanted(word) {
            line.skip(input, rest);
            return rest;
        }
        rest = after;
    }
    input
}

pub(super) fn debug<'a>(line: &mut Line<'a>, input: &'a str) -> Parse<'a, bool> {
    let at = seek(line, input, |word| matches!(word, "on" | "off"));
    required("debug", "`on` or `off`", one_of(&[("on", true), ("off", false)])).parse(at)
}

fn set_option<'a>(line: &mut Line<'a>, input: &'a str) -> Parse<'a, Command<'a>> {
    let at = seek(line, input, |word| word == "name");
    let name = some_words("name", "the name of an option", |word| word == "value");
    let value = preceded(keyword("value"), words::remainder.map(text_of));
    preceded(required("setoption", "`name`", keyword("name")), (name, opt(value)))
        .map(|(name, value)| Command::SetOption { name, value })
        .parse(at)
}

pub(super) fn register<'a>(line: &mut Line<'a>, input: &'a str) -> Parse<'a, Register<'a>> {
    let at = seek(line, input, |word| matches!(word, "later" | "name" | "code"));
    if let Ok((rest, _)) = keyword("later").parse(at) {
        return Ok((rest, Register::Later));
    }
    required("register", "`later`, `name` or `code`", alt((keyword("name"), keyword("code")))).parse(at)?;
    let (mut name, mut code) = (None, None);
    let text = |parameter, expected| some_words(parameter, expected, |word| matches!(word, "name" | "code"));
    let (rest, ()) = line.arguments(at, |line, from, word, rest| match word {
        "name" => Some(line.store(&mut name, from, text("name", "a name").parse(rest))),
        "code" => Some(line.store(&mut code, from, text("code", "a code").parse(rest))),
        _ => None,
    })?;
    Ok((rest, Register::Now { name, code }))
}

pub(super) fn position<'a>(line: &mut Line<'a>, input: &'a str) -> Parse<'a, Position<'a>> {
    let at = seek(line, input, |word| matches!(word, "startpos" | "fen" | "moves"));
    let fen = some_words("fen", "a position", |word| word == "moves");
    let start = alt((
        value(Start::Startpos, keyword("startpos")),
        preceded(keyword("fen"), fen).map(Start::Fen),
        value(Start::Unsaid, alt((peek(keyword("moves")).map(drop), not(words::word)))),
    ));
    let (rest, start) = required("position", "`startpos`, `fen` or `moves`", start).parse(at)?;
    let at = seek(line, rest, |word| word == "moves");
    let moves = preceded(keyword("moves"), words::remainder).or(success(""));
    moves.map(|moves| Position { start, moves: Moves::new(moves) }).parse(at)
}
