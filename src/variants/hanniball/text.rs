//! Positions and steps in text.

use super::board::{Board, Kind};
use super::field::{FILES, GOALS, HOME, NOWHERE, ROWS, SQUARES, bit, file_of, has, row_of, square_at};
use super::state::{FIRST_STEPS, STEPS, State};
use super::step::{Deed, Step};
use super::{FACTS, RED_CARD, explain};
use crate::base::Color;
use crate::game::{Facts, Notation, Rules, SetupError};
use crate::notation::{self, Cell, Coordinate, Leg, Legs, Placement, Suffix};

/// The squares' names in the syntax tree.
static NAMES: [Coordinate; 128] = {
    let mut names = [Coordinate::new(0, 0); 128];
    let mut square = 0;
    while square < 128 {
        names[square as usize] = Coordinate::new(file_of(square), row_of(square) + 1);
        square += 1;
    }
    names
};

/// The square's name in the syntax tree.
pub(super) fn coordinate(square: u8) -> Coordinate {
    NAMES[square as usize & 127]
}

/// The square a name in the syntax tree means, or [`NOWHERE`].
pub(super) fn square(at: Coordinate) -> u8 {
    if at.file >= FILES || at.rank == 0 || at.rank > ROWS {
        return NOWHERE;
    }
    square_at(at.file as i8, at.rank as i8 - 1)
}

/// R6.
fn start_board() -> Board {
    let mut board = Board::EMPTY;
    let men = [
        (Kind::Monkey, &[(4, 0)][..]),
        (Kind::Lion, &[(2, 1), (6, 1)]),
        (Kind::Elephant, &[(1, 2), (3, 2), (5, 2), (7, 2)]),
        (Kind::Horse, &[(1, 3), (3, 3), (5, 3), (7, 3)]),
    ];
    for (kind, places) in men {
        for &(file, row) in places {
            let square = square_at(file, row);
            board.put(Color::White, kind, square);
            board.put(Color::Black, kind, SQUARES - 1 - square);
        }
    }
    board.set_ball(square_at(4, 7));
    board
}

impl Notation for State {
    const GAMES: &'static [&'static Facts] = &[&FACTS];

    fn read(position: &notation::Position, rules: &Rules) -> Result<Self, SetupError> {
        let board = read_board(&position.placement)?;
        if position.hand.as_ref().is_some_and(|hand| !hand.is_empty()) {
            return Err(SetupError::new("hand", "there are no pieces in hand in HanniBall"));
        }
        let fields: Vec<&str> = position.fields.iter().map(String::as_str).collect();
        let side = match fields.first() {
            Some(&"w") => Color::White,
            Some(&"b") => Color::Black,
            Some(other) => {
                return Err(SetupError::new("side to move", format!("`{other}` is neither `w` nor `b`")));
            }
            None => return Err(SetupError::new("side to move", "missing: `w` or `b`")),
        };
        let steps = match fields.get(1) {
            Some(&"4") => STEPS,
            Some(&"2") if side == Color::White => FIRST_STEPS,
            Some(&"2") => return Err(SetupError::new("steps", "only White's first turn has 2 steps")),
            Some(other) => return Err(SetupError::new("steps", format!("`{other}` is neither 2 nor 4"))),
            None => return Err(SetupError::new("steps", "missing: 4, or 2 in White's first turn")),
        };
        let quiet = number(fields.get(2), 0, "turns since capture", 0)?;
        let turn = number(fields.get(3), 1, "turn number", 1)?;
        if steps == FIRST_STEPS && turn != 1 {
            return Err(SetupError::new(
                "turn number",
                "2 steps are for White's first turn, so it must be 1",
            ));
        }
        if let Some(extra) = fields.get(4) {
            return Err(SetupError::new("end of text", format!("`{extra}` is one field too many")));
        }
        Ok(Self::new(board, side, steps, rules.is_on(RED_CARD), quiet, turn))
    }

    fn write(&self) -> notation::Position {
        let mut placement = Placement::new(FILES, ROWS);
        for row in 0..ROWS {
            for file in 0..FILES {
                placement.set(file, row, cell(&self.board, square_at(file as i8, row as i8)));
            }
        }
        let fields = vec![
            self.side.letter().to_string(),
            self.steps_allowed().to_string(),
            self.quiet.to_string(),
            self.turn.to_string(),
        ];
        notation::Position { placement, hand: None, fields }
    }

    /// The ball belongs to nobody.
    fn with_colors_exchanged(position: &notation::Position) -> notation::Position {
        let mut twin = position.with_colors_exchanged(false);
        for cell in &mut twin.placement.cells {
            if let Cell::Piece { letter: letter @ b'O', .. } = cell {
                *letter = b'o';
            }
        }
        twin
    }

    fn start(rules: &Rules) -> Self {
        Self::new(start_board(), Color::White, FIRST_STEPS, rules.is_on(RED_CARD), 0, 1)
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
        // Most steps begin elsewhere: that is seen before anything is written out.
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
        Some((color, kind)) => Cell::Piece { letter: color.dress(kind.letter()), plus: ball },
        None if ball => Cell::Piece { letter: b'o', plus: false },
        None => Cell::Empty,
    }
}

