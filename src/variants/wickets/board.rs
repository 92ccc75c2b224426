//! The pieces on the board and their roles, with its own Zobrist key.

use super::cells::{CELLS, Cells, NOWHERE, bit, is_wicket, one};
use crate::base::{Color, key_for, key_table, mixed, table};
use crate::variants::chessboard::KEPT_RIGHTS;

/// The kinds of piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Kind {
    /// Pawn, letter `P`.
    Pawn = 0,
    /// Knight, letter `N`.
    Knight,
    /// Bishop, letter `B`.
    Bishop,
    /// Rook, letter `R`.
    Rook,
    /// Queen, letter `Q`.
    Queen,
    /// King, letter `K`.
    King,
}

impl Kind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [Self; 6] = [Self::Pawn, Self::Knight, Self::Bishop, Self::Rook, Self::Queen, Self::King];
    /// The kinds a pawn may promote to.
    pub const PROMOTIONS: [Self; 4] = [Self::Queen, Self::Rook, Self::Bishop, Self::Knight];

    /// The letter of a white piece of this kind.
    pub const fn letter(self) -> u8 {
        b"PNBRQK"[self as usize]
    }

    /// The kind with this letter in either case, if there is one.
    pub fn from_letter(letter: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.letter() == letter.to_ascii_uppercase())
    }

    /// The English name in lower case: `pawn`, `knight`, …
    pub const fn word(self) -> &'static str {
        ["pawn", "knight", "bishop", "rook", "queen", "king"][self as usize]
    }

    /// The kind a pawn promotes to, from its number in a `Choice`; `None` for 0 (no promotion).
    pub(super) const fn promoted(number: u8) -> Option<Self> {
        match number {
            1 => Some(Self::Knight),
            2 => Some(Self::Bishop),
            3 => Some(Self::Rook),
            4 => Some(Self::Queen),
            _ => None,
        }
    }
}

/// A piece of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The side it belongs to.
    pub side: Color,
    /// What kind of piece it is.
    pub kind: Kind,
}

impl Piece {
    const fn number(self) -> usize {
        self.side.index() * 6 + self.kind as usize
    }
}

/// The right of a side to castle to the g-file, one of [`RIGHTS`](crate::variants::chessboard::RIGHTS).
pub const fn short(side: Color) -> u8 {
    1 << (2 * side as u8)
}

/// The right of a side to castle to the c-file.
pub const fn long(side: Color) -> u8 {
    2 << (2 * side as u8)
}

static PIECE_KEYS: [[u64; CELLS]; 12] = table!(piece => key_table(0x5700 + piece as u64));
static BALL_KEYS: [[u64; CELLS + 1]; 2] = [key_table(0x5720), key_table(0x5721)];
static DEFENDER_KEYS: [[u64; CELLS + 1]; 2] = [key_table(0x5722), key_table(0x5723)];
static CASTLING_KEYS: [u64; 16] = key_table(0x5724);
static EN_PASSANT_KEYS: [u64; CELLS + 1] = key_table(0x5725);
const BLACK_TO_MOVE: u64 = key_for(0x5726, 0);

const NO_PIECE: u8 = 12;

/// The pieces, the roles, and what else the rules of repetition compare (R73).
///
/// The fields are private so that no caller can change one and forget the key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board {
    kinds: [u64; 6],
    sides: [u64; 2],
    key: u64,
    /// The number of the piece in each wicket, or `NO_PIECE`.
    inside: [u8; 2],
    /// The cell of each side's ball, carried or loose; [`NOWHERE`] while it waits to be put down.
    ball: [u8; 2],
    /// The cell of each side's Defender; [`NOWHERE`] until a new one is named.
    defender: [u8; 2],
    king: [u8; 2],
    castling: u8,
    en_passant: u8,
    side: Color,
}

impl Board {
    /// Keys of the pieces of either side, and of what stands in wickets, balls and Defenders
    /// ([`correction_keys`](crate::game::Evaluation::correction_keys)).
    pub fn correction_keys(&self) -> [u64; 3] {
        let pieces = |side: u64| mixed(self.kinds.map(|kind| kind & side));
        let [white, black] = self.sides;
        let roles = [self.inside, self.ball, self.defender].map(|cells| u16::from_le_bytes(cells).into());
        [pieces(white), pieces(black), mixed(roles)]
    }

    /// The empty board, White to move.
    pub fn empty() -> Self {
        let mut board = Self {
            kinds: [0; 6],
            sides: [0; 2],
            key: 0,
            inside: [NO_PIECE; 2],
            ball: [NOWHERE; 2],
            defender: [NOWHERE; 2],
            king: [NOWHERE; 2],
            castling: 0,
            en_passant: NOWHERE,
            side: Color::White,
        };
        board.key = board.key_from_nothing();
        board
    }

