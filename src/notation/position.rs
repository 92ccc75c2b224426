//! The syntax tree of a position's text.

/// What stands on one place of the diagram.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cell {
    /// A free square.
    Empty,
    /// `*`: there is no square here.
    Hole,
    /// A piece letter, capital for White; `plus` when a `+` stands before it.
    Piece {
        /// `A`-`Z` or `a`-`z`.
        letter: u8,
        /// The mark that the game gives a meaning (HanniBall: has the ball).
        plus: bool,
    },
}

/// A diagram: a full rectangle of cells.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Placement {
    /// Width, 1 to 16.
    pub files: u8,
    /// Height, 1 to 17.
    pub ranks: u8,
    /// `files * ranks` cells, **bottom rank first**, each rank from the a-file on.
    pub cells: Vec<Cell>,
}

/// A position as text says it, before any game has looked at it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// The board.
    pub placement: Placement,
    /// The pieces in hand in the order written, each letter with its number (1 to 99); `None` when the text has no brackets.
    pub hand: Option<Vec<(u8, u8)>>,
    /// The blank-separated words behind the board.
    pub fields: Vec<String>,
}

impl Placement {
    /// An empty rectangle.
    pub fn new(files: u8, ranks: u8) -> Self {
        Self { files, ranks, cells: vec![Cell::Empty; usize::from(files) * usize::from(ranks)] }
    }

    /// The cell on `file` and `row`, both counted from 0 at the bottom left.
    ///
    /// # Panics
    /// Outside the rectangle.
    pub fn at(&self, file: u8, row: u8) -> Cell {
        assert!(file < self.files);
        self.cells[usize::from(row) * usize::from(self.files) + usize::from(file)]
    }

    /// Puts `cell` on `file` and `row`, both counted from 0 at the bottom left.
    ///
    /// # Panics
    /// Outside the rectangle.
    pub fn set(&mut self, file: u8, row: u8, cell: Cell) {
        assert!(file < self.files);
        self.cells[usize::from(row) * usize::from(self.files) + usize::from(file)] = cell;
    }
}
