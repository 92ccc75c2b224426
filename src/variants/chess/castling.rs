//! Castling where king and rooks may begin anywhere on their rank: Chess960 (FIDE Guidelines II).
//!
//! In orthodox chess castling is the king's move of two squares, and this file plays no part. In Chess960 it
//! is written as the king's move onto its own rook, because the king's target square may also be an ordinary
//! step. King and rook end on the same squares as in orthodox chess.

use super::board::{Board, Kind};
use super::state::State;
use crate::base::{Bits, Color};
use crate::variants::chessboard::RIGHTS;

/// The kind of castling, and in Chess960 where the castling rooks stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Castling {
    /// True in Chess960: castling is written as the king's move onto its rook.
    pub is_chess960: bool,
    /// The file of the rook of each right, three bits each in the order of [`RIGHTS`].
    rooks: u16,
}

const fn span(one: u8, other: u8) -> u64 {
    let (low, high) = if one < other { (one, other) } else { (other, one) };
    (2_u64 << high).wrapping_sub(1 << low)
}

impl Castling {
    /// The given kind of castling, with no rook squares set.
    pub const fn new(is_chess960: bool) -> Self {
        Self { is_chess960, rooks: 0 }
    }

    /// The rook's square for the right with this index in `RIGHTS`.
    pub const fn rook(self, right: usize) -> u8 {
        let file = (self.rooks >> (3 * right) & 7) as u8;
        if RIGHTS[right].1 as u8 == Color::White as u8 { file } else { 56 + file }
    }

    /// Sets the square of the rook that belongs to a right.
    pub fn set_rook(&mut self, right: usize, square: u8) {
        self.rooks = self.rooks & !(7 << (3 * right)) | u16::from(square & 7) << (3 * right);
    }

    /// The rights that are lost when the king of `king_of` moves, or when a rook leaves one of `squares` or
    /// is captured there.
    pub fn lost(self, rights: u8, king_of: Option<Color>, squares: [u8; 2]) -> u8 {
        let gone = |&right: &usize| king_of == Some(RIGHTS[right].1) || squares.contains(&self.rook(right));
        rights & (0..RIGHTS.len()).filter(gone).fold(0, |lost, right| lost | 1 << right)
    }
}

/// The squares of king and rook after castling with this right.
const fn ends(right: usize) -> (u8, u8) {
    let rank = if right < 2 { 0 } else { 56 };
    if right.is_multiple_of(2) { (rank + 6, rank + 5) } else { (rank + 2, rank + 3) }
}

impl State {
    /// The rooks the king may castle with. `danger` holds the squares that are attacked when the king is off
    /// the board. The paths of king and rook must be empty, and the king's path must not be attacked (FIDE
    /// Guidelines II.3).
    pub(super) fn castling_rooks(&self, danger: u64) -> u64 {
        let color = self.turn;
        let king = self.board.king(color);
        let occupied = self.board.occupied();
        let mut rooks = 0;
        for right in
            (0..RIGHTS.len()).filter(|&right| self.rights >> right & 1 == 1 && RIGHTS[right].1 == color)
        {
            let rook = self.castling.rook(right);
            let (king_to, rook_to) = ends(right);
            let others = occupied & !(1 << king | 1 << rook);
            let ways = span(king, king_to) | span(rook, rook_to);
            let after = others | 1 << king_to | 1 << rook_to;
            // The rook may have stood between the king's target square and an attacker on the rank.
            let safe = || self.attackers(king_to, after) & self.board.of(!color) == 0;
            if others & ways == 0 && danger & span(king, king_to) == 0 && safe() {
                rooks |= 1 << rook;
            }
        }
        rooks
    }

    /// The right used by the king's move from `from` to `to`, if that is castling in Chess960 notation.
    pub(super) fn castles_by(&self, from: u8, to: u8) -> Option<usize> {
        let own = |square: u8, kind| self.board.piece(square) == Some((self.turn, kind));
        if !self.castling.is_chess960 || !own(from, Kind::King) || !own(to, Kind::Rook) {
            return None;
        }
        Some(usize::from(to < from) + 2 * self.turn.index())
    }

    /// Castles on `board`. Returns what moved, king and rook: the kind's code, from, to.
    pub(super) fn castled(
        board: &mut Board,
        color: Color,
        right: usize,
        king: u8,
        rook: u8,
    ) -> [(usize, u8, u8); 2] {
        let (king_to, rook_to) = ends(right);
        // King and rook may each go to the square the other came from.
        board.clear(king);
        board.clear(rook);
        board.put(king_to, color, Kind::King);
        board.put(rook_to, color, Kind::Rook);
        [(Kind::King.code(), king, king_to), (Kind::Rook.code(), rook, rook_to)]
    }

