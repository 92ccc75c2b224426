//! What a search wants to know: worth, threats, noise.

use super::board::bit;
use super::kind::Kind;
use super::state::{Alapo, REMOVAL_AFTER};
use crate::base::{Bits, Color, const_for};
use crate::game::network::{Network, embedded};
use crate::game::see::exchange_brings;
use crate::game::{Evaluation, Planes, Selectivity};
use crate::variants::chessboard::Move;

/// Worth of a piece by the four bits of its kind, in centipawns; 0 where no kind has them. Without and with
/// demotion.
///
/// Guessed from mobility on an open board, then rounded: rook 14 squares, bishop 9, lance 9 + 4, queen 23.
/// With demotion learned from results (Texel's method): where only small pieces win, they are worth as much
/// as large ones.
static WORTH: [[i32; 16]; 2] =
    [worths([440, 320, 760, 420, 110, 100, 190, 130]), worths([215, 180, 360, 260, 185, 185, 310, 290])];

const fn worths(values: [i32; 8]) -> [i32; 16] {
    let mut worth = [0; 16];
    const_for!(index in 0..8 => { worth[Kind::ALL[index].0 as usize] = values[index]; });
    worth
}

/// What a decision that wins at once counts in ordering.
const WINNING_GAIN: i32 = 10_000;
/// For a small piece, by the rows it has come up: rows 4, 5, 6 and 7 of its side each add this.
const ADVANCED: i32 = 6;
/// For each square of one's last row that the enemy does not guard.
const HOLE: i32 = 14;
/// For the first such square that a piece of one's own reaches now, and for each more.
const OPEN_DOOR: i32 = 120;
const MORE_DOORS: i32 = 30;
/// The door is open and it is one's turn: the game is as good as won.
const WALKS_IN: i32 = 1_500;
const TURN: i32 = 12;

/// Inputs of the network: pieces by kind and square, one's own first; ...
const PIECE: usize = 0;
/// ... the files on which a last row is not guarded, ...
const HOLE_ON: usize = 2 * 8 * 64;
/// ... and in the demotion game how many pieces, small and large, stand where the enemy reaches and no own
/// piece does: one, two, more.
const LOOSE: usize = HOLE_ON + 4 * 8;
const LOOSE_END: usize = LOOSE + 2 * 2 * 3;

/// The number of each kind among the inputs, by its four bits.
static NUMBER: [usize; 16] = {
    let mut numbers = [0; 16];
    const_for!(number in 0..Kind::ALL.len() => { numbers[Kind::ALL[number].0 as usize] = number; });
    numbers
};

impl<const DEMOTION: bool> Alapo<DEMOTION> {
    /// A square as `side` sees it, whose last row is the eighth whatever the size of the board.
    const fn seen(&self, square: u8, side: Color) -> usize {
        match side {
            Color::White => (square + 8 * self.size.missing_rows()) as usize,
            Color::Black => (square ^ 56) as usize,
        }
    }

    /// The rows from the `row`-th on as `color` sees them.
    const fn rows_from(&self, color: Color, row: u8) -> u64 {
        match color {
            Color::White => u64::MAX << (8 * (row - 1).saturating_sub(self.size.missing_rows())),
            Color::Black => u64::MAX >> (8 * (row - 1)),
        }
    }

    /// In the demotion game, the enemy small pieces that reach their last row with their next move. Nothing
    /// blocks a single step but a piece of their own.
    #[inline]
    pub(super) fn about_to_arrive(&self) -> u64 {
        if !DEMOTION {
            return 0;
        }
        let them = !self.turn;
        let doors = self.last_row(them) & !self.board.pieces(them);
        self.board.small_attackers(them, doors)
    }

