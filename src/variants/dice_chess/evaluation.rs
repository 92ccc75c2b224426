//! How good a position looks by terms set by hand, to which the network adds: pieces and where they stand, what the
//! next roll may take, and how likely each king is to be taken by it.

use super::attacks::Attacks;
use super::inputs::INPUTS;
use super::movegen::reach;
use super::{Decision, State};
use crate::base::{Bits, Color, table};
use crate::game::network::{Network, embedded};
use crate::game::{Actor, Evaluation, Game, Selectivity};
use crate::variants::chessboard::board::Kind;

/// What a kind is worth by code less one, in centipawns: less than in chess, because the dice decide many
/// games before material does. (A hundred centipawns bring 64 % of the points.)
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

/// What it is worth to win at once with so many rolls out of 216, in steps of nine, where the rest is even. The
/// numbers are older than the fitted chances of scores; the network corrects them.
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

/// What the threat of a side against the king is worth, if it takes the king with so many of the 216 rolls.
fn threat_worth(threat: i32, rolls_next: bool) -> i32 {
    let (step, part) = ((threat / 9) as usize, threat % 9);
    let worth = (CHANCE[step] * (9 - part) + CHANCE[step + 1] * part) / 9;
    if rolls_next { worth } else { worth * LATER / 100 }
}

impl State {
    /// With how many of the 216 rolls `by` takes the king, as far as one or two moves show it: a piece that
    /// attacks it, one that comes to attack it, one that another piece of its side sets free.
    fn king_threat(&self, attacks: &Attacks, by: Color) -> i32 {
        let board = &self.board;
        let (own, occupied) = (board.of(by), board.occupied());
        let king = board.king(!by);
        let (mut at_once, mut later) = (0, 0);
        for kind in Kind::ALL {
            let pieces = board.all(kind) & own;
            if pieces == 0 {
                continue;
            }
            let attacked = attacks.of(by, kind);
            if attacked >> king & 1 == 1 {
                at_once += 1;
                continue;
            }
            if kind == Kind::Pawn {
                continue;
            }
            let from_king = reach(kind, king, occupied);
            if attacked & from_king & !own != 0 {
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
    fn expected_captures(&self, attacks: &Attacks, by: Color) -> i32 {
        let expected = |at: u8| ALONE[self.board.code(at) - 1] * ONE_OF[attacks.attacking_kinds(by, at)];
        Bits(self.board.of(!by)).map(expected).sum::<i32>() / 216
    }

    /// The terms set by hand.
    fn terms_set_by_hand(&self, attacks: &Attacks, threats: [i32; 2]) -> i32 {
        let next = self.perspective();
        let captures =
            |by: Color| self.expected_captures(attacks, by) * EXPECTED_CAPTURES[usize::from(by != next)];
        let [white, black] = Color::ALL.map(|by| threat_worth(threats[by.index()], by == next));
        self.worth + (captures(Color::White) - captures(Color::Black)) / 100 + white - black
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

    const INPUTS: usize = INPUTS;
    const BUCKETS: usize = 4;

    fn network() -> Option<&'static Network> {
        embedded!(State, "network.bin")
    }

    fn classical_eval(&self) -> i32 {
        let attacks = Attacks::new(&self.board);
        let threats = [self.king_threat(&attacks, Color::White), self.king_threat(&attacks, Color::Black)];
        self.terms_set_by_hand(&attacks, threats)
    }

    fn inputs(&self, input: impl FnMut(Color, usize)) {
        self.inputs_and_classical_eval(input);
    }

    fn inputs_and_classical_eval(&self, input: impl FnMut(Color, usize)) -> i32 {
        let attacks = Attacks::new(&self.board);
        let threats = [self.king_threat(&attacks, Color::White), self.king_threat(&attacks, Color::Black)];
        self.name_inputs(&attacks, threats, input);
        self.terms_set_by_hand(&attacks, threats)
    }

    /// By the number of pieces.
    fn bucket(&self) -> usize {
        (self.board.occupied().count_ones() as usize).saturating_sub(1) / 8
    }

    /// From the side of who rolls next: in the middle of a turn that is the other side.
    fn perspective(&self) -> Color {
        if self.is_unrolled() { self.turn } else { !self.turn }
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
