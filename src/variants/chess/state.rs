//! The position: what it holds, how a move changes it, how games end.

use super::board::{Board, Kind};
use super::castling::Castling;
use super::evaluation::WORTH;
use super::{Decision, keys, rays};
use crate::base::{Bits, Color, lines};
use crate::game::gui::{GuiBoard, as_at_start};
use crate::game::{
    Actor, Chance, Decisions, Deed, DeedKind, Game, GenType, Hidden, Notation, Outcome, Perft, Repetition,
    RepetitionKey,
};
use crate::notation::{Coordinate, Position, parse_position};
use crate::variants::chessboard::{KEPT_RIGHTS, castling_at_home, coordinate};

/// The clock counts the moves of both sides: fifty moves each (FIDE 9.3).
const FIFTY_MOVES: u16 = 100;

/// Stands for "no square".
pub const NO_SQUARE: u8 = 64;

/// The counters stop here, so that every printed position can be read back. A game this long has been a draw
/// for years.
pub const HIGHEST_COUNTER: u16 = 9999;

/// A position of chess, with its key, its counters and the summed value of its pieces: 56 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    pub(super) board: Board,
    /// The key without the clock, as repetition compares it (FIDE 9.2.3).
    pub(super) key: u64,
    /// White's piece values minus Black's, middlegame and endgame packed (see `evaluation`).
    pub(super) worth: i32,
    /// Moves of either side since the last capture or pawn move.
    pub(super) clock: u16,
    /// The full-move number, as in a position string: begins with 1.
    pub(super) number: u16,
    pub(super) rights: u8,
    /// The square on which a pawn can be captured en passant **by a legal move**, or `NO_SQUARE`.
    pub(super) en_passant: u8,
    pub(super) turn: Color,
    pub(super) castling: Castling,
}

impl State {
    /// The same position with its key and piece values filled in. `en_passant` may be any square a pawn has
    /// just passed; it is dropped if no capture there is legal. The board has one king of each colour.
    pub(super) fn completed(mut self) -> Self {
        if !self.can_take_in_passing() {
            self.en_passant = NO_SQUARE;
        }
        self.key = self.key_from_nothing();
        let worth = |square| WORTH[piece_index(&self.board, square)][usize::from(square)];
        self.worth = Bits(self.board.occupied()).map(worth).sum();
        self
    }

    /// The pieces on the board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// Moves of either side since the last capture or pawn move.
    pub fn clock(&self) -> u16 {
        self.clock
    }

    /// The en passant square, if a capture there is legal.
    pub fn en_passant(&self) -> Option<u8> {
        (self.en_passant != NO_SQUARE).then_some(self.en_passant)
    }

    fn key_from_nothing(&self) -> u64 {
        let mut key = keys::RIGHTS[usize::from(self.rights)] ^ keys::EN_PASSANT[usize::from(self.en_passant)];
        if self.turn == Color::Black {
            key ^= keys::BLACK_TO_MOVE;
        }
        for square in Bits(self.board.occupied()) {
            key ^= keys::PIECES[piece_index(&self.board, square)][usize::from(square)];
        }
        key
    }

    /// The position after a null move: the other side is to move.
    pub(super) fn passed(&self) -> Self {
        let mut state = *self;
        state.hand_over(self.turn, self.rights);
        state
    }

    /// Applies what every move of `own` changes: the side to move, the counters and the castling `rights`
    /// left. No pawn can be captured en passant any more.
    #[inline]
    fn hand_over(&mut self, own: Color, rights: u8) {
        self.key ^= keys::BLACK_TO_MOVE
            ^ keys::EN_PASSANT[usize::from(self.en_passant & 127).min(NO_SQUARE.into())]
            ^ keys::RIGHTS[usize::from((self.rights ^ rights) & 15)];
        self.rights = rights;
        self.en_passant = NO_SQUARE;
        self.turn = !own;
        self.clock = (self.clock + 1).min(HIGHEST_COUNTER);
        if own == Color::Black {
            self.number = (self.number + 1).min(HIGHEST_COUNTER);
        }
    }

    #[inline]
    fn play_as<const WHITE: bool>(&mut self, decision: Decision) {
        let own = if WHITE { Color::White } else { Color::Black };
        let (from, to) = (decision.from(), decision.to());
        if self.castling.is_chess960 {
            return self.play_chess960::<WHITE>(decision);
        }
        let piece = self.board.code(from);
        let rights = self.rights & KEPT_RIGHTS[usize::from(from)] & KEPT_RIGHTS[usize::from(to)];
        self.play_piece::<WHITE>(decision, rights);
        if piece == Kind::King.code() && from.abs_diff(to) == 2 {
            // FIDE 3.8.2: the rook goes to the square the king has just crossed.
            let (corner, crossed) = if to > from { (from | 7, from + 1) } else { (from & 56, from - 1) };
            self.board.carry(corner, crossed, own, Kind::Rook.code());
            self.change(own, Kind::Rook.code(), corner);
            self.change_back(own, Kind::Rook.code(), crossed);
        }
    }

