//! Positions and moves as text. Positions are in the FEN that Fairy-Stockfish writes.

use super::FACTS;
use super::state::State;
use crate::base::Color;
use crate::game::SetupErrorKind::{Malformed, Over, PieceCount, UnknownPiece};
use crate::game::explain::own_piece;
use crate::game::setup::{
    counter, fields_without_hand, neither_side, not_in_range, nothing_more, side_to_move,
};
use crate::game::{Facts, Notation, Rules, SetupError};
use crate::notation::{Leg, Legs, Placement, Position};
use crate::variants::chessboard::{Move, Size, coordinate};

impl Notation for State {
    const GAMES: &'static [&'static Facts] = &[&FACTS];

    fn read(position: &Position, rules: &Rules) -> Result<Self, SetupError> {
        let size = Size::of(rules);
        let pieces = read_board(&position.placement, size)?;
        let mut fields = fields_without_hand(position, "there are no pieces in hand")?;
        let turn = side_to_move(fields.next(), neither_side)?;
        for field in ["castling", "en passant"] {
            if fields.next() != Some("-") {
                return Err(Malformed.at(field, "must be `-`"));
            }
        }
        let quiet = counter("quiet moves", fields.next(), 0..=u16::MAX, not_in_range)?;
        let number = counter("move number", fields.next(), 1..=u16::MAX, not_in_range)?;
        nothing_more(fields.next())?;
        Ok(Self::new(size, pieces, turn, quiet, number))
    }

    fn write(&self) -> Position {
        let letter = |square: u8| match self.pieces.map(|pieces| pieces >> square & 1) {
            [1, _] => Some(b'P'),
            [_, 1] => Some(b'p'),
            _ => None,
        };
        let fields = format!("{} - - {} {}", self.turn.letter(), self.quiet, self.number);
        Position::new(self.size.placement(letter), &fields)
    }

    /// R7.
    fn start(rules: &Rules) -> Self {
        let size = Size::of(rules);
        let rows = |color| size.squares() & (size.last_row(color) | size.row_before(color));
        Self::new(size, [rows(Color::Black), rows(Color::White)], Color::White, 0, 1)
    }

    fn mirrored(position: &Position) -> Option<Position> {
        Some(position.with_files_mirrored())
    }

    fn legs(&self, decision: Move) -> Legs {
        Legs::from_iter([Leg::step(coordinate(decision.from()), coordinate(decision.to()))])
    }

    fn explain(&self, legs: &[Leg]) -> String {
        let Some(&Leg::Move { from, to, suffix: None }) = legs.first() else {
            return "a move is two squares, as in c2b3".into();
        };
        let on = |pieces: u64, at| self.size.square(at).is_some_and(|square| pieces >> square & 1 == 1);
        let (own, enemies) = (self.pieces[self.turn.index()], self.pieces[(!self.turn).index()]);
        if on(own, to) {
            own_piece(self, to)
        } else if on(enemies, to) && from.file == to.file {
            "a piece captures diagonally, not straight ahead".into()
        } else {
            "a piece goes one step forward, straight or diagonally".into()
        }
    }
}

fn read_board(board: &Placement, size: Size) -> Result<[u64; 2], SetupError> {
    let mut pieces = [0_u64; 2];
    for (square, letter) in size.pieces(board)? {
        match letter {
            b'P' => pieces[0] |= 1 << square,
            b'p' => pieces[1] |= 1 << square,
            _ => return Err(UnknownPiece.at("board", "every piece is a `P` or a `p`")),
        }
    }
    for color in Color::ALL {
        let own = pieces[color.index()];
        if own & size.last_row(color) != 0 {
            return Err(Over.at("board", format!("{color} stands on its last row: that game is over")));
        }
        if !(1..=16).contains(&own.count_ones()) {
            return Err(
                PieceCount.at("board", format!("{color} has {} pieces, not 1 to 16", own.count_ones()))
            );
        }
    }
    Ok(pieces)
}
