//! From text to tokens. The success path allocates nothing: a `position` command holds hundreds of tokens.

use super::parse::{coordinate, letter, named, whole};
use super::{Card, Leg, MAX_LEGS, Suffix, Suit, SyntaxError, Token};
use crate::base::grammar::{Mismatch, Parse};
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::character::complete::{char, one_of};
use nom::combinator::{cut, eof, map, not, value};
use nom::multi::fold_many_m_n;
use nom::sequence::{preceded, terminated};
use nom::{Err, Parser};

const LEG: &str = "a leg such as `e2e4`, `T@f4` or `0000`";

/// Reads one token.
///
/// # Errors
/// When the text does not match the grammar.
pub fn parse_token(text: &str) -> Result<Token, SyntaxError> {
    let mut token = Token::default();
    let part = preceded(not(eof), cut((leg, ending)));
    // A token takes some 200 bytes, so it is filled in place and not passed from parser to parser.
    let parts = fold_many_m_n(
        1,
        MAX_LEGS,
        part,
        || (),
        |(), (leg, open)| {
            token.legs.push(leg);
            token.open = open;
        },
    );
    whole(text, terminated(named(LEG, parts), named("no more than 32 legs", eof)))?;
    Ok(token)
}

const _: () = assert!(MAX_LEGS == 32, "as the message says");

/// What follows a leg: a comma (true), or the end of the text (false).
#[inline]
fn ending(input: &str) -> Parse<'_, bool> {
    match input.as_bytes().first() {
        None => Ok((input, false)),
        Some(b',') => Ok((&input[1..], true)),
        Some(_) => Err(Err::Error(Mismatch::new(input, "`,` or the end of the token"))),
    }
}

/// The first two characters decide which kind of leg it is; to try one parser after the other would take
/// three times as long.
#[inline]
fn leg(input: &str) -> Parse<'_, Leg> {
    match input.as_bytes() {
        [b'=', ..] => roll_or_play(input),
        [b'+', ..] => draw(input),
        [b'0' | b'@', ..] => named(LEG, pass).parse(input),
        [_, b'@', ..] => named(LEG, put).parse(input),
        _ => named(LEG, step).parse(input),
    }
}

/// A move: `e2e4`, `e7e8q`, `c3d5-`. A letter after the second square is the suffix even where it could begin
/// a square, because a comma separates the squares of different legs.
#[inline]
fn step(input: &str) -> Parse<'_, Leg> {
    map((coordinate, cut(coordinate), suffix), |(from, to, suffix)| Leg::Move { from, to, suffix })
        .parse(input)
}

#[inline]
fn suffix(input: &str) -> Parse<'_, Option<Suffix>> {
    match input.as_bytes().first() {
        Some(b'-') => Ok((&input[1..], Some(Suffix::Leave))),
        Some(letter) if letter.is_ascii_alphabetic() => {
            Ok((&input[1..], Some(Suffix::Letter(letter.to_ascii_lowercase()))))
        }
        _ => Ok((input, None)),
    }
}

/// Something put on a square: `T@f4`.
fn put(input: &str) -> Parse<'_, Leg> {
    let head = terminated(letter, char('@'));
    map((head, cut(coordinate)), |(letter, at)| Leg::Put { letter: letter.to_ascii_uppercase(), at })
        .parse(input)
}

/// The most dice that are rolled at once.
const MAX_DICE: usize = 3;

/// A throw of the die (`=4`), or of several (`=125`), or a card that is played (`=4c`). Cards are tried
/// first, because they are longer.
fn roll_or_play(input: &str) -> Parse<'_, Leg> {
    let add = |number, digit| 10 * number + digit as u16 - u16::from(b'0');
    let die = map(fold_many_m_n(1, MAX_DICE, one_of("123456"), || 0, add), Leg::Roll);
    let what = named("a number from 1 to 6 or a card", alt((map(card, Leg::Play), die)));
    preceded(char('='), cut(what)).parse(input)
}

/// A card that is drawn: `+6h`, or `+?` face down.
fn draw(input: &str) -> Parse<'_, Leg> {
    let what = named("a card or `?`", alt((value(None, char('?')), map(card, Some))));
    map(preceded(char('+'), cut(what)), Leg::Draw).parse(input)
}

fn pass(input: &str) -> Parse<'_, Leg> {
    value(Leg::Pass, alt((tag("0000"), tag("@@@@")))).parse(input)
}

#[inline]
fn card(input: &str) -> Parse<'_, Card> {
    let bytes = input.as_bytes();
    let value = match bytes.first() {
        Some(b'A' | b'a') => 1,
        Some(digit @ b'2'..=b'9') => digit - b'0',
        Some(b'T' | b't') => 10,
        _ => return Err(Err::Error(Mismatch::new(input, "a card"))),
    };
    let suit = match bytes.get(1) {
        Some(b'c' | b'C') => Suit::Clubs,
        Some(b'd' | b'D') => Suit::Diamonds,
        Some(b'h' | b'H') => Suit::Hearts,
        Some(b's' | b'S') => Suit::Spades,
        _ => return Err(Err::Error(Mismatch::new(&input[1..], "a suit (c, d, h or s)"))),
    };
    Ok((&input[2..], Card { value, suit }))
}
