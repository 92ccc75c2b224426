//! What a position is worth at a glance: pieces, reach, the way of the pawns and of the king.

use super::decision::Move;
use super::lines::{KING, PAWN, both_laps, fold};
use super::square::{PROMOTION, SLOTS, SQUARES, Square, THRONE, mark_after};
use super::state::{Kind, State};
use super::tables;
use crate::base::{Bits, Color, const_for};
use crate::game::network::{Network, embedded};
use crate::game::{Evaluation, Selectivity, TableValue, Tables};

const ROOK: i32 = 450;
const BISHOP: i32 = 250;
/// A pawn by the steps it has yet to go to its promotion; farther ones as the last.
const PAWN_WORTH: [i32; 10] = [100, 260, 210, 175, 150, 135, 125, 115, 108, 104];
/// A king by the steps it has yet to go to its throne, the right way round; farther ones nothing.
const WALK_WORTH: [i32; 7] = [0, 90, 60, 40, 24, 14, 8];
/// For each square a slider may go to.
const REACH: i32 = 3;
/// For each enemy slider that would attack the king on an empty board.
const AIMED: i32 = 10;
/// For each own piece beside the king.
const GUARD: i32 = 5;
/// More than any capture.
const THRONE_WON: i32 = 10_000;

const FAR: u8 = u8::MAX - 1;

/// White's pawns: steps to the nearest promotion square, by square, on an empty board.
static PAWN_STEPS: [u8; SLOTS] = {
    let mut steps = [FAR; SLOTS];
    let mut changed = true;
    while changed {
        changed = false;
        const_for!(from in 0..SQUARES => { const_for!(to in 0..SQUARES => {
            let onward = if PROMOTION[0] >> to & 1 == 1 { 0 } else { steps[to] };
            if PAWN[from] >> to & 1 == 1 && onward + 1 < steps[from] {
                steps[from] = onward + 1;
                changed = true;
            }
        }); });
    }
    steps
};

/// White's king: steps to the throne, by mark and square, on an empty board (R36).
static KING_STEPS: [[u8; SLOTS]; 2] = {
    let mut steps = [[FAR; SLOTS]; 2];
    steps[1][THRONE[0].index()] = 0;
    let mut changed = true;
    while changed {
        changed = false;
        const_for!(from in 0..SQUARES => { const_for!(to in 0..SQUARES => { const_for!(mark in 0..2 => {
            let (start, end) = (Square::new(from as u8), Square::new(to as u8));
            let after = mark_after(Color::White, mark == 1, start, end) as usize;
            if KING[from] >> to & 1 == 1 && steps[after][to] + 1 < steps[mark][from] {
                steps[mark][from] = steps[after][to] + 1;
                changed = true;
            }
        }); }); });
    }
    steps
};

impl State {
    /// The worth of one side's pieces and chances.
    fn worth(&self, color: Color) -> i32 {
        let lines = self.lines();
        let (own, enemy) = (self.pieces[color.index()], self.pieces[color.other().index()]);
        let occupied = both_laps(own | enemy);
        let king = self.kings[color.index()];
        let mut worth = 0;
        let reach = |laps| REACH * (fold(laps) & !own).count_ones() as i32;
        for from in Bits(own & self.rooks).map(Square::new) {
            worth += ROOK + reach(lines.rook[from.index()].reach(occupied));
        }
        for from in Bits(own & self.bishops).map(Square::new) {
            worth += BISHOP + reach(lines.bishop[from.index()].reach(occupied));
        }
        for from in Bits(own & self.pawns).map(Square::new) {
            let steps = usize::from(PAWN_STEPS[from.seen_by(color).index()]);
            worth += PAWN_WORTH[steps.min(PAWN_WORTH.len() - 1)];
        }
        let steps = KING_STEPS[usize::from(self.marked(color))][king.seen_by(color).index()];
        worth += WALK_WORTH.get(usize::from(steps)).copied().unwrap_or(0);
        let rooks = enemy & self.rooks & lines.rooks_to[king.index()];
        let bishops = enemy & self.bishops & lines.bishops_to[king.index()];
        worth -= AIMED * (rooks.count_ones() + bishops.count_ones()) as i32;
        worth + GUARD * (KING[king.index()] & own).count_ones() as i32
    }

    fn price(&self, kind: Kind) -> i32 {
        match kind {
            Kind::King => 0,
            Kind::Rook => ROOK,
            Kind::Bishop => BISHOP,
            Kind::Pawn => PAWN_WORTH[6],
        }
    }
}

impl Evaluation for State {
    const HISTORY_SIZE: usize = 2 * SQUARES * SQUARES;

    const SELECTIVITY: Selectivity = Selectivity { history_kept: 0, ..Selectivity::STANDARD };
    const INPUTS: usize = 2 * 4 * SQUARES + 4;
    const BUCKETS: usize = 4;

    fn network() -> Option<&'static Network> {
        embedded!(State, "network.bin")
    }

    fn inputs(&self, mut input: impl FnMut(Color, usize)) {
        for color in Color::ALL {
            for square in Bits(self.pieces[color.index()]).map(Square::new) {
                let kind = self.kind_of(square) as usize;
                input(color, kind * SQUARES + square.seen_by(color).index());
                input(color.other(), (4 + kind) * SQUARES + square.seen_by(color.other()).index());
            }
            if self.marked(color) {
                input(color, 8 * SQUARES);
                input(color.other(), 8 * SQUARES + 1);
            }
            if self.clockwise_sideways() {
                input(color, 8 * SQUARES + 2);
            }
        }
    }

    /// By the number of pieces.
    fn bucket(&self) -> usize {
        let pieces = (self.pieces[0] | self.pieces[1]).count_ones() as usize;
        (pieces.saturating_sub(2) / 3).min(3)
    }

    fn classical_eval(&self) -> i32 {
        self.worth(Color::White) - self.worth(Color::Black)
    }

    fn mvv_lva(&self, decision: Move) -> i32 {
        let (from, to) = (decision.from(), decision.to());
        let us = self.turn.index();
        let kind = self.kind_of(from);
        let mut gain = match decision.promotion() {
            None => 0,
            Some(promoted) => self.price(promoted) - self.price(Kind::Pawn),
        };
        if self.pieces[1 - us] & to.bit() != 0 {
            gain += self.price(self.kind_of(to)) - self.price(kind) / 16;
        }
        if kind == Kind::King && to == THRONE[us] && self.marked(self.turn) {
            gain += THRONE_WON;
        }
        gain
    }

    fn probe(&self, tables: &Tables) -> Option<TableValue> {
        tables::probe(self, tables)
    }

    fn in_check(&self) -> bool {
        self.must_answer()
    }

    fn null_move(&self) -> Option<Self> {
        (self.pieces[self.turn.index()] & (self.rooks | self.bishops) != 0).then(|| self.passed())
    }

    fn history_index(&self, decision: Move) -> usize {
        (self.turn.index() * SQUARES + decision.from().index()) * SQUARES + decision.to().index()
    }
}
