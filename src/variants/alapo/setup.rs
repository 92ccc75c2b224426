//! Positions in text (section 8 of the rules).

use super::board::{Board, bit, last_row};
use super::kind::Kind;
use super::state::{Alapo, NO_MARK, REMOVAL_AFTER};
use crate::base::{Bits, Color};
use crate::game::SetupErrorKind::{Contradiction, Malformed, Missing, Over, PieceCount, UnknownPiece};
use crate::game::setup::{counter, neither_side, no_hand, not_in_range, nothing_more, side_to_move};
use crate::game::{SetupError, SetupErrorKind};
use crate::notation::{Placement, Position};
use crate::variants::chessboard::{coordinate, pieces, placement, square};

/// A side begins with 16 men and never gets more. The bound keeps every list below `MAX_DECISIONS`.
const MOST_MEN: u32 = 16;

pub(super) fn read<const DEMOTION: bool>(position: &Position) -> Result<Alapo<DEMOTION>, SetupError> {
    let board = read_board(&position.placement)?;
    no_hand(position)?;
    let mut fields = position.fields.iter().map(String::as_str);
    let turn = side_to_move(fields.next(), neither_side)?;
    let marks = [
        read_mark(&board, Color::White, "White's last moved man", fields.next())?,
        read_mark(&board, Color::Black, "Black's last moved man", fields.next())?,
    ];
    let quiet = counter("quiet moves", fields.next(), 0..=u16::from(REMOVAL_AFTER) - 1, not_in_range)? as u8;
    let number = counter("move number", fields.next(), 1..=u16::MAX, not_in_range)?;
    nothing_more(fields.next())?;
    possible::<DEMOTION>(&board, turn)?;
    Ok(Alapo::new(board, turn, marks, quiet, number))
}

pub(super) fn write<const DEMOTION: bool>(state: &Alapo<DEMOTION>) -> Position {
    let letter = |square| state.board.man_on(square).map(|(color, kind)| color.dress(kind.letter()));
    let mark = |color: Color| match state.marks[color.index()] {
        NO_MARK => "-".to_owned(),
        square => coordinate(square).to_string(),
    };
    let fields = vec![
        state.turn.letter().to_string(),
        mark(Color::White),
        mark(Color::Black),
        state.quiet.to_string(),
        state.number.to_string(),
    ];
    Position { placement: placement(letter), hand: None, fields }
}

fn read_board(placement: &Placement) -> Result<Board, SetupError> {
    let mut board = Board::empty();
    for (square, letter) in pieces(placement)? {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let unknown = || UnknownPiece.at("board", format!("no man is called `{}`", char::from(letter)));
        board.put(color, Kind::of_letter(letter).ok_or_else(unknown)?, square);
    }
    Ok(board)
}

fn read_mark(board: &Board, color: Color, field: &'static str, text: Option<&str>) -> Result<u8, SetupError> {
    let text = text.ok_or_else(|| Missing.at(field, "missing (`-` for none)"))?;
    if text == "-" {
        return Ok(NO_MARK);
    }
    let square = text
        .parse()
        .ok()
        .and_then(square)
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
            return wrong(Over, format!("{color}'s small man on {} has won already", coordinate(square)));
        }
        if color == turn {
            return wrong(
                Over,
                format!("{color}'s man on {} was not captured: {color} has won already", coordinate(square)),
            );
        }
        if arrived.count_ones() > 1 {
            return wrong(PieceCount, format!("{color} has two runners on his last row; there can be one"));
        }
    }
    Ok(())
}
