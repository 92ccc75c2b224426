//! What a small network cannot find by itself in where the pieces stand, unless it sees many more positions
//! than we have: how far the pieces reach, who aims at the king and what shelters it, passed and weak pawns,
//! what hangs. Each colour has its own, seen from its own side of the board; one that holds of several pieces
//! counts as often. (They are what evaluations written by hand have, Stockfish's up to version 15 for one.)

use super::board::{Board, Kind};
use super::rays::{KING, KNIGHT, pawns_east, pawns_west};
use crate::base::lines::{FILE_A, FILE_H, LIGHT_SQUARES};
use crate::base::{Bits, Color, lines};

/// A group of features: where it begins, and how many there are.
#[derive(Clone, Copy)]
struct Group {
    first: usize,
    size: usize,
}

impl Group {
    const fn after(before: Self, size: usize) -> Self {
        Self { first: before.first + before.size, size }
    }

    /// The feature for a number, or the last where the number is beyond them all.
    fn nth(self, number: usize) -> usize {
        self.first + number.min(self.size - 1)
    }
}

/// The kinds whose reach counts, in the order of the groups that have one part for each.
const PIECES: [Kind; 4] = [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen];

/// Squares within reach that neither an own piece holds nor a pawn of the other side guards.
const MOBILITY: [Group; 4] = {
    let knight = Group { first: 0, size: 9 };
    let bishop = Group::after(knight, 14);
    let rook = Group::after(bishop, 15);
    [knight, bishop, rook, Group::after(rook, 28)]
};
/// Squares around the other king that a piece attacks, one to four, by kind.
const AT_KING: Group = Group::after(MOBILITY[3], 4 * 4);
/// Pieces that attack one of them.
const ATTACKERS: Group = Group::after(AT_KING, 6);
/// Of those squares, how many nobody but the king guards.
const WEAK_RING: Group = Group::after(ATTACKERS, 6);
/// Checks on squares that the other side does not guard, one or more, by kind.
const SAFE_CHECKS: Group = Group::after(WEAK_RING, 4 * 2);
/// On the king's file and the two beside it, from the nearer edge on: how far the own pawn before it is, and
/// the other side's.
const SHELTER: Group = Group::after(SAFE_CHECKS, 3 * 4 * 4);
/// By rank, and whether the square before it is free.
const PASSED: Group = Group::after(SHELTER, 6 * 2);
/// The distance of either king to the square before a passed pawn that has come to its fourth rank or
/// further, by rank.
const KING_TO_PASSED: [Group; 2] = {
    let own = Group::after(PASSED, 4 * 6);
    [own, Group::after(own, 4 * 6)]
};
/// No own pawn on the files beside, by file from the edge.
const ISOLATED: Group = Group::after(KING_TO_PASSED[1], 4);
/// Another own pawn before it.
const DOUBLED: Group = Group::after(ISOLATED, 1);
/// No own pawn beside or behind on the files beside, and a pawn of the other side guards the square before
/// it.
const BACKWARD: Group = Group::after(DOUBLED, 1);
/// Guarded by an own pawn, by rank.
const GUARDED: Group = Group::after(BACKWARD, 6);
/// An own pawn beside it, by rank.
const PHALANX: Group = Group::after(GUARDED, 6);
/// A pawn attacks a piece, by its kind.
const PAWN_THREAT: Group = Group::after(PHALANX, 4);
/// A knight or a bishop attacks a rook or a queen; a rook attacks a queen.
const PIECE_THREAT: Group = Group::after(PAWN_THREAT, 3);
/// Attacked and not guarded, by kind, pawns first.
const HANGING: Group = Group::after(PIECE_THREAT, 5);
/// Attacked by two, guarded by one at most, by kind, pawns first.
const OUTNUMBERED: Group = Group::after(HANGING, 5);
/// A rook on a file without pawns; without own pawns.
const OPEN_FILE: Group = Group::after(OUTNUMBERED, 2);
/// A knight or a bishop on its fourth to sixth rank, guarded by a pawn, which no pawn can drive away.
const OUTPOST: Group = Group::after(OPEN_FILE, 2);
/// Own pawns on the squares of a bishop's colour.
const BISHOP_PAWNS: Group = Group::after(OUTPOST, 7);

