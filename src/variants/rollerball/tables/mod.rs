//! Endgame tables with at most four pieces: who wins, and how soon, for every position.
//!
//! A table holds one byte for each way to place its pieces, with the side to move and both marks (R36). It is
//! seen from the side with more (or better) pieces as White; a half turn of the board brings the other
//! positions there (R7).

mod build;
#[cfg(test)]
mod tests;
mod verify;

pub use build::{Build, Summary, TableError, build};
pub use verify::verify;

use super::square::{SQUARES, Square};
use super::state::{Kind, State};
use crate::base::order::sort_by_cached_key;
use crate::base::{Bits, Color};
use crate::game::{TableValue, Tables};
use arrayvec::ArrayVec;

/// The most pieces in a table, kings included.
const MOST_PIECES: u32 = 4;
/// The longest win that a byte can hold, in turns. No longer one exists.
const LONGEST: u8 = 250;
/// The byte of a draw. While the table is built it means that nothing is known yet.
const DRAWN: u8 = 254;
/// The byte of an index that is no position, or a refused one.
const ILLEGAL: u8 = 255;

/// The pieces of a table besides the kings: White's first, rooks before bishops before pawns.
pub type Pieces = ArrayVec<(Color, Kind), 2>;

/// All tables, each after those it is built from.
pub fn all() -> Vec<Pieces> {
    use Color::{Black, White};
    let kinds = [Kind::Rook, Kind::Bishop, Kind::Pawn];
    let pairs = kinds
        .into_iter()
        .flat_map(|a| kinds.into_iter().filter(move |b| a as u8 <= *b as u8).map(move |b| (a, b)));
    let one = kinds.map(|kind| Pieces::from_iter([(White, kind)]));
    let mut two: Vec<Pieces> = pairs
        .flat_map(|(a, b)| [[(White, a), (White, b)], [(White, a), (Black, b)]].map(Pieces::from))
        .collect();
    sort_by_cached_key(&mut two, |pieces| pieces.iter().filter(|piece| piece.1 == Kind::Pawn).count());
    [Pieces::new()].into_iter().chain(one).chain(two).collect()
}

/// The number of a table among all of them, for [`Tables::value`].
fn number(pieces: &Pieces) -> usize {
    match pieces[..] {
        [] => 0,
        [(_, kind)] => kind as usize,
        [(a, kind), (b, other), ..] => {
            4 + usize::from(a != b) * 9 + (kind as usize - 1) * 3 + (other as usize - 1)
        }
    }
}

/// The name of a table by its pieces: `KRKB` for king and rook against king and bishop.
pub fn title(pieces: &Pieces) -> String {
    let of =
        |color| pieces.iter().filter(move |piece| piece.0 == color).map(|piece| char::from(piece.1.letter()));
    ['K'].into_iter().chain(of(Color::White)).chain(['K']).chain(of(Color::Black)).collect()
}

/// The file name of a table, which also names the switch `clockwise-sideways` if it is on.
pub fn file_name(pieces: &Pieces, clockwise_sideways: bool) -> String {
    let switch = if clockwise_sideways { "-clockwise-sideways" } else { "" };
    format!("rollerball{switch}-{}.table", title(pieces))
}

/// The size of a table in bytes, for the given number of pieces besides the kings.
pub const fn size(pieces: usize) -> usize {
    2 * 4 * SQUARES.pow(2 + pieces as u32)
}

/// A position of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Placed {
    turn: Color,
    /// The clockwise marks as in [`State`]: White's, then Black's.
    marks: [bool; 2],
    kings: [Square; 2],
    /// Only the first entries are used, one for each piece of the table.
    pieces: [Square; 2],
}

impl Placed {
    fn index(&self, pieces: usize) -> usize {
        let Self { turn, marks, kings, pieces: squares } = self;
        let mut index = turn.index() * 4 + usize::from(marks[1]) * 2 + usize::from(marks[0]);
        for square in kings.iter().chain(&squares[..pieces]) {
            index = index * SQUARES + square.index();
        }
        index
    }