    /// Plays a move in Chess960.
    fn play_chess960<const WHITE: bool>(&mut self, decision: Decision) {
        let own = if WHITE { Color::White } else { Color::Black };
        let (from, to) = (decision.from(), decision.to());
        let king = self.board.code(from) == Kind::King.code();
        let rights = self.rights & !self.castling.lost(self.rights, king.then_some(own), [from, to]);
        let Some(right) = self.castles_by(from, to) else {
            return self.play_piece::<WHITE>(decision, rights);
        };
        for (code, from, to) in Self::castled(&mut self.board, own, right, from, to) {
            self.change(own, code, from);
            self.change_back(own, code, to);
        }
        self.hand_over(own, rights);
    }

    /// Plays any move but castling. `rights` are the castling rights left.
    #[inline]
    fn play_piece<const WHITE: bool>(&mut self, decision: Decision, rights: u8) {
        let (own, enemy) = if WHITE { (Color::White, Color::Black) } else { (Color::Black, Color::White) };
        let (from, to) = (decision.from(), decision.to());
        let piece = self.board.code(from);
        let taken = self.board.code(to);
        let promotion = decision.promotion_code();
        let placed = if promotion == 0 { piece } else { promotion };
        let passed = self.en_passant;

        self.board.carry(from, to, own, placed);
        self.change(own, piece, from);
        self.change_back(own, placed, to);
        self.change(enemy, taken, to);
        self.hand_over(own, rights);
        if taken != 0 {
            self.clock = 0;
        }
        if piece == Kind::Pawn.code() {
            self.clock = 0;
            if to == passed {
                // FIDE 3.7.3.1: the captured pawn stands behind the square.
                let victim = to ^ 8;
                self.board.clear(victim);
                self.change(enemy, Kind::Pawn.code(), victim);
            } else if from.abs_diff(to) == 16 {
                self.en_passant = (from + to) / 2;
                if self.can_take_in_passing() {
                    self.key ^= keys::EN_PASSANT[usize::from(self.en_passant)];
                } else {
                    self.en_passant = NO_SQUARE;
                }
            }
        }
    }

    /// Updates key and piece values for a piece that leaves `square`.
    #[inline]
    fn change(&mut self, color: Color, code: usize, square: u8) {
        let (piece, square) = (color.index() << 3 | code & 7, usize::from(square & 63));
        self.key ^= keys::PIECES[piece][square];
        self.worth -= WORTH[piece][square];
    }

    /// Updates key and piece values for a piece that comes to `square`.
    #[inline]
    fn change_back(&mut self, color: Color, code: usize, square: u8) {
        let (piece, square) = (color.index() << 3 | code & 7, usize::from(square & 63));
        self.key ^= keys::PIECES[piece][square];
        self.worth += WORTH[piece][square];
    }

    /// The pieces of both colours that attack `square` when only the squares of `occupied` block.
    #[inline]
    pub(super) fn attackers(&self, square: u8, occupied: u64) -> u64 {
        let at = usize::from(square & 63);
        let board = &self.board;
        rays::KNIGHT[at] & board.knights()
            | rays::KING[at] & board.kings()
            | rays::PAWN[0][at] & board.pawns() & board.of(Color::Black)
            | rays::PAWN[1][at] & board.pawns() & board.of(Color::White)
            | lines::along_diagonals(square, occupied) & board.diagonal()
            | lines::orthogonal(square, occupied) & board.orthogonal()
    }

    /// The pieces that give check to `color`.
    #[inline]
    pub(super) fn checkers(&self, color: Color) -> u64 {
        self.attackers(self.board.king(color), self.board.occupied()) & self.board.of(!color)
    }

    /// The pawns that may legally capture en passant.
    pub(super) fn takers_in_passing(&self) -> u64 {
        if self.en_passant >= NO_SQUARE {
            return 0;
        }
        let beside = rays::PAWN[(!self.turn).index()][usize::from(self.en_passant)];
        let candidates = beside & self.board.pawns() & self.board.of(self.turn);
        let mut takers = 0;
        for from in Bits(candidates) {
            // Two pieces may leave a rank at once, so only the board after the capture shows whether it is
            // legal (FIDE 3.9.2).
            let victim = 1_u64 << (self.en_passant ^ 8);
            let occupied = self.board.occupied() & !(1 << from | victim) | 1 << self.en_passant;
            let enemies = self.board.of(!self.turn) & !victim;
            if self.attackers(self.board.king(self.turn), occupied) & enemies == 0 {
                takers |= 1 << from;
            }
        }
        takers
    }

