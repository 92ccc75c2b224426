//! What a position is worth: pieces, where they stand, and the pair of bishops.

use super::board::{Board, Kind};
use super::features::{FEATURES, features};
use super::{Decision, State, keys, rays};
use crate::base::lines::LIGHT_SQUARES;
use crate::base::{Bits, Color, const_for};
use crate::game::network::{Network, embedded};
use crate::game::{Evaluation, Planes, Selectivity};
use crate::variants::chessboard::mop_up;

/// A worth in the middlegame and one in the endgame, in centipawns. Packed in one number (the endgame in the
/// upper half) they are added in one step.
const fn pack(middle: i32, end: i32) -> i32 {
    (end << 16) + middle
}

/// The two scores that [`pack`] has put into one number.
const fn unpack(worth: i32) -> (i32, i32) {
    (worth as i16 as i32, (worth + 0x8000) >> 16)
}

/// The worth of one kind of piece in one stage of the game: alone, by rank from its own side, by file from
/// the edge to the middle. Set by hand; tuning is for later.
struct Table {
    alone: i32,
    by_rank: [i32; 8],
    by_file: [i32; 4],
}

const fn table(alone: i32, by_rank: [i32; 8], by_file: [i32; 4]) -> Table {
    Table { alone, by_rank, by_file }
}

/// By code less 1: middlegame, endgame.
const TABLES: [(Table, Table); 6] = [
    // Bishop
    (
        table(340, [-12, 4, 6, 6, 6, 2, -4, -10], [-4, 5, 3, 5]),
        table(312, [-8, -2, 2, 5, 5, 2, -2, -6], [-6, -1, 2, 4]),
    ),
    // Rook
    (
        table(470, [-2, -8, -8, -6, 0, 6, 18, 10], [-8, -3, 2, 7]),
        table(530, [-3, -3, 0, 2, 4, 6, 8, 6], [0, 0, 0, 0]),
    ),
    // Queen
    (
        table(985, [-4, 3, 1, -2, -2, 0, 0, 2], [-4, 0, 2, 2]),
        table(965, [-22, -12, 0, 10, 16, 14, 8, 0], [-10, -2, 4, 8]),
    ),
    // Pawn; on the wings pawns in the middlegame had better stay, see `shelter`
    (
        table(84, [0, -2, 2, 10, 20, 36, 64, 0], [-9, -3, 2, 9]),
        table(104, [0, -2, 2, 12, 32, 68, 118, 0], [5, 4, 0, -2]),
    ),
    // Knight
    (
        table(325, [-28, -12, 2, 8, 16, 18, 4, -24], [-26, -9, 5, 9]),
        table(290, [-24, -12, 0, 8, 12, 6, -6, -22], [-22, -8, 5, 9]),
    ),
    // King: its worth alone is nobody's gain
    (
        table(0, [14, -4, -34, -52, -60, -60, -60, -60], [16, 26, -4, -12]),
        table(0, [-32, -14, 2, 14, 20, 18, 6, -12], [-24, -6, 8, 14]),
    ),
];

/// What a pawn in front of a castled king is worth beyond its table, in the middlegame.
const fn shelter(file: usize, rank: usize) -> i32 {
    match (file, rank) {
        (0 | 1 | 6 | 7, 1) => 12,
        (0 | 7, 2) => 6,
        (5, 1) => 4,
        (2, 1) => -2,
        (0 | 1 | 6 | 7, 3 | 4) => -8,
        _ => 0,
    }
}

/// The packed worth of each piece on each square, White's positive and Black's negative; by colour times 8
/// plus code. Zero where the code means no piece.
pub static WORTH: [[i32; 64]; 16] = {
    let mut worth = [[0; 64]; 16];
    let mut code = 1;
    while code <= 6 {
        let (middle, end) = &TABLES[code - 1];
        let mut square = 0;
        while square < 64 {
            let (file, rank) = (square % 8, square / 8);
            let from_edge = if file < 4 { file } else { 7 - file };
            let mut in_middle = middle.alone + middle.by_rank[rank] + middle.by_file[from_edge];
            if code == Kind::Pawn.code() {
                in_middle += shelter(file, rank);
            }
            let in_end = end.alone + end.by_rank[rank] + end.by_file[from_edge];
            worth[code][square] = pack(in_middle, in_end);
            worth[8 + code][square ^ 56] = -pack(in_middle, in_end);
            square += 1;
        }
        code += 1;
    }
    worth
};