/// How many features a colour has.
pub(super) const FEATURES: usize = BISHOP_PAWNS.first + BISHOP_PAWNS.size;

/// A colour's pieces and what they attack, with its own side of the board below.
#[derive(Clone, Copy, Default)]
struct Side {
    all: u64,
    pawns: u64,
    king: u8,
    /// The squares of the pieces, in the order of [`PIECES`].
    pieces: [u64; 4],
    by_pawns: u64,
    by_piece: [u64; 4],
    /// By anyone but the king.
    by_any: u64,
    attacked: u64,
    attacked_twice: u64,
    /// Pieces of this colour that attack squares around the other king.
    attackers: usize,
}

impl Side {
    fn new(board: &Board, color: Color) -> Self {
        let own = board.of(color);
        let set = |set: u64| if color == Color::White { set & own } else { (set & own).swap_bytes() };
        let pawns = set(board.pawns());
        let king = set(board.kings()).trailing_zeros() as u8 & 63;
        let (west, east) = (pawns_west::<true>(pawns), pawns_east::<true>(pawns));
        let (by_pawns, by_king) = (west | east, KING[usize::from(king)]);
        Self {
            all: set(own),
            pawns,
            king,
            pieces: [
                set(board.knights()),
                set(board.all(Kind::Bishop)),
                set(board.all(Kind::Rook)),
                set(board.all(Kind::Queen)),
            ],
            by_pawns,
            by_any: by_pawns,
            attacked: by_pawns | by_king,
            attacked_twice: west & east | by_pawns & by_king,
            ..Self::default()
        }
    }

    /// The same as the other colour sees it.
    fn turned(&self) -> Self {
        Self {
            all: self.all.swap_bytes(),
            pawns: self.pawns.swap_bytes(),
            king: self.king ^ 56,
            pieces: self.pieces.map(u64::swap_bytes),
            by_pawns: self.by_pawns.swap_bytes(),
            by_piece: self.by_piece.map(u64::swap_bytes),
            by_any: self.by_any.swap_bytes(),
            attacked: self.attacked.swap_bytes(),
            attacked_twice: self.attacked_twice.swap_bytes(),
            attackers: self.attackers,
        }
    }

    /// The other king's square, and those next to it.
    fn ring(&self) -> u64 {
        KING[usize::from(self.king)] | 1 << self.king
    }

    /// What the pieces reach and aim at, noted in `self` too. `other` as this side sees it.
    fn reach(&mut self, other: &Self, name: &mut impl FnMut(usize)) {
        let occupied = self.all | other.all;
        let (free, ring) = (!self.all & !other.by_pawns, other.ring());
        for piece in 0..PIECES.len() {
            for square in Bits(self.pieces[piece]) {
                let reached = attacks(PIECES[piece], square, occupied);
                self.by_piece[piece] |= reached;
                self.attacked_twice |= self.attacked & reached;
                self.attacked |= reached;
                self.by_any |= reached;
                name(MOBILITY[piece].nth((reached & free).count_ones() as usize));
                let aimed = (reached & ring).count_ones() as usize;
                if aimed > 0 {
                    self.attackers += 1;
                    name(AT_KING.first + 4 * piece + (aimed - 1).min(3));
                }
            }
        }
    }

