//! Replies: the messages that the engine sends to the GUI.

use super::command::{write_text, write_value};
use super::option::{declaration, write_declaration};
use crate::protocol::line::{self, Line};
use crate::protocol::words::{self, OneLine, Parse, fail, made, number, required, required_remainder, until};
use crate::protocol::{Bound, EngineOption, Moves, ParseError, Parsed};
use nom::Parser;
use std::fmt;

/// A line from the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply<'a> {
    /// `id name …`: the engine's name.
    IdName(&'a str),
    /// `id author …`: the engine's author.
    IdAuthor(&'a str),
    /// `uciok`: all options have been sent.
    UciOk,
    /// `ugiok` (UGI): all options have been sent.
    UgiOk,
    /// `readyok`: the answer to `isready`.
    ReadyOk,
    /// `response …` (UGI): the answer to a `query`.
    Response(&'a str),
    /// `bestmove …`: the search is over.
    BestMove {
        /// The move as text; `None`, written `(none)`, when there is nothing to play.
        best: Option<&'a str>,
        /// The reply the engine would like to ponder on.
        ponder: Option<&'a str>,
    },
    /// `copyprotection …`: the state of the engine's copy protection.
    CopyProtection(Clearance),
    /// `registration …`: the state of the engine's registration.
    Registration(Clearance),
    /// `info …`: information about the search.
    Info(Info<'a>),
    /// `option …`: declares an option.
    Option(EngineOption),
    /// A line that does not begin with a keyword, without the blanks at its ends.
    Unknown(&'a str),
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
            Self::Option(option) => write_declaration(out, option),
            Self::Unknown(text) => OneLine(text).fmt(out),
        }
    }
}

/// The spellings, in the order of [`Clearance`].
const CLEARANCES: [(&str, Clearance); 3] =
    [("checking", Clearance::Checking), ("ok", Clearance::Ok), ("error", Clearance::Error)];

impl fmt::Display for Clearance {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(CLEARANCES[*self as usize].0)
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
        // A `ponder` with nothing after it is meaningless, but must not cost the engine its move.
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
    let (rest, found) = required(input, parameter, STATES)?;
    match CLEARANCES.iter().find(|(word, _)| *word == found) {
        Some(&(_, clearance)) => Ok((rest, clearance)),
        None => fail(input, parameter, STATES),
    }
}

/// The arguments of `info`; `None` for those that were not given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Info<'a> {
    /// `depth`: the depth of the current iteration, in plies.
    pub depth: Option<u32>,
    /// `seldepth`: the length of the longest line searched, in plies.
    pub selective_depth: Option<u32>,
    /// `multipv`: the rank of this line among the best lines, from 1.
    pub multi_pv: Option<u32>,
    /// `score`: the score and its bound.
    pub score: Option<(Score, Bound)>,
    /// `wdl` (dialect): the chances of a win, a draw and a loss.
    pub wdl: Option<Wdl>,
    /// `nodes`: the number of nodes searched.
    pub nodes: Option<u64>,
    /// `nps`: nodes per second.
    pub nodes_per_second: Option<u64>,
    /// `hashfull`: how full the transposition table is, in thousandths.
    pub hash_full: Option<u32>,
    /// `tbhits`: the number of positions found in endgame tables.
    pub table_hits: Option<u64>,
    /// `sbhits`: the number of positions found in Shredder's endgame tables.
    pub shredder_hits: Option<u64>,
    /// `cpuload`: the processor load, in thousandths.
    pub cpu_load: Option<u32>,
    /// `time`: the time since the start of the search, in milliseconds.
    pub time: Option<u64>,
    /// `currmove`: the move being searched.
    pub current_move: Option<&'a str>,
    /// `currmovenumber`: the number of the move being searched, from 1.
    pub current_move_number: Option<u32>,
    /// `refutation`: a move and the line that refutes it, if there is one.
    pub refutation: Option<Moves<'a>>,
    /// `currline`: the line being searched.
    pub current_line: Option<CurrentLine<'a>>,
    /// `pv`: the principal variation.
    pub pv: Option<Moves<'a>>,
    /// `string`: any text; takes the rest of the line.
    pub string: Option<&'a str>,
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

impl fmt::Display for Info<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("info")?;
        write_value(out, "depth", self.depth)?;
        write_value(out, "seldepth", self.selective_depth)?;
        write_value(out, "multipv", self.multi_pv)?;
        if let Some((score, bound)) = self.score {
            write!(out, " score {score}")?;
            match bound {
                Bound::Exact => {}
                Bound::Lower => out.write_str(" lowerbound")?,
                Bound::Upper => out.write_str(" upperbound")?,
            }
        }
        write_value(out, "wdl", self.wdl)?;
        write_value(out, "nodes", self.nodes)?;
        write_value(out, "nps", self.nodes_per_second)?;
        write_value(out, "hashfull", self.hash_full)?;
        write_value(out, "tbhits", self.table_hits)?;
        write_value(out, "sbhits", self.shredder_hits)?;
        write_value(out, "cpuload", self.cpu_load)?;
        write_value(out, "time", self.time)?;
        write_value(out, "currmove", self.current_move)?;
        write_value(out, "currmovenumber", self.current_move_number)?;
        write_value(out, "refutation", self.refutation)?;
        if let Some(CurrentLine { cpu, moves }) = self.current_line {
            out.write_str(" currline")?;
            cpu.map_or(Ok(()), |cpu| write!(out, " {cpu}"))?;
            write!(out, " {moves}")?;
        }
        write_value(out, "pv", self.pv)?;
        write_text(out, "string", self.string)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Centipawns(score) => write!(out, "cp {score}"),
            Self::Mate(moves) => write!(out, "mate {moves}"),
        }
    }
}

