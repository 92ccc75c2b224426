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

impl Cell {
    /// The piece with this letter, unmarked; without one a free square.
    pub fn of(letter: Option<u8>) -> Self {
        letter.map_or(Self::Empty, |letter| Self::Piece { letter, plus: false })
    }
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

impl Position {
    /// A position without a hand; `fields` have blanks between them.
    pub fn new(placement: Placement, fields: &str) -> Self {
        Self { placement, hand: None, fields: fields.split(' ').map(str::to_owned).collect() }
    }

    /// The picture with the colours exchanged, and each rank (or, `turned`, each square) taken to the opposite end: the
    /// pieces, the hand, and the side in the first field. What the other fields say is for the game.
    pub fn with_colors_exchanged(&self, turned: bool) -> Self {
        let Placement { files, ranks, .. } = self.placement;
        let placement = Placement::drawn(files, ranks, |file, row| {
            let file = if turned { files - 1 - file } else { file };
            match self.placement.at(file, ranks - 1 - row) {
                Cell::Piece { letter, plus } => Cell::Piece { letter: other_case(letter), plus },
                cell => cell,
            }
        });
        let swap = |&(letter, number): &(u8, u8)| (other_case(letter), number);
        let hand = self.hand.as_ref().map(|hand| {
            let mut hand: Vec<_> = hand.iter().map(swap).collect();
            // White's pieces first, as everywhere.
            hand.sort_by_key(|(letter, _)| letter.is_ascii_lowercase());
            hand
        });
        let mut fields = self.fields.clone();
        if let Some(side) = fields.first_mut() {
            match side.as_str() {
                "w" => "b".clone_into(side),
                "b" => "w".clone_into(side),
                _ => {}
            }
        }
        Self { placement, hand, fields }
    }
}

/// A small letter for a capital and the other way round.
const fn other_case(letter: u8) -> u8 {
    if letter.is_ascii_alphabetic() { letter ^ 0x20 } else { letter }
}

impl Placement {
    /// An empty rectangle.
    pub fn new(files: u8, ranks: u8) -> Self {
        Self { files, ranks, cells: vec![Cell::Empty; usize::from(files) * usize::from(ranks)] }
    }

    /// The rectangle with the cell that `cell` gives for each file and row, both counted from 0 at the bottom left.
    pub fn drawn(files: u8, ranks: u8, cell: impl Fn(u8, u8) -> Cell) -> Self {
        let mut placement = Self::new(files, ranks);
        for (index, place) in placement.cells.iter_mut().enumerate() {
            *place = cell((index % usize::from(files)) as u8, (index / usize::from(files)) as u8);
        }
        placement
    }

    /// Every file and row with its cell, as they lie in `cells`.
    pub fn places(&self) -> impl Iterator<Item = (u8, u8, Cell)> + '_ {
        let rows = (0..self.ranks).flat_map(|row| (0..self.files).map(move |file| (file, row)));
        rows.zip(&self.cells).map(|((file, row), &cell)| (file, row, cell))
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

/// `text` with the rank of every square in it taken to the other end: rank `r` becomes `sum - r`. Squares are a small
/// letter and a single digit; whatever else stands there is kept.
pub fn mirror_ranks(text: &str, sum: u8) -> String {
    let mut after_file = false;
    let mirror = |character: char| {
        let rank = character.to_digit(10).filter(|_| after_file);
        after_file = character.is_ascii_lowercase();
        let mirrored = rank.and_then(|rank| char::from_digit(u32::from(sum).checked_sub(rank)?, 10));
        mirrored.unwrap_or(character)
    };
    text.chars().map(mirror).collect()
}

/// Castling rights in FEN's letters with the colours exchanged: `Kq` becomes `Qk`.
pub fn exchange_castling(rights: &str) -> String {
    const ORDER: &str = "KQkq";
    let mut exchanged: Vec<char> = rights.bytes().map(|right| char::from(other_case(right))).collect();
    exchanged.sort_by_key(|&right| ORDER.find(right));
    exchanged.into_iter().collect()
}