/// By the king's square: where a piece must stand to give check, whatever else is on the board.
static NEAR: [u64; 64] = crate::base::table!(square => {
    let mut near = rays::KNIGHT[square];
    const_for!(line in 0..4 => { near |= rays::LINES[line][square]; });
    near
});

/// Two bishops see all squares.
const BISHOP_PAIR: i32 = pack(24, 42);

/// The phase of the game with all pieces on the board.
const FULL: i32 = 24;

/// How much of a middlegame it still is, 0 to [`FULL`]: minor pieces 1, rooks 2, queens 4.
fn phase(board: &Board) -> i32 {
    let (diagonal, orthogonal) = (board.diagonal(), board.orthogonal());
    // A queen is in both sets: 1 + 2, and 1 more.
    let sum = board.knights().count_ones()
        + diagonal.count_ones()
        + 2 * orthogonal.count_ones()
        + board.queens().count_ones();
    (sum as i32).min(FULL)
}

/// Worth for the ordering of moves, by code.
pub(super) const PRICE: [i32; 8] = [0, 325, 500, 950, 100, 320, 0, 0];
/// The cheaper the taker, the better, by code; less than the difference of any two victims but bishop and
/// knight.
const TAKER: [i32; 8] = [0, 3, 4, 5, 1, 2, 6, 0];

/// What it is worth to `us` to hunt a lone king; `None` where there is none, or nothing to mate it with.
fn hunt(board: &Board, us: Color) -> Option<i32> {
    if board.of(!us).count_ones() > 1 {
        return None;
    }
    let own = board.of(us);
    let (bishops, knights) = (own & board.all(Kind::Bishop), own & board.all(Kind::Knight));
    let (light, dark) = (bishops & LIGHT_SQUARES, bishops & !LIGHT_SQUARES);
    let (lone, hunter) = (board.king(!us), board.king(us));
    let place = if own & board.orthogonal() != 0 || light != 0 && dark != 0 {
        mop_up(lone, hunter)
    } else if bishops != 0 && knights != 0 {
        // Only in a corner that the bishop sees: 7 there, 0 on the diagonal between the others.
        let (file, rank) = (i32::from(lone % 8), i32::from(lone / 8));
        let towards_corner = if dark != 0 { 7 - file - rank } else { file - rank }.abs();
        mop_up(lone, hunter) + 90 * towards_corner
    } else {
        return None;
    };
    let pieces: i32 = Bits(own).map(|square| PRICE[board.code(square)]).sum();
    Some(500 + pieces + place)
}

/// How many inputs say what stands where: each kind of piece of either colour on each square.
const PLACED: usize = 2 * 6 * 64;

/// The number of king buckets on one half of the board; the other half mirrors it.
const HALF_BUCKETS: usize = 8;

/// The king bucket of each square as the king's own side sees it ([`State::king_bucket`]).
static KING_BUCKET: [u8; 64] = {
    /// By rank, from the e-file to the h-file. The buckets are finest near home, where a king stays while
    /// there is much to attack it.
    const HALF: [[u8; 4]; 8] =
        [[1, 1, 0, 0], [3, 3, 2, 2], [5, 5, 4, 4], [6; 4], [7; 4], [7; 4], [7; 4], [7; 4]];
    crate::base::table!(square => {
        let (file, rank) = (square % 8, square / 8);
        let left = file < 4;
        2 * HALF[rank][if left { 3 - file } else { file - 4 }] + left as u8
    })
};

impl Evaluation for State {
    const HISTORY_SIZE: usize = 2 * 64 * 64;

    const SELECTIVITY: Selectivity = Selectivity {
        cut_node_reductions: true,
        root_reductions: true,
        correction_history: true,
        aspiration: 15,
        aspiration_growth: 150,
        history_slope: 12,
        history_most: 140,
        singular: 6,
        double_extension_margin: 20,
        ..Selectivity::STANDARD
    };
    const INPUTS: usize = Self::BY_KING + HALF_BUCKETS * PLACED;
    const PLACED_INPUTS: usize = PLACED;
    const KING_BUCKETS: usize = 2 * HALF_BUCKETS;
    const BY_KING: usize = PLACED + 2 * FEATURES;
    const BUCKETS: usize = 8;
    const PLANES: usize = 4;

