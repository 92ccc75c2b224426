//! Thinking output: a line of numbers and the principal variation.

use crate::base::grammar::Parse;
use crate::protocol::line::Line;
use crate::protocol::words::{OneLine, is_blank, word};
use crate::protocol::{Bound, uci};
use nom::Parser;
use nom::bytes::complete::take_while;
use nom::character::complete::char;
use nom::combinator::{opt, recognize};
use nom::multi::many1_count;
use std::fmt;

/// A line of thinking output: `PLY SCORE TIME NODES [SELECTIVE SPEED HITS tab] PV`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thinking<'a> {
    /// The depth of the current iteration, in plies.
    pub ply: u32,
    /// The score, from the engine's point of view.
    pub score: Score,
    /// The bound: `!` at the end of the line for a lower one, `?` for an upper one.
    pub bound: Bound,
    /// The time since the start of the search, in centiseconds.
    pub time: u64,
    /// The number of nodes searched so far.
    pub nodes: u64,
    /// The optional numbers, if there are any.
    pub counts: Option<Counts>,
    /// The principal variation, in any form; a `(` as its first character means "from the book".
    pub pv: &'a str,
}

/// The optional numbers of thinking output. Those that an engine omits are read as 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The length of the longest line searched, in plies.
    pub selective_depth: u32,
    /// Nodes per second.
    pub speed: u64,
    /// The number of positions found in endgame tables.
    pub table_hits: u64,
}

/// A score, from the engine's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of a pawn, between -99999 and 99999.
    Centipawns(i32),
    /// The engine wins in so many moves: written as 100000 plus the number.
    Wins(u32),
    /// The engine loses in so many moves: written as -100000 minus the number.
    Loses(u32),
}

/// The least number that stands for a mate score.
const MATE: i64 = 100_000;

impl From<uci::Score> for Score {
    /// Converts a score of UCI; both protocols count the moves to mate alike.
    fn from(said: uci::Score) -> Self {
        match said {
            uci::Score::Centipawns(score) => Self::Centipawns(score),
            uci::Score::Mate(moves) if moves > 0 => Self::Wins(moves.unsigned_abs()),
            uci::Score::Mate(moves) => Self::Loses(moves.unsigned_abs()),
        }
    }
}

impl Score {
    /// The same score from the other side.
    pub const fn reversed(self) -> Self {
        match self {
            Self::Centipawns(score) => Self::Centipawns(score.saturating_neg()),
            Self::Wins(moves) => Self::Loses(moves),
            Self::Loses(moves) => Self::Wins(moves),
        }
    }

    fn from_number(number: i64) -> Option<Self> {
        let moves = || u32::try_from(number.checked_abs()? - MATE).ok();
        match number {
            MATE.. => moves().map(Self::Wins),
            _ if number <= -MATE => moves().map(Self::Loses),
            _ => i32::try_from(number).ok().map(Self::Centipawns),
        }
    }

    /// The score as one number: wins and losses lie beyond every number of centipawns, however distant they
    /// are.
    #[must_use]
    pub const fn centipawns(self) -> i32 {
        const fn far(moves: u32) -> i32 {
            if moves < 500_000 { moves as i32 } else { 500_000 }
        }
        match self {
            Self::Centipawns(score) => score,
            Self::Wins(moves) => 1_000_000 - far(moves),
            Self::Loses(moves) => far(moves) - 1_000_000,
        }
    }

    fn to_number(self) -> i64 {
        match self {
            Self::Centipawns(score) => i64::from(score).clamp(1 - MATE, MATE - 1),
            Self::Wins(moves) => MATE + i64::from(moves),
            Self::Loses(moves) => -MATE - i64::from(moves),
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_number().fmt(out)
    }
}

impl fmt::Display for Thinking<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {} {} {} ", self.ply, self.score, self.time, self.nodes)?;
        if let Some(Counts { selective_depth, speed, table_hits }) = self.counts {
            write!(out, "{selective_depth} {speed} {table_hits}\t")?;
        }
        // A tab would end the numbers when the line is read.
        OneLine(&self.pv.replace('\t', " ")).fmt(out)?;
        out.write_str(match self.bound {
            Bound::Exact => "",
            Bound::Lower => " !",
            Bound::Upper => " ?",
        })
    }
}

/// Reads a line of thinking output. A recoverable error where the line does not begin with four numbers.
pub(super) fn thinking<'a>(line: &mut Line<'a>, input: &'a str) -> Parse<'a, Thinking<'a>> {
    let (rest, (ply, gnu)) = word.map_opt(ply).parse(input)?;
    let (rest, score) = word.map_opt(|text| Score::from_number(text.parse().ok()?)).parse(rest)?;
    let (rest, time) = word.map_opt(|text| text.parse::<u64>().ok()).parse(rest)?;
    let (rest, nodes) = word.map_opt(|text| text.parse().ok()).parse(rest)?;
    let (rest, counts) = counts(line, rest)?;
    let text = rest.trim_matches(is_blank);
    let (pv, bound) = match (text.strip_suffix('!'), text.strip_suffix('?')) {
        (Some(pv), _) => (pv, Bound::Lower),
        (_, Some(pv)) => (pv, Bound::Upper),
        _ => (text, Bound::Exact),
    };
    let time = if gnu { time.saturating_mul(100) } else { time };
    let pv = pv.trim_end_matches(is_blank);
    Ok((&rest[rest.len()..], Thinking { ply, score, bound, time, nodes, counts, pv }))
}

/// A depth, and whether a character after it (`12.`, `9&`) shows that the time is in seconds, as in GNU
/// Chess.
fn ply(text: &str) -> Option<(u32, bool)> {
    let digits = text.strip_suffix(|last: char| !last.is_ascii_digit()).unwrap_or(text);
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    if plain { Some((digits.parse().ok()?, digits.len() < text.len())) } else { None }
}

/// Reads the numbers between the nodes and the last tab that has only numbers before it; `None` if there is
/// no such tab.
fn counts<'a>(line: &mut Line<'a>, input: &'a str) -> Parse<'a, Option<Counts>> {
    let is_number =
        |character: char| character != '\t' && (is_blank(character) || character.is_ascii_digit());
    let numbers = recognize(many1_count((take_while(is_number), char('\t'))));
    let (pv, numbers) = opt(numbers).parse(input)?;
    let mut words = numbers.unwrap_or_default().split_ascii_whitespace();
    // Of the numbers, the last is the table hits, the first the selective depth, the second the speed.
    let hits = words.next_back();
    let (depth, speed) = (words.next(), words.next());
    for unknown in words {
        line.note(unknown);
    }
    // Only digits get here, so a number that cannot be read is too large.
    let value = |text: Option<&str>| text.map_or(0, |text| text.parse().unwrap_or(u64::MAX));
    let selective_depth = u32::try_from(value(depth)).unwrap_or(u32::MAX);
    let counts = Counts { selective_depth, speed: value(speed), table_hits: value(hits) };
    Ok((pv, hits.is_some().then_some(counts)))
}
