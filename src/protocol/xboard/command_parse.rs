//! From a line to a [`Command`].

use super::command::{Command, Level, Selection};
use crate::base::grammar::{Grammar, Mismatch, Parse, Problem};
use crate::protocol::line::{self, Line};
use crate::protocol::words::{self, number, remainder, required, some_word};
use crate::protocol::{ParseError, Parsed};
use nom::Parser;
use nom::bytes::complete::take_till;
use nom::character::complete::{char, digit1};
use nom::combinator::{all_consuming, not, opt, verify};
use nom::sequence::{preceded, terminated};
use std::time::Duration;

impl<'a> Command<'a> {
    /// Reads one line; `Ok(None)` when it is blank.
    ///
    /// # Errors
    /// When an argument of a known command is missing, malformed or out of range.
    pub fn parse(line: &'a str) -> Result<Option<Parsed<'a, Self>>, ParseError> {
        line::parse(line, command)
    }
}

fn command<'a>(line: &mut Line<'a>, start: &'a str) -> Parse<'a, Command<'a>> {
    let (rest, first) = words::word(start)?;
    match first {
        "option" => option(rest),
        _ => match Command::message(line, first, rest)? {
            (rest, Some(command)) => Ok((rest, command)),
            _ => {
                let kind = |text| {
                    if looks_like_move(text) { Command::BareMove(text) } else { Command::Unknown(text) }
                };
                remainder.map(kind).parse(start)
            }
        },
    }
}

/// True for a single word in the form of a move in coordinates: it begins with a file and a rank (`e2e4`,
/// `e2e4,e4e5`, `e4xe5-e6`), or with a piece letter and `@`, or it is a null move or castling. Only the game
/// knows whether it is a move.
fn looks_like_move(text: &str) -> bool {
    if matches!(text, "@@@@" | "--" | "pass" | "null" | "O-O" | "O-O-O") {
        return true;
    }
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"@,-=+;:".contains(&byte);
    let mut bytes = text.bytes();
    let (first, second) = (bytes.next(), bytes.next());
    let moves = first.is_some_and(|byte| byte.is_ascii_lowercase())
        && second.is_some_and(|byte| byte.is_ascii_digit());
    let drops = first.is_some_and(|byte| byte.is_ascii_alphabetic()) && second == Some(b'@');
    // `e4` alone is a pawn move in algebraic notation, which we do not request.
    (moves || drops) && text.len() >= 4 && text.bytes().all(allowed)
}

pub(super) fn selection<'a>(
    parameter: &'static str,
    expected: &'static str,
) -> impl Grammar<'a, Selection<'a>> {
    some_word(parameter, expected).map(
        |text| {
            if text == "all" { Selection::All } else { Selection::One(text) }
        },
    )
}

fn option(input: &str) -> Parse<'_, Command<'_>> {
    let name = take_till(|character| character == '=').map(|name: &str| name.trim_matches(words::is_blank));
    let name = required("option", "the name of an option", verify(name, |name: &str| !name.is_empty()));
    let value = opt(preceded(char('='), remainder));
    (name, value).map(|(name, value)| Command::Option { name, value }).parse(input)
}

pub(super) fn move_time<'a>(parameter: &'static str) -> impl Grammar<'a, Duration> {
    time(parameter, "seconds, such as `5` or `0.5`", seconds).map(Duration::from_millis)
}

pub(super) fn level<'a>(parameter: &'static str) -> impl Grammar<'a, Level> {
    let base = time(parameter, "minutes, or minutes and seconds such as `4:30`", minutes);
    let increment = time(parameter, "seconds, such as `12` or `0.1`", seconds);
    (number(parameter), base, increment).map(|(moves, base, increment)| Level { moves, base, increment })
}

/// Reads a word that is a time in milliseconds. A parser that returns `None` has read a time that is too
/// large.
fn time<'a>(
    parameter: &'static str,
    expected: &'static str,
    parser: impl Fn(&'a str) -> Parse<'a, Option<u64>>,
) -> impl Grammar<'a, u64> {
    move |input: &'a str| {
        let (rest, text) = some_word(parameter, expected).parse(input)?;
        let problem = match all_consuming(&parser).parse(text) {
            Ok((_, Some(time))) => return Ok((rest, time)),
            Ok((_, None)) => Problem::Range,
            Err(_) => Problem::Form,
        };
        Err(nom::Err::Failure(Mismatch { rest: input, parameter, expected, problem }))
    }
}

/// Minutes, or minutes and seconds. The specification reserves what follows for future use, so it is ignored:
/// `25+5` is 25 minutes.
fn minutes(input: &str) -> Parse<'_, Option<u64>> {
    let reserved = (not(nom::character::complete::one_of(":.")), nom::combinator::rest);
    let time = (digit1, opt(preceded(char(':'), seconds)));
    let sum = |(minutes, seconds): (&str, Option<_>)| {
        minutes.parse::<u64>().ok()?.checked_mul(60_000)?.checked_add(seconds.unwrap_or(Some(0))?)
    };
    terminated(time.map(sum), reserved).parse(input)
}

/// Seconds with any number of decimals, rounded down to milliseconds.
fn seconds(input: &str) -> Parse<'_, Option<u64>> {
    let sum = |(whole, decimals): (&str, Option<&str>)| {
        let digits = decimals.unwrap_or_default().bytes().chain(*b"000").take(3);
        let thousandths = digits.fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0'));
        whole.parse::<u64>().ok()?.checked_mul(1000)?.checked_add(thousandths)
    };
    (digit1, opt(preceded(char('.'), digit1))).map(sum).parse(input)
}
