//! A simple opinion of a position: material, advance and centre, shelter of the King, Statues.

use super::decision::Action;
use super::geometry::{ADJACENT, FILES, LAST_RANK, RANKS, SQUARES, bit, rank_of};
use super::piece::Kind;
use super::safety::Threats;
use super::state::{State, TOO_FEW};
use crate::base::{Bits, Color, table};
use crate::game::network::{Network, embedded};
use crate::game::{Evaluation, Selectivity};
use std::cell::OnceCell;

/// Worth of each kind in centipawns (a Boy is 100), judged by the number of squares it covers, what it can
/// take and what the inventor's tips say: the Superball strongest, Deer and Mage-Apprentices good mating
/// pieces, Guards good late.
const WORTH: [i32; 10] = [0, 330, 900, 380, 330, 560, 480, 420, 100, 60];
/// A Statue in hand can become a wall where it is needed.
const IN_HAND: i32 = 90;
/// A friend next to the King keeps attackers out.
const SHELTER: i32 = 12;
/// An enemy next to the King.
const SIEGE: i32 = 25;
/// For each piece fewer than this many above the number that loses (R73).
const THIN: u32 = 5;
const THIN_COST: i32 = 60;

pub(super) const fn worth(kind: Kind) -> i32 {
    WORTH[kind.index()]
}

/// 0 at the rim, 3 on the middle ranks and files.
const fn centre(square: u8) -> i32 {
    let file = square % FILES;
    let rank = square / FILES;
    let from_side = if file < FILES - 1 - file { file } else { FILES - 1 - file };
    let from_end = if rank < RANKS - 1 - rank { rank } else { RANKS - 1 - rank };
    if from_side < from_end { from_side as i32 } else { from_end as i32 }
}

/// What a piece adds on each square, for White and for Black.
static PLACES: [[[i16; SQUARES]; 10]; 2] =
    table!(side => table!(kind => table!(square => place(side, Kind::ALL[kind], square as u8))));

const fn place(side: usize, kind: Kind, square: u8) -> i16 {
    let advance = rank_of(square, Color::ALL[side]) as i32;
    let bonus = match kind {
        Kind::Boy => match advance {
            7 | 6 => 160,
            5 => 60,
            4 => 20,
            _ => 0,
        },
        Kind::King => -6 * advance,
        Kind::Guard => 4 * centre(square),
        Kind::Deer | Kind::Mage => 8 * centre(square),
        Kind::Superball | Kind::Reducer => 5 * centre(square),
        Kind::Ball | Kind::Diagball => 3 * centre(square),
        Kind::Statue => 0,
    };
    (worth(kind) + bonus) as i16
}

impl State {
    fn strength(&self, color: Color) -> i32 {
        let board = &self.board;
        let mut sum = IN_HAND * i32::from(self.hands[color.index()]);
        for kind in Kind::ALL {
            for square in Bits(board.of(color, kind)) {
                sum += i32::from(PLACES[color.index()][kind.index()][usize::from(square)]);
            }
        }
        let near = ADJACENT[usize::from(board.king(color))];
        sum += SHELTER * (near & board.pieces(color)).count_ones() as i32;
        sum -= SIEGE * (near & board.pieces(!color)).count_ones() as i32;
        // Every piece that is held down is worth less while it lasts.
        for square in Bits(board.reduced(color)) {
            let held = board.kind_at(square).filter(|kind| kind.can_be_reduced());
            sum -= held.map_or(0, |kind| worth(kind) / 6);
        }
        let left = self.owned(color).saturating_sub(TOO_FEW);
        sum - THIN_COST * THIN.saturating_sub(left) as i32
    }
}

impl Evaluation for State {
    /// Colour, kind of the piece (a drop is a Statue's), square of arrival.
    const HISTORY_SIZE: usize = 2 * 10 * SQUARES;

    const SELECTIVITY: Selectivity = Selectivity { time_share: 60, history_kept: 0, ..Selectivity::STANDARD };
    const INPUTS: usize = 2 * 2 * 10 * SQUARES + 2 * 8;
    const BUCKETS: usize = 4;

    fn network() -> Option<&'static Network> {
        embedded!(State, "network.bin")
    }

    fn inputs(&self, mut input: impl FnMut(Color, usize)) {
        let board = &self.board;
        for color in Color::ALL {
            let reduced = board.reduced(color);
            for kind in Kind::ALL {
                for square in Bits(board.of(color, kind)) {
                    let held = usize::from(kind.can_be_reduced() && reduced >> square & 1 == 1);
                    for side in Color::ALL {
                        let row = usize::from(rank_of(square, side));
                        let seen = row * usize::from(FILES) + usize::from(square % FILES);
                        let theirs = usize::from(side != color);
                        input(side, ((held * 2 + theirs) * 10 + kind.index()) * SQUARES + seen);
                    }
                }
            }
            let hand = usize::from(self.hands[color.index()] & 7);
            input(color, 40 * SQUARES + hand);
            input(!color, 40 * SQUARES + 8 + hand);
        }
    }

    /// By the number of pieces.
    fn bucket(&self) -> usize {
        (self.board.occupied().count_ones() as usize / 10).min(3)
    }

    fn classical_eval(&self) -> i32 {
        self.strength(Color::White) - self.strength(Color::Black)
    }

    /// Eating a friend gains less than nothing.
    fn mvv_lva(&self, action: Action) -> i32 {
        let Some(from) = action.from() else { return 0 };
        let board = &self.board;
        let Some(kind) = board.kind_at(from) else { return 0 };
        let victim = action.victim_ahead().unwrap_or(action.to());
        let taken = board.kind_at(victim).map_or(0, worth);
        if board.pieces(self.side) & bit(victim) != 0 {
            return -taken;
        }
        let last_rank = kind == Kind::Boy && LAST_RANK[self.side.index()] & bit(action.to()) != 0;
        let promoted = if last_rank { worth(Kind::Superball) - worth(Kind::Boy) } else { 0 };
        // A capture that leaves two pieces wins (R73).
        let wins = taken > 0 && self.owned(!self.side) == TOO_FEW + 1;
        match taken {
            0 => promoted,
            _ => taken + promoted - worth(kind) / 16 + if wins { 2 * worth(Kind::Superball) } else { 0 },
        }
    }

    fn see_ge(&self, action: Action, threshold: i32) -> bool {
        self.is_exchange_at_least(action, threshold)
    }

    fn in_check(&self) -> bool {
        self.attacked(self.side)
    }

    fn gives_check(&self) -> impl Fn(Action) -> Option<bool> {
        let threats = OnceCell::new();
        move |action| threats.get_or_init(|| Threats::of(&self.board, self.side, self.at_once)).denies(action)
    }

    fn null_move(&self) -> Option<Self> {
        Some(self.passed())
    }

    fn history_index(&self, action: Action) -> usize {
        let kind = action.from().and_then(|from| self.board.kind_at(from)).unwrap_or(Kind::Statue);
        (self.side.index() * 10 + kind.index()) * SQUARES + usize::from(action.to())
    }
}
