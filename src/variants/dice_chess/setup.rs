//! Positions from and to text: FEN with several squares passed and the dice that are left (DFEN).

use super::State;
use super::decision::{DICE, Dice};
use super::movegen::PASSED;
use super::state::HIGHEST_NUMBER;
use crate::base::{Bits, Color};
use crate::game::SetupError;
use crate::game::SetupErrorKind::{Contradiction, Malformed, Misplaced, Missing, PieceCount, UnknownPiece};
use crate::game::setup::{
    counter, fields_without_hand, neither_side, not_in_range, nothing_more, side_to_move,
};
use crate::notation::{Coordinate, Placement, Position};
use crate::variants::chessboard::board::{Board, Kind};
use crate::variants::chessboard::{RIGHTS, coordinate, pieces, placement, rights_text, square};

/// A side begins with this many pieces and never gets more.
const MOST_PIECES: u32 = 16;

pub(super) fn read(position: &Position) -> Result<State, SetupError> {
    let board = read_board(&position.placement)?;
    let mut fields = fields_without_hand(position, "there are no pieces in hand")?;
    let turn = side_to_move(fields.next(), neither_side)?;
    let rights = read_rights(&board, fields.next())?;
    let passed = fields.next();
    let clock = counter("quiet moves", fields.next(), 0..=u16::MAX, not_in_range)?;
    let number = counter("move number", fields.next(), 1..=HIGHEST_NUMBER, not_in_range)?;
    let dice = read_dice(fields.next())?;
    nothing_more(fields.next())?;
    let in_turn = (1..DICE).contains(&dice.total());
    let passed = read_passed(&board, turn, in_turn, passed)?;
    Ok(State::new(board, (turn, rights, passed), (clock, number), dice))
}

pub(super) fn write(state: &State) -> Position {
    let letter = |square| state.board.piece(square).map(|(color, kind)| color.cased(kind.letter()));
    let State { turn, clock, number, .. } = state;
    let rights = rights_text(state.rights, |right| RIGHTS[right].0);
    let mut passed: Vec<_> = Bits(state.passed).map(|square| coordinate(square).to_string()).collect();
    passed.sort_unstable();
    let passed = if passed.is_empty() { "-".to_owned() } else { passed.concat() };
    let mut fields = format!("{} {rights} {passed} {clock} {number}", turn.letter());
    if !state.is_unrolled() {
        fields.push(' ');
        fields.extend(state.dice.kinds().map(|kind| char::from(turn.cased(kind.letter()))));
    }
    Position::new(placement(letter), &fields)
}

fn read_board(placement: &Placement) -> Result<Board, SetupError> {
    let mut board = Board::default();
    for (square, letter) in pieces(placement)? {
        let at = coordinate(square);
        let Some(kind) = Kind::with_letter(letter) else {
            return Err(UnknownPiece.at("board", format!("`{}` on {at} is no piece", char::from(letter))));
        };
        if kind == Kind::Pawn && (at.rank == 1 || at.rank == 8) {
            return Err(Misplaced.at("board", format!("a pawn cannot stand on {at}")));
        }
        board.put(square, if letter.is_ascii_uppercase() { Color::White } else { Color::Black }, kind);
    }
    for color in Color::ALL {
        let count = |set: u64| (set & board.of(color)).count_ones();
        let (kings, pawns, all) = (count(board.kings()), count(board.pawns()), count(u64::MAX));
        if kings != 1 || pawns > 8 || all > MOST_PIECES {
            let reason = format!(
                "{color} has {kings} kings, {pawns} pawns and {all} pieces; one king, 8 pawns and {MOST_PIECES} pieces are the most"
            );
            return Err(PieceCount.at("board", reason));
        }
    }
    Ok(board)
}

fn read_rights(board: &Board, field: Option<&str>) -> Result<u8, SetupError> {
    const FIELD: &str = "castling rights";
    let text = field.ok_or_else(|| Missing.at(FIELD, "missing"))?;
    let mut rights = 0;
    for letter in text.bytes().filter(|_| text != "-") {
        let found = RIGHTS.iter().position(|(name, ..)| *name == letter);
        let Some(index) = found.filter(|index| rights >> index & 1 == 0) else {
            return Err(Malformed.at(FIELD, format!("must be `-` or some of `KQkq`, not `{text}`")));
        };
        let (_, color, king, rook) = RIGHTS[index];
        if [(king, Kind::King), (rook, Kind::Rook)]
            .iter()
            .any(|&(at, kind)| board.piece(at) != Some((color, kind)))
        {
            let reason = format!("`{}` needs {color}'s king and rook at home", char::from(letter));
            return Err(Contradiction.at(FIELD, reason));
        }
        rights |= 1 << index;
    }
    Ok(rights)
}

/// R10: squares as in `a3c3`, written one after the other.
fn read_passed(board: &Board, turn: Color, in_turn: bool, field: Option<&str>) -> Result<u64, SetupError> {
    const FIELD: &str = "en passant squares";
    let text = field.ok_or_else(|| Missing.at(FIELD, "missing"))?;
    if text == "-" {
        return Ok(0);
    }
    let wrong = || Malformed.at(FIELD, format!("must be `-` or squares, not `{text}`"));
    let mut passed = 0_u64;
    for name in text.as_bytes().chunks(2) {
        let at = std::str::from_utf8(name).ok().and_then(|name| name.parse::<Coordinate>().ok());
        let at = at.and_then(square).filter(|at| passed >> at & 1 == 0).ok_or_else(wrong)?;
        // In the middle of a turn there are also those that the side to move has just passed.
        let sides = Color::ALL.into_iter().filter(|&by| in_turn || by != turn);
        let by = sides.into_iter().find(|by| PASSED[by.other().index()] >> at & 1 == 1);
        let is_free = board.piece(at).is_none();
        if !by.is_some_and(|by| is_free && board.piece(at ^ 8) == Some((by, Kind::Pawn))) {
            let reason = format!("no pawn can have passed {} in the last turn", coordinate(at));
            return Err(Contradiction.at(FIELD, reason));
        }
        passed |= 1 << at;
    }
    Ok(passed)
}

fn read_dice(field: Option<&str>) -> Result<Dice, SetupError> {
    let text = field.filter(|&text| text != "-").unwrap_or_default();
    let mut dice = Dice::default();
    for letter in text.bytes() {
        let kind = Kind::with_letter(letter);
        match kind.filter(|_| dice.total() < DICE) {
            Some(kind) => dice.add(kind),
            None => {
                let reason = format!("must be `-` or up to three of `PNBRQK`, not `{text}`");
                return Err(Malformed.at("dice", reason));
            }
        }
    }
    Ok(dice)
}
