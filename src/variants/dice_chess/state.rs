//! The position, what a roll and a move change, and how games end.

use super::Decision;
use super::decision::{Dice, rolls};
use super::evaluation::WORTH;
use super::movegen::PASSED;
use crate::base::{Bits, Color, key_for, key_table, table};
use crate::game::{
    Actor, Chance, ChanceOutcomes, Decisions, Game, GenType, Hidden, Outcome, Perft, Repetition,
};
use crate::variants::chessboard::KEPT_RIGHTS;
use crate::variants::chessboard::board::{Board, Kind};

/// O2: so many moves and passed turns in a row without a pawn's move and without a capture end the game.
pub(super) const QUIET: u16 = 100;
/// The move number stops here, so that every position that is printed can be read.
pub(super) const HIGHEST_NUMBER: u16 = 9999;

const STREAM: u64 = 0x6469_6365_0000;
/// By colour times eight plus the code of the kind, then by square.
static PIECES: [[u64; 64]; 16] = table!(piece => key_table(STREAM + piece as u64));
static PASSED_KEYS: [u64; 64] = key_table(STREAM + 16);
const BLACK_TO_MOVE: u64 = key_for(STREAM + 17, 0);

/// A position of Dice Chess, between turns or in the middle of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    pub(super) board: Board,
    /// The key of pieces, side and squares passed.
    key: u64,
    /// Squares that pawns have passed with a double step and on which they can be captured (R10): those of
    /// the enemy's last turn, and those of the turn in progress.
    pub(super) passed: u64,
    /// White's piece values minus Black's.
    pub(super) worth: i32,
    /// Moves and passed turns since the last capture or pawn move (O2).
    pub(super) clock: u16,
    pub(super) number: u16,
    /// The dice that are left.
    pub(super) dice: Dice,
    /// How many of them the turn must still use, unless it takes the king (R5).
    pub(super) need: u8,
    pub(super) rights: u8,
    pub(super) turn: Color,
}

/// The index of a piece in the tables of keys and worth.
#[inline]
const fn index(color: Color, code: usize) -> usize {
    (color as usize) << 3 | code
}

impl State {
    /// The position with these fields.
    pub(super) fn new(
        board: Board,
        (turn, rights, passed): (Color, u8, u64),
        (clock, number): (u16, u16),
        dice: Dice,
    ) -> Self {
        let mut state =
            Self { board, key: 0, passed: 0, worth: 0, clock, number, dice, need: 0, rights, turn };
        if turn == Color::Black {
            state.key ^= BLACK_TO_MOVE;
        }
        for square in Bits(board.occupied()) {
            if let Some((color, kind)) = board.piece(square) {
                state.change(index(color, kind.code()), square, 1);
            }
        }
        state.set_passed(passed);
        state.begin_turn(dice);
        state
    }

    /// A piece comes to `square` (1) or leaves it (-1).
    #[inline]
    fn change(&mut self, piece: usize, square: u8, sign: i32) {
        self.key ^= PIECES[piece & 15][usize::from(square & 63)];
        self.worth += sign * WORTH[piece & 15][usize::from(square & 63)];
    }

    #[inline]
    fn set_passed(&mut self, passed: u64) {
        for square in Bits(self.passed ^ passed) {
            self.key ^= PASSED_KEYS[usize::from(square)];
        }
        self.passed = passed;
    }

    /// The dice are rolled.
    fn begin_turn(&mut self, dice: Dice) {
        self.dice = dice;
        self.need = self.most_usable();
    }

    /// The other side is to roll. What it passed in its own last turn can no longer be captured (R10).
    fn end_turn(&mut self) {
        self.dice = Dice::default();
        self.need = 0;
        self.number = (self.number + self.turn.index() as u16).min(HIGHEST_NUMBER);
        self.turn = !self.turn;
        self.key ^= BLACK_TO_MOVE;
        if self.passed != 0 {
            self.set_passed(self.passed & PASSED[self.turn.index()]);
        }
    }

