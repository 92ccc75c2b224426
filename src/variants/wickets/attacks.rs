//! Attacks on the board as it stands: checks, pins, and the pieces that reach a wicket.

use super::board::{Board, Kind, Piece};
use super::cells::{
    BETWEEN, KING_STEPS, KNIGHT_JUMPS, PAWN_ATTACKS, bit, slanted, slanted_into, straight, straight_into,
    wicket,
};
use crate::base::{Bits, Color};
use arrayvec::ArrayVec;

impl Board {
    /// The pieces of `by` on the 8x8 part that attack `cell` when the squares of `occupied` block. Pieces in
    /// wickets are left out: they give no check (R40). For a cell that is a wicket the rules of entry are
    /// ignored, as R40 wants for a king there.
    #[inline]
    pub fn attackers(&self, cell: u8, by: Color, occupied: u64) -> u64 {
        let at = usize::from(cell);
        let [pawns, knights, bishops, rooks, queens, kings] = *self.kinds();
        let found = PAWN_ATTACKS[by.other().index()][at] & pawns
            | KNIGHT_JUMPS[at] & knights
            | KING_STEPS[at] & kings
            | straight(cell, occupied) & (rooks | queens)
            | slanted(cell, occupied) & (bishops | queens);
        found & self.pieces(by)
    }

    /// True when the king of `side` is not in check (R40).
    #[inline]
    pub fn is_safe(&self, side: Color) -> bool {
        self.attackers(self.king(side), side.other(), self.occupied()) == 0
    }

    /// The same with the squares of `added` occupied and the pieces on `gone` taken off.
    pub fn is_safe_with(&self, side: Color, added: u64, gone: u64) -> bool {
        let occupied = (self.occupied() | added) & !gone;
        self.attackers(self.king(side), side.other(), occupied) & !gone == 0
    }

    /// The squares of the 8x8 part that a piece on `cell` attacks, occupied ones included.
    #[inline]
    pub fn attacks(&self, piece: Piece, cell: u8, occupied: u64) -> u64 {
        let at = usize::from(cell);
        match piece.kind {
            Kind::Pawn => PAWN_ATTACKS[piece.side.index()][at],
            Kind::Knight => KNIGHT_JUMPS[at],
            Kind::Bishop => slanted(cell, occupied),
            Kind::Rook => straight(cell, occupied),
            Kind::Queen => straight(cell, occupied) | slanted(cell, occupied),
            Kind::King => KING_STEPS[at],
        }
    }

    /// True when a piece of this kind reaches the wicket `to` from `from` by its capturing move, with nothing
    /// in between. A pawn never does (R3).
    #[inline]
    pub fn reaches_wicket(&self, kind: Kind, from: u8, to: u8) -> bool {
        match kind {
            Kind::Pawn => false,
            Kind::Knight => KNIGHT_JUMPS[usize::from(to)] & bit(from) != 0,
            Kind::King => KING_STEPS[usize::from(to)] & bit(from) != 0,
            Kind::Bishop => slanted_into(from, to, self.occupied()),
            Kind::Rook => straight_into(from, to, self.occupied()),
            Kind::Queen => {
                straight_into(from, to, self.occupied()) || slanted_into(from, to, self.occupied())
            }
        }
    }

    /// True when the Defender of `side` sees its wicket (R52): its capturing move reaches it.
    pub fn is_seen(&self, side: Color) -> bool {
        let at = self.defender(side);
        self.piece_at(at).is_some_and(|piece| self.reaches_wicket(piece.kind, at, wicket(side)))
    }

    /// The attackers of the king of `side`, and the pieces pinned to it.
    #[inline]
    pub fn danger(&self, side: Color) -> Danger {
        let (king, them) = (self.king(side), side.other());
        let [pawns, knights, bishops, rooks, queens, kings] = *self.kinds();
        let at = usize::from(king);
        let leapers =
            PAWN_ATTACKS[side.index()][at] & pawns | KNIGHT_JUMPS[at] & knights | KING_STEPS[at] & kings;
        let mut danger = Danger { checkers: leapers & self.pieces(them), pinned: 0, rays: ArrayVec::new() };
        let hostile = self.pieces(them) | bit(self.ball(Color::White)) | bit(self.ball(Color::Black));
        let own = self.pieces(side);
        // A ball carried by one of our own pieces is no obstacle of its own.
        let hostile = hostile & !own;
        let snipers =
            straight(king, hostile) & (rooks | queens) | slanted(king, hostile) & (bishops | queens);
        for sniper in Bits(snipers & self.pieces(them)) {
            let between = BETWEEN[at][usize::from(sniper)];
            let shields = between & own;
            if shields == 0 {
                danger.checkers |= bit(sniper);
            } else if shields & (shields - 1) == 0 {
                danger.pinned |= shields;
                danger.rays.push((shields.trailing_zeros() as u8, between | bit(sniper)));
            }
        }
        danger
    }
}

/// What attacks a king, and which pieces are pinned to it.
#[derive(Debug)]
pub struct Danger {
    /// The pieces that give check.
    pub checkers: u64,
    /// The own pieces that alone keep a line closed.
    pub pinned: u64,
    rays: ArrayVec<(u8, u64), 8>,
}

impl Danger {
    /// The squares that end a check for a piece that is no king and throws no ball.
    #[inline]
    pub fn answers(&self, king: u8) -> u64 {
        match self.checkers {
            0 => u64::MAX,
            one if one & (one - 1) == 0 => BETWEEN[usize::from(king)][one.trailing_zeros() as usize] | one,
            _ => 0,
        }
    }

    /// The squares to which a possible pin restricts the piece on `from`.
    #[inline]
    pub fn ray(&self, from: u8) -> u64 {
        if self.pinned & bit(from) == 0 {
            return u64::MAX;
        }
        self.rays.iter().find(|(at, _)| *at == from).map_or(u64::MAX, |(_, ray)| *ray)
    }
}
