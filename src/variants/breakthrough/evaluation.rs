//! What a search wants to know: how far the men have come, who holds them back.

use super::state::{BLACK_TO_MOVE, LAST_ROW, ROW_BEFORE, State, ahead};
use crate::base::{Bits, Color, lines::FILE_A};
use crate::game::{Evaluation, Selectivity};
use crate::variants::chessboard::Move;

/// Terms by their place in [`TERMS`]: a man by the rows he has come and the files he stands from the edge, ...
const MAN: usize = 0;
/// ... by the rows a man has come whom no enemy can stop any more, neither before him nor beside, ...
const PASSED: usize = 32;
/// ... a man whom one of his own guards, and who is guarded twice, ...
const GUARDED: usize = 40;
/// ... two men side by side, a man that an enemy could take and none guards, ...
const BESIDE: usize = 42;
const LOOSE: usize = 43;
/// ... the move, and the move with a man one step away: the game is as good as won.
const TURN: usize = 44;
const WALKS_IN: usize = 45;

/// In centipawns: learned by `carom tune` from 2.6 million positions of 78,000 games; those of the two last rows, where search
/// decides, and of rare men that pass early set by hand.
static TERMS: [i32; 46] = [
    175, 314, 269, 271, 153, 252, 293, 286, // home row and the next, from the edge to the middle
    157, 203, 228, 232, 125, 174, 208, 211, //
    119, 163, 189, 209, 168, 154, 238, 232, //
    300, 300, 300, 300, 1500, 1500, 1500, 1500, //
    0, 20, 40, 200, 680, 1253, 1300, 0, //
    -42, -60, 4, 50, 3, 2000,
];
/// Worth of a man in ordering, by the rows he has come.
const WORTH: [i32; 8] = [112, 100, 104, 112, 128, 160, 230, 1_500];
/// What a move that wins at once counts in ordering.
const WINS: i32 = 10_000;

/// The rows a man of `color` on `square` has come.
const fn rows_come(square: u8, color: Color) -> usize {
    ((square >> 3 & 7) ^ (7 * color.index() as u8)) as usize
}

/// Every square `men` could ever step to, were they alone.
fn cone(mut men: u64, color: Color) -> u64 {
    for _ in 0..7 {
        men = ahead(men, color).iter().fold(men, |all, (step, _)| all | step);
    }
    men
}

impl Evaluation for State {
    /// A man is worth two of chess.
    const SELECTIVITY: Selectivity =
        Selectivity { reverse_futility: 160, futility: 180, time_share: 60, ..Selectivity::STANDARD };
    const TERMS: &'static [i32] = &TERMS;
    const INPUTS: usize = TERMS.len();

    #[inline]
    fn inputs(&self, mut input: impl FnMut(Color, usize)) {
        for color in Color::ALL {
            let (own, enemies) = (self.men[color.index()], self.men[(!color).index()]);
            // An enemy that can meet a man on his way stands, or passes, where the man may come to.
            let stoppable = cone(enemies, !color);
            for man in Bits(own) {
                let file = usize::from(man & 7);
                input(color, MAN + rows_come(man, color) * 4 + file.min(7 - file));
            }
            Bits(own & !stoppable).for_each(|man| input(color, PASSED + rows_come(man, color)));
            let [left, _, right] = ahead(own, color).map(|(reached, _)| reached);
            let [taken_left, _, taken_right] = ahead(enemies, !color).map(|(reached, _)| reached);
            let guards = left | right;
            let mut count = |term: usize, men: u64| (0..men.count_ones()).for_each(|_| input(color, term));
            count(GUARDED, own & guards);
            count(GUARDED + 1, own & left & right);
            count(BESIDE, own & own << 1 & !FILE_A);
            count(LOOSE, own & (taken_left | taken_right) & !guards);
            if self.turn == color {
                input(color, TURN);
                if own & ROW_BEFORE[color.index()] != 0 {
                    input(color, WALKS_IN);
                }
            }
        }
    }

    fn mvv_lva(&self, decision: Move) -> i32 {
        let (us, to) = (self.turn, decision.to());
        if LAST_ROW[us.index()] >> to & 1 == 1 {
            WINS
        } else if self.men[(!us).index()] >> to & 1 == 1 {
            WORTH[rows_come(to, !us)]
        } else {
            0
        }
    }

    /// An enemy is one step away from his last row.
    fn in_check(&self) -> bool {
        self.men[(!self.turn).index()] & ROW_BEFORE[(!self.turn).index()] != 0
    }

    fn gives_check(&self) -> impl Fn(Move) -> Option<bool> {
        let (men, row) = (self.men[self.turn.index()], ROW_BEFORE[self.turn.index()]);
        move |decision| Some((men & !(1 << decision.from()) | 1 << decision.to()) & row != 0)
    }

    fn null_move(&self) -> Option<Self> {
        Some(Self { turn: !self.turn, key: self.key ^ BLACK_TO_MOVE, ..*self })
    }
}
