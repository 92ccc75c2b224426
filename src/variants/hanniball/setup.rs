//! Positions in text.

use super::RED_CARD;
use super::board::{Board, Kind};
use super::field::{FILES, GOALS, HOME, NOWHERE, ROWS, bit, has, square_at};
use super::notation::coordinate;
use super::state::{FIRST_STEPS, STEPS, State};
use crate::base::Color;
use crate::game::SetupErrorKind::{
    Contradiction, Malformed, Misplaced, Missing, Over, PieceCount, Squares, Unexpected, UnknownPiece,
};
use crate::game::setup::{counter, side_to_move};
use crate::game::{Rules, SetupError, SetupErrorKind};
use crate::notation::{Cell, Coordinate, Placement, Position};

pub(super) fn read(position: &Position, rules: &Rules) -> Result<State, SetupError> {
    let board = read_board(&position.placement)?;
    if position.hand.as_ref().is_some_and(|hand| !hand.is_empty()) {
        return Err(Unexpected.at("hand", "there are no pieces in hand in HanniBall"));
    }
    let mut fields = position.fields.iter().map(String::as_str);
    let wrong = |text: Option<&str>| {
        text.map_or("missing: `w` or `b`".to_owned(), |other| format!("`{other}` is neither `w` nor `b`"))
    };
    let side = side_to_move(fields.next(), wrong)?;
    let steps = match fields.next() {
        Some("4") => STEPS,
        Some("2") if side == Color::White => FIRST_STEPS,
        Some("2") => return Err(Contradiction.at("steps", "only White's first turn has 2 steps")),
        Some(other) => return Err(Malformed.at("steps", format!("`{other}` is neither 2 nor 4"))),
        None => return Err(Missing.at("steps", "missing: 4, or 2 in White's first turn")),
    };
    let wrong = |text: &str, least, most| format!("`{text}` is no number from {least} to {most}");
    let quiet = counter("turns since capture", fields.next(), 0..=u16::MAX, wrong)?;
    let turn = counter("turn number", fields.next(), 1..=u16::MAX, wrong)?;
    if steps == FIRST_STEPS && turn != 1 {
        return Err(Contradiction.at("turn number", "2 steps are for White's first turn, so it must be 1"));
    }
    if let Some(extra) = fields.next() {
        return Err(Unexpected.at("end of text", format!("`{extra}` is one field too many")));
    }
    Ok(State::new(board, side, steps, rules.is_on(RED_CARD), quiet, turn))
}

pub(super) fn write(state: &State) -> Position {
    let mut placement = Placement::new(FILES, ROWS);
    for row in 0..ROWS {
        for file in 0..FILES {
            placement.set(file, row, cell(&state.board, square_at(file as i8, row as i8)));
        }
    }
    let fields = vec![
        state.side.letter().to_string(),
        state.steps_allowed().to_string(),
        state.quiet.to_string(),
        state.turn.to_string(),
    ];
    Position { placement, hand: None, fields }
}

fn cell(board: &Board, square: u8) -> Cell {
    if square == NOWHERE {
        return Cell::Hole;
    }
    let ball = board.ball() == square;
    match board.piece_at(square) {
        Some((color, kind)) => Cell::Piece { letter: color.dress(kind.letter()), plus: ball },
        None if ball => Cell::Piece { letter: b'o', plus: false },
        None => Cell::Empty,
    }
}

fn read_board(placement: &Placement) -> Result<Board, SetupError> {
    let wrong = |kind: SetupErrorKind, reason: String| Err(kind.at("board", reason));
    if (placement.files, placement.ranks) != (FILES, ROWS) {
        return wrong(
            Squares,
            format!("{} files and {} ranks instead of {FILES} and {ROWS}", placement.files, placement.ranks),
        );
    }
    let mut board = Board::EMPTY;
    for row in 0..ROWS {
        for file in 0..FILES {
            let square = square_at(file as i8, row as i8);
            let name = Coordinate::new(file, row + 1);
            let cell = placement.at(file, row);
            if (square == NOWHERE) != (cell == Cell::Hole) {
                let is = if square == NOWHERE { "no square: write `*`" } else { "a square, not a `*`" };
                return wrong(Squares, format!("{name} is {is}"));
            }
            let Cell::Piece { letter, plus } = cell else { continue };
            let ball = letter.eq_ignore_ascii_case(&b'o');
            if ball && plus {
                return wrong(UnknownPiece, format!("{name}: a `+` stands before a piece that has the ball"));
            }
            if ball || plus {
                if board.ball() != NOWHERE {
                    return wrong(
                        PieceCount,
                        format!("there are two balls, on {} and {name}", coordinate(board.ball())),
                    );
                }
                board.set_ball(square);
            }
            if !ball {
                place(&mut board, letter, square).map_err(|(kind, reason)| kind.at("board", reason))?;
            }
        }
    }
    if board.ball() == NOWHERE {
        return wrong(
            PieceCount,
            "there is no ball: `o` lying loose, or `+` before the piece that has it".into(),
        );
    }
    if has(GOALS, board.ball()) {
        return wrong(
            Over,
            format!("the ball lies in the goal on {}: the game is over", coordinate(board.ball())),
        );
    }
    Ok(board)
}

fn place(board: &mut Board, letter: u8, square: u8) -> Result<(), (SetupErrorKind, String)> {
    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    let Some(kind) = Kind::from_letter(letter.to_ascii_uppercase()) else {
        let letter = char::from(letter);
        return Err((
            UnknownPiece,
            format!("`{letter}` on {} is no piece of HanniBall (M L E H)", coordinate(square)),
        ));
    };
    if board.of_kind(color, kind).count_ones() == kind.most() {
        let name = kind.name();
        return Err((PieceCount, format!("{color} has more than {} of the piece {name}", kind.most())));
    }
    if kind == Kind::Monkey && bit(square) & HOME[color.index()] == 0 {
        return Err((
            Misplaced,
            format!("{color}'s Monkey on {} is outside its goal and goal area", coordinate(square)),
        ));
    }
    board.put(color, kind, square);
    Ok(())
}
