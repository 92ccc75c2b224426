//! From text to tokens. The success path allocates nothing: a `position` line holds hundreds of them.

use super::parse::{Parsed, Stuck, coordinate, letter, named, whole};
use super::{Card, Leg, MAX_LEGS, Suffix, Suit, SyntaxError, Token};
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::character::complete::{char, one_of, satisfy};
use nom::combinator::{cut, eof, map, map_opt, not, opt, value};
use nom::multi::fold_many_m_n;
use nom::sequence::{preceded, terminated};

const LEG: &str = "a leg such as `e2e4`, `T@f4` or `0000`";

/// Reads one token.
///
/// # Errors
/// Where the text leaves the grammar.
pub fn parse_token(text: &str) -> Result<Token, SyntaxError> {
    let mut token = Token::default();
    let ending = named("`,` or the end of the token", alt((value(true, char(',')), value(false, eof))));
    let part = preceded(not(eof), cut((leg, ending)));
    // A token is some 200 bytes: it is filled where it lies, not handed from parser to parser.
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

fn leg(input: &str) -> Parsed<'_, Leg> {
    named(LEG, alt((step, put, roll_or_play, draw, pass))).parse(input)
}

/// `e2e4`, `e7e8q`, `c3d5-`. A letter behind the second square is the suffix even where it could begin a square:
/// squares of different legs have a comma between them.
fn step(input: &str) -> Parsed<'_, Leg> {
    map((coordinate, cut(coordinate), opt(suffix)), |(from, to, suffix)| Leg::Move { from, to, suffix })
        .parse(input)
}

fn suffix(input: &str) -> Parsed<'_, Suffix> {
    let promotion = map(letter, |letter| Suffix::Letter(letter.to_ascii_lowercase()));
    alt((promotion, value(Suffix::Leave, char('-')))).parse(input)
}

/// `T@f4`
fn put(input: &str) -> Parsed<'_, Leg> {
    // A letter without `@` is no half of a put but a slip in something else.
    let head =
        |input| terminated(letter, char('@')).parse(input).map_err(|e| e.map(|_| Stuck::new(input, LEG)));
    map((head, cut(coordinate)), |(letter, at)| Leg::Put { letter: letter.to_ascii_uppercase(), at })
        .parse(input)
}

/// `=4` is the die; `=4c` is a card, so cards are tried first.
fn roll_or_play(input: &str) -> Parsed<'_, Leg> {
    let die = map(one_of("123456"), |digit| Leg::Roll(digit as u8 - b'0'));
    let what = named("a number from 1 to 6 or a card", alt((map(card, Leg::Play), die)));
    preceded(char('='), cut(what)).parse(input)
}

/// `+6h`, `+?`
fn draw(input: &str) -> Parsed<'_, Leg> {
    let what = named("a card or `?`", alt((value(None, char('?')), map(card, Some))));
    map(preceded(char('+'), cut(what)), Leg::Draw).parse(input)
}

fn pass(input: &str) -> Parsed<'_, Leg> {
    value(Leg::Pass, alt((tag("0000"), tag("@@@@")))).parse(input)
}

fn card(input: &str) -> Parsed<'_, Card> {
    let face = |c: char| match c {
        'A' | 'a' => Some(1),
        '2'..='9' => Some(c as u8 - b'0'),
        'T' | 't' => Some(10),
        _ => None,
    };
    let suit = |c: char| match c {
        'c' | 'C' => Some(Suit::Clubs),
        'd' | 'D' => Some(Suit::Diamonds),
        'h' | 'H' => Some(Suit::Hearts),
        's' | 'S' => Some(Suit::Spades),
        _ => None,
    };
    let value = named("a card", map_opt(satisfy(|c| c.is_ascii_alphanumeric()), face));
    let suit = named("a suit (c, d, h or s)", map_opt(satisfy(|c| c.is_ascii_alphabetic()), suit));
    map((value, suit), |(value, suit)| Card { value, suit }).parse(input)
}
