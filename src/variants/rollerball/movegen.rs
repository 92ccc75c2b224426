//! Legal moves, listed and counted.
//!
//! Lines bend and run one way only, so every question of attack is asked from the attacker's side (R34). Two
//! enemy lines may meet again behind a rebound: one piece can block a double check, and one piece can be
//! pinned on two lines. Both cases are a plain intersection here.

use super::decision::Move;
use super::lines::{KING, LINES, Laps, Lines, PAWN, PAWNS_TO, both_laps, fold};
use super::square::{ALL, PROMOTION, SQUARES, Set, Square, THRONE};
use super::state::{Kind, State};
use crate::base::{Bits, Color};
use crate::game::{Decisions, GenType};
use arrayvec::ArrayVec;

/// Each pinned piece with the squares its pin leaves it. There is room for 16: a side has at most 16 pieces,
/// and no more lines than that point at a king.
type Pins = ArrayVec<(Set, Set), 16>;

impl State {
    #[inline]
    pub(super) fn lines(&self) -> &'static Lines {
        &LINES[usize::from(self.clockwise_sideways())]
    }

    /// The squares `color` attacks when the squares of `occupied` hold pieces.
    #[inline]
    pub(super) fn attacked(&self, color: Color, occupied: Set) -> Set {
        let lines = self.lines();
        let own = self.pieces[color.index()];
        let occupied = both_laps(occupied);
        let mut laps: Laps = KING[self.kings[color.index()].index()];
        for from in Bits(own & self.rooks) {
            laps |= lines.rook[Square::new(from).index()].reach(occupied);
        }
        for from in Bits(own & self.bishops) {
            laps |= lines.bishop[Square::new(from).index()].reach(occupied);
        }
        for from in Bits(own & self.pawns) {
            laps |= PAWN[Square::new(from).index()];
        }
        fold(laps)
    }

    /// True when the king of `color` is attacked (R34).
    #[inline]
    pub(super) fn king_attacked(&self, color: Color) -> bool {
        let lines = self.lines();
        let king = self.kings[color.index()];
        let them = color.other().index();
        let enemy = self.pieces[them];
        let occupied = self.pieces[0] | self.pieces[1];
        enemy & self.pawns & PAWNS_TO[king.index()] != 0
            || KING[king.index()] & self.kings[them].bit() != 0
            || Bits(enemy & self.rooks & lines.rooks_to[king.index()])
                .any(|from| occupied & lines.rook_path[king.index()][usize::from(from & 63)] == 0)
            || Bits(enemy & self.bishops & lines.bishops_to[king.index()])
                .any(|from| occupied & lines.bishop_path[king.index()][usize::from(from & 63)] == 0)
    }

    /// Calls `found` with each piece that may have moves, and the squares it may go to.
    #[inline(always)]
    fn legal(&self, mut found: impl FnMut(Kind, Square, Laps)) {
        if self.finished() {
            return;
        }
        let lines = self.lines();
        let us = self.turn.index();
        let (own, enemy) = (self.pieces[us], self.pieces[1 - us]);
        let occupied = own | enemy;
        let king = self.kings[us];

        // The king is no shield for the square behind it, so its own square counts as empty (R34).
        let danger = self.attacked(self.turn.other(), occupied ^ king.bit());
        found(Kind::King, king, KING[king.index()] & !(own | danger));

        let mut targets = ALL & !own;
        let mut pinned: Set = 0;
        let mut pins = Pins::new();
        {
            let mut line = |from: u8, path: Set| {
                let from = Square::new(from);
                let blockers = occupied & path;
                if blockers == 0 {
                    targets &= path | from.bit();
                } else if blockers & (blockers - 1) == 0 && blockers & own != 0 {
                    pinned |= blockers;
                    // There is room: a side has at most sixteen pieces (see the position reader).
                    let _ = pins.try_push((blockers, path | from.bit()));
                }
            };
            let path = &lines.rook_path[king.index()];
            for from in Bits(enemy & self.rooks & lines.rooks_to[king.index()]) {
                line(from, path[usize::from(from & 63)]);
            }
            let path = &lines.bishop_path[king.index()];
            for from in Bits(enemy & self.bishops & lines.bishops_to[king.index()]) {
                line(from, path[usize::from(from & 63)]);
            }
        }
        for from in Bits(enemy & self.pawns & PAWNS_TO[king.index()]) {
            targets &= Square::new(from).bit();
        }
        if targets == 0 {
            return;
        }

        let occupied = both_laps(occupied);
        let allowed = |bit: Set| {
            if pinned & bit == 0 { both_laps(targets) } else { both_laps(narrowed(&pins, bit, targets)) }
        };
        for from in Bits(own & self.rooks).map(Square::new) {
            found(Kind::Rook, from, lines.rook[from.index()].reach(occupied) & allowed(from.bit()));
        }
        for from in Bits(own & self.bishops).map(Square::new) {
            found(Kind::Bishop, from, lines.bishop[from.index()].reach(occupied) & allowed(from.bit()));
        }
        for from in Bits(own & self.pawns).map(Square::new) {
            found(Kind::Pawn, from, PAWN[from.index()] & allowed(from.bit()));
        }
    }

    /// The number of legal moves, without listing them.
    pub(super) fn count_moves(&self) -> u64 {
        let promotion = PROMOTION[self.turn.index()];
        let mut count = 0;
        self.legal(|kind, _, laps| {
            count += laps.count_ones();
            if kind == Kind::Pawn {
                // R31: each of these moves counts as two, one for rook and one for bishop.
                count += (laps & promotion).count_ones();
            }
        });
        u64::from(count)
    }

    /// Lists the moves: by kind, by square, by target.
    pub(super) fn list_moves(&self, wanted: GenType, list: &mut Decisions<Move>) {
        let us = self.turn.index();
        let promotion = PROMOTION[us];
        let (mut pieces_filter, mut king_filter, mut pawn_filter) = (Laps::MAX, Laps::MAX, Laps::MAX);
        if wanted == GenType::Noisy && !self.must_answer() {
            let enemy = self.pieces[1 - us];
            let throne = if self.marked(self.turn) { THRONE[us].bit() } else { 0 };
            pieces_filter = both_laps(enemy);
            king_filter = enemy | throne;
            pawn_filter = enemy | promotion;
        }
        self.legal(|kind, from, laps| match kind {
            Kind::King => push(list, from, laps & king_filter),
            Kind::Rook | Kind::Bishop => push(list, from, laps & pieces_filter),
            Kind::Pawn => {
                push(list, from, laps & pawn_filter & !promotion);
                for to in Bits(laps & promotion).map(Square::new) {
                    for promotion in Kind::PROMOTIONS {
                        list.push(Move::promoting(from, to, promotion));
                    }
                }
            }
        });
    }

    /// True when doing nothing would lose: in check, or when the enemy king may step on its throne next
    /// (R36).
    pub(super) fn must_answer(&self) -> bool {
        self.king_attacked(self.turn) || self.throne_in_reach(self.turn.other())
    }

    /// True when the king of `color` could step on its throne and win if it were that side's turn.
    pub(super) fn throne_in_reach(&self, color: Color) -> bool {
        let throne = THRONE[color.index()];
        let king = self.kings[color.index()];
        self.marked(color)
            && KING[king.index()] & throne.bit() & !self.pieces[color.index()] != 0
            && self.attacked(color.other(), (self.pieces[0] | self.pieces[1]) ^ king.bit()) & throne.bit()
                == 0
    }
}

/// What a pin leaves of `targets` for the piece on `bit`.
#[cold]
fn narrowed(pins: &Pins, bit: Set, targets: Set) -> Set {
    pins.iter().filter(|(piece, _)| *piece == bit).fold(targets, |left, (_, line)| left & line)
}

#[inline]
fn push(list: &mut Decisions<Move>, from: Square, laps: Laps) {
    for bit in Bits(laps) {
        let number = if usize::from(bit) < SQUARES { bit } else { bit - SQUARES as u8 };
        list.push(Move::new(from, Square::new(number)));
    }
}