    /// Makes a move and takes its dice; the turn goes on.
    #[inline]
    pub(super) fn carry_out(&mut self, step: Decision) {
        let (own, enemy) = (self.turn, !self.turn);
        let (from, to) = (step.from(), step.to());
        let (piece, taken) = (self.board.code(from), self.board.code(to));
        let Some(kind) = Kind::with_code(piece) else { return };
        self.dice.take(kind);
        self.clock = if taken != 0 || kind == Kind::Pawn { 0 } else { self.clock.saturating_add(1) };
        self.rights &= KEPT_RIGHTS[usize::from(from)] & KEPT_RIGHTS[usize::from(to)];
        let placed = step.promoted().map_or(piece, Kind::code);
        self.board.carry(from, to, own, placed);
        self.change(index(own, piece), from, -1);
        self.change(index(own, placed), to, 1);
        if taken != 0 {
            self.change(index(enemy, taken), to, -1);
        }
        if kind == Kind::King && from.abs_diff(to) == 2 {
            let (corner, crossed) = if to > from { (from | 7, from + 1) } else { (from & 56, from - 1) };
            self.board.carry(corner, crossed, own, Kind::Rook.code());
            self.change(index(own, Kind::Rook.code()), corner, -1);
            self.change(index(own, Kind::Rook.code()), crossed, 1);
            self.dice.take(Kind::Rook);
        }
        let mut passed = self.passed;
        if kind == Kind::Pawn {
            if passed >> to & 1 == 1 && (to ^ from) & 7 != 0 {
                let victim = to ^ 8;
                self.board.clear(victim);
                self.change(index(enemy, Kind::Pawn.code()), victim, -1);
            } else if from.abs_diff(to) == 16 {
                passed |= 1 << ((from + to) / 2);
            }
        }
        if passed != 0 {
            // R10: a square counts as passed as long as it is free and the pawn stands beyond it.
            let pawns = self.board.pawns();
            let white = pawns & self.board.of(Color::White);
            let beyond = PASSED[1] & white >> 8 | PASSED[0] & (pawns & !white) << 8;
            self.set_passed(passed & beyond & !self.board.occupied());
        }
    }

    /// True when no die can be used (R7).
    #[inline]
    pub(super) fn must_pass(&self) -> bool {
        self.need == 0 && !self.is_unrolled()
    }

    /// True when chance rolls next (or the game is over).
    pub(super) fn is_unrolled(&self) -> bool {
        self.dice == Dice::default()
    }

    /// R6: the side whose king is still there, when the other's is not.
    #[inline]
    fn winner(&self) -> Option<Color> {
        let kings = self.board.kings();
        let missing = Color::ALL.into_iter().find(|&color| kings & self.board.of(color) == 0);
        missing.map(Color::other)
    }
}

impl Game for State {
    type Decision = Decision;

    #[inline]
    fn actor(&self) -> Actor {
        if self.board.kings().count_ones() < 2 {
            Actor::Nobody
        } else if self.is_unrolled() {
            Actor::Chance
        } else {
            Actor::Player(self.turn)
        }
    }

    #[inline]
    fn ending(&self, _stuck: bool) -> Option<Outcome> {
        if let Some(winner) = self.winner() {
            let reasons = ["White takes the king", "Black takes the king"];
            return Some(Outcome::win_of(winner, "R6", reasons));
        }
        (self.is_unrolled() && self.clock >= QUIET)
            .then_some(Outcome::draw("O2", "100 moves without capture or pawn move"))
    }

    fn decisions(&self, wanted: GenType, list: &mut Decisions<Decision>) {
        match self.actor() {
            Actor::Nobody => {}
            Actor::Chance => list.extend(rolls().map(|(roll, _)| roll)),
            Actor::Player(_) if self.must_pass() => {
                if wanted == GenType::All {
                    list.push(Decision::PASS);
                }
            }
            Actor::Player(_) => self.legal_moves(wanted, list),
        }
    }

    fn apply(&mut self, decision: Decision) {
        if let Some(number) = decision.rolled() {
            return self.begin_turn(Dice::of_number(number));
        }
        if decision == Decision::PASS {
            self.clock = self.clock.saturating_add(1);
            return self.end_turn();
        }
        self.need = self.need.saturating_sub(self.cost(decision));
        let over = self.takes_king(decision);
        self.carry_out(decision);
        if self.need == 0 || over {
            self.end_turn();
        }
    }

    #[inline]
    fn key(&self) -> u64 {
        let rights = u64::from(self.rights);
        let late = u64::from(self.clock.saturating_sub(QUIET - 20));
        let rest = u64::from(self.dice.0) << 3 | u64::from(self.need) << 1 | rights << 16 | late << 24;
        if rest == 0 { self.key } else { self.key ^ key_for(STREAM + 18, rest) }
    }

    fn between_turns(&self) -> bool {
        self.is_unrolled()
    }
}

impl Perft for State {
    const ONE_DECISION_A_TURN: bool = false;
}

impl Chance for State {
    fn outcomes(&self, list: &mut ChanceOutcomes<Decision>) {
        if self.actor() == Actor::Chance {
            list.extend(rolls());
        }
    }
}

impl Hidden for State {}
/// O3: a position may come back as often as the dice make it.
impl Repetition for State {}
