//! Edit mode: the board, sent piece by piece. XBoard uses it only with engines that do not support
//! `setboard`.

use crate::base::grammar::Parse;
use crate::protocol::ParseError;
use crate::protocol::line::{self, Line, Parsed};
use crate::protocol::words::{fail, word};
use std::fmt;

/// A line between `edit` and `.`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditLine<'a> {
    /// `#`: clear the board.
    Clear,
    /// `c`: the pieces that follow are of the other colour; White's come first.
    OtherColor,
    /// `Pa4`: a piece on a square. The piece letter `x` makes the square empty; `*` makes it a hole.
    Put {
        /// The piece's letter.
        piece: char,
        /// The square, as text; for pieces in hand, `@` and their number.
        square: &'a str,
    },
    /// `.`: the position is complete.
    Done,
}

impl<'a> EditLine<'a> {
    /// Reads one line of edit mode; `Ok(None)` when it is blank.
    ///
    /// # Errors
    /// When the line is none of the four.
    pub fn parse(line: &'a str) -> Result<Option<Parsed<'a, Self>>, ParseError> {
        line::parse(line, edit_line)
    }
}

fn edit_line<'a>(_: &mut Line<'a>, start: &'a str) -> Parse<'a, EditLine<'a>> {
    let (rest, first) = word(start)?;
    let mut characters = first.chars();
    let parsed = match (first, characters.next()) {
        ("#", _) => EditLine::Clear,
        ("c", _) => EditLine::OtherColor,
        (".", _) => EditLine::Done,
        (_, Some(piece)) if (piece.is_ascii_alphabetic() || piece == '*') && first.len() > 1 => {
            EditLine::Put { piece, square: characters.as_str() }
        }
        _ => return fail(start, "edit", "`#`, `c`, `.`, or a piece and its square"),
    };
    Ok((rest, parsed))
}

impl fmt::Display for EditLine<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Clear => out.write_str("#"),
            Self::OtherColor => out.write_str("c"),
            Self::Put { piece, square } => write!(out, "{piece}{square}"),
            Self::Done => out.write_str("."),
        }
    }
}