    fn at(mut index: usize, pieces: usize) -> Self {
        let mut square = || {
            let square = Square::new((index % SQUARES) as u8);
            index /= SQUARES;
            square
        };
        let mut squares = [Square::new(0); 2];
        for place in squares[..pieces].iter_mut().rev() {
            *place = square();
        }
        let black = square();
        let white = square();
        Self {
            turn: if index & 4 == 0 { Color::White } else { Color::Black },
            marks: [index & 1 != 0, index & 2 != 0],
            kings: [white, black],
            pieces: squares,
        }
    }

    /// The position on the board; `None` when two pieces stand on one square.
    fn state(&self, pieces: &Pieces, clockwise_sideways: bool) -> Option<State> {
        let mut state = State::with_kings(self.kings, clockwise_sideways);
        if self.kings[0] == self.kings[1] {
            return None;
        }
        for (&(color, kind), &square) in pieces.iter().zip(&self.pieces) {
            if (state.pieces[0] | state.pieces[1]) & square.bit() != 0 {
                return None;
            }
            state.put(color, kind, square);
        }
        for color in Color::ALL {
            if self.marks[color.index()] {
                state.put_mark(color);
            }
        }
        state.turn = self.turn;
        state.set_key();
        Some(state)
    }
}

/// White first, rooks first.
fn in_order(pieces: &mut [(Color, Kind, Square)]) {
    let rank = |&(color, kind, square): &(Color, Kind, Square)| (color.index(), kind as u8, square);
    if let [one, two] = pieces
        && rank(two) < rank(one)
    {
        std::mem::swap(one, two);
    }
}

/// The table a position belongs to, and its placing there; `None` when it has more pieces than any table.
fn find(state: &State) -> Option<(Pieces, Placed)> {
    let occupied = state.pieces[0] | state.pieces[1];
    if occupied.count_ones() > MOST_PIECES {
        return None;
    }
    let mut pieces: ArrayVec<(Color, Kind, Square), 2> = ArrayVec::new();
    for square in Bits(occupied & !(state.kings[0].bit() | state.kings[1].bit())).map(Square::new) {
        let (color, kind) = state.piece_on(square)?;
        pieces.push((color, kind, square));
    }
    in_order(&mut pieces);
    let turned = match pieces[..] {
        [] => false,
        [(Color::White, kind, _), (Color::Black, other, _)] => (kind as u8) > other as u8,
        [(color, ..), ..] => color == Color::Black,
    };
    let mut placed = Placed {
        turn: state.turn,
        marks: Color::ALL.map(|color| state.marked(color)),
        kings: state.kings,
        pieces: [Square::new(0); 2],
    };
    if turned {
        placed.turn = placed.turn.other();
        placed.marks.reverse();
        placed.kings = [state.kings[1].opposite(), state.kings[0].opposite()];
        pieces
            .iter_mut()
            .for_each(|(color, _, square)| (*color, *square) = (color.other(), square.opposite()));
        in_order(&mut pieces);
    }
    for (place, piece) in placed.pieces.iter_mut().zip(&pieces) {
        *place = piece.2;
    }
    Some((pieces.into_iter().map(|(color, kind, _)| (color, kind)).collect(), placed))
}

/// The value that a byte stands for.
const fn value(byte: u8) -> Option<TableValue> {
    match byte {
        DRAWN => Some(TableValue::Draw),
        0..=LONGEST if byte.is_multiple_of(2) => Some(TableValue::Loss(byte as u32)),
        0..=LONGEST => Some(TableValue::Win(byte as u32)),
        _ => None,
    }
}

/// The value of a position according to the tables, if they hold it.
pub(super) fn probe(state: &State, tables: &Tables) -> Option<TableValue> {
    let (pieces, placed) = find(state)?;
    let switch = state.clockwise_sideways();
    let number = number(&pieces);
    let place = placed.index(pieces.len());
    value(tables.value(number, size(pieces.len()), || file_name(&pieces, switch), place)?)
}
