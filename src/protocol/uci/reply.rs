//! Replies: the messages that the engine sends to the GUI.

use super::option::{declaration, write_declaration};
use crate::base::grammar::{Grammar, Parse};
use crate::protocol::field::{Field, Value, displayed};
use crate::protocol::line::{self, Line};
use crate::protocol::table::{arguments, messages};
use crate::protocol::words::{
    self, OneLine, any_text, fail, keyword, number, one_of, required, some_text, some_word, until,
};
use crate::protocol::{Bound, EngineOption, Moves, ParseError, Parsed};
use nom::Parser;
use nom::branch::alt;
use nom::combinator::{opt, success};
use nom::sequence::preceded;
use std::fmt::{self, Display, Formatter};

messages! {
    /// A line from the engine.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Reply<'a> {
        /// All options have been sent.
        "uciok" => UciOk,
        /// UGI: all options have been sent.
        "ugiok" => UgiOk,
        /// The answer to `isready`.
        "readyok" => ReadyOk,
        /// UGI: the answer to a `query`.
        "response" => Response(answer: &'a str = some_text("an answer")),
        /// The state of the engine's copy protection.
        "copyprotection" => CopyProtection(state: Clearance = clearance),
        /// The state of the engine's registration.
        "registration" => Registration(state: Clearance = clearance),
        /// Information about the search.
        "info" => Info(info: Info<'a> => info),
        else
        /// `id name …`: the engine's name.
        IdName(&'a str),
        /// `id author …`: the engine's author.
        IdAuthor(&'a str),
        /// `option …`: declares an option.
        Option(EngineOption),
        /// `bestmove …`: the search is over.
        BestMove {
            /// The move as text; `None`, written `(none)`, when there is nothing to play.
            best: Option<&'a str>,
            /// The reply the engine would like to ponder on.
            ponder: Option<&'a str>,
        },
        /// A line that does not begin with a keyword, without the blanks at its ends.
        Unknown(&'a str),
    }
}

/// The state of a check of the engine's licence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clearance {
    /// The check is going on.
    Checking,
    /// The check succeeded.
    Ok,
    /// The check failed.
    Error,
}

impl Reply<'_> {
    fn write_other(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::IdName(name) => write!(out, "id name {}", OneLine(name)),
            Self::IdAuthor(author) => write!(out, "id author {}", OneLine(author)),
            Self::BestMove { best, ponder } => {
                write!(out, "bestmove {}", best.unwrap_or(NO_MOVE))?;
                ponder.write_named(out, "ponder")
            }
            Self::Option(option) => write_declaration(out, option),
            Self::Unknown(text) => OneLine(text).fmt(out),
            // The others stand in the table.
            _ => Ok(()),
        }
    }
}

/// What stands for a move where there is none.
const NO_MOVE: &str = "(none)";

/// The spellings, in the order of [`Clearance`].
const CLEARANCES: [(&str, Clearance); 3] =
    [("checking", Clearance::Checking), ("ok", Clearance::Ok), ("error", Clearance::Error)];

impl Value for Clearance {
    fn write(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, " {}", CLEARANCES[*self as usize].0)
    }
}

impl<'a> Reply<'a> {
    /// Reads one line; `Ok(None)` when it is blank.
    ///
    /// # Errors
    /// When an argument of a known reply is missing, malformed or out of range.
    pub fn parse(line: &'a str) -> Result<Option<Parsed<'a, Self>>, ParseError> {
        line::parse(line, reply)
    }
}

fn reply<'a>(line: &mut Line<'a>, start: &'a str) -> Parse<'a, Reply<'a>> {
    let (rest, first) = words::word(start)?;
    match first {
        "id" => identity(rest),
        "bestmove" => best_move(line, rest),
        "option" => declaration(line, rest).map(|(rest, option)| (rest, Reply::Option(option))),
        _ => match Reply::message(line, first, rest)? {
            (rest, Some(reply)) => Ok((rest, reply)),
            _ => words::remainder.map(Reply::Unknown).parse(start),
        },
    }
}

fn identity(input: &str) -> Parse<'_, Reply<'_>> {
    let name = preceded(keyword("name"), some_text("name", "a name")).map(Reply::IdName);
    let author = preceded(keyword("author"), some_text("author", "a name")).map(Reply::IdAuthor);
    required("id", "`name` or `author`", alt((name, author))).parse(input)
}

fn best_move<'a>(line: &mut Line<'a>, input: &'a str) -> Parse<'a, Reply<'a>> {
    let is_move = |text: &&str| *text != NO_MOVE;
    let (rest, best) = some_word("bestmove", "a move or `(none)`").parse(input)?;
    let mut ponder = None;
    let (rest, ()) = line.arguments(rest, |line, from, word, rest| {
        // A `ponder` with nothing after it is meaningless, but must not cost the engine its move.
        let reply = words::word(rest).ok().filter(|_| word == "ponder");
        reply.map(|reply| line.store(&mut ponder, from, Ok(reply)))
    })?;
    Ok((rest, Reply::BestMove { best: Some(best).filter(is_move), ponder: ponder.filter(is_move) }))
}

fn clearance<'a>(parameter: &'static str) -> impl Grammar<'a, Clearance> {
    required(parameter, "`checking`, `ok` or `error`", one_of(&CLEARANCES))
}

