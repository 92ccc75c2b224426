//! The syntax tree of a position.

use crate::base::Color;
use crate::base::order::sort_by_cached_key;

/// The contents of one place of the diagram.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cell {
    /// An empty square.
    Empty,
    /// `*`: there is no square here.
    Hole,
    /// A piece letter, capital for White; `plus` when a `+` stands before it.
    Piece {
        /// `A`-`Z` or `a`-`z`.
        letter: u8,
        /// True if a `+` precedes the letter; its meaning is up to the game (in HanniBall, the piece has the
        /// ball).
        plus: bool,
    },
}

impl Cell {
    /// The piece with this letter, unmarked; an empty square for `None`.
    pub fn of(letter: Option<u8>) -> Self {
        letter.map_or(Self::Empty, |letter| Self::Piece { letter, plus: false })
    }
}

/// A diagram: a full rectangle of cells.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Placement {
    /// The number of files, 1 to 16.
    pub files: u8,
    /// The number of ranks, 1 to 17.
    pub ranks: u8,
    /// `files * ranks` cells, **bottom rank first**, each rank from the a-file on.
    pub cells: Vec<Cell>,
}

/// A position as its text describes it, before any game has checked it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// The board.
    pub placement: Placement,
    /// The pieces in hand in the order written, each letter with its count (1 to 99); `None` when the text
    /// has no brackets.
    pub hand: Option<Vec<(u8, u8)>>,
    /// The blank-separated fields after the board.
    pub fields: Vec<String>,
}

impl Position {
    /// A position without a hand; `fields` are separated by single spaces.
    pub fn new(placement: Placement, fields: &str) -> Self {
        Self { placement, hand: None, fields: fields.split(' ').map(str::to_owned).collect() }
    }

    /// Whose turn it is; `None` where the first field does not say it.
    pub fn turn(&self) -> Option<Color> {
        match self.fields.first()?.as_str() {
            "w" => Some(Color::White),
            "b" => Some(Color::Black),
            _ => None,
        }
    }

    /// The same position, but it is this side's turn.
    #[must_use]
    pub fn with_turn(mut self, side: Color) -> Self {
        if let Some(turn) = self.fields.first_mut() {
            *turn = side.letter().to_string();
        }
        self
    }

    /// The position with the colours exchanged, and each rank (or, if `turned`, each square) moved to the
    /// opposite end. This affects the pieces, the hand, and the side in the first field; the game must deal
    /// with the other fields.
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
            // White's pieces come first, as everywhere.
            sort_by_cached_key(&mut hand, |(letter, _)| letter.is_ascii_lowercase());
            hand
        });
        let exchanged = Self { placement, hand, fields: self.fields.clone() };
        match self.turn() {
            Some(side) => exchanged.with_turn(!side),
            None => exchanged,
        }
    }

    /// The same position with left and right exchanged: the last file becomes the first. This affects the
    /// board alone; the game must deal with the fields.
    pub fn with_files_mirrored(&self) -> Self {
        let Placement { files, ranks, .. } = self.placement;
        let placement = Placement::drawn(files, ranks, |file, row| self.placement.at(files - 1 - file, row));
        Self { placement, ..self.clone() }
    }
}

/// A lower-case letter for an upper-case one and the other way round.
const fn other_case(letter: u8) -> u8 {
    if letter.is_ascii_alphabetic() { letter ^ 0x20 } else { letter }
}

impl Placement {
    /// A rectangle of empty squares.
    pub fn new(files: u8, ranks: u8) -> Self {
        Self { files, ranks, cells: vec![Cell::Empty; usize::from(files) * usize::from(ranks)] }
    }

    /// A rectangle filled by `cell`, which is called with each file and row, both counted from 0 at the
    /// bottom left.
    pub fn drawn(files: u8, ranks: u8, cell: impl Fn(u8, u8) -> Cell) -> Self {
        let mut placement = Self::new(files, ranks);
        for (index, place) in placement.cells.iter_mut().enumerate() {
            *place = cell((index % usize::from(files)) as u8, (index / usize::from(files)) as u8);
        }
        placement
    }

    /// Every file and row with its cell, in the order of `cells`.
    pub fn places(&self) -> impl Iterator<Item = (u8, u8, Cell)> + '_ {
        let rows = (0..self.ranks).flat_map(|row| (0..self.files).map(move |file| (file, row)));
        rows.zip(&self.cells).map(|((file, row), &cell)| (file, row, cell))
    }

    /// The cell on `file` and `row`, both counted from 0 at the bottom left.
    ///
    /// # Panics
    /// When the place is outside the rectangle.
    pub fn at(&self, file: u8, row: u8) -> Cell {
        assert!(file < self.files);
        self.cells[usize::from(row) * usize::from(self.files) + usize::from(file)]
    }

    /// Puts `cell` on `file` and `row`, both counted from 0 at the bottom left.
    ///
    /// # Panics
    /// When the place is outside the rectangle.
    pub fn set(&mut self, file: u8, row: u8, cell: Cell) {
        assert!(file < self.files);
        self.cells[usize::from(row) * usize::from(self.files) + usize::from(file)] = cell;
    }
}

/// Mirrors the rank of every square in `text`: rank `r` becomes `sum - r`. A square is a lower-case letter
/// and a single digit; everything else is kept.
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

/// Castling rights, as FEN writes them, with the colours exchanged: `Kq` becomes `Qk`.
pub fn exchange_castling(rights: &str) -> String {
    const ORDER: &str = "KQkq";
    let mut exchanged: Vec<char> = rights.bytes().map(|right| char::from(other_case(right))).collect();
    sort_by_cached_key(&mut exchanged, |&right| ORDER.find(right));
    exchanged.into_iter().collect()
}

/// Mirrors the file of a square on a board of `files` files: with eight, `a3` becomes `h3`. Any other text is
/// kept.
pub fn mirror_file(text: &str, files: u8) -> String {
    match text.as_bytes() {
        [file @ b'a'..=b'z', rank @ ..]
            if rank.first().is_some_and(u8::is_ascii_digit) && *file < b'a' + files =>
        {
            format!("{}{}", char::from(b'a' + b'a' + files - 1 - file), &text[1..])
        }
        _ => text.to_owned(),
    }
}
