//! Positions in text (section 8 of the rules).

use super::board::{Board, bit, last_row};
use super::kind::Kind;
use super::notation::{name, square_of};
use super::state::{Alapo, NO_MARK, REMOVAL_AFTER};
use crate::base::{Bits, Color};
use crate::game::SetupErrorKind::{
    Contradiction, Malformed, Missing, Over, PieceCount, Squares, Unexpected, UnknownPiece,
};
use crate::game::setup::{counter, side_to_move};
use crate::game::{SetupError, SetupErrorKind};
use crate::notation::{Cell, Coordinate, Placement, Position};

/// A side begins with 16 men and never gets more. The bound keeps every list below `MAX_DECISIONS`.
const MOST_MEN: u32 = 16;

pub(super) fn read<const DEMOTION: bool>(position: &Position) -> Result<Alapo<DEMOTION>, SetupError> {
    let board = read_board(&position.placement)?;
    if position.hand.as_ref().is_some_and(|hand| !hand.is_empty()) {
        return Err(Unexpected.at("hand", "there are no pieces in hand"));
    }
    let mut fields = position.fields.iter().map(String::as_str);
    let wrong = |text: Option<&str>| {
        text.map_or("missing".to_owned(), |other| format!("must be `w` or `b`, not `{other}`"))
    };
    let turn = side_to_move(fields.next(), wrong)?;
    let marks = [
        read_mark(&board, Color::White, "White's last moved man", fields.next())?,
        read_mark(&board, Color::Black, "Black's last moved man", fields.next())?,
    ];
    let number = |text: &str, least, most| format!("must be a number from {least} to {most}, not `{text}`");
    let quiet = counter("quiet moves", fields.next(), 0..=u16::from(REMOVAL_AFTER) - 1, number)? as u8;
    let number = counter("move number", fields.next(), 1..=u16::MAX, number)?;
    if let Some(extra) = fields.next() {
        return Err(Unexpected.at("end", format!("`{extra}` is one field too many")));
    }
    possible::<DEMOTION>(&board, turn)?;
    Ok(Alapo::new(board, turn, marks, quiet, number))
}

pub(super) fn write<const DEMOTION: bool>(state: &Alapo<DEMOTION>) -> Position {
    let mut placement = Placement::new(8, 8);
    for square in Bits(state.board.occupied()) {
        if let Some((color, kind)) = state.board.man_on(square) {
            let letter = color.dress(kind.letter());
            placement.set(square & 7, square >> 3, Cell::Piece { letter, plus: false });
        }
    }
    let mark = |color: Color| match state.marks[color.index()] {
        NO_MARK => "-".to_owned(),
        square => name(square),
    };
    let fields = vec![
        state.turn.letter().to_string(),
        mark(Color::White),
        mark(Color::Black),
        state.quiet.to_string(),
        state.number.to_string(),
    ];
    Position { placement, hand: None, fields }
}

fn square_named(text: &str) -> Option<u8> {
    match text.as_bytes() {
        &[file, rank] => {
            let file = file.to_ascii_lowercase().checked_sub(b'a')?;
            square_of(Coordinate::new(file, rank.checked_sub(b'0')?))
        }
        _ => None,
    }
}

fn read_board(placement: &Placement) -> Result<Board, SetupError> {
    let wrong = |kind: SetupErrorKind, reason: String| Err(kind.at("board", reason));
    if (placement.files, placement.ranks) != (8, 8) || placement.cells.len() != 64 {
        return wrong(Squares, format!("must be 8x8, not {}x{}", placement.files, placement.ranks));
    }
    let mut board = Board::empty();
    for (square, cell) in (0_u8..).zip(&placement.cells) {
        match *cell {
            Cell::Empty => {}
            Cell::Hole => return wrong(Squares, format!("{} must be a square, not a hole", name(square))),
            Cell::Piece { plus: true, .. } => {
                return wrong(UnknownPiece, format!("no `+` here ({})", name(square)));
            }
            Cell::Piece { letter, plus: false } => {
                let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
                let Some(kind) = Kind::of_letter(letter) else {
                    return wrong(UnknownPiece, format!("no man is called `{}`", char::from(letter)));
                };
                board.put(color, kind, square);
            }
        }
    }
    Ok(board)
}

fn read_mark(board: &Board, color: Color, field: &'static str, text: Option<&str>) -> Result<u8, SetupError> {
    let text = text.ok_or_else(|| Missing.at(field, "missing (`-` for none)"))?;
    if text == "-" {
        return Ok(NO_MARK);
    }
    let square = square_named(text)
        .ok_or_else(|| Malformed.at(field, format!("must be a square or `-`, not `{text}`")))?;
    if board.men(color) & bit(square) == 0 {
        return Err(Contradiction.at(field, format!("no man of {color}'s on {text}")));
    }
    Ok(square)
}

/// Section 8: what cannot stand on the board between turns of a game that goes on.
fn possible<const DEMOTION: bool>(board: &Board, turn: Color) -> Result<(), SetupError> {
    let wrong = |kind: SetupErrorKind, reason: String| Err(kind.at("board", reason));
    for color in Color::ALL {
        let (men, small) = (board.men(color), board.small_men(color));
        if men.count_ones() > MOST_MEN {
            return wrong(PieceCount, format!("{color} has {} men, more than {MOST_MEN}", men.count_ones()));
        }
        if men == 0 {
            return wrong(Over, format!("{color} has no man: that game is over"));
        }
        if DEMOTION && small == 0 {
            return wrong(Over, format!("{color} has no small man: that game is over"));
        }
        let arrived = last_row(color) & if DEMOTION { small } else { men };
        let Some(square) = Bits(arrived).next() else { continue };
        if DEMOTION {
            return wrong(Over, format!("{color}'s small man on {} has won already", name(square)));
        }
        if color == turn {
            return wrong(
                Over,
                format!("{color}'s man on {} was not captured: {color} has won already", name(square)),
            );
        }
        if arrived.count_ones() > 1 {
            return wrong(PieceCount, format!("{color} has two runners on his last row; there can be one"));
        }
    }
    Ok(())
}
