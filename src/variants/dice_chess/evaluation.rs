//! How good a position looks: pieces and where they stand, what the next roll may take, and how likely each king
//! is to be taken by it.

use super::movegen::reach;
use super::{Decision, State};
use crate::base::{Bits, Color, table};
use crate::game::{Actor, Evaluation, Game, Selectivity};
use crate::variants::chessboard::board::Kind;
use crate::variants::chessboard::rays::PAWN;

/// What a kind is worth by code less one, in centipawns: less than in chess, because the dice decide many
/// games before material does. (A hundred centipawns stand for two thirds of the points, whatever the game.)
const ALONE: [i32; 6] = [70, 95, 165, 28, 75, 0];
/// What each step is worth that a piece stands nearer to the middle of the board.
const MIDDLE: [i32; 6] = [3, 1, 2, 2, 5, 0];
/// What a pawn is worth more by its rank, as its side counts.
const PAWN_RANK: [i32; 8] = [0, 0, 1, 4, 9, 18, 36, 0];
/// The same for a king, which is harder to reach at home.
const KING_RANK: [i32; 8] = [16, 6, -6, -14, -20, -20, -20, -20];

/// White's pieces count for, Black's against: by colour times eight plus the code of the kind, then by
/// square.
pub(super) static WORTH: [[i32; 64]; 16] = table!(piece => table!(square => match piece % 8 {
    code @ 1..=6 => {
        let rank = if piece < 8 { square / 8 } else { 7 - square / 8 };
        let mut worth = ALONE[code - 1] + MIDDLE[code - 1] * (steps_in(square % 8) + steps_in(rank) - 3);
        if code == Kind::Pawn.code() {
            worth += PAWN_RANK[rank];
        } else if code == Kind::King.code() {
            worth += KING_RANK[rank];
        }
        if piece < 8 { worth } else { -worth }
    }
    _ => 0,
}));

/// The distance from the edge.
const fn steps_in(line: usize) -> i32 {
    (if line < 4 { line } else { 7 - line }) as i32
}

/// How many of the 216 rolls show at least one of so many kinds, ...
const ONE_OF: [i32; 7] = [0, 91, 152, 189, 208, 215, 216];
/// ... a certain kind at least twice, ...
const PAIR: i32 = 16;
/// ... two certain kinds.
const BOTH: i32 = 30;

/// What it is worth to win at once with so many rolls out of 216, in steps of nine, where the rest is even.
const CHANCE: [i32; 26] = [
    0, 12, 24, 36, 48, 60, 72, 85, 98, 111, 124, 138, 153, 168, 184, 202, 220, 241, 263, 290, 320, 359, 411,
    498, 756, 756,
];
/// In percent of that, what a threat is worth to the side that rolls later.
const LATER: i32 = 35;
/// How much of what a side can expect to take counts, in percent: for the side that rolls next, and for the other.
const EXPECTED_CAPTURES: [i32; 2] = [60, 15];

/// What a king is worth in the order of moves.
const TAKES_KING: i32 = 10_000;

impl State {
    /// With how many of the 216 rolls `by` takes the king, as far as one or two moves show it: a piece that
    /// attacks it, one that comes to attack it, one that another piece of its side sets free.
    fn king_threat(&self, by: Color) -> i32 {
        let (own, occupied) = (self.board.of(by), self.board.occupied());
        let king = self.board.king(!by);
        let (mut at_once, mut later) = (0, 0);
        for kind in Kind::ALL {
            let pieces = self.board.all(kind) & own;
            if pieces == 0 {
                continue;
            }
            if kind == Kind::Pawn {
                at_once += usize::from(PAWN[(!by).index()][usize::from(king)] & pieces != 0);
                continue;
            }
            let from_king = reach(kind, king, occupied);
            if from_king & pieces != 0 {
                at_once += 1;
                continue;
            }
            let stops = from_king & !own;
            if Bits(pieces).any(|from| reach(kind, from, occupied) & stops != 0) {
                later += PAIR;
            }
            let through = reach(kind, king, occupied & !(from_king & own));
            if matches!(kind, Kind::Bishop | Kind::Rook | Kind::Queen) && through & pieces != 0 {
                later += BOTH;
            }
        }
        let direct = ONE_OF[at_once];
        direct + later.min(100) * (216 - direct) / 216
    }

    /// What `by` can expect to take with a roll, in centipawns: the worth of each piece of the other side, times the
    /// share of rolls that show a kind that attacks it.
    fn expected_captures(&self, by: Color) -> i32 {
        let (own, other, occupied) = (self.board.of(by), self.board.of(!by), self.board.occupied());
        let mut attacking_kinds = [0_usize; 64];
        for kind in Kind::ALL {
            let attacked = Bits(self.board.all(kind) & own).fold(0, |squares, from| match kind {
                Kind::Pawn => squares | PAWN[by.index()][usize::from(from)],
                kind => squares | reach(kind, from, occupied),
            });
            Bits(attacked & other).for_each(|at| attacking_kinds[usize::from(at)] += 1);
        }
        let expected = |at: u8| ALONE[self.board.code(at) - 1] * ONE_OF[attacking_kinds[usize::from(at)]];
        Bits(other).map(expected).sum::<i32>() / 216
    }

    /// What the threat of `by` against the king is worth.
    fn threat_worth(&self, by: Color, rolls_next: Color) -> i32 {
        let threat = self.king_threat(by);
        let (step, part) = ((threat / 9) as usize, threat % 9);
        let worth = (CHANCE[step] * (9 - part) + CHANCE[step + 1] * part) / 9;
        if by == rolls_next { worth } else { worth * LATER / 100 }
    }
}

impl Evaluation for State {
    /// Whole turns are searched: most of them lead to the same few positions in another order.
    const SELECTIVITY: Selectivity = Selectivity {
        null_move: false,
        reverse_futility: 0,
        futility: 0,
        whole_turns: true,
        root_breadth: 4,
        root_turns: 4,
        reply_breadth: 2,
        ..Selectivity::STANDARD
    };

    fn classical_eval(&self) -> i32 {
        // In the middle of a turn the other side is next to roll.
        let next = if self.is_unrolled() { self.turn } else { !self.turn };
        let captures = |by: Color| self.expected_captures(by) * EXPECTED_CAPTURES[usize::from(by != next)];
        self.worth
            + (captures(Color::White) - captures(Color::Black)) / 100
            + self.threat_worth(Color::White, next)
            - self.threat_worth(Color::Black, next)
    }

    fn perspective(&self) -> Color {
        self.turn
    }

    fn mvv_lva(&self, decision: Decision) -> i32 {
        if decision.rolled().is_some() || decision == Decision::PASS || self.actor() == Actor::Nobody {
            return 0;
        }
        if self.takes_king(decision) {
            return TAKES_KING;
        }
        let taken = WORTH[8 + self.board.code(decision.to())][0].abs();
        let gained = decision.promoted().map_or(0, |kind| ALONE[kind.code() - 1]);
        taken + gained
    }

    fn wins_now(&self) -> bool {
        !self.is_unrolled() && !self.must_pass() && self.takes_king_within(2)
    }
}
