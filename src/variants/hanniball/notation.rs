//! Steps and positions as text.

use super::board::{Board, Kind};
use super::decision::{Deed, Step};
use super::field::{FILES, GOALS, HOME, NOWHERE, ROWS, bit, file_of, has, row_of, square_at};
use super::state::{FIRST_STEPS, STEPS, State};
use super::{FACTS, RED_CARD, explain};
use crate::base::{Color, table};
use crate::game::SetupErrorKind::{
    Contradiction, Malformed, Misplaced, Missing, Over, PieceCount, Squares, Unexpected, UnknownPiece,
};
use crate::game::setup::{counter, fields_without_hand, side_to_move};
use crate::game::{Facts, Notation, Rules, SetupError, SetupErrorKind};
use crate::notation::{Cell, Coordinate, Leg, Legs, Placement, Position, Suffix};

/// The coordinate of each square.
static NAMES: [Coordinate; 128] =
    table!(square => Coordinate::new(file_of(square as u8), row_of(square as u8) + 1));

/// The coordinate of a square.
pub(super) fn coordinate(square: u8) -> Coordinate {
    NAMES[square as usize & 127]
}

/// The square at a coordinate, or [`NOWHERE`].
pub(super) fn square(at: Coordinate) -> u8 {
    if at.file >= FILES || at.rank == 0 || at.rank > ROWS {
        return NOWHERE;
    }
    square_at(at.file as i8, at.rank as i8 - 1)
}

impl Notation for State {
    const GAMES: &'static [&'static Facts] = &[&FACTS];

    fn read(position: &Position, rules: &Rules) -> Result<Self, SetupError> {
        let board = read_board(&position.placement)?;
        let mut fields = fields_without_hand(position, "there are no pieces in hand in HanniBall")?;
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
            return Err(
                Contradiction.at("turn number", "2 steps are for White's first turn, so it must be 1")
            );
        }
        if let Some(extra) = fields.next() {
            return Err(Unexpected.at("end of text", format!("`{extra}` is one field too many")));
        }
        Ok(State::new(board, side, steps, rules.is_on(RED_CARD), quiet, turn))
    }

    fn write(&self) -> Position {
        let cell = |file, row| cell(&self.board, square_at(file as i8, row as i8));
        let State { side, quiet, turn, .. } = self;
        let fields = format!("{} {} {quiet} {turn}", side.letter(), self.steps_allowed());
        Position::new(Placement::drawn(FILES, ROWS, cell), &fields)
    }

    /// The ball belongs to neither side.
    fn with_colors_exchanged(position: &Position) -> Position {
        let mut twin = position.with_colors_exchanged(false);
        for cell in &mut twin.placement.cells {
            if let Cell::Piece { letter: letter @ b'O', .. } = cell {
                *letter = b'o';
            }
        }
        twin
    }

    fn mirrored(position: &Position) -> Option<Position> {
        Some(position.with_files_mirrored())
    }

    fn legs(&self, step: Step) -> Legs {
        let mut legs = Legs::new();
        legs.extend(first_leg(step));
        if let Deed::Shoot { first, to } = step.deed()
            && first != to
        {
            legs.push(ball_to(to));
        }
        legs
    }

    fn reads(&self, step: Step, legs: &[Leg]) -> usize {
        let Some(first) = legs.first() else { return 0 };
        // Most steps begin elsewhere; this is checked before anything is written out.
        if let (Leg::Move { from: said, .. }, Deed::Go { from, .. } | Deed::Leave { from, .. }) =
            (first, step.deed())
            && *said != coordinate(from)
        {
            return 0;
        }
        if first_leg(step).as_ref() != Some(first) {
            return 0;
        }
        let own = self.legs(step);
        if legs.starts_with(&own) { own.len() } else { 0 }
    }

    fn explain(&self, legs: &[Leg]) -> String {
        explain::explain(self, legs)
    }

    fn explain_end(&self, _: Step, _: &[Leg]) -> Option<String> {
        Some(explain::explain_end(self))
    }
}

fn ball_to(at: u8) -> Leg {
    Leg::Put { letter: b'O', at: coordinate(at) }
}

fn first_leg(step: Step) -> Option<Leg> {
    let go = |from, to, suffix| Leg::Move { from: coordinate(from), to: coordinate(to), suffix };
    match step.deed() {
        Deed::Go { from, to } => Some(go(from, to, None)),
        Deed::Leave { from, to } => Some(go(from, to, Some(Suffix::Leave))),
        Deed::Shoot { first, .. } => Some(ball_to(first)),
        Deed::SendOff(at) => Some(Leg::Put { letter: b'X', at: coordinate(at) }),
        Deed::Stop => None,
    }
}

fn cell(board: &Board, square: u8) -> Cell {
    if square == NOWHERE {
        return Cell::Hole;
    }
    let ball = board.ball() == square;
    match board.piece_at(square) {
        Some((color, kind)) => Cell::Piece { letter: color.cased(kind.letter()), plus: ball },
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
    for (file, row, cell) in placement.places() {
        let square = square_at(file as i8, row as i8);
        let name = Coordinate::new(file, row + 1);
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
                let other = coordinate(board.ball());
                return wrong(PieceCount, format!("there are two balls, on {other} and {name}"));
            }
            board.set_ball(square);
        }
        if !ball {
            place(&mut board, letter, square)?;
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

fn place(board: &mut Board, letter: u8, square: u8) -> Result<(), SetupError> {
    let wrong = |kind: SetupErrorKind, reason: String| Err(kind.at("board", reason));
    let (color, at) =
        (if letter.is_ascii_uppercase() { Color::White } else { Color::Black }, coordinate(square));
    let Some(kind) = Kind::from_letter(letter.to_ascii_uppercase()) else {
        let letter = char::from(letter);
        return wrong(UnknownPiece, format!("`{letter}` on {at} is no piece of HanniBall (M L E H)"));
    };
    if board.of_kind(color, kind).count_ones() == kind.most() {
        return wrong(
            PieceCount,
            format!("{color} has more than {} of the piece {}", kind.most(), kind.name()),
        );
    }
    if kind == Kind::Monkey && bit(square) & HOME[color.index()] == 0 {
        return wrong(Misplaced, format!("{color}'s Monkey on {at} is outside its goal and goal area"));
    }
    board.put(color, kind, square);
    Ok(())
}