    /// Worth of the pieces of `color` and of how they stand, seen from their side.
    #[inline]
    fn side(&self, color: Color, reach: u64, enemy_reach: u64) -> i32 {
        let board = &self.board;
        let pieces = board.pieces(color);
        let worth = |kind: Kind| WORTH[usize::from(DEMOTION)][usize::from(kind.0)];
        let count = |kind| (board.of_kind(kind) & pieces).count_ones() as i32;
        let mut sum: i32 = Kind::ALL.into_iter().map(|kind| worth(kind) * count(kind)).sum();
        let small = board.small_pieces(color);
        let rows_up = (4..8).map(|row| (small & self.rows_from(color, row)).count_ones() as i32).sum::<i32>();
        let holes = self.last_row(color) & !enemy_reach;
        sum += ADVANCED * rows_up + HOLE * holes.count_ones() as i32;
        sum + self.value_of_doors(color, self.doors(color, holes, reach).count_ones() as i32)
    }

    /// What the piece on `square` is worth; 0 where nobody stands.
    #[inline]
    fn worth_on(&self, square: u8) -> i32 {
        WORTH[usize::from(DEMOTION)][usize::from(self.board.kind_bits(square))]
    }

    /// The squares of the last row of `color` that one of its pieces reaches now and may stay on, or win on;
    /// `holes` are those that the enemy does not guard.
    #[inline]
    fn doors(&self, color: Color, holes: u64, reach: u64) -> u64 {
        let board = &self.board;
        // In the demotion game a small piece wins by arriving.
        let open = if DEMOTION { self.last_row(color) & board.small_reach(color) } else { holes & reach };
        open & !board.pieces(color)
    }

    #[inline]
    fn value_of_doors(&self, color: Color, doors: i32) -> i32 {
        if doors == 0 {
            0
        } else if color == self.turn && self.runner() == 0 {
            WALKS_IN
        } else {
            OPEN_DOOR + MORE_DOORS * (doors - 1)
        }
    }

    /// The squares that White reaches, and Black.
    fn reach(&self) -> [u64; 2] {
        [self.board.all_reach(Color::White), self.board.all_reach(Color::Black)]
    }

    /// Names the inputs of the network that are not pieces.
    fn name_chances(&self, reach: [u64; 2], mut input: impl FnMut(Color, usize)) {
        let board = &self.board;
        for color in Color::ALL {
            let [own, enemy] = [reach[color.index()], reach[(!color).index()]];
            let holes = self.last_row(color) & !enemy;
            for (number, set) in [holes, self.doors(color, holes, own)].into_iter().enumerate() {
                for file in Bits(set).map(|square| usize::from(square & 7)) {
                    input(color, HOLE_ON + number * 8 + file);
                    input(!color, HOLE_ON + 16 + number * 8 + file);
                }
            }
            if DEMOTION {
                let loose = board.pieces(color) & enemy & !own;
                for (number, set) in [loose & !board.large(), loose & board.large()].into_iter().enumerate() {
                    if let count @ 1.. = set.count_ones().min(3) as usize {
                        input(color, LOOSE + number * 3 + count - 1);
                        input(!color, LOOSE + 6 + number * 3 + count - 1);
                    }
                }
            }
        }
    }

    /// Pieces by worth, small pieces by how far they have come, unguarded squares of the last rows, and
    /// pieces that could step on one now.
    fn terms(&self, reach: [u64; 2]) -> i32 {
        let side = |color: Color| self.side(color, reach[color.index()], reach[(!color).index()]);
        let turn = if self.turn == Color::White { TURN } else { -TURN };
        side(Color::White) - side(Color::Black) + turn
    }
}

impl<const DEMOTION: bool> Evaluation for Alapo<DEMOTION> {
    const HISTORY_SIZE: usize = 2 * 64 * 64;

    const SELECTIVITY: Selectivity = if DEMOTION {
        // Its large pieces are worth half as much, and margins go with the worths.
        Selectivity { reverse_futility: 45, futility: 50, root_reductions: true, ..Selectivity::STANDARD }
    } else {
        Selectivity { aspiration: 15, aspiration_growth: 150, ..Selectivity::STANDARD }
    };
    const INPUTS: usize = if DEMOTION { LOOSE_END } else { LOOSE };
    const BUCKETS: usize = 4;
    const PLANES: usize = 6;