arguments! {
    /// The arguments of `info`; `None` for those that were not given.
    pub struct Info<'a> {
        /// The depth of the current iteration, in plies.
        "depth" => depth: Option<u32> = number;
        /// The length of the longest line searched, in plies.
        "seldepth" => selective_depth: Option<u32> = number;
        /// The rank of this line among the best lines, from 1.
        "multipv" => multi_pv: Option<u32> = number;
        /// The score.
        "score" / "cp" / "mate" => score: Option<Score> = score;
        /// The bound of the score.
        "lowerbound" / "upperbound" => bound: Bound = bound;
        /// Dialect: the chances of a win, a draw and a loss.
        "wdl" => wdl: Option<Wdl> = wdl;
        /// The number of nodes searched.
        "nodes" => nodes: Option<u64> = number;
        /// Nodes per second.
        "nps" => nodes_per_second: Option<u64> = number;
        /// How full the transposition table is, in thousandths.
        "hashfull" => hash_full: Option<u32> = number;
        /// The number of positions found in endgame tables.
        "tbhits" => table_hits: Option<u64> = number;
        /// The number of positions found in Shredder's endgame tables.
        "sbhits" => shredder_hits: Option<u64> = number;
        /// The processor load, in thousandths.
        "cpuload" => cpu_load: Option<u32> = number;
        /// The time since the start of the search, in milliseconds.
        "time" => time: Option<u64> = number;
        /// The move being searched.
        "currmove" => current_move: Option<&'a str> = |word| some_word(word, "a move");
        /// The number of the move being searched, from 1.
        "currmovenumber" => current_move_number: Option<u32> = number;
        /// A move and the line that refutes it, if there is one.
        "refutation" => refutation: Option<Moves<'a>> = moves;
        /// The line being searched.
        "currline" => current_line: Option<CurrentLine<'a>> = current_line;
        /// The principal variation.
        "pv" => pv: Option<Moves<'a>> = moves;
        /// Any text; takes the rest of the line.
        "string" => string: Option<&'a str> = any_text;
    }
}

/// A score, from the engine's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// `cp`: hundredths of a pawn.
    Centipawns(i32),
    /// `mate`: the engine wins in so many of its own moves; if negative or 0, it loses in so many.
    Mate(i32),
}

/// The chances of the results, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wdl {
    /// The chance of a win.
    pub win: u32,
    /// The chance of a draw.
    pub draw: u32,
    /// The chance of a loss.
    pub loss: u32,
}

/// The arguments of `currline`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CurrentLine<'a> {
    /// The number of the processor, from 1; absent when there is only one.
    pub cpu: Option<u32>,
    /// The moves of the line.
    pub moves: Moves<'a>,
}

displayed!(Score, Wdl, CurrentLine<'_>);

impl Value for Info<'_> {
    fn write(&self, out: &mut Formatter<'_>) -> fmt::Result {
        self.write_arguments(out, 0)
    }
}

impl Display for Score {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Centipawns(score) => write!(out, "cp {score}"),
            Self::Mate(moves) => write!(out, "mate {moves}"),
        }
    }
}

impl Display for Wdl {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "{} {} {}", self.win, self.draw, self.loss)
    }
}

impl Display for CurrentLine<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        self.cpu.map_or(Ok(()), |cpu| write!(out, "{cpu} "))?;
        self.moves.fmt(out)
    }
}

/// Reads the arguments of `info`, in any order. Unknown words are skipped.
fn info<'a>(line: &mut Line<'a>, input: &'a str) -> Parse<'a, Info<'a>> {
    const SCORE: &str = "`cp` or `mate`";
    let mut info = Info::default();
    let (rest, ()) = line.arguments(input, |line, from, word, rest| {
        match (word, words::word(rest)) {
            // The specification lets `cp`, `mate` and the bounds follow `score` in any order.
            ("score", Ok((_, "cp" | "mate" | "lowerbound" | "upperbound"))) => Some(Ok((rest, ()))),
            ("score", _) => Some(fail(rest, "score", SCORE)),
            _ => info.argument(line, from, word, rest),
        }
    })?;
    if info.score.is_none() && info.bound != Bound::Exact {
        return fail(rest, "score", SCORE);
    }
    Ok((rest, info))
}

fn score<'a>(word: &'static str) -> impl Grammar<'a, Score> {
    number(word).map(
        move |number| {
            if word == "mate" { Score::Mate(number) } else { Score::Centipawns(number) }
        },
    )
}

fn bound<'a>(word: &'static str) -> impl Grammar<'a, Bound> {
    success(if word == "lowerbound" { Bound::Lower } else { Bound::Upper })
}

fn wdl<'a>(word: &'static str) -> impl Grammar<'a, Wdl> {
    (number(word), number(word), number(word)).map(|(win, draw, loss)| Wdl { win, draw, loss })
}

/// Reads a list of moves, possibly empty, up to the next keyword.
fn moves<'a>(_: &'static str) -> impl Grammar<'a, Moves<'a>> {
    until(Info::is_word).map(Moves::new)
}

fn current_line<'a>(word: &'static str) -> impl Grammar<'a, CurrentLine<'a>> {
    // A lone number is the processor; `0000` is a pass, and processors count from 1.
    let cpu = words::word.map_opt(|word| if word.starts_with('0') { None } else { word.parse().ok() });
    (opt(cpu), moves(word)).map(|(cpu, moves)| CurrentLine { cpu, moves })
}
