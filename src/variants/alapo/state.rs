//! The position, how a move changes it, and how games end.

use super::board::{Board, bit};
use crate::base::{Bits, Color, key_for, key_table};
use crate::game::{
    Actor, Chance, Decisions, Game, GenType, Hidden, Outcome, Perft, Repetition, RepetitionKey,
};
use crate::variants::chessboard::{Move, Size};

/// Stands for no square: that side has no piece moved last.
pub(super) const NO_MARK: u8 = 64;
/// The number of quiet single moves that lead to a removal (R12b).
pub(super) const REMOVAL_AFTER: u8 = 100;
/// From this counter on [`Game::key`] distinguishes counters and marks.
const COUNTER_MATTERS: u8 = 80;

const BLACK_TO_MOVE: u64 = key_for(0xA1A1, 0);
static COUNTERS: [u64; 256] = key_table(0xA1A2);
static MARKS: [u64; 65] = key_table(0xA1A3);

/// How the game ended on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ending {
    /// R6, R7: no piece can capture the runner.
    Safe,
    /// R6: the runner could have been captured, but was not.
    Spared,
    /// R10: a side has no piece left.
    NoPiece,
    /// R21: a small piece reached its last row.
    SmallArrived,
    /// R22: a side has no small piece left.
    NoSmallPiece,
    /// R14, R24: the removal took a side's last needed piece.
    RemovedLast,
    /// R14, R24: the removal took the last needed piece of both sides, and the mover loses.
    RemovedBoth,
}

/// A position of Alapo 8x8, or of the demotion game (R20 to R25) when `DEMOTION` is true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Alapo<const DEMOTION: bool> {
    pub(super) board: Board,
    pub(super) turn: Color,
    /// The rule switch (R26).
    pub(super) size: Size,
    /// The square of the piece that each side moved last, by colour (R13), or `NO_MARK`.
    pub(super) marks: [u8; 2],
    /// Single moves since the last capture or removal (R12b, R16); 100 only when the hundredth ended the
    /// game.
    pub(super) quiet: u8,
    /// The move number; 1 in White's first turn.
    pub(super) number: u16,
    ending: Option<(Ending, Color)>,
}

impl<const DEMOTION: bool> Alapo<DEMOTION> {
    /// A position in progress, unless the board itself shows an end: a runner that cannot be captured (R7).
    pub(super) fn new(size: Size, board: Board, turn: Color, marks: [u8; 2], quiet: u8, number: u16) -> Self {
        let mut state = Self { board, turn, size, marks, quiet, number, ending: None };
        if let Some(square) = Bits(state.runner()).next()
            && board.attackers(turn, square, board.occupied()) == 0
        {
            state.ending = Some((Ending::Safe, !turn));
        }
        state
    }

    /// The row a colour wants to reach (R1).
    #[inline]
    pub(super) const fn last_row(&self, color: Color) -> u64 {
        self.size.last_row(color)
    }

    /// The large pieces that the side to move may replace by small ones (R20).
    #[inline]
    pub(super) const fn demotable(&self) -> u64 {
        self.board.pieces(self.turn) & self.board.large() & self.size.nearest_rows(self.turn)
    }

    /// The enemy piece on its last row that must be captured now (R6); the empty set when there is none.
    #[inline]
    pub(super) const fn runner(&self) -> u64 {
        if DEMOTION { 0 } else { self.board.pieces(self.turn.other()) & self.last_row(self.turn.other()) }
    }

    /// True when moving from `from` to `to` wins on arrival (R7, R21).
    #[inline]
    pub(super) fn wins_on_arrival(&self, from: u8, to: u8) -> bool {
        if bit(to) & self.last_row(self.turn) == 0 {
            return false;
        }
        if DEMOTION {
            bit(from) & self.board.large() == 0
        } else {
            let after = self.board.occupied() & !bit(from) | bit(to);
            // An enemy runner left standing wins before ours does (R8).
            self.runner() == 0 && self.board.attackers(!self.turn, to, after) == 0
        }
    }