impl fmt::Display for Wdl {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {} {}", self.win, self.draw, self.loss)
    }
}

/// The words that may follow `info`, which therefore end a list of moves.
fn is_keyword(word: &str) -> bool {
    const KEYWORDS: &str = "depth seldepth multipv score cp mate lowerbound upperbound wdl nodes nps hashfull tbhits \
        sbhits cpuload time currmove currmovenumber refutation currline pv string";
    words::is_one_of(word, KEYWORDS)
}

/// Reads the arguments of `info`, in any order. Unknown words are skipped.
fn info<'a>(line: &mut Line<'a>, input: &'a str) -> Parse<'a, Info<'a>> {
    let mut info = Info::default();
    let (mut score, mut bound) = (None, None);
    let (rest, ()) = line.arguments(input, |line, from, word, rest| {
        Some(match word {
            "depth" => line.store(&mut info.depth, from, number(rest, "depth")),
            "seldepth" => line.store(&mut info.selective_depth, from, number(rest, "seldepth")),
            "multipv" => line.store(&mut info.multi_pv, from, number(rest, "multipv")),
            // The specification lets `cp`, `mate` and the bounds follow `score` in any order.
            "score" => match words::word(rest) {
                Ok((_, "cp" | "mate" | "lowerbound" | "upperbound")) => Ok((rest, ())),
                _ => fail(rest, "score", "`cp` or `mate`"),
            },
            "cp" => line.store(&mut score, from, made(number(rest, "cp"), Score::Centipawns)),
            "mate" => line.store(&mut score, from, made(number(rest, "mate"), Score::Mate)),
            "lowerbound" => line.store(&mut bound, from, Ok((rest, Bound::Lower))),
            "upperbound" => line.store(&mut bound, from, Ok((rest, Bound::Upper))),
            "wdl" => line.store(&mut info.wdl, from, wdl(rest)),
            "nodes" => line.store(&mut info.nodes, from, number(rest, "nodes")),
            "nps" => line.store(&mut info.nodes_per_second, from, number(rest, "nps")),
            "hashfull" => line.store(&mut info.hash_full, from, number(rest, "hashfull")),
            "tbhits" => line.store(&mut info.table_hits, from, number(rest, "tbhits")),
            "sbhits" => line.store(&mut info.shredder_hits, from, number(rest, "sbhits")),
            "cpuload" => line.store(&mut info.cpu_load, from, number(rest, "cpuload")),
            "time" => line.store(&mut info.time, from, number(rest, "time")),
            "currmove" => line.store(&mut info.current_move, from, required(rest, "currmove", "a move")),
            "currmovenumber" => {
                line.store(&mut info.current_move_number, from, number(rest, "currmovenumber"))
            }
            "refutation" => line.store(&mut info.refutation, from, moves(rest)),
            "currline" => line.store(&mut info.current_line, from, current_line(rest)),
            "pv" => line.store(&mut info.pv, from, moves(rest)),
            "string" => line.store(&mut info.string, from, words::remainder(rest)),
            _ => return None,
        })
    })?;
    match (score, bound) {
        (Some(score), bound) => info.score = Some((score, bound.unwrap_or_default())),
        (None, Some(_)) => return fail(rest, "score", "`cp` or `mate`"),
        (None, None) => {}
    }
    Ok((rest, info))
}

fn wdl(input: &str) -> Parse<'_, Wdl> {
    let (rest, win) = number(input, "wdl")?;
    let (rest, draw) = number(rest, "wdl")?;
    let (rest, loss) = number(rest, "wdl")?;
    Ok((rest, Wdl { win, draw, loss }))
}

/// Reads a list of moves, possibly empty, up to the next keyword.
fn moves(input: &str) -> Parse<'_, Moves<'_>> {
    made(until(input, is_keyword), Moves::new)
}

fn current_line(input: &str) -> Parse<'_, CurrentLine<'_>> {
    // A lone number is the processor; `0000` is a pass, and processors count from 1.
    let cpu = words::word.map_opt(|word| if word.starts_with('0') { None } else { word.parse().ok() });
    let (rest, cpu) = nom::combinator::opt(cpu).parse(input)?;
    let (rest, moves) = moves(rest)?;
    Ok((rest, CurrentLine { cpu, moves }))
}
