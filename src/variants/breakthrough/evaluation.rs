//! What a search wants to know: how far the pieces have come, and what can stop them.

use super::state::{BLACK_TO_MOVE, State, ahead};
use crate::base::{Bits, Color, lines::FILE_A};
use crate::game::network::{Network, embedded};
use crate::game::{Evaluation, Planes, Selectivity};
use crate::variants::chessboard::Move;

/// Terms by their place in [`TERMS`]: a piece by the rows it has come and its distance in files from the
/// edge, ...
const PIECE: usize = 0;
/// ... a piece that no enemy can stop any more, by the rows it has come, ...
const PASSED: usize = 32;
/// ... a piece that is guarded, and one that is guarded twice, ...
const GUARDED: usize = 40;
/// ... two pieces side by side, a piece that could be captured and is not guarded, ...
const BESIDE: usize = 42;
const LOOSE: usize = 43;
/// ... the move, and the move with a piece one step from the last row: the game is as good as won.
const TURN: usize = 44;
const WALKS_IN: usize = 45;

/// In centipawns: learned by `carom tune` from 2.6 million positions of 78,000 games; those of the two last
/// rows, where search decides, and of pieces that pass early, which is rare, were set by hand.
static TERMS: [i32; 46] = [
    175, 314, 269, 271, 153, 252, 293, 286, // home row and the next, from the edge to the middle
    157, 203, 228, 232, 125, 174, 208, 211, //
    119, 163, 189, 209, 168, 154, 238, 232, //
    300, 300, 300, 300, 1500, 1500, 1500, 1500, //
    0, 20, 40, 200, 680, 1253, 1300, 0, //
    -42, -60, 4, 50, 3, 2000,
];
/// Inputs of the network: a square by who stands on it and how often either side could take there, own pieces
/// first; squares that are empty and out of reach are none, ...
const SQUARE: usize = 0;
/// ... pieces that cannot be stopped, own and the enemy's, ...
const RUNNER: usize = SQUARE + 27 * 64;
/// ... and the steps to the last row of the nearest of them, own and the enemy's: the race.
const RACE: usize = RUNNER + 2 * 64;
const RACE_END: usize = RACE + 8 * 8;

/// The worth of a piece in move ordering, by the rows it has come.
const WORTH: [i32; 8] = [112, 100, 104, 112, 128, 160, 230, 1_500];
/// What a move that wins at once counts in ordering.
const WINS: i32 = 10_000;

/// Every square `pieces` could ever step to, were they alone.
fn cone(mut pieces: u64, color: Color) -> u64 {
    for _ in 0..7 {
        pieces = ahead(pieces, color).iter().fold(pieces, |all, (step, _)| all | step);
    }
    pieces
}

impl State {
    /// A square as `side` sees it, whose pieces go up to row 8 whatever the size of the board.
    const fn seen(&self, square: u8, side: Color) -> u8 {
        match side {
            Color::White => square + 8 * self.size.missing_rows(),
            Color::Black => square ^ 56,
        }
    }

    /// The rows that a piece of `color` on `square` has come; on a smaller board, as if it had begun farther back.
    const fn rows_come(&self, square: u8, color: Color) -> usize {
        (self.seen(square, color) >> 3 & 7) as usize
    }

    /// By colour, the pieces that no enemy can stop any more.
    fn runners(&self) -> [u64; 2] {
        // An enemy that can meet a piece on its way stands, or passes, where the piece may come to.
        Color::ALL.map(|color| self.pieces[color.index()] & !cone(self.pieces[(!color).index()], !color))
    }

    /// The steps that the foremost of `pieces` needs; 0 where there is none.
    pub(super) const fn steps_left(&self, pieces: u64, color: Color) -> usize {
        let rows = match color {
            Color::White => pieces.leading_zeros() / 8,
            Color::Black => pieces.trailing_zeros() / 8,
        };
        match color {
            _ if pieces == 0 => 0,
            Color::White => (rows - self.size.missing_rows() as u32) as usize,
            Color::Black => rows as usize,
        }
    }
}

impl Evaluation for State {
    /// A piece is worth two pawns of chess.
    // Tuned by games (`carom spsa`).
    const SELECTIVITY: Selectivity = Selectivity {
        root_reductions: true,
        reverse_futility: 139,
        futility: 188,
        delta: 258,
        see_capture: 93,
        see_quiet: 27,
        null_move_depth: 5,
        null_move_margin: 225,
        late_move_count: 4,
        reduction_base: 49,
        reduction_divisor: 199,
        history_divisor: 7527,
        history_kept: 56,
        time_share: 60,
        ..Selectivity::STANDARD
    };
    const TERMS: &'static [i32] = &TERMS;
    const INPUTS: usize = RACE_END;
    const BUCKETS: usize = 4;
    const PLANES: usize = 6;

