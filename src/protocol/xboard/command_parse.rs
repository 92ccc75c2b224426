//! From a line to a [`Command`].

use super::command::{Command, Level, PLAIN, Selection};
use super::outcome::outcome;
use crate::protocol::line::{self, Line};
use crate::protocol::words::{
    self, GrammarError, GrammarErrorKind, Parse, fail, made, number, remainder, required, required_remainder,
};
use crate::protocol::{ParseError, Parsed};
use nom::Parser;
use nom::bytes::complete::take_while1;
use nom::character::complete::{char, digit1};
use nom::combinator::{all_consuming, opt};
use nom::sequence::preceded;

impl<'a> Command<'a> {
    /// Reads one line; `Ok(None)` when it is blank.
    ///
    /// # Errors
    /// When an argument of a known command is missing, malformed or out of range.
    pub fn parse(line: &'a str) -> Result<Option<Parsed<'a, Self>>, ParseError> {
        line::parse(line, command)
    }
}

fn command<'a>(_: &mut Line<'a>, start: &'a str) -> Parse<'a, Command<'a>> {
    const FEATURE: &str = "the name of a feature";
    let (rest, first) = words::word(start)?;
    if let Some((_, command)) = PLAIN.iter().find(|(word, _)| *word == first) {
        return Ok((rest, *command));
    }
    match first {
        "protover" => made(number(rest, "protover"), Command::ProtocolVersion),
        "accepted" => made(required_remainder(rest, "accepted", FEATURE), Command::Accepted),
        "rejected" => made(required_remainder(rest, "rejected", FEATURE), Command::Rejected),
        "variant" => made(required(rest, "variant", "the name of a game"), Command::Variant),
        "level" => level(rest),
        "st" => move_time(rest),
        "sd" => made(number(rest, "sd"), Command::Depth),
        "nps" => made(number(rest, "nps"), Command::NodeRate),
        "time" => made(number(rest, "time"), Command::Time),
        "otim" => made(number(rest, "otim"), Command::OpponentTime),
        "usermove" => made(required(rest, "usermove", "a move"), Command::UserMove),
        "ping" => made(number(rest, "ping"), Command::Ping),
        "result" => match outcome(rest) {
            Ok((rest, outcome)) => Ok((rest, Command::Result(outcome))),
            Err(_) => fail(rest, "result", "`1-0`, `0-1`, `1/2-1/2` or `*`"),
        },
        "setboard" => made(required_remainder(rest, "setboard", "a position"), Command::SetBoard),
        "exclude" => made(selection(rest, "exclude"), Command::Exclude),
        "include" => made(selection(rest, "include"), Command::Include),
        "setscore" => {
            let (rest, score) = number(rest, "setscore")?;
            made(number(rest, "setscore"), |depth| Command::SetScore { score, depth })
        }
        "name" => made(remainder(rest), Command::Name),
        "rating" => {
            let (rest, own) = number(rest, "rating")?;
            made(number(rest, "rating"), |opponent| Command::Rating { own, opponent })
        }
        "memory" => made(number(rest, "memory"), Command::Memory),
        "cores" => made(number(rest, "cores"), Command::Cores),
        "egtpath" => {
            let (rest, kind) = required(rest, "egtpath", "a table format")?;
            made(required_remainder(rest, "egtpath", "a path"), |path| Command::TablePath { kind, path })
        }
        "option" => option(rest),
        "lift" => made(square(rest, "lift"), Command::Lift),
        "put" => made(square(rest, "put"), Command::Put),
        "hover" => made(square(rest, "hover"), Command::Hover),
        "ics" => made(required(rest, "ics", "a host name or `-`"), |host| {
            Command::Ics(Some(host).filter(|host| *host != "-"))
        }),
        "partner" => {
            made(remainder(rest), |name| Command::Partner(Some(name).filter(|name| !name.is_empty())))
        }
        "ptell" => made(remainder(rest), Command::PartnerTells),
        "holding" => made(remainder(rest), Command::Holding),
        // A move without `usermove`, or an unknown command.
        _ => made(remainder(start), |text| {
            if looks_like_move(text) { Command::BareMove(text) } else { Command::Unknown(text) }
        }),
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

fn square<'a>(input: &'a str, parameter: &'static str) -> Parse<'a, &'a str> {
    required(input, parameter, "a square")
}

fn selection<'a>(input: &'a str, parameter: &'static str) -> Parse<'a, Selection<'a>> {
    let (rest, text) = required(input, parameter, "a move or `all`")?;
    Ok((rest, if text == "all" { Selection::All } else { Selection::One(text) }))
}