    /// What both sides' attacks make of each other. `other` as this side sees it.
    fn threats(&self, other: &Self, name: &mut impl FnMut(usize)) {
        name(ATTACKERS.nth(self.attackers));
        let weak = other.ring() & self.by_any & !other.by_any;
        name(WEAK_RING.nth(weak.count_ones() as usize));
        let occupied = self.all | other.all;
        for (piece, kind) in PIECES.into_iter().enumerate() {
            let checks = attacks(kind, other.king, occupied) & self.by_piece[piece];
            match (checks & !self.all & !other.attacked).count_ones() {
                0 => {}
                number => name(SAFE_CHECKS.first + 2 * piece + usize::from(number > 1)),
            }
            if other.pieces[piece] & self.by_pawns != 0 {
                name(PAWN_THREAT.nth(piece));
            }
        }
        let [_, _, rooks, queens] = other.pieces;
        let by_minor = self.by_piece[0] | self.by_piece[1];
        for (threat, hit) in
            [by_minor & rooks, by_minor & queens, self.by_piece[2] & queens].into_iter().enumerate()
        {
            if hit != 0 {
                name(PIECE_THREAT.nth(threat));
            }
        }
        let hanging = self.attacked & !other.attacked;
        let outnumbered = self.attacked_twice & other.attacked & !other.attacked_twice;
        for (kind, pieces) in [other.pawns].into_iter().chain(other.pieces).enumerate() {
            if pieces & hanging != 0 {
                name(HANGING.nth(kind));
            }
            if pieces & outnumbered != 0 {
                name(OUTNUMBERED.nth(kind));
            }
        }
    }

    /// Pawns, and what pieces have of them.
    fn structure(&self, other: &Self, name: &mut impl FnMut(usize)) {
        let pawns = self.pawns;
        let (own_files, other_files) = (files(pawns), files(other.pawns));
        let (stops, behind) = (pawns << 8, fill_down(pawns >> 8));
        let neighboured = pawns & beside(own_files);
        let by_rank = |group: Group, square: u8| group.nth(usize::from(square / 8 - 1));
        // Neither behind nor before a pawn of the other side, on its file or beside.
        for square in Bits(pawns & !behind & !fill_down(other.pawns | other.by_pawns)) {
            let rank = usize::from(square / 8 - 1);
            let free = (stops & !self.all & !other.all) >> (square + 8) & 1;
            name(PASSED.nth(2 * rank + free as usize));
            if let Some(far) = rank.checked_sub(2) {
                for (side, king) in [self.king, other.king].into_iter().enumerate() {
                    name(KING_TO_PASSED[side].nth(6 * far + distance(king, square + 8).min(5)));
                }
            }
        }
        for square in Bits(pawns & !neighboured) {
            name(ISOLATED.nth(usize::from(square % 8).min(usize::from(7 - square % 8))));
        }
        for _ in Bits(pawns & behind) {
            name(DOUBLED.first);
        }
        for _ in Bits(neighboured & !fill_up(beside(pawns)) & other.by_pawns >> 8) {
            name(BACKWARD.first);
        }
        for square in Bits(pawns & self.by_pawns) {
            name(by_rank(GUARDED, square));
        }
        for square in Bits(pawns & beside(pawns)) {
            name(by_rank(PHALANX, square));
        }
        let [knights, bishops, rooks, _] = self.pieces;
        for rook in Bits(rooks) {
            if own_files >> rook & 1 == 0 {
                name(OPEN_FILE.nth((other_files >> rook & 1) as usize));
            }
        }
        // Where no pawn of the other side will ever guard.
        let safe = self.by_pawns & !fill_down(other.by_pawns) & 0x0000_FFFF_FF00_0000;
        for (number, minor) in [knights, bishops].into_iter().enumerate() {
            if minor & safe != 0 {
                name(OUTPOST.nth(number));
            }
        }
        for bishop in Bits(bishops) {
            let color = if LIGHT_SQUARES >> bishop & 1 == 1 { LIGHT_SQUARES } else { !LIGHT_SQUARES };
            name(BISHOP_PAWNS.nth((self.pawns & color).count_ones() as usize));
        }
    }

    /// The pawns before the king.
    fn shelter(&self, other: &Self, name: &mut impl FnMut(usize)) {
        let (rank, middle) = (self.king / 8, (self.king % 8).clamp(1, 6));
        for number in 0..3 {
            // The nearer edge first.
            let file = if middle < 4 { middle - 1 + number } else { middle + 1 - number };
            let before_king = FILE_A << (8 * rank + file);
            let distance = |pawns: u64| {
                let ranks = ((pawns & before_king).trailing_zeros() / 8).saturating_sub(rank.into());
                ranks.clamp(1, 4) as usize - 1
            };
            let (own, others) = (distance(self.pawns), distance(other.pawns));
            name(SHELTER.first + 16 * usize::from(number) + 4 * own + others);
        }
    }
}