    fn network() -> Option<&'static Network> {
        embedded!(State, "network.bin")
    }

    /// Who stands on a square, and whether one piece of White's can capture there, or two; one of Black's, or
    /// two.
    #[inline]
    fn planes(&self) -> Planes {
        let [[by_white, by_two_white], [by_black, by_two_black]] = Color::ALL.map(|color| {
            let [left, _, right] = ahead(self.pieces[color.index()], color).map(|(reached, _)| reached);
            [left ^ right, left & right]
        });
        let [white, black] = self.pieces;
        [white, black, by_white, by_two_white, by_black, by_two_black].map(|set| set & self.size.squares())
    }

    #[inline]
    fn placed_input(&self, code: usize, square: u8, side: Color) -> usize {
        let (stands, by_white, by_black) = (code & 3, code >> 2 & 3, code >> 4);
        let seen = match side {
            Color::White => (stands * 3 + by_white) * 3 + by_black,
            Color::Black => ((3 - stands) % 3 * 3 + by_black) * 3 + by_white,
        };
        SQUARE + seen * 64 + usize::from(self.seen(square, side))
    }

    #[inline]
    fn other_inputs(&self, mut input: impl FnMut(Color, usize)) {
        let runners = self.runners();
        for color in Color::ALL {
            for side in Color::ALL {
                let kind = RUNNER + 64 * usize::from(side != color);
                Bits(runners[side.index()])
                    .for_each(|piece| input(color, kind + usize::from(self.seen(piece, color))));
            }
            let [own, enemies] = [color, !color].map(|side| self.steps_left(runners[side.index()], side));
            input(color, RACE + own * 8 + enemies);
        }
    }

    /// By the number of pieces.
    fn bucket(&self) -> usize {
        ((self.pieces[0] | self.pieces[1]).count_ones() as usize).saturating_sub(1) / 8
    }

    #[inline]
    fn terms(&self, mut term: impl FnMut(Color, usize)) {
        let runners = self.runners();
        for color in Color::ALL {
            let (own, enemies) = (self.pieces[color.index()], self.pieces[(!color).index()]);
            for piece in Bits(own) {
                let file = usize::from(piece & 7);
                term(color, PIECE + self.rows_come(piece, color) * 4 + file.min(7 - file));
            }
            Bits(runners[color.index()]).for_each(|piece| term(color, PASSED + self.rows_come(piece, color)));
            let [left, _, right] = ahead(own, color).map(|(reached, _)| reached);
            let [taken_left, _, taken_right] = ahead(enemies, !color).map(|(reached, _)| reached);
            let guards = left | right;
            let mut count =
                |which: usize, pieces: u64| (0..pieces.count_ones()).for_each(|_| term(color, which));
            count(GUARDED, own & guards);
            count(GUARDED + 1, own & left & right);
            count(BESIDE, own & own << 1 & !FILE_A);
            count(LOOSE, own & (taken_left | taken_right) & !guards);
            if self.turn == color {
                term(color, TURN);
                if own & self.size.row_before(color) != 0 {
                    term(color, WALKS_IN);
                }
            }
        }
    }

    fn mvv_lva(&self, decision: Move) -> i32 {
        let (us, to) = (self.turn, decision.to());
        if self.size.last_row(us) >> to & 1 == 1 {
            WINS
        } else if self.pieces[(!us).index()] >> to & 1 == 1 {
            WORTH[self.rows_come(to, !us)]
        } else {
            0
        }
    }

    /// An enemy is one step away from its last row.
    fn in_check(&self) -> bool {
        self.pieces[(!self.turn).index()] & self.size.row_before(!self.turn) != 0
    }

    fn gives_check(&self) -> impl Fn(Move) -> Option<bool> {
        let (pieces, row) = (self.pieces[self.turn.index()], self.size.row_before(self.turn));
        move |decision| Some((pieces & !(1 << decision.from()) | 1 << decision.to()) & row != 0)
    }

    fn null_move(&self) -> Option<Self> {
        Some(Self { turn: !self.turn, key: self.key ^ BLACK_TO_MOVE, ..*self })
    }
}
