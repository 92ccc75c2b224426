//! Positions in text: the FEN that Fairy-Stockfish writes.

use super::state::{LAST_ROW, State};
use crate::base::Color;
use crate::game::SetupError;
use crate::game::SetupErrorKind::{Malformed, Over, PieceCount, UnknownPiece};
use crate::game::setup::{counter, neither_side, no_hand, not_in_range, nothing_more, side_to_move};
use crate::notation::{Placement, Position};
use crate::variants::chessboard::{pieces, placement};

pub(super) fn read(position: &Position) -> Result<State, SetupError> {
    let men = read_board(&position.placement)?;
    no_hand(position)?;
    let mut fields = position.fields.iter().map(String::as_str);
    let turn = side_to_move(fields.next(), neither_side)?;
    for field in ["castling", "en passant"] {
        if fields.next() != Some("-") {
            return Err(Malformed.at(field, "must be `-`"));
        }
    }
    let quiet = counter("quiet moves", fields.next(), 0..=u16::MAX, not_in_range)?;
    let number = counter("move number", fields.next(), 1..=u16::MAX, not_in_range)?;
    nothing_more(fields.next())?;
    Ok(State::new(men, turn, quiet, number))
}

fn read_board(board: &Placement) -> Result<[u64; 2], SetupError> {
    let mut men = [0_u64; 2];
    for (square, letter) in pieces(board)? {
        match letter {
            b'P' => men[0] |= 1 << square,
            b'p' => men[1] |= 1 << square,
            _ => return Err(UnknownPiece.at("board", "every man is a `P` or a `p`")),
        }
    }
    for color in Color::ALL {
        let own = men[color.index()];
        if own & LAST_ROW[color.index()] != 0 {
            return Err(Over.at("board", format!("{color} stands on his last row: that game is over")));
        }
        if !(1..=16).contains(&own.count_ones()) {
            return Err(PieceCount.at("board", format!("{color} has {} men, not 1 to 16", own.count_ones())));
        }
    }
    Ok(men)
}

pub(super) fn write(state: &State) -> Position {
    let letter = |square: u8| match state.men.map(|men| men >> square & 1) {
        [1, _] => Some(b'P'),
        [_, 1] => Some(b'p'),
        _ => None,
    };
    let fields = format!("{} - - {} {}", state.turn.letter(), state.quiet, state.number);
    let fields = fields.split(' ').map(str::to_owned).collect();
    Position { placement: placement(letter), hand: None, fields }
}
