//! From a line to a [`Command`].

use super::command::{Command, Go, PLAIN, Position, Register, Start};
use crate::protocol::line::{self, Line};
use crate::protocol::words::{self, Parse, fail, keyword, made, number, until};
use crate::protocol::{Moves, ParseError, Parsed};
use nom::Parser;

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
    const COMMANDS: &str = "uci debug isready setoption register ucinewgame position go stop ponderhit quit";
    words::is_one_of(word, COMMANDS)
}

/// The words that are commands only at the start of a line: they are too common to be looked for after other
/// words.
fn is_dialect(word: &str) -> bool {
    words::is_one_of(word, "d eval bench flip help ugi uginewgame query")
}

fn command<'a>(line: &mut Line<'a>, start: &'a str) -> Parse<'a, Command<'a>> {
    let (_, first) = words::word(start)?;
    let at = if is_dialect(first) { start } else { seek(line, start, is_command) };
    let (rest, word) = words::word(at)?;
    match word {
        "debug" => debug(line, rest),
        "setoption" => set_option(line, rest),
        "register" => register(line, rest),
        "position" => position(line, rest),
        "go" => go(line, rest),
        "bench" => made(words::remainder(rest), Command::Bench),
        "query" => {
            let (rest, question) = words::required(rest, "query", "a question, such as `gameover`")?;
            made(words::remainder(rest), |arguments| Command::Query { question, arguments })
        }
        _ => match PLAIN.iter().find(|(own, _)| *own == word) {
            Some((_, plain)) => Ok((rest, *plain)),
            None => made(words::remainder(start), Command::Unknown),
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

fn debug<'a>(line: &mut Line<'a>, input: &'a str) -> Parse<'a, Command<'a>> {
    let at = seek(line, input, |word| matches!(word, "on" | "off"));
    match words::word(at) {
        Ok((rest, "on")) => Ok((rest, Command::Debug(true))),
        Ok((rest, "off")) => Ok((rest, Command::Debug(false))),
        _ => fail(input, "debug", "`on` or `off`"),
    }
}

fn set_option<'a>(line: &mut Line<'a>, input: &'a str) -> Parse<'a, Command<'a>> {
    let at = seek(line, input, |word| word == "name");
    let Ok((rest, _)) = keyword("name").parse(at) else {
        return fail(input, "setoption", "`name`");
    };
    let (after, name) = until(rest, |word| word == "value")?;
    if name.is_empty() {
        return fail(rest, "name", "the name of an option");
    }
    let Ok((rest, _)) = keyword("value").parse(after) else {
        return Ok((after, Command::SetOption { name, value: None }));
    };
    let (rest, value) = words::remainder(rest)?;
    let value = if value == "<empty>" { "" } else { value };
    Ok((rest, Command::SetOption { name, value: Some(value) }))
}

fn register<'a>(line: &mut Line<'a>, input: &'a str) -> Parse<'a, Command<'a>> {
    let at = seek(line, input, |word| matches!(word, "later" | "name" | "code"));
    let mut rest = match words::word(at) {
        Ok((rest, "later")) => return Ok((rest, Command::Register(Register::Later))),
        Ok((_, "name" | "code")) => at,
        _ => return fail(input, "register", "`later`, `name` or `code`"),
    };
    let (mut name, mut code) = (None, None);
    while let Ok((after, word)) = words::word(rest) {
        let text = |parameter, expected| match until(after, |word| matches!(word, "name" | "code")) {
            Ok((_, "")) => fail(after, parameter, expected),
            parsed => parsed,
        };
        let stored = if word == "name" {
            line.store(&mut name, rest, text("name", "a name"))
        } else {
            line.store(&mut code, rest, text("code", "a code"))
        };
        rest = stored?.0;
    }
    Ok((rest, Command::Register(Register::Now { name, code })))
}

fn position<'a>(line: &mut Line<'a>, input: &'a str) -> Parse<'a, Command<'a>> {
    let at = seek(line, input, |word| matches!(word, "startpos" | "fen" | "moves"));
    let (rest, start) = match words::word(at) {
        Ok((rest, "startpos")) => (rest, Start::Startpos),
        Ok((rest, "fen")) => match until(rest, |word| word == "moves")? {
            (_, "") => return fail(rest, "fen", "a position"),
            (rest, text) => (rest, Start::Fen(text)),
        },
        Ok((_, "moves")) => (at, Start::Unsaid),
        // There are words, but none that is known here.
        Ok(_) => return fail(input, "position", "`startpos`, `fen` or `moves`"),
        Err(_) => (at, Start::Unsaid),
    };
    let at = seek(line, rest, |word| word == "moves");
    let Ok((rest, _)) = keyword("moves").parse(at) else {
        return Ok((rest, Command::Position(Position { start, moves: Moves::default() })));
    };
    made(words::remainder(rest), |text| Command::Position(Position { start, moves: Moves::new(text) }))
}

/// The words that may follow `go`, and so the words that end a list of moves.
fn is_limit(word: &str) -> bool {
    const LIMITS: &str = "searchmoves ponder wtime btime winc binc movestogo depth nodes mate movetime infinite perft \
        p1time p2time p1inc p2inc";
    words::is_one_of(word, LIMITS)
}

fn go<'a>(line: &mut Line<'a>, input: &'a str) -> Parse<'a, Command<'a>> {
    let mut go = Go::default();
    let (mut ponder, mut infinite) = (None, None);
    let (rest, ()) = line.arguments(input, |line, from, word, rest| {
        Some(match word {
            "searchmoves" => {
                let moves = match until(rest, is_limit) {
                    Ok((_, "")) => fail(rest, "searchmoves", "a move"),
                    moves => made(moves, Moves::new),
                };
                line.store(&mut go.search_moves, from, moves)
            }
            "ponder" => line.store(&mut ponder, from, Ok((rest, ()))),
            "infinite" => line.store(&mut infinite, from, Ok((rest, ()))),
            "wtime" => line.store(&mut go.white_time, from, number(rest, "wtime")),
            "p1time" => line.store(&mut go.white_time, from, number(rest, "p1time")),
            "btime" => line.store(&mut go.black_time, from, number(rest, "btime")),
            "p2time" => line.store(&mut go.black_time, from, number(rest, "p2time")),
            "winc" => line.store(&mut go.white_increment, from, number(rest, "winc")),
            "p1inc" => line.store(&mut go.white_increment, from, number(rest, "p1inc")),
            "binc" => line.store(&mut go.black_increment, from, number(rest, "binc")),
            "p2inc" => line.store(&mut go.black_increment, from, number(rest, "p2inc")),
            "movestogo" => line.store(&mut go.moves_to_go, from, number(rest, "movestogo")),
            "depth" => line.store(&mut go.depth, from, number(rest, "depth")),
            "nodes" => line.store(&mut go.nodes, from, number(rest, "nodes")),
            "mate" => line.store(&mut go.mate, from, number(rest, "mate")),
            "movetime" => line.store(&mut go.move_time, from, number(rest, "movetime")),
            "perft" => line.store(&mut go.perft, from, number(rest, "perft")),
            _ => return None,
        })
    })?;
    go.ponder = ponder.is_some();
    go.infinite = infinite.is_some();
    Ok((rest, Command::Go(go)))
}