    #[inline]
    fn can_take_in_passing(&self) -> bool {
        self.takers_in_passing() != 0
    }

    /// True when no sequence of legal moves can lead to mate because too little material is left (FIDE
    /// 5.2.2): bare kings, one knight or one bishop, or any number of bishops all on squares of one colour.
    pub fn is_short_of_material(&self) -> bool {
        let board = &self.board;
        if (board.pawns() | board.orthogonal()) != 0 {
            return false;
        }
        let (knights, bishops) = (board.knights(), board.diagonal());
        match knights.count_ones() {
            0 => bishops & lines::LIGHT_SQUARES == 0 || bishops & !lines::LIGHT_SQUARES == 0,
            1 => bishops == 0,
            _ => false,
        }
    }

    /// True when the king of the side to move is attacked.
    #[inline]
    pub fn is_check(&self) -> bool {
        self.checkers(self.turn) != 0
    }
}

impl Game for State {
    type Decision = Decision;
    const DRAWS_ARE_CLAIMED: bool = true;

    /// Never `Nobody`: mate and stalemate are a lack of moves, and every other end of a game is counted.
    fn actor(&self) -> Actor {
        Actor::Player(self.turn)
    }

    /// Mate comes before the draws that are counted, and those before stalemate.
    #[inline]
    fn ending(&self, stuck: bool) -> Option<Outcome> {
        if stuck && self.is_check() {
            Some(Outcome::win_of(!self.turn, "FIDE 5.1.1", ["White mates", "Black mates"]))
        } else if self.is_short_of_material() {
            Some(Outcome::draw("FIDE 5.2.2", "Insufficient material"))
        } else if self.clock >= FIFTY_MOVES {
            Some(Outcome::draw("FIDE 9.3", "Fifty moves without capture or pawn move"))
        } else {
            stuck.then_some(Outcome::draw("FIDE 5.2.1", "Stalemate"))
        }
    }

    fn decisions(&self, wanted: GenType, list: &mut Decisions<Decision>) {
        self.list_moves(wanted, list);
    }

    fn count(&self) -> u64 {
        self.count_moves()
    }

    #[inline]
    fn apply(&mut self, decision: Decision) {
        match self.turn {
            Color::White => self.play_as::<true>(decision),
            Color::Black => self.play_as::<false>(decision),
        }
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key ^ keys::clock(self.clock)
    }

    fn counter_room(&self) -> Option<u32> {
        Some(FIFTY_MOVES.saturating_sub(self.clock).into())
    }
}

impl Perft for State {}
impl Chance for State {}
impl Hidden for State {}

/// XBoard knows chess and needs no help from here.
impl GuiBoard for State {
    /// Castling is allowed where kings and rooks are at home.
    fn read_shown(&self, shown: &Position) -> Option<Position> {
        let mut position = as_at_start(self.facts(), shown)?;
        let start = parse_position(self.facts().start).ok()?;
        *position.fields.get_mut(1)? = castling_at_home(&position.placement, &start.placement);
        Some(position)
    }

    /// In Chess960 castling is written as a king's move onto its own rook, which is not captured.
    fn deed(&self, decision: Decision, _: &Self, shown: [&Position; 2]) -> Deed {
        let deed = Deed::of_legs(self.facts(), &self.legs(decision), shown);
        if self.castles_by(decision.from(), decision.to()).is_none() {
            return deed;
        }
        let label = format!("Castle with the rook on {}", coordinate(decision.to()));
        let report = format!("castles with the rook on {}", coordinate(decision.to()));
        Deed { kind: DeedKind::Move, report: Some(report), label, ..deed }
    }

    fn checked_king(&self) -> Option<Coordinate> {
        self.is_check().then(|| coordinate(self.board.king(self.turn)))
    }
}

impl Repetition for State {
    const THIRD_OCCURRENCE: Option<Outcome> = Some(Outcome::draw("FIDE 9.2", "Threefold repetition"));

    /// Positions are equal when the same side is to move, the same pieces stand on the same squares and the
    /// same moves are possible, including castling rights and en passant captures (FIDE 9.2.3).
    fn repetition(&self) -> Option<RepetitionKey> {
        Some(RepetitionKey { key: self.key, span: self.clock.into() })
    }
}

#[inline]
fn piece_index(board: &Board, square: u8) -> usize {
    let color = usize::from(board.of(Color::Black) >> square & 1 == 1);
    color << 3 | board.code(square)
}