fn read_board(placement: &Placement) -> Result<Board, SetupError> {
    let wrong = |reason: String| Err(SetupError::new("board", reason));
    if (placement.files, placement.ranks) != (FILES, ROWS) {
        return wrong(format!(
            "{} files and {} ranks instead of {FILES} and {ROWS}",
            placement.files, placement.ranks
        ));
    }
    let mut board = Board::EMPTY;
    for row in 0..ROWS {
        for file in 0..FILES {
            let square = square_at(file as i8, row as i8);
            let name = Coordinate::new(file, row + 1);
            let cell = placement.at(file, row);
            if (square == NOWHERE) != (cell == Cell::Hole) {
                let is = if square == NOWHERE { "no square: write `*`" } else { "a square, not a `*`" };
                return wrong(format!("{name} is {is}"));
            }
            let Cell::Piece { letter, plus } = cell else { continue };
            let ball = letter.eq_ignore_ascii_case(&b'o');
            if ball && plus {
                return wrong(format!("{name}: a `+` stands before a piece that has the ball"));
            }
            if ball || plus {
                if board.ball() != NOWHERE {
                    return wrong(format!("there are two balls, on {} and {name}", coordinate(board.ball())));
                }
                board.set_ball(square);
            }
            if !ball {
                place(&mut board, letter, square).map_err(|reason| SetupError::new("board", reason))?;
            }
        }
    }
    if board.ball() == NOWHERE {
        return wrong("there is no ball: `o` lying loose, or `+` before the piece that has it".into());
    }
    if has(GOALS, board.ball()) {
        return wrong(format!("the ball lies in the goal on {}: the game is over", coordinate(board.ball())));
    }
    Ok(board)
}

fn place(board: &mut Board, letter: u8, square: u8) -> Result<(), String> {
    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    let Some(kind) = Kind::from_letter(letter.to_ascii_uppercase()) else {
        let letter = char::from(letter);
        return Err(format!("`{letter}` on {} is no piece of HanniBall (M L E H)", coordinate(square)));
    };
    if board.of_kind(color, kind).count_ones() == kind.most() {
        let name = kind.name();
        return Err(format!("{color} has more than {} of the piece {name}", kind.most()));
    }
    if kind == Kind::Monkey && bit(square) & HOME[color.index()] == 0 {
        return Err(format!("{color}'s Monkey on {} is outside its goal and goal area", coordinate(square)));
    }
    board.put(color, kind, square);
    Ok(())
}

fn number(text: Option<&&str>, absent: u16, field: &'static str, least: u16) -> Result<u16, SetupError> {
    let Some(text) = text else { return Ok(absent) };
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse() {
        Ok(value) if digits && value >= least => Ok(value),
        _ => Err(SetupError::new(field, format!("`{text}` is no number from {least} to {}", u16::MAX))),
    }
}