    /// The pieces a side must not run out of: all in the standard game (R10), the small ones with demotion
    /// (R22).
    #[inline]
    const fn needed(board: &Board, color: Color) -> u64 {
        if DEMOTION { board.small_pieces(color) } else { board.pieces(color) }
    }

    /// How the game has ended, if it has, after `mover` moved to `to` (tests 1 to 3 of section 5, 1 and 2 of
    /// R25).
    #[inline]
    fn ending_after(&self, mover: Color, to: u8, spared: bool) -> Option<(Ending, Color)> {
        if DEMOTION {
            if bit(to) & self.last_row(mover) & !self.board.large() != 0 {
                return Some((Ending::SmallArrived, mover));
            }
        } else if spared {
            return Some((Ending::Spared, !mover));
        }
        if Self::needed(&self.board, !mover) == 0 {
            return Some((if DEMOTION { Ending::NoSmallPiece } else { Ending::NoPiece }, mover));
        }
        let arrived = !DEMOTION && bit(to) & self.last_row(mover) != 0;
        if arrived && self.board.attackers(!mover, to, self.board.occupied()) == 0 {
            return Some((Ending::Safe, mover));
        }
        None
    }

    /// Carries out the removal (R13, R14, R16) after a move of `mover`. Not inlined: it is rare, and `apply`
    /// is hot.
    #[cold]
    #[inline(never)]
    fn remove_last_moved(&mut self, mover: Color) {
        for color in Color::ALL {
            // R17: a side without a mark loses nothing.
            if self.marks[color.index()] != NO_MARK {
                self.board.take(color, self.marks[color.index()]);
            }
        }
        self.marks = [NO_MARK; 2];
        self.quiet = 0;
        let has = |color| Self::needed(&self.board, color) != 0;
        self.ending = match (has(mover), has(!mover)) {
            (true, true) => None,
            (true, false) => Some((Ending::RemovedLast, mover)),
            (false, true) => Some((Ending::RemovedLast, !mover)),
            (false, false) => Some((Ending::RemovedBoth, !mover)),
        };
    }

    fn outcome_of(ending: Ending, winner: Color) -> Outcome {
        let (rule, reasons) = match ending {
            Ending::Safe => {
                ("R6", ["White's runner is safe on the last row", "Black's runner is safe on the last row"])
            }
            Ending::Spared => {
                ("R6", ["Black did not capture the runner", "White did not capture the runner"])
            }
            Ending::NoPiece => ("R10", ["Black has no piece left", "White has no piece left"]),
            Ending::SmallArrived => (
                "R21",
                ["White's small piece reached the last row", "Black's small piece reached the last row"],
            ),
            Ending::NoSmallPiece => {
                ("R22", ["Black has no small piece left", "White has no small piece left"])
            }
            Ending::RemovedLast if DEMOTION => {
                ("R24", ["Black's last small piece was removed", "White's last small piece was removed"])
            }
            Ending::RemovedLast => {
                ("R14", ["Black's last piece was removed", "White's last piece was removed"])
            }
            Ending::RemovedBoth if DEMOTION => (
                "R24",
                [
                    "last small pieces removed after a move of Black",
                    "last small pieces removed after a move of White",
                ],
            ),
            Ending::RemovedBoth => (
                "R14",
                ["last pieces removed after a move of Black", "last pieces removed after a move of White"],
            ),
        };
        Outcome::win_of(winner, rule, reasons)
    }

    /// The key of pieces and side to move (R15).
    #[inline]
    const fn bare_key(&self) -> u64 {
        self.board.key() ^ if matches!(self.turn, Color::Black) { BLACK_TO_MOVE } else { 0 }
    }

    #[inline]
    fn counter_key(&self) -> u64 {
        if self.quiet < COUNTER_MATTERS {
            return 0;
        }
        let mark = self.marks[(!self.turn).index()];
        COUNTERS[usize::from(self.quiet)] ^ MARKS[usize::from(mark)]
    }
}

impl<const DEMOTION: bool> Game for Alapo<DEMOTION> {
    /// A move, or with equal squares a demotion (R20).
    type Decision = Move;

    fn actor(&self) -> Actor {
        if self.ending.is_some() { Actor::Nobody } else { Actor::Player(self.turn) }
    }

