//! A position, how pieces move, what a move changes, and how games end.

use super::FACTS;
use crate::base::{Bits, Color, key_for, key_table, lines::FILE_A, lines::FILE_H};
use crate::game::gui::{GuiBoard, as_at_start};
use crate::game::{Actor, Chance, Decisions, Game, GenType, Hidden, Notation, Outcome, Perft, Repetition};
use crate::notation::Position;
use crate::variants::chessboard::{Move, Size};

static PIECES_KEYS: [[u64; 64]; 2] = [key_table(0xB8EA), key_table(0xB8EB)];
pub(super) const BLACK_TO_MOVE: u64 = key_for(0xB8EC, 0);

/// A position of Breakthrough.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    /// The pieces by colour, as bit sets (a1 = 0, b1 = 1, h8 = 63).
    pub(super) pieces: [u64; 2],
    pub(super) turn: Color,
    /// The rule switch (R7).
    pub(super) size: Size,
    /// Moves of either side since the last capture, as FEN counts them. No rule uses it.
    pub(super) quiet: u16,
    /// The move number; 1 in White's first turn.
    pub(super) number: u16,
    pub(super) key: u64,
}

/// The squares in front of `pieces` of `color`: diagonally towards the a-file, straight ahead, diagonally
/// towards the h-file. Each set comes with the number to add to a target square to get back to the origin.
#[inline]
pub(super) const fn ahead(pieces: u64, color: Color) -> [(u64, i8); 3] {
    let (inner_a, inner_h) = (pieces & !FILE_A, pieces & !FILE_H);
    match color {
        Color::White => [(inner_a << 7, -7), (pieces << 8, -8), (inner_h << 9, -9)],
        Color::Black => [(inner_a >> 9, 9), (pieces >> 8, 8), (inner_h >> 7, 7)],
    }
}

impl State {
    pub(super) fn new(size: Size, pieces: [u64; 2], turn: Color, quiet: u16, number: u16) -> Self {
        let mut key = if turn == Color::Black { BLACK_TO_MOVE } else { 0 };
        for (pieces, keys) in pieces.into_iter().zip(&PIECES_KEYS) {
            key ^= Bits(pieces).fold(0, |sum, piece| sum ^ keys[usize::from(piece)]);
        }
        Self { pieces, turn, size, quiet, number, key }
    }

    /// R5, R6. Only the side that has just moved can have won.
    #[inline]
    fn winner(&self) -> Option<Color> {
        let mover = !self.turn;
        let arrived = self.pieces[mover.index()] & self.size.last_row(mover) != 0;
        (arrived || self.pieces[self.turn.index()] == 0).then_some(mover)
    }

    /// R3, R4: the squares that can be reached in each of the three directions, and the way back: straight
    /// ahead to an empty square, diagonally to any square without an own piece.
    #[inline]
    fn targets(&self) -> impl Iterator<Item = (u64, i8)> {
        let own = self.pieces[self.turn.index()];
        let taken = self.pieces[0] | self.pieces[1];
        let squares = self.size.squares();
        let directions = ahead(own, self.turn).into_iter().zip([own, taken, own]);
        directions.map(move |((reached, back), barred)| (reached & squares & !barred, back))
    }

    /// The targets of captures and of moves to the last row. While an enemy piece is about to arrive, only
    /// its captures count.
    fn noisy_targets(&self) -> u64 {
        let them = !self.turn;
        let enemies = self.pieces[them.index()];
        let threats = enemies & self.size.row_before(them);
        self.size.last_row(self.turn) | if threats == 0 { enemies } else { threats }
    }
}

impl Game for State {
    type Decision = Move;

    #[inline]
    fn actor(&self) -> Actor {
        if self.winner().is_some() { Actor::Nobody } else { Actor::Player(self.turn) }
    }

    /// No side is ever without a move: its foremost piece can always step diagonally, beside whatever stands
    /// in front of it.
    #[inline]
    fn ending(&self, _stuck: bool) -> Option<Outcome> {
        let winner = self.winner()?;
        Some(if self.pieces[self.turn.index()] == 0 {
            Outcome::win_of(winner, "R6", ["Black has no piece left", "White has no piece left"])
        } else {
            Outcome::win_of(winner, "R5", ["White reached the last row", "Black reached the last row"])
        })
    }

    fn decisions(&self, wanted: GenType, list: &mut Decisions<Move>) {
        let targets = if wanted == GenType::All { u64::MAX } else { self.noisy_targets() };
        if self.winner().is_none() {
            for (reached, back) in self.targets() {
                let arrivals = Bits(reached & targets);
                arrivals.for_each(|to| list.push(Move::new(to.wrapping_add_signed(back), to)));
            }
        }
    }

    fn count(&self) -> u64 {
        if self.winner().is_some() {
            return 0;
        }
        self.targets().map(|(reached, _)| u64::from(reached.count_ones())).sum()
    }

    /// A piece goes one row in a turn, and a turn takes one piece.
    fn turns_to_win(&self, player: Color) -> u32 {
        let [own, enemies] = [player, !player].map(|color| self.pieces[color.index()]);
        (self.steps_left(own, player) as u32).min(enemies.count_ones())
    }

    #[inline]
    fn apply(&mut self, decision: Move) {
        let (us, them) = (self.turn.index(), (!self.turn).index());
        let (from, to) = (decision.from(), decision.to());
        self.key ^= BLACK_TO_MOVE ^ PIECES_KEYS[us][usize::from(from)] ^ PIECES_KEYS[us][usize::from(to)];
        self.pieces[us] ^= 1 << from | 1 << to;
        self.quiet = self.quiet.saturating_add(1);
        if self.pieces[them] >> to & 1 == 1 {
            self.pieces[them] ^= 1 << to;
            self.key ^= PIECES_KEYS[them][usize::from(to)];
            self.quiet = 0;
        }
        self.number = self.number.saturating_add(us as u16);
        self.turn = !self.turn;
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }
}

impl Perft for State {}
impl Chance for State {}
impl Hidden for State {}

impl GuiBoard for State {
    fn shown(&self) -> Position {
        self.size.on_8x8(self.write())
    }

    fn read_shown(&self, shown: &Position) -> Option<Position> {
        let position = as_at_start(&FACTS, shown)?;
        Some(Position { placement: self.size.cut_out(&position.placement), ..position })
    }
}

/// Pieces only move forward, so no position comes back.
impl Repetition for State {}