fn attacks(kind: Kind, square: u8, occupied: u64) -> u64 {
    match kind {
        Kind::Knight => KNIGHT[usize::from(square & 63)],
        Kind::Bishop => lines::along_diagonals(square, occupied),
        Kind::Rook => lines::orthogonal(square, occupied),
        _ => lines::along_diagonals(square, occupied) | lines::orthogonal(square, occupied),
    }
}

/// The squares of the set and all above them.
const fn fill_up(set: u64) -> u64 {
    let set = set | set << 8;
    let set = set | set << 16;
    set | set << 32
}

/// The squares of the set and all below them.
const fn fill_down(set: u64) -> u64 {
    let set = set | set >> 8;
    let set = set | set >> 16;
    set | set >> 32
}

const fn files(set: u64) -> u64 {
    fill_down(fill_up(set))
}

/// The squares to the left and right.
const fn beside(set: u64) -> u64 {
    set << 1 & !FILE_A | set >> 1 & !FILE_H
}

/// In steps of a king.
fn distance(one: u8, other: u8) -> usize {
    let (files, ranks) = ((one % 8).abs_diff(other % 8), (one / 8).abs_diff(other / 8));
    usize::from(files.max(ranks))
}

/// Names what holds of each colour, each below [`FEATURES`].
pub(super) fn features(board: &Board, mut name: impl FnMut(Color, usize)) {
    let (mut white, mut black) = (Side::new(board, Color::White), Side::new(board, Color::Black));
    let (white_before, black_before) = (white.turned(), black.turned());
    white.reach(&black_before, &mut |feature| name(Color::White, feature));
    black.reach(&white_before, &mut |feature| name(Color::Black, feature));
    for (color, own, other) in [(Color::White, white, black.turned()), (Color::Black, black, white.turned())]
    {
        let name = &mut |feature| name(color, feature);
        own.threats(&other, name);
        own.structure(&other, name);
        own.shelter(&other, name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Notation, Rules, playout};
    use crate::variants::chess::State;
    use crate::variants::chess::tests::testing::{mirror, state};

    /// The numbers, within a group, of the features of White's.
    fn of_white(position: &str, group: Group) -> Vec<usize> {
        let mut found = Vec::new();
        features(state(position).board(), |color, feature| {
            let inside = (group.first..group.first + group.size).contains(&feature);
            if color == Color::White && inside {
                found.push(feature - group.first);
            }
        });
        found.sort_unstable();
        found
    }

    #[test]
    fn pawns_are_told_apart() {
        // Passed: a5 (no pawn in front or beside), not d4 (e5 guards d4's way), not h2 (g7 may take).
        let position = "4k3/6p1/8/P3p3/3P4/8/7P/4K3 w - - 0 1";
        assert_eq!(of_white(position, PASSED), [2 * 3 + 1]);
        // Rank 5 is its third class beyond the fourth; both kings stand four and three steps from a6.
        assert_eq!(of_white(position, KING_TO_PASSED[0]), [6 + 5]);
        assert_eq!(of_white(position, KING_TO_PASSED[1]), [6 + 4]);
        assert_eq!(of_white(position, ISOLATED), [0, 0, 3]);
        assert_eq!(of_white("4k3/8/8/8/2P5/2P5/1P6/4K3 w - - 0 1", DOUBLED), [0]);
        assert_eq!(of_white("4k3/8/8/8/2P5/2P5/1P6/4K3 w - - 0 1", GUARDED), [1]);
        assert_eq!(of_white("4k3/8/8/8/2PP4/8/8/4K3 w - - 0 1", PHALANX), [2, 2]);
        // d3 cannot go on to d4 for the pawn on e5, and c4 has left it behind.
        assert_eq!(of_white("4k3/8/8/4p3/2P5/3P4/8/4K3 w - - 0 1", BACKWARD), [0]);
        assert_eq!(of_white("4k3/8/8/8/2P5/3P4/8/4K3 w - - 0 1", BACKWARD), [0; 0]);
    }

    #[test]
    fn pieces_are_told_apart() {
        assert_eq!(of_white("4k3/8/8/8/8/8/8/N3K3 w - - 0 1", MOBILITY[0]), [2]);
        // The pawn on d6 guards c5 and e5.
        assert_eq!(of_white("4k3/8/3p4/8/8/3N4/8/4K3 w - - 0 1", MOBILITY[0]), [8 - 3]);
        assert_eq!(of_white("4k3/p7/8/8/8/8/8/R3K3 w - - 0 1", OPEN_FILE), [1]);
        assert_eq!(of_white("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", OPEN_FILE), [0]);
        assert_eq!(of_white("4k3/8/8/3N4/4P3/8/8/4K3 w - - 0 1", OUTPOST), [0]);
        assert_eq!(of_white("4k3/2p5/8/3N4/4P3/8/8/4K3 w - - 0 1", OUTPOST), [0; 0]);
        // A light bishop, and three pawns on light squares.
        assert_eq!(of_white("4k3/8/8/8/2P1P3/3P4/8/4KB2 w - - 0 1", BISHOP_PAWNS), [3]);
    }

    #[test]
    fn attacks_on_king_and_pieces_are_seen() {
        let position = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
        assert_eq!(of_white(position, SAFE_CHECKS), [2 * 2]);
        assert_eq!(of_white(position, ATTACKERS), [0]);
        let position = "6k1/5ppp/8/8/6Q1/8/1B6/4K3 w - - 0 1";
        assert_eq!(of_white(position, ATTACKERS), [2]);
        assert_eq!(of_white(position, AT_KING), [4, 12]);
        // g7 is guarded by the king alone.
        assert_eq!(of_white(position, WEAK_RING), [1]);
        let position = "4k3/8/3n4/2P5/8/8/4r3/4K3 w - - 0 1";
        assert_eq!(of_white(position, PAWN_THREAT), [0]);
        assert_eq!(of_white(position, HANGING), [1, 3]);
        assert_eq!(of_white("3qk3/8/8/6B1/8/8/8/4K3 w - - 0 1", PIECE_THREAT), [1]);
        assert_eq!(of_white("4k3/8/2p5/3p4/8/1N3B2/8/3RK3 w - - 0 1", OUTNUMBERED), [0]);
    }

    #[test]
    fn the_pawns_before_the_king_are_seen_from_the_nearer_edge() {
        // King g1: h2 stands (no pawn of Black's), g3 is two steps off, f is open but for Black's pawn on f4.
        let position = "4k3/8/8/8/5p2/6P1/7P/6K1 w - - 0 1";
        assert_eq!(of_white(position, SHELTER), [3, 16 + 4 + 3, 32 + 12 + 2]);
        let position = "4k3/8/8/8/2p5/1P6/P7/1K6 w - - 0 1";
        assert_eq!(of_white(position, SHELTER), [3, 16 + 4 + 3, 32 + 12 + 2]);
    }

    #[test]
    fn both_colours_are_seen_alike_and_nothing_is_beyond_the_last() {
        let mut seen = [false; FEATURES];
        let mut rng = crate::base::Rng::new(5);
        for _ in 0..40 {
            playout(State::start(&Rules::default()), &mut rng, 200, |record, _| {
                let named = |board: &Board| {
                    let mut list = Vec::new();
                    features(board, |color, feature| list.push((color, feature)));
                    list.sort_unstable();
                    list
                };
                let list = named(record.now().board());
                let mut turned: Vec<_> =
                    named(mirror(record.now()).board()).into_iter().map(|(color, f)| (!color, f)).collect();
                turned.sort_unstable();
                assert_eq!(list, turned);
                list.iter().for_each(|&(_, feature)| seen[feature] = true);
            });
        }
        // What random games never show (27 squares for a queen, say) is little.
        assert!(seen.iter().filter(|&&seen| seen).count() > FEATURES * 9 / 10);
    }
}