fn option(input: &str) -> Parse<'_, Command<'_>> {
    let (rest, text) = remainder(input)?;
    let (name, value) = match text.split_once('=') {
        None => (text, None),
        Some((name, value)) => {
            (name.trim_end_matches(words::is_blank), Some(value.trim_start_matches(words::is_blank)))
        }
    };
    if name.is_empty() {
        return fail(input, "option", "the name of an option");
    }
    Ok((rest, Command::Option { name, value }))
}

fn move_time(input: &str) -> Parse<'_, Command<'_>> {
    const SECONDS: &str = "seconds, such as `5` or `0.5`";
    let (rest, text) = required(input, "st", SECONDS)?;
    Ok((rest, Command::MoveTime(milliseconds(input, text, "st", SECONDS)?)))
}

fn level(input: &str) -> Parse<'_, Command<'_>> {
    const BASE: &str = "minutes, or minutes and seconds such as `4:30`";
    const INCREMENT: &str = "seconds, such as `12` or `0.1`";
    let (after_moves, moves) = number(input, "level")?;
    let (after_base, base) = required(after_moves, "level", BASE)?;
    // The specification reserves what follows the number for future use, so it is ignored: `25+5` is 25
    // minutes.
    let base = &base[..base.find(|c: char| !c.is_ascii_digit() && !":.".contains(c)).unwrap_or(base.len())];
    let (minutes, seconds) = base.split_once(':').unwrap_or((base, "0"));
    if !minutes.bytes().all(|byte| byte.is_ascii_digit()) || minutes.is_empty() {
        return fail(after_moves, "level", BASE);
    }
    let too_large = || out_of_range(after_moves, "level", BASE);
    let minutes: u64 = minutes.parse().map_err(|_| too_large())?;
    let seconds = milliseconds(after_moves, seconds, "level", BASE)?;
    let base =
        minutes.checked_mul(60_000).and_then(|base| base.checked_add(seconds)).ok_or_else(too_large)?;
    let (rest, increment) = required(after_base, "level", INCREMENT)?;
    let increment = milliseconds(after_base, increment, "level", INCREMENT)?;
    Ok((rest, Command::Level(Level { moves, base, increment })))
}

/// Reads seconds with any number of decimals, rounded down to milliseconds. `at` is where the word `text`
/// stands.
fn milliseconds<'a>(
    at: &'a str,
    text: &'a str,
    parameter: &'static str,
    expected: &'static str,
) -> Result<u64, nom::Err<GrammarError<'a>>> {
    let decimals = preceded(char('.'), take_while1(|character: char| character.is_ascii_digit()));
    let parsed: Parse<'a, (&str, Option<&str>)> = all_consuming((digit1, opt(decimals))).parse(text);
    let Ok((_, (whole, decimals))) = parsed else {
        return Err(nom::Err::Failure(GrammarError::missing(at, parameter, expected)));
    };
    let thousandths = decimals
        .unwrap_or("")
        .bytes()
        .chain(*b"000")
        .take(3)
        .fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0'));
    whole
        .parse::<u64>()
        .ok()
        .and_then(|whole| whole.checked_mul(1000)?.checked_add(thousandths))
        .ok_or_else(|| out_of_range(at, parameter, expected))
}

fn out_of_range<'a>(
    at: &'a str,
    parameter: &'static str,
    expected: &'static str,
) -> nom::Err<GrammarError<'a>> {
    nom::Err::Failure(GrammarError { at, parameter, expected, kind: GrammarErrorKind::OutOfRange })
}