    /// The right named by a letter of a position string: `KQkq` mean the outermost rook of that wing (X-FEN),
    /// a file letter means the rook on that file (Shredder-FEN). Returns the index of the right and the
    /// rook's square.
    pub(super) fn right_named(board: &Board, letter: u8) -> Option<(usize, u8)> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let rank: u8 = if color == Color::White { 0 } else { 56 };
        let king = board.king(color);
        if king & 56 != rank {
            return None;
        }
        let rooks = board.all(Kind::Rook) & board.of(color) & 0xff << rank;
        let east = rooks & !span(rank, king);
        let west = rooks & span(rank, king);
        let rook = match letter.to_ascii_lowercase() {
            b'k' => Bits(east).last(),
            b'q' => Bits(west).next(),
            file @ b'a'..=b'h' => Some(rank + (file - b'a')).filter(|square| rooks >> square & 1 == 1),
            _ => None,
        }?;
        Some((usize::from(rook < king) + 2 * color.index(), rook))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Notation, Rules, perft, read_token};
    use crate::notation::{parse_position, parse_token};
    use std::sync::atomic::AtomicBool;

    fn rules() -> Rules {
        let mut rules = Rules::of(&super::super::FACTS);
        rules.set(&super::super::FACTS, "UCI_Chess960", "true").unwrap();
        rules
    }

    fn read(text: &str) -> State {
        State::read(&parse_position(text).unwrap(), &rules())
            .unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn count(state: &State, depth: u32) -> u64 {
        let stop = AtomicBool::new(false);
        perft::divide_below(state, &[], depth, 1, &stop).unwrap().iter().map(|(_, count)| count).sum()
    }

    /// Counts from A. Grant's Ethereal (`fischer.epd`), confirmed by other programs; they include castling of
    /// every kind.
    #[test]
    fn positions_of_chess960_have_as_many_moves_as_elsewhere() {
        for (text, counts) in [
            ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", [21, 528, 12189, 326_672]),
            ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", [21, 807, 18002, 667_366]),
            ("b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", [20, 479, 10471, 273_318]),
            ("qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9", [22, 593, 13440, 382_958]),
        ] {
            let state = read(text);
            for (depth, wanted) in (1..).zip(counts) {
                assert_eq!(count(&state, depth), wanted, "{text}, depth {depth}");
            }
            assert_eq!(state.count(), counts[0]);
        }
    }

    #[test]
    fn orthodox_positions_have_the_same_moves_under_either_rule() {
        let text = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let orthodox = State::read(&parse_position(text).unwrap(), &Rules::of(&super::super::FACTS)).unwrap();
        for depth in 1..=3 {
            assert_eq!(count(&read(text), depth), count(&orthodox, depth), "depth {depth}");
        }
    }

    #[test]
    fn castling_is_the_king_s_move_onto_his_rook_and_both_fen_dialects_are_read() {
        let play = |text: &str, token: &str| {
            let read =
                read_token(&read(text), &parse_token(token).unwrap()).map(|reading| reading.after.write());
            read.map(|position| position.to_string()).map_err(|illegal| illegal.reason)
        };
        let shredder = "rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w EAea - 0 1";
        let castled = play(shredder, "b1e1").unwrap();
        assert_eq!(castled, "rk2r3/pppppppp/8/8/8/8/PPPPPPPP/R4RK1 b ea - 1 1");
        assert_eq!(
            play("rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w KQkq - 0 1", "b1e1").unwrap(),
            castled,
            "X-FEN"
        );
        assert_eq!(play(shredder, "b1a1").unwrap(), "rk2r3/pppppppp/8/8/8/8/PPPPPPPP/2KRR3 b ea - 1 1");
        // The king steps to c1 without castling and loses its rights.
        assert_eq!(play(shredder, "b1c1").unwrap(), "rk2r3/pppppppp/8/8/8/8/PPPPPPPP/R1K1R3 b ea - 1 1");
        // With an enemy queen behind the castling rook, the king would end up in check.
        assert!(play("4k3/8/8/8/8/8/8/qRK4R w HB - 0 1", "c1b1").is_err());
        // The inner rook of two can only be named by its file.
        let inner = read("4k3/8/8/8/8/8/8/1K3R1R w F - 0 1");
        assert_eq!(inner.write().to_string(), "4k3/8/8/8/8/8/8/1K3R1R w F - 0 1");
        assert_eq!(read("4k3/8/8/8/8/8/8/1K3R1R w K - 0 1").write().to_string().split(' ').nth(2), Some("H"));
        assert!(play("4k3/8/8/8/8/8/8/1K3R1R w F - 0 1", "b1h1").is_err());
    }

    #[test]
    fn the_key_is_that_of_the_position_read_anew_after_castling() {
        let state = read("rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w EAea - 0 1");
        for token in ["b1e1", "b1a1", "b1c1", "e1f1"] {
            let after = read_token(&state, &parse_token(token).unwrap()).unwrap().after;
            let anew = State::read(&after.write(), &rules()).unwrap();
            assert_eq!((after.key(), after.write()), (anew.key(), anew.write()), "{token}");
        }
    }
}