    fn network() -> Option<&'static Network> {
        embedded!(State, "network.bin")
    }

    /// The kind of a piece, and its colour.
    #[inline]
    fn planes(&self) -> Planes {
        let [low, middle, high, black] = self.board.planes();
        [low, middle, high, black, 0, 0]
    }

    #[inline]
    fn placed_input(&self, code: usize, square: u8, side: Color) -> usize {
        let (kind, black) = (code % 8 - 1, code / 8);
        let (theirs, square) = match side {
            Color::White => (black, square),
            Color::Black => (1 - black, square ^ 56),
        };
        theirs * (PLACED / 2) + kind * 64 + usize::from(square)
    }

    /// Twice the bucket of the half board, plus 1 where the king stands on the left half.
    #[inline]
    fn king_bucket(&[low, middle, high, black, ..]: &Planes, side: Color) -> usize {
        let (own, turned) = if side == Color::White { (!black, 0) } else { (black, 56) };
        let king = (!low & middle & high & own).trailing_zeros() as u8 & 63 ^ turned;
        KING_BUCKET[usize::from(king)].into()
    }

    /// The board is mirrored where the king stands on the left half.
    #[inline]
    fn placed_by_king(bucket: usize, placed: usize) -> usize {
        let mirrored = if bucket % 2 == 1 { placed ^ 7 } else { placed };
        Self::BY_KING + bucket / 2 * PLACED + mirrored
    }

    #[inline]
    fn correction_keys(&self) -> [u64; 3] {
        keys::for_correction(&self.board)
    }

    fn other_inputs(&self, mut input: impl FnMut(Color, usize)) {
        features(&self.board, |color, feature| {
            let own = PLACED + feature;
            input(color, own);
            input(!color, own + FEATURES);
        });
    }

    /// By the number of pieces.
    fn bucket(&self) -> usize {
        (self.board.occupied().count_ones() as usize - 1) / 4
    }

    fn endgame_eval(&self) -> Option<i32> {
        hunt(&self.board, Color::White).or_else(|| hunt(&self.board, Color::Black).map(|eval| -eval))
    }

    fn classical_eval(&self) -> i32 {
        let board = &self.board;
        let bishops = board.all(Kind::Bishop);
        let pair = |color| i32::from((bishops & board.of(color)).count_ones() >= 2);
        let worth = self.worth + BISHOP_PAIR * (pair(Color::White) - pair(Color::Black));
        let (middle, end) = unpack(worth);
        let phase = phase(board);
        (middle * phase + end * (FULL - phase)) / FULL
    }

    fn mvv_lva(&self, decision: Decision) -> i32 {
        let (from, to) = (decision.from(), decision.to());
        if self.board.of(self.turn) >> to & 1 == 1 {
            // Castling in Chess960 names the rook; nobody takes it.
            return 0;
        }
        let piece = self.board.code(from);
        let mut taken = PRICE[self.board.code(to)];
        if piece == Kind::Pawn.code() && to == self.en_passant {
            taken = PRICE[Kind::Pawn.code()];
        }
        if decision.promotion_code() != 0 {
            taken += PRICE[decision.promotion_code()] - PRICE[Kind::Pawn.code()];
        }
        if taken == 0 { 0 } else { taken - TAKER[piece] }
    }

    fn see_ge(&self, decision: Decision, threshold: i32) -> bool {
        self.is_exchange_at_least(decision, threshold)
    }

    fn in_check(&self) -> bool {
        self.is_check()
    }

    /// Denied where the piece neither leaves nor reaches a line to the king or a square a knight's move from
    /// it.
    fn gives_check(&self) -> impl Fn(Decision) -> Option<bool> {
        let near = NEAR[usize::from(self.board.king(!self.turn) & 63)];
        move |decision| {
            let (from, to) = (decision.from(), decision.to());
            let king = self.board.kings() >> from & 1 == 1;
            let castling = king && (from.abs_diff(to) == 2 || self.castling.is_chess960);
            let special = castling || to == self.en_passant;
            (!special && near >> from & 1 == 0 && near >> to & 1 == 0).then_some(false)
        }
    }

    /// With king and pawns, and a knight or a bishop at most; and against a lone king: the evaluation says
    /// how near the mate is, not that a piece hangs.
    fn zugzwang_prone(&self) -> bool {
        let board = &self.board;
        if board.of(!self.turn).count_ones() == 1 {
            return true;
        }
        let minor = board.all(Kind::Knight) | board.all(Kind::Bishop);
        let pieces = board.of(self.turn) & !board.all(Kind::Pawn) & !board.all(Kind::King);
        pieces & !minor == 0 && pieces.count_ones() <= 1
    }

    fn null_move(&self) -> Option<Self> {
        (!self.zugzwang_prone()).then(|| self.passed())
    }

    fn history_index(&self, decision: Decision) -> usize {
        self.turn.index() << 12 | usize::from(decision.from()) << 6 | usize::from(decision.to())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Bits;
    use crate::game::{Game, Notation, Rules, playout};
    use crate::variants::chess::tests::testing::state;

    #[test]
    fn packing_keeps_both_numbers() {
        for middle in [-14_000, -341, -1, 0, 1, 340, 14_000] {
            for end in [-14_000, -500, -1, 0, 1, 530, 14_000] {
                assert_eq!(unpack(pack(middle, end)), (middle, end));
            }
        }
    }

    #[test]
    fn the_sum_is_kept_and_symmetric() {
        let mut rng = crate::base::Rng::new(11);
        for _ in 0..20 {
            playout(State::start(&Rules::default()), &mut rng, 200, |record, _| {
                let now = record.now();
                let pieces = Bits(now.board.occupied());
                let fresh: i32 = pieces
                    .map(|square| {
                        let (color, kind) = now.board.piece(square).unwrap();
                        WORTH[color.index() * 8 + kind.code()][usize::from(square)]
                    })
                    .sum();
                assert_eq!(now.worth, fresh);
                assert_eq!(
                    now.static_eval(),
                    -crate::variants::chess::tests::testing::mirror(now).static_eval()
                );
            });
        }
        assert_eq!(State::start(&Rules::default()).classical_eval(), 0);
    }

    #[test]
    fn more_pieces_are_worth_more() {
        let lone = state("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").classical_eval();
        assert!((400..700).contains(&lone), "{lone}");
        assert!(state("q3k3/8/8/8/8/8/8/R3K3 w - - 0 1").classical_eval() < -200);
    }

    #[test]
    fn gain_orders_victims_first() {
        let now = state("3qk3/P3p3/3p4/2P1b3/3Q4/8/8/4K2R w - - 0 1");
        let gain = |text: &str| {
            let mut list = crate::game::Decisions::new();
            now.decisions(crate::game::GenType::All, &mut list);
            now.mvv_lva(list.into_iter().find(|d| format!("{d:?}") == text).unwrap())
        };
        assert!(gain("a7a8q") > gain("d4e5"));
        assert!(gain("d4e5") > gain("c5d6"));
        assert!(gain("c5d6") > gain("d4d6"));
        assert!(gain("d4d6") > 0);
        assert_eq!(gain("d4d5"), 0);
    }

    #[test]
    fn no_check_is_denied() {
        let mut rng = crate::base::Rng::new(5);
        let mut denied = 0;
        for _ in 0..20 {
            playout(State::start(&Rules::default()), &mut rng, 200, |record, list| {
                let gives_check = record.now().gives_check();
                for &decision in list {
                    let known = gives_check(decision);
                    denied += u32::from(known == Some(false));
                    assert!(known.is_none_or(|known| known == record.now().after(decision).in_check()));
                }
            });
        }
        assert!(denied > 1000);
    }

    #[test]
    fn castling_in_chess960_takes_no_rook() {
        let rules = {
            let mut rules = Rules::default();
            rules.set(&crate::variants::chess::FACTS, crate::variants::chess::CHESS960, "true").unwrap();
            rules
        };
        let now = State::read(&"4k3/8/8/8/8/8/8/4KR2 w F - 0 1".parse().unwrap(), &rules).unwrap();
        let castling = Decision::step(4, 5);
        let mut list = crate::game::Decisions::new();
        now.decisions(crate::game::GenType::All, &mut list);
        assert!(list.contains(&castling));
        assert_eq!(now.mvv_lva(castling), 0);
        assert!(now.see_ge(castling, 0) && !now.see_ge(castling, 1));
    }
}