    #[inline]
    fn ending(&self, stuck: bool) -> Option<Outcome> {
        match (self.ending, stuck) {
            (Some((ending, winner)), _) => Some(Self::outcome_of(ending, winner)),
            (None, false) => None,
            // R11. The position reader accepts at most sixteen pieces a side, and those always have a move,
            // so this never happens.
            (None, true) => {
                Some(Outcome::win_of(!self.turn, "R11", ["Black has no move", "White has no move"]))
            }
        }
    }

    /// `GenType::Noisy` lists captures and arrivals that win at once. While a runner stands (`Self::runner`),
    /// or a small piece of the demotion game is about to arrive, it lists the answers to that: see
    /// `threatened`.
    fn decisions(&self, wanted: GenType, list: &mut Decisions<Move>) {
        if self.ending.is_some() {
            return;
        }
        if wanted == GenType::Noisy {
            return self.noisy(list);
        }
        self.board.moves(self.turn, self.size.squares(), |from, to| list.push(Move::new(from, to)));
        if DEMOTION {
            list.extend(Bits(self.demotable()).map(|square| Move::new(square, square)));
        }
    }

    #[inline]
    fn count(&self) -> u64 {
        if self.ending.is_some() {
            return 0;
        }
        let demotions = if DEMOTION { self.demotable().count_ones() } else { 0 };
        (self.board.count_moves(self.turn, self.size.squares()) + demotions).into()
    }

    #[inline]
    fn apply(&mut self, decision: Move) {
        let mover = self.turn;
        let (from, to) = (decision.from(), decision.to());
        let mut captured = false;
        if DEMOTION && from == to {
            self.board.demote(mover, from);
        } else {
            captured = self.board.shift(mover, from, to);
        }
        let spared = self.runner() != 0;
        self.marks[mover.index()] = to;
        self.turn = !mover;
        self.number = self.number.saturating_add(u16::from(mover == Color::Black));
        // R16, R23: only a capture starts the counter afresh.
        self.quiet = if captured { 0 } else { self.quiet.saturating_add(1) };
        if captured && self.marks[(!mover).index()] == to {
            self.marks[(!mover).index()] = NO_MARK;
        }
        self.ending = self.ending_after(mover, to, spared);
        if self.quiet >= REMOVAL_AFTER && self.ending.is_none() {
            self.remove_last_moved(mover);
        }
    }

    /// Covers the pieces and the side to move; from a counter of 80 on, also the counter and the mark of the
    /// side that has just moved.
    ///
    /// The other mark never matters: the coming move overwrites it before any removal can use it. The mark of
    /// the side that has just moved matters only if the very next move brings a removal. By the counter that
    /// happens at 99, and the key is exact 20 moves before. By a third repetition it can happen at any time,
    /// but that depends on the history, which no key holds. A caller that follows or searches a game asks
    /// [`Repetition::repetition`] and gets the removal carried out on the true state. Distinguishing the
    /// marks always would split nearly every transposition.
    fn key(&self) -> u64 {
        self.bare_key() ^ self.counter_key()
    }

    fn counter_room(&self) -> Option<u32> {
        Some(REMOVAL_AFTER.saturating_sub(self.quiet).into())
    }
}

impl<const DEMOTION: bool> Perft for Alapo<DEMOTION> {}
impl<const DEMOTION: bool> Chance for Alapo<DEMOTION> {}
impl<const DEMOTION: bool> Hidden for Alapo<DEMOTION> {}

impl<const DEMOTION: bool> Repetition for Alapo<DEMOTION> {
    /// R15, R16: no position before the last capture or removal can come back, and the counter says how long
    /// ago that was.
    fn repetition(&self) -> Option<RepetitionKey> {
        Some(RepetitionKey { key: self.bare_key(), span: self.quiet.into() })
    }

    /// R12a: the third occurrence removes both pieces. If that ends the game, [`Game::decided`] gives the
    /// result.
    fn on_occurrence(&mut self, times: u32) -> Option<Outcome> {
        if times >= 3 && self.ending.is_none() {
            self.remove_last_moved(!self.turn);
        }
        None
    }
}
