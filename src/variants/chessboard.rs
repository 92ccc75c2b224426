//! What the games on an 8x8 board share: squares as numbers (a1 = 0, b1 = 1, h8 = 63) and moves from square
//! to square; and the pieces of chess, with what they reach.

pub mod board;
pub mod rays;

use crate::base::{Color, const_for, lines::FILE_A, table};
use crate::game::SetupErrorKind::{Squares, UnknownPiece};
use crate::game::{Piece, Rules, SetupError, Shape, Switch, SwitchKind};
use crate::notation::{Cell, Coordinate, Placement, Position};

/// The pieces of chess.
pub const CHESS_PIECES: [Piece; 6] = [
    Piece::new(b'P', "Pawn", Shape::Pawn),
    Piece::new(b'N', "Knight", Shape::Knight),
    Piece::new(b'B', "Bishop", Shape::Bishop),
    Piece::new(b'R', "Rook", Shape::Rook),
    Piece::new(b'Q', "Queen", Shape::Queen),
    Piece::new(b'K', "King", Shape::King),
];

/// The coordinate of a square.
pub const fn coordinate(square: u8) -> Coordinate {
    Coordinate::new(square % 8, square / 8 + 1)
}

/// The square at a coordinate; `None` when it lies off the board.
pub fn square(at: Coordinate) -> Option<u8> {
    (at.file < 8 && (1..=8).contains(&at.rank)).then(|| (at.rank - 1) * 8 + at.file)
}

/// The rule switch for a smaller board, of games that are played on any.
pub const BOARD: Switch = Switch {
    name: "board-size",
    kind: SwitchKind::Choice(&["8x8", "6x6", "6x5", "5x6", "5x5", "4x4"]),
    help: "play on a smaller board, of so many files and rows, which can be solved",
};
/// Files and rows, in the order of [`BOARD`].
const SIZES: [(u8, u8); 6] = [(8, 8), (6, 6), (6, 5), (5, 6), (5, 5), (4, 4)];

/// The size of a board: an index into [`SIZES`]. A smaller board lies in the corner at a1 of the board of 8x8.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Size(u8);

/// By size: the squares; and by size and colour the row that the colour wants to reach, and the row before that.
/// Of eight sizes, so that an index with three bits needs no check.
static SQUARES: [u64; 8] = table!(size => {
    let (files, rows) = SIZES[size % SIZES.len()];
    (FILE_A * (0xff >> (8 - files))) & (u64::MAX >> (64 - 8 * rows))
});
static LAST_ROWS: [[[u64; 2]; 2]; 8] = table!(size => {
    let last = 0xff << (8 * (SIZES[size % SIZES.len()].1 - 1));
    [[last, last >> 8], [0xff, 0xff << 8]]
});

impl Size {
    /// The size that the rules name.
    pub fn of(rules: &Rules) -> Self {
        let SwitchKind::Choice(names) = BOARD.kind else { return Self(0) };
        let chosen = rules.get(BOARD.name);
        Self(names.iter().position(|name| chosen == Some(name)).unwrap_or(0) as u8)
    }

    /// Files and rows.
    pub const fn files_and_rows(self) -> (u8, u8) {
        SIZES[self.0 as usize]
    }

    /// The squares of the board.
    #[inline]
    pub const fn squares(self) -> u64 {
        SQUARES[self.0 as usize % 8]
    }

    /// The row that a colour wants to reach.
    #[inline]
    pub const fn last_row(self, color: Color) -> u64 {
        LAST_ROWS[self.0 as usize % 8][color.index()][0]
    }

    /// The row before that.
    #[inline]
    pub const fn row_before(self, color: Color) -> u64 {
        LAST_ROWS[self.0 as usize % 8][color.index()][1]
    }

    /// The two rows nearest to a colour, its last row being on the other side.
    #[inline]
    pub const fn nearest_rows(self, color: Color) -> u64 {
        let [last, before] = LAST_ROWS[self.0 as usize % 8][color.other().index()];
        last | before
    }

    /// How many rows are missing to 8.
    #[inline]
    pub const fn missing_rows(self) -> u8 {
        8 - SIZES[self.0 as usize].1
    }

    /// The square at a coordinate; `None` when it lies off the board.
    pub fn square(self, at: Coordinate) -> Option<u8> {
        square(at).filter(|square| self.squares() >> square & 1 == 1)
    }

    /// The occupied squares, each with its piece letter, row by row from a1 on.
    ///
    /// # Errors
    /// When the board is not of this size, has holes, or marks a piece with `+`.
    pub fn pieces(self, board: &Placement) -> Result<Vec<(u8, u8)>, SetupError> {
        let (files, rows) = self.files_and_rows();
        if (board.files, board.ranks) != (files, rows) {
            let why = format!("must be {files}x{rows}, not {}x{}", board.files, board.ranks);
            return Err(Squares.at("board", why));
        }
        let mut pieces = Vec::new();
        for (file, row, cell) in board.places() {
            let square = 8 * row + file;
            let at = coordinate(square);
            match cell {
                Cell::Empty => {}
                Cell::Hole => return Err(Squares.at("board", format!("{at} must be a square, not a hole"))),
                Cell::Piece { plus: true, .. } => {
                    return Err(UnknownPiece.at("board", format!("no `+` here ({at})")));
                }
                Cell::Piece { letter, plus: false } => pieces.push((square, letter)),
            }
        }
        Ok(pieces)
    }

