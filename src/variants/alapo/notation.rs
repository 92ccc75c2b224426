//! Positions and moves in text (sections 7 and 8 of the rules).

use super::board::{Board, bit, last_row, two_nearest_rows};
use super::kind::Kind;
use super::rules::{Alapo, Move, NO_MARK, REMOVAL_AFTER};
use super::{FACTS, FACTS_DEMOTION};
use crate::base::{Bits, Color};
use crate::game::{Facts, Notation, Rules, SetupError};
use crate::notation::{Cell, Coordinate, Leg, Legs, Placement, Position, mirror_ranks};

/// A side begins with 16 men and never gets more. The bound keeps every list below `MAX_DECISIONS`.
const MOST_MEN: u32 = 16;

/// Large and small men of both home rows, file a to h (R4).
const HOME_ROWS: [&[u8; 8]; 2] = [b"RLBQQBLR", b"WSFKKFSW"];

pub(super) const fn coordinate(square: u8) -> Coordinate {
    Coordinate::new(square & 7, (square >> 3) + 1)
}

const fn square_of(at: Coordinate) -> Option<u8> {
    if at.file < 8 && at.rank >= 1 && at.rank <= 8 { Some((at.rank - 1) << 3 | at.file) } else { None }
}

fn name(square: u8) -> String {
    coordinate_text(coordinate(square))
}

fn coordinate_text(at: Coordinate) -> String {
    format!("{}{}", char::from(b'a' + at.file), at.rank)
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

impl<const DEMOTION: bool> Notation for Alapo<DEMOTION> {
    const GAMES: &'static [&'static Facts] = if DEMOTION { &[&FACTS_DEMOTION] } else { &[&FACTS] };

    fn read(position: &Position, _rules: &Rules) -> Result<Self, SetupError> {
        let board = read_board(&position.placement)?;
        if position.hand.as_ref().is_some_and(|hand| !hand.is_empty()) {
            return Err(SetupError::new("hand", "there are no pieces in hand"));
        }
        let mut fields = position.fields.iter().map(String::as_str);
        let turn = match fields.next() {
            Some("w") => Color::White,
            Some("b") => Color::Black,
            Some(other) => {
                return Err(SetupError::new("side to move", format!("must be `w` or `b`, not `{other}`")));
            }
            None => return Err(SetupError::new("side to move", "missing")),
        };
        let marks = [
            read_mark(&board, Color::White, "White's last moved man", fields.next())?,
            read_mark(&board, Color::Black, "Black's last moved man", fields.next())?,
        ];
        let quiet = read_number("quiet moves", fields.next(), 0, 0..=u16::from(REMOVAL_AFTER) - 1)? as u8;
        let number = read_number("move number", fields.next(), 1, 1..=u16::MAX)?;
        if let Some(extra) = fields.next() {
            return Err(SetupError::new("end", format!("`{extra}` is one field too many")));
        }
        possible::<DEMOTION>(&board, turn)?;
        Ok(Self::new(board, turn, marks, quiet, number))
    }

    fn write(&self) -> Position {
        let mut placement = Placement::new(8, 8);
        for square in Bits(self.board.occupied()) {
            if let Some((color, kind)) = self.board.man_on(square) {
                let letter = color.dress(kind.letter());
                placement.set(square & 7, square >> 3, Cell::Piece { letter, plus: false });
            }
        }
        let mark = |color: Color| match self.marks[color.index()] {
            NO_MARK => "-".to_owned(),
            square => name(square),
        };
        let fields = vec![
            self.turn.letter().to_string(),
            mark(Color::White),
            mark(Color::Black),
            self.quiet.to_string(),
            self.number.to_string(),
        ];
        Position { placement, hand: None, fields }
    }

    fn with_colors_exchanged(position: &Position) -> Position {
        let mut twin = position.with_colors_exchanged(false);
        if let [_, white, black, ..] = twin.fields.as_mut_slice() {
            std::mem::swap(white, black);
            for mark in [white, black] {
                *mark = mirror_ranks(mark, 9);
            }
        }
        twin
    }

    fn start(_rules: &Rules) -> Self {
        let mut board = Board::empty();
        for color in Color::ALL {
            for (row, letters) in HOME_ROWS.into_iter().enumerate() {
                let row = if color == Color::White { row as u8 } else { 7 - row as u8 };
                for (file, letter) in letters.iter().enumerate() {
                    if let Some(kind) = Kind::of_letter(*letter) {
                        board.put(color, kind, row << 3 | file as u8);
                    }
                }
            }
        }
        Self::new(board, Color::White, [NO_MARK; 2], 0, 1)
    }

    fn legs(&self, decision: Move) -> Legs {
        Legs::from_iter([self.leg(decision)])
    }

    fn reads(&self, decision: Move, legs: &[Leg]) -> usize {
        usize::from(legs.first() == Some(&self.leg(decision)))
    }

    fn explain(&self, legs: &[Leg]) -> String {
        match legs.first() {
            Some(&Leg::Move { from, to, suffix }) => match (square_of(from), square_of(to)) {
                (None, _) => format!("{} is not on the board", coordinate_text(from)),
                (_, None) => format!("{} is not on the board", coordinate_text(to)),
                (Some(from), Some(to)) => self.explain_move(from, to, suffix.is_some()),
            },
            Some(&Leg::Put { letter, at }) => match square_of(at) {
                None => format!("{} is not on the board", coordinate_text(at)),
                Some(_) if !DEMOTION => "nothing is put on the board in this game".to_owned(),
                Some(square) => self.explain_demotion(letter, square),
            },
            Some(Leg::Pass) => "there is no passing".to_owned(),
            _ => "a move is two squares, as in c2b3".to_owned(),
        }
    }
}