    /// The key of the whole board.
    #[inline]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// The key computed from scratch, not from changes.
    pub(super) fn key_from_nothing(&self) -> u64 {
        let mut key =
            CASTLING_KEYS[usize::from(self.castling)] ^ EN_PASSANT_KEYS[usize::from(self.en_passant)];
        for cell in 0..CELLS as u8 {
            if let Some(piece) = self.piece_at(cell) {
                key ^= PIECE_KEYS[piece.number()][usize::from(cell)];
            }
        }
        for side in [0, 1] {
            key ^= BALL_KEYS[side][usize::from(self.ball[side])];
            key ^= DEFENDER_KEYS[side][usize::from(self.defender[side])];
        }
        if self.side == Color::Black { key ^ BLACK_TO_MOVE } else { key }
    }

    /// The side to move.
    #[inline]
    pub const fn side(&self) -> Color {
        self.side
    }

    /// The cell of the ball of `side`, carried or loose.
    #[inline]
    pub const fn ball(&self, side: Color) -> u8 {
        self.ball[side.index()]
    }

    /// The cell of the Defender of `side`.
    #[inline]
    pub const fn defender(&self, side: Color) -> u8 {
        self.defender[side.index()]
    }

    /// The cell of the king of `side`.
    #[inline]
    pub const fn king(&self, side: Color) -> u8 {
        self.king[side.index()]
    }

    /// The castling rights, see [`RIGHTS`](crate::variants::chessboard::RIGHTS).
    #[inline]
    pub const fn castling(&self) -> u8 {
        self.castling
    }

    /// The square a pawn has just passed over, if an enemy pawn stands ready to capture it; else [`NOWHERE`].
    #[inline]
    pub const fn en_passant(&self) -> u8 {
        self.en_passant
    }

    /// The squares of the 8x8 part with pieces of `side`.
    #[inline]
    pub const fn pieces(&self, side: Color) -> u64 {
        self.sides[side.index()]
    }

    /// The squares of the 8x8 part with pieces of each kind, in the order of [`Kind::ALL`].
    #[inline]
    pub const fn kinds(&self) -> &[u64; 6] {
        &self.kinds
    }

    /// The squares of the 8x8 part with pieces of a side and kind.
    #[inline]
    pub const fn pieces_of(&self, side: Color, kind: Kind) -> u64 {
        self.sides[side.index()] & self.kinds[kind as usize]
    }

    /// All cells with pieces of `side`.
    pub fn all_pieces(&self, side: Color) -> Cells {
        let mut all = Cells::from(self.pieces(side));
        for wicket in [64, 65] {
            if self.piece_at(wicket).is_some_and(|piece| piece.side == side) {
                all |= one(wicket);
            }
        }
        all
    }

    /// The piece on a cell, if any.
    #[inline]
    pub fn piece_at(&self, cell: u8) -> Option<Piece> {
        if is_wicket(cell) {
            let number = *self.inside.get(usize::from(cell - 64))?;
            let side = if number < 6 { Color::White } else { Color::Black };
            return Kind::ALL
                .get(usize::from(number) % 6)
                .filter(|_| number < NO_PIECE)
                .map(|&kind| Piece { side, kind });
        }
        let square = bit(cell);
        let side = if self.sides[0] & square != 0 {
            Color::White
        } else if self.sides[1] & square != 0 {
            Color::Black
        } else {
            return None;
        };
        Some(Piece { side, kind: self.kind_on(square) })
    }

    /// The kind of the piece on an occupied square of the 8x8 part.
    #[inline]
    fn kind_on(&self, square: u64) -> Kind {
        let [pawns, knights, bishops, rooks, queens, _] = self.kinds;
        if pawns & square != 0 {
            Kind::Pawn
        } else if knights & square != 0 {
            Kind::Knight
        } else if bishops & square != 0 {
            Kind::Bishop
        } else if rooks & square != 0 {
            Kind::Rook
        } else if queens & square != 0 {
            Kind::Queen
        } else {
            Kind::King
        }
    }

    /// True when a piece of `side` stands on `cell`.
    #[inline]
    pub fn is_piece(&self, side: Color, cell: u8) -> bool {
        if cell < 64 {
            self.pieces(side) & bit(cell) != 0
        } else {
            self.piece_at(cell).is_some_and(|piece| piece.side == side)
        }
    }

    /// The cell of the piece that carries the ball of `side`, or [`NOWHERE`].
    #[inline]
    pub fn ball_carrier(&self, side: Color) -> u8 {
        let at = self.ball(side);
        if self.is_piece(side, at) { at } else { NOWHERE }
    }

