//! From syntax trees to text, in the one canonical spelling.

use super::{
    Card, Cell, Coordinate, Leg, Placement, Position, Suffix, Suit, SyntaxError, Token, parse_coordinate,
    parse_position, parse_token,
};
use std::fmt::{self, Display, Formatter, Write};
use std::str::FromStr;

impl Display for Coordinate {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char(char::from(b'a' + self.file))?;
        self.rank.fmt(f)
    }
}

impl Display for Suffix {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char(match self {
            Self::Letter(letter) => char::from(letter.to_ascii_lowercase()),
            Self::Leave => '-',
        })
    }
}

impl Display for Suit {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char(match self {
            Self::Clubs => 'c',
            Self::Diamonds => 'd',
            Self::Hearts => 'h',
            Self::Spades => 's',
        })
    }
}

impl Display for Card {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.value {
            1 => f.write_char('A')?,
            10 => f.write_char('T')?,
            value => value.fmt(f)?,
        }
        self.suit.fmt(f)
    }
}

impl Display for Leg {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move { from, to, suffix } => {
                write!(f, "{from}{to}")?;
                suffix.map_or(Ok(()), |suffix| suffix.fmt(f))
            }
            Self::Put { letter, at } => write!(f, "{}@{at}", char::from(letter.to_ascii_uppercase())),
            Self::Roll(number) => write!(f, "={number}"),
            Self::Play(card) => write!(f, "={card}"),
            Self::Draw(Some(card)) => write!(f, "+{card}"),
            Self::Draw(None) => f.write_str("+?"),
            Self::Pass => f.write_str("0000"),
        }
    }
}

/// The legs, joined by commas; an empty text for a token without legs.
impl Display for Token {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, leg) in self.legs.iter().enumerate() {
            if index > 0 {
                f.write_char(',')?;
            }
            leg.fmt(f)?;
        }
        if self.open { f.write_char(',') } else { Ok(()) }
    }
}

/// The top rank comes first; adjacent empty squares are counted together.
impl Display for Placement {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, rank) in self.cells.chunks(usize::from(self.files.max(1))).rev().enumerate() {
            if index > 0 {
                f.write_char('/')?;
            }
            for run in rank.chunk_by(|one, next| *one == Cell::Empty && *next == Cell::Empty) {
                match run[0] {
                    Cell::Empty => run.len().fmt(f)?,
                    Cell::Hole => f.write_char('*')?,
                    Cell::Piece { letter, plus } => {
                        f.write_str(if plus { "+" } else { "" })?;
                        f.write_char(char::from(letter))?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// A space before each field; the pieces in hand one by one, in the order they are held (`[TTTTtttt]`).
impl Display for Position {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.placement.fmt(f)?;
        if let Some(hand) = &self.hand {
            f.write_char('[')?;
            for &(letter, count) in hand {
                for _ in 0..count {
                    f.write_char(char::from(letter))?;
                }
            }
            f.write_char(']')?;
        }
        for field in &self.fields {
            write!(f, " {field}")?;
        }
        Ok(())
    }
}

impl FromStr for Coordinate {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<Self, SyntaxError> {
        parse_coordinate(text)
    }
}

impl FromStr for Token {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<Self, SyntaxError> {
        parse_token(text)
    }
}

impl FromStr for Position {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<Self, SyntaxError> {
        parse_position(text)
    }
}