    fn network() -> Option<&'static Network> {
        if DEMOTION {
            embedded!(Alapo<true>, "demotion-network.bin")
        } else {
            embedded!(Alapo<false>, "network.bin")
        }
    }

    /// The colour of a piece, and the bits of its kind.
    #[inline]
    fn planes(&self) -> Planes {
        let (white, black) = (self.board.pieces(Color::White), self.board.pieces(Color::Black));
        let [one, two, three, four] = self.board.kinds;
        [white, black, one, two, three, four]
    }

    #[inline]
    fn placed_input(&self, code: usize, square: u8, side: Color) -> usize {
        let theirs = usize::from(code & 1 << side.index() == 0);
        PIECE + (8 * theirs + NUMBER[code >> 2]) * 64 + self.seen(square, side)
    }

    fn other_inputs(&self, input: impl FnMut(Color, usize)) {
        self.name_chances(self.reach(), input);
    }

    fn other_inputs_and_classical_eval(&self, input: impl FnMut(Color, usize)) -> i32 {
        let reach = self.reach();
        self.name_chances(reach, input);
        self.terms(reach)
    }

    fn classical_eval(&self) -> i32 {
        self.terms(self.reach())
    }

    /// By the number of pieces.
    fn bucket(&self) -> usize {
        (self.board.occupied().count_ones() as usize).saturating_sub(1) / 8
    }

    fn mvv_lva(&self, decision: Move) -> i32 {
        let (from, to) = (decision.from(), decision.to());
        if from == to {
            0
        } else if self.wins_on_arrival(from, to) {
            WINNING_GAIN
        } else if bit(to) & self.board.pieces(!self.turn) == 0 {
            0
        } else {
            self.worth_on(to) - self.worth_on(from) / 16
        }
    }

    fn see_ge(&self, decision: Move, threshold: i32) -> bool {
        let (from, to) = (decision.from(), decision.to());
        if from == to || bit(to) & (self.last_row(self.turn) | self.last_row(!self.turn)) != 0 {
            // There it is not worth that decides.
            return true;
        }
        let board = &self.board;
        let worth = |square| self.worth_on(square);
        let taken = if bit(to) & board.pieces(!self.turn) == 0 { 0 } else { worth(to) };
        let mut occupied = board.occupied() & !bit(from) | bit(to);
        exchange_brings((taken, worth(from)), threshold, self.turn, |side| {
            let takers = Bits(board.attackers(side, to, occupied) & occupied & !bit(to));
            let taker = takers.min_by_key(|&square| worth(square))?;
            occupied &= !bit(taker);
            Some(worth(taker))
        })
    }

    /// An enemy runner stands on our home row (R6): only its capture helps. In the demotion game: an enemy
    /// small piece reaches its last row next move; only its capture helps, or winning first. (There a third
    /// repetition could also take it off; this is not looked at.)
    fn in_check(&self) -> bool {
        self.runner() != 0 || self.about_to_arrive() != 0
    }

    fn gives_check(&self) -> impl Fn(Move) -> Option<bool> {
        let us = self.turn;
        // The removal may take the runner.
        let removes = self.quiet + 1 >= REMOVAL_AFTER;
        // A large piece that takes something on the last row is a small one there.
        let near = self.rows_from(us, 7);
        move |decision| {
            let after = |pieces: u64| pieces & !bit(decision.from()) | bit(decision.to());
            if removes {
                None
            } else if DEMOTION {
                (after(self.board.small_pieces(us)) & near == 0).then_some(false)
            } else {
                Some(after(self.board.pieces(us)) & self.last_row(us) != 0)
            }
        }
    }

    /// Not with demotion: that is a race, and without null moves it won 115-85 at 5,000 nodes.
    fn null_move(&self) -> Option<Self> {
        let mut passed = *self;
        passed.turn = !self.turn;
        passed.quiet = self.quiet.saturating_add(1);
        (!DEMOTION && passed.quiet + 1 < REMOVAL_AFTER).then_some(passed)
    }

    fn history_index(&self, decision: Move) -> usize {
        self.turn.index() << 12 | u32::from(decision) as usize
    }
}