    /// The cell where the ball of `side` lies loose, or [`NOWHERE`].
    #[inline]
    pub fn loose(&self, side: Color) -> u8 {
        let at = self.ball(side);
        if self.is_piece(side, at) { NOWHERE } else { at }
    }

    /// The occupied squares of the 8x8 part, loose balls included (R10).
    #[inline]
    pub fn occupied(&self) -> u64 {
        self.sides[0] | self.sides[1] | bit(self.ball[0]) | bit(self.ball[1])
    }

    /// True when neither a piece nor a ball is on `cell`.
    pub fn is_vacant(&self, cell: u8) -> bool {
        self.ball[0] != cell
            && self.ball[1] != cell
            && if cell < 64 { self.occupied() & bit(cell) == 0 } else { self.piece_at(cell).is_none() }
    }

    /// All vacant cells.
    pub fn vacant(&self) -> Cells {
        let mut free = Cells::from(!self.occupied());
        for wicket in [64, 65] {
            if self.is_vacant(wicket) {
                free |= one(wicket);
            }
        }
        free
    }

    /// The pieces of `side` that may be named Defender: all but the one with the ball (R31).
    pub fn callable(&self, side: Color) -> Cells {
        let all = self.all_pieces(side);
        match self.ball(side) {
            NOWHERE => all,
            at => all & !one(at),
        }
    }
}

/// Changes to the board, each of which updates the key.
impl Board {
    /// Puts a piece on a cell without one.
    #[inline]
    pub fn put(&mut self, piece: Piece, cell: u8) {
        if is_wicket(cell) {
            self.inside[usize::from(cell & 1)] = piece.number() as u8;
        } else {
            self.sides[piece.side.index()] |= bit(cell);
            self.kinds[piece.kind as usize] |= bit(cell);
        }
        if piece.kind == Kind::King {
            self.king[piece.side.index()] = cell;
        }
        self.key ^= PIECE_KEYS[piece.number()][usize::from(cell)];
    }

    /// Takes a piece off a cell. The caller must update the roles.
    #[inline]
    pub fn take(&mut self, piece: Piece, cell: u8) {
        if is_wicket(cell) {
            self.inside[usize::from(cell & 1)] = NO_PIECE;
        } else {
            self.sides[piece.side.index()] &= !bit(cell);
            self.kinds[piece.kind as usize] &= !bit(cell);
        }
        self.key ^= PIECE_KEYS[piece.number()][usize::from(cell)];
    }

    /// Sets the cell of the ball of `side`. On one of its own pieces it is carried.
    #[inline]
    pub fn set_ball(&mut self, side: Color, cell: u8) {
        let keys = &BALL_KEYS[side.index()];
        self.key ^= keys[usize::from(self.ball(side))] ^ keys[usize::from(cell)];
        self.ball[side.index()] = cell;
    }

    /// Names the Defender of `side`.
    #[inline]
    pub fn set_defender(&mut self, side: Color, cell: u8) {
        let keys = &DEFENDER_KEYS[side.index()];
        self.key ^= keys[usize::from(self.defender(side))] ^ keys[usize::from(cell)];
        self.defender[side.index()] = cell;
    }

    /// Sets all castling rights.
    pub fn set_castling(&mut self, rights: u8) {
        self.key ^= CASTLING_KEYS[usize::from(self.castling)] ^ CASTLING_KEYS[usize::from(rights & 15)];
        self.castling = rights & 15;
    }

    /// Removes the castling rights that end when something moves from or to `cell`, or is lost there (R49).
    #[inline]
    pub fn touch(&mut self, cell: u8) {
        let rights = self.castling & KEPT_RIGHTS.get(usize::from(cell)).copied().unwrap_or(!0);
        if rights != self.castling {
            self.set_castling(rights);
        }
    }

    /// Sets the en passant square.
    #[inline]
    pub fn set_en_passant(&mut self, cell: u8) {
        self.key ^= EN_PASSANT_KEYS[usize::from(self.en_passant)] ^ EN_PASSANT_KEYS[usize::from(cell)];
        self.en_passant = cell;
    }

    /// Passes the turn to the other side.
    #[inline]
    pub fn pass_turn(&mut self) {
        self.key ^= BLACK_TO_MOVE;
        self.side = !self.side;
    }

    /// The letter on a cell: that of a piece, `o` for White's loose ball, `O` for Black's (it has the
    /// opponent's colour, R9).
    pub fn letter_at(&self, cell: u8) -> Option<u8> {
        match self.piece_at(cell) {
            Some(piece) => Some(piece.side.cased(piece.kind.letter())),
            None if self.ball(Color::White) == cell => Some(b'o'),
            None if self.ball(Color::Black) == cell => Some(b'O'),
            None => None,
        }
    }
}