impl<const DEMOTION: bool> Alapo<DEMOTION> {
    fn leg(&self, decision: Move) -> Leg {
        let at = coordinate(decision.from());
        if decision.is_demotion() {
            Leg::Put { letter: self.small_letter(decision), at }
        } else {
            Leg::step(at, coordinate(decision.to()))
        }
    }

    /// What the man demoted by `decision` becomes.
    pub(super) fn small_letter(&self, decision: Move) -> u8 {
        Kind(self.board.kind_bits(decision.from())).small().letter()
    }

    /// The own man on `square`, or why there is none.
    fn own_man(&self, square: u8) -> Result<Kind, String> {
        match self.board.man_on(square) {
            None => Err(format!("no man on {}", name(square))),
            Some((color, _)) if color != self.turn => Err(format!("that is {color}'s man")),
            Some((_, kind)) => Ok(kind),
        }
    }

    fn explain_move(&self, from: u8, to: u8, suffix: bool) -> String {
        let kind = match self.own_man(from) {
            Ok(kind) => kind,
            Err(reason) => return reason,
        };
        let targets = Board::reach(self.turn, kind, from, 0);
        if from == to {
            "a man cannot stay where it is".to_owned()
        } else if targets & bit(to) == 0 {
            kind.rule().to_owned()
        } else if Board::reach(self.turn, kind, from, self.board.occupied()) & bit(to) == 0 {
            "the way is blocked".to_owned()
        } else if self.board.men(self.turn) & bit(to) != 0 {
            format!("your own man stands on {}", name(to))
        } else if suffix {
            "a move has no suffix".to_owned()
        } else {
            // The move itself is fine, so something that follows is not.
            "a turn is one move".to_owned()
        }
    }

    fn explain_demotion(&self, letter: u8, square: u8) -> String {
        match self.own_man(square) {
            Err(reason) => reason,
            Ok(kind) if !kind.is_large() => format!("the {} is small already", kind.name()),
            Ok(_) if bit(square) & two_nearest_rows(self.turn) == 0 => {
                "only large men on your two nearest rows can be demoted".to_owned()
            }
            Ok(kind) if kind.small().letter() != letter => {
                format!(
                    "a {} becomes a {}: {}",
                    kind.name(),
                    kind.small().name(),
                    char::from(kind.small().letter())
                )
            }
            Ok(_) => "a turn is one demotion".to_owned(),
        }
    }
}

fn read_board(placement: &Placement) -> Result<Board, SetupError> {
    let wrong = |reason: String| Err(SetupError::new("board", reason));
    if (placement.files, placement.ranks) != (8, 8) || placement.cells.len() != 64 {
        return wrong(format!("must be 8x8, not {}x{}", placement.files, placement.ranks));
    }
    let mut board = Board::empty();
    for (square, cell) in (0_u8..).zip(&placement.cells) {
        match *cell {
            Cell::Empty => {}
            Cell::Hole => return wrong(format!("{} must be a square, not a hole", name(square))),
            Cell::Piece { plus: true, .. } => return wrong(format!("no `+` here ({})", name(square))),
            Cell::Piece { letter, plus: false } => {
                let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
                let Some(kind) = Kind::of_letter(letter) else {
                    return wrong(format!("no man is called `{}`", char::from(letter)));
                };
                board.put(color, kind, square);
            }
        }
    }
    Ok(board)
}

fn read_mark(board: &Board, color: Color, field: &'static str, text: Option<&str>) -> Result<u8, SetupError> {
    let text = text.ok_or_else(|| SetupError::new(field, "missing (`-` for none)"))?;
    if text == "-" {
        return Ok(NO_MARK);
    }
    let square = square_named(text)
        .ok_or_else(|| SetupError::new(field, format!("must be a square or `-`, not `{text}`")))?;
    if board.men(color) & bit(square) == 0 {
        return Err(SetupError::new(field, format!("no man of {color}'s on {text}")));
    }
    Ok(square)
}

fn read_number(
    field: &'static str,
    text: Option<&str>,
    missing: u16,
    range: std::ops::RangeInclusive<u16>,
) -> Result<u16, SetupError> {
    let Some(text) = text else { return Ok(missing) };
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse() {
        Ok(number) if digits && range.contains(&number) => Ok(number),
        _ => {
            let (least, most) = range.into_inner();
            Err(SetupError::new(field, format!("must be a number from {least} to {most}, not `{text}`")))
        }
    }
}

/// Section 8: what cannot stand on the board between turns of a game that goes on.
fn possible<const DEMOTION: bool>(board: &Board, turn: Color) -> Result<(), SetupError> {
    let wrong = |reason: String| Err(SetupError::new("board", reason));
    for color in Color::ALL {
        let (men, small) = (board.men(color), board.small_men(color));
        if men.count_ones() > MOST_MEN {
            return wrong(format!("{color} has {} men, more than {MOST_MEN}", men.count_ones()));
        }
        if men == 0 {
            return wrong(format!("{color} has no man: that game is over"));
        }
        if DEMOTION && small == 0 {
            return wrong(format!("{color} has no small man: that game is over"));
        }
        let arrived = last_row(color) & if DEMOTION { small } else { men };
        let Some(square) = Bits(arrived).next() else { continue };
        if DEMOTION {
            return wrong(format!("{color}'s small man on {} has won already", name(square)));
        }
        if color == turn {
            return wrong(format!(
                "{color}'s man on {} was not captured: {color} has won already",
                name(square)
            ));
        }
        if arrived.count_ones() > 1 {
            return wrong(format!("{color} has two runners on his last row; there can be one"));
        }
    }
    Ok(())
}
