//! From text to positions.

use super::parse::{letter, named, small_number, whole};
use super::{Cell, MAX_FILES, MAX_RANK, Placement, Position, SyntaxError};
use crate::base::grammar::{Grammar, Mismatch, Parse, Problem};
use nom::branch::alt;
use nom::bytes::complete::take_while1;
use nom::character::complete::{char, digit1, space0, space1};
use nom::combinator::{cut, eof, map, opt, peek, value};
use nom::multi::{fold_many1, many0};
use nom::sequence::{delimited, preceded, terminated};
use nom::{Err, Parser};

const CELL: &str = "a piece letter, a count of empty squares or `*`";
const MAX_RANKS: u8 = MAX_RANK + 1;
const MOST_IN_HAND: u8 = 99;

/// Reads a position: the board, an optional hand, and the fields after it.
///
/// # Errors
/// When the text does not match the grammar.
pub fn parse_position(text: &str) -> Result<Position, SyntaxError> {
    whole(text, position)
}

fn position(input: &str) -> Parse<'_, Position> {
    let end_of_hand = named("a blank or the end", alt((value((), eof), value((), peek(space1)))));
    let hand = terminated(opt(hand), cut(end_of_hand));
    let parts = (delimited(space0, board, end_of_board), hand, many0(field));
    let end = preceded(space0, named("printable ASCII", eof));
    map(terminated(parts, end), |(placement, hand, fields)| Position { placement, hand, fields }).parse(input)
}

fn field(input: &str) -> Parse<'_, String> {
    map(preceded(space1, take_while1(|c: char| c.is_ascii_graphic())), str::to_owned).parse(input)
}

/// All ranks, in the order of the syntax tree: the bottom rank first.
fn board(input: &str) -> Parse<'_, Placement> {
    let (mut rest, mut cells) = rank(input)?;
    let files = cells.len();
    check_width(input, 1, files, None)?;
    let mut ranks = 1;
    while let (at, Some(_)) = opt(char('/')).parse(rest)? {
        if ranks == usize::from(MAX_RANKS) {
            return Err(Err::Failure(Mismatch::new(rest, "no more than 17 ranks")));
        }
        let (behind, more) = cut(rank).parse(at)?;
        ranks += 1;
        check_width(at, ranks, more.len(), Some(files))?;
        cells.extend(more);
        rest = behind;
    }
    let cells = cells.chunks(files).rev().flatten().copied().collect();
    Ok((rest, Placement { files: files as u8, ranks: ranks as u8, cells }))
}

const _: () = assert!(MAX_RANKS == 17 && MAX_FILES == 16, "as the messages say");

fn check_width<'a>(
    at: &'a str,
    from_top: usize,
    files: usize,
    first: Option<usize>,
) -> Result<(), Err<Mismatch<'a>>> {
    let expected = match first {
        _ if files > usize::from(MAX_FILES) => "no more than 16 files",
        Some(first) if first != files => "as many files as in the top rank",
        _ => return Ok(()),
    };
    Err(Err::Failure(Mismatch { problem: Problem::Width { from_top, files }, ..Mismatch::new(at, expected) }))
}

fn rank(input: &str) -> Parse<'_, Vec<Cell>> {
    let free = map(count("a count from 1 to 16", MAX_FILES), |count| (Cell::Empty, count));
    let hole = value((Cell::Hole, 1), char('*'));
    let plain = map(letter, |letter| (Cell::Piece { letter, plus: false }, 1));
    let marked = preceded(char('+'), cut(named("a piece letter", letter)));
    let marked = map(marked, |letter| (Cell::Piece { letter, plus: true }, 1));
    let part = alt((free, hole, plain, marked));
    let all = fold_many1(part, Vec::new, |mut cells: Vec<Cell>, (cell, count)| {
        cells.extend(std::iter::repeat_n(cell, usize::from(count)));
        cells
    });
    named(CELL, all).parse(input)
}

fn end_of_board(input: &str) -> Parse<'_, ()> {
    let end = alt((value((), eof), value((), peek(char('['))), value((), peek(space1))));
    named("a piece letter, a count of empty squares, `*`, `/`, `[` or a blank", end).parse(input)
}

/// A hand: `[TTtt]`, also `[2T2t]`, `[]` and `[-]`.
fn hand(input: &str) -> Parse<'_, Vec<(u8, u8)>> {
    let close = |words| named(words, char(']'));
    let empty = value(Vec::new(), (char('-'), cut(close("`]`"))));
    let held = terminated(held, close("a piece letter, a count or `]`"));
    preceded(char('['), cut(alt((held, empty)))).parse(input)
}

/// The pieces in hand. Equal letters next to each other are one entry: `TTTT` and `4T` are the same hand.
fn held(input: &str) -> Parse<'_, Vec<(u8, u8)>> {
    let mut hand: Vec<(u8, u8)> = Vec::new();
    let mut at = input;
    while let (rest, Some((count, letter))) = opt(counted).parse(at)? {
        match hand.last_mut() {
            Some((last, total)) if *last == letter => {
                if *total + count > MOST_IN_HAND {
                    return Err(Err::Failure(Mismatch::new(at, "no more than 99 of a kind")));
                }
                *total += count;
            }
            _ => hand.push((letter, count)),
        }
        at = rest;
    }
    Ok((at, hand))
}

fn counted(input: &str) -> Parse<'_, (u8, u8)> {
    let count = count("a count from 1 to 99", MOST_IN_HAND);
    let several = (count, cut(named("a piece letter", letter)));
    alt((several, map(letter, |letter| (1, letter)))).parse(input)
}

/// A number from 1 to `most`. A digit here can only begin a count.
fn count<'a>(expected: &'static str, most: u8) -> impl Grammar<'a, u8> {
    preceded(peek(digit1), cut(named(expected, small_number(1, most))))
}