    /// The board that has on each square the piece whose letter `letter` returns, or nothing.
    pub fn placement(self, letter: impl Fn(u8) -> Option<u8>) -> Placement {
        let (files, rows) = self.files_and_rows();
        Placement::drawn(files, rows, |file, row| Cell::of(letter(8 * row + file)))
    }

    /// The position as programs show it whose board has 8x8 squares: those that are missing are holes.
    pub fn on_8x8(self, position: Position) -> Position {
        let (files, rows) = self.files_and_rows();
        let small = &position.placement;
        let cell = |file, row| if file < files && row < rows { small.at(file, row) } else { Cell::Hole };
        Position { placement: Placement::drawn(8, 8, cell), ..position }
    }

    /// The board of this size of a position that is shown with 8x8 squares.
    pub fn cut_out(self, shown: &Placement) -> Placement {
        let (files, rows) = self.files_and_rows();
        if (shown.files, shown.ranks) != (8, 8) {
            return shown.clone();
        }
        Placement::drawn(files, rows, |file, row| shown.at(file, row))
    }
}

/// The occupied squares of a board of 8x8, each with its piece letter, from a1 to h8.
///
/// # Errors
/// When the board is not 8x8, has holes, or marks a piece with `+`.
pub fn pieces(board: &Placement) -> Result<Vec<(u8, u8)>, SetupError> {
    Size::default().pieces(board)
}

/// The board of 8x8 that has on each square the piece whose letter `letter` returns, or nothing.
pub fn placement(letter: impl Fn(u8) -> Option<u8>) -> Placement {
    Size::default().placement(letter)
}

/// The castling rights, in the order of their bits: White's king side, White's queen side, Black's king side,
/// Black's queen side. Each has its FEN letter, its colour, and the home squares of king and rook.
pub(super) const RIGHTS: [(u8, Color, u8, u8); 4] = [
    (b'K', Color::White, 4, 7),
    (b'Q', Color::White, 4, 0),
    (b'k', Color::Black, 60, 63),
    (b'q', Color::Black, 60, 56),
];

/// By square: the castling rights that survive a move from or to it (FIDE 3.8.2.1). A rook captured at home
/// takes its right along.
pub(super) static KEPT_RIGHTS: [u8; 64] = {
    let mut table = [0b1111; 64];
    const_for!(right in 0..4 => {
        let (_, _, king, rook) = RIGHTS[right];
        table[king as usize] &= !(1 << right);
        table[rook as usize] &= !(1 << right);
    });
    table
};

/// Castling rights as text, with the letter that `letter` gives each; `-` for none.
pub(super) fn rights_text(rights: u8, letter: impl Fn(usize) -> u8) -> String {
    let held = (0..RIGHTS.len()).filter(|right| rights >> right & 1 == 1);
    let text: String = held.map(|right| char::from(letter(right))).collect();
    if text.is_empty() { "-".to_owned() } else { text }
}

/// What the squares of the kings are worth, in centipawns, to the side that hunts a lone king. It wants the
/// lone king at the edge and its own king near, since from afar no search sees the mate (the "mop-up" of D.
/// Slate and L. Atkin's Chess 4.x).
pub(super) fn mop_up(lone: u8, hunter: u8) -> i32 {
    let [(lone_file, lone_rank), (file, rank)] =
        [lone, hunter].map(|at| (i32::from(at % 8), i32::from(at / 8)));
    let from_middle = ((2 * lone_file - 7).abs() + (2 * lone_rank - 7).abs()) / 2;
    let apart = (lone_file - file).abs() + (lone_rank - rank).abs();
    30 * from_middle + 10 * (14 - apart)
}

/// A move: the two squares as `from * 64 + to`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move(u16);

impl Move {
    #[inline]
    pub(super) const fn new(from: u8, to: u8) -> Self {
        Self((from as u16) << 6 | to as u16)
    }

    /// Index of the square the piece leaves (0 to 63).
    #[inline]
    pub const fn from(self) -> u8 {
        (self.0 >> 6 & 63) as u8
    }

    /// Index of the square the piece goes to (0 to 63).
    #[inline]
    pub const fn to(self) -> u8 {
        (self.0 & 63) as u8
    }
}

impl From<Move> for u32 {
    #[inline]
    fn from(decision: Move) -> Self {
        decision.0.into()
    }
}

/// The castling rights of kings and rooks that stand where the start position has them: a board does not show
/// which have moved.
pub fn castling_at_home(board: &Placement, start: &Placement) -> String {
    let has = |board: &Placement, at: usize, letter| {
        board.cells.get(at) == Some(&Cell::Piece { letter, plus: false })
    };
    let files = usize::from(start.files);
    let at_home = |right: &char| {
        let color = if right.is_ascii_uppercase() { Color::White } else { Color::Black };
        let (king, rook) = (color.cased(b'K'), color.cased(b'R'));
        let Some(home) = (0..start.cells.len()).find(|&at| has(start, at, king)) else { return false };
        let row = home / files * files..(home / files + 1) * files;
        let wing = |at: &usize| (*at > home) == right.eq_ignore_ascii_case(&'K');
        let corner = row.filter(wing).find(|&at| has(start, at, rook));
        has(board, home, king) && corner.is_some_and(|at| has(board, at, rook))
    };
    let rights: String = "KQkq".chars().filter(at_home).collect();
    if rights.is_empty() { "-".to_owned() } else { rights }
}
