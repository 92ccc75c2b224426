//! Legal moves, listed and counted.
//!
//! Both start from the same bounds: the squares the enemy attacks, the pinned pieces by the line of their
//! pin, and the squares that answer a check. Within these bounds every move is legal; only an en passant
//! capture needs a look at the board after the move.

use super::board::{Board, Kind};
use super::rays::{self, FALLING, Fan, RISING, ahead, pawns_east, pawns_west, union};
use super::{Decision, State};
use crate::base::{Bits, Color, lines};
use crate::game::{Decisions, GenType};

const RANK_1: u64 = 0xff;

/// The limits on the moves of the side to move.
struct Bounds {
    own: u64,
    enemy: u64,
    empty: u64,
    king: u8,
    /// Squares the enemy attacks with our king off the board: the king may not go there (FIDE 3.9.2).
    danger: u64,
    checkers: u64,
    /// Where pieces other than the king may go: not onto their own side, and only so that a check is
    /// answered.
    target: u64,
    /// Pieces that may not leave a line.
    pinned: u64,
    /// The pinned pieces, by the line of their pin.
    pinned_on: Fan,
}

/// The sliders among `side`, by the line they slide on.
#[inline(always)]
fn sliders(board: &Board, side: u64) -> Fan {
    let (orthogonal, diagonal) = (board.orthogonal() & side, board.diagonal() & side);
    [orthogonal, diagonal, diagonal, orthogonal]
}

impl Bounds {
    #[inline(always)]
    fn of<const WHITE: bool>(board: &Board) -> Self {
        let (us, them) = if WHITE { (Color::White, Color::Black) } else { (Color::Black, Color::White) };
        let (own, enemy, empty) = (board.of(us), board.of(them), !board.occupied());
        let king_set = board.kings() & own;
        let king = king_set.trailing_zeros() as u8 & 63;

        let enemy_sliders = sliders(board, enemy);
        let (king_up, king_down) =
            (rays::slide::<true>([king_set; 4], empty), rays::slide::<false>([king_set; 4], empty));
        let through = empty | king_set;
        let enemy_up = rays::slide::<true>(enemy_sliders, through);
        let enemy_down = rays::slide::<false>(enemy_sliders, through);

        // Our piece is pinned when our king and an enemy slider both reach it, from opposite sides.
        let mut pinned_on = [0; 4];
        let mut sliding_checkers = [0; 4];
        let mut sliding = [0; 4];
        for line in 0..4 {
            pinned_on[line] = own & (king_up[line] & enemy_down[line] | king_down[line] & enemy_up[line]);
            sliding_checkers[line] = enemy_sliders[line] & (king_up[line] | king_down[line]);
            sliding[line] = enemy_up[line] | enemy_down[line];
        }
        let (enemy_pawns, enemy_knights) = (board.pawns() & enemy, board.knights() & enemy);
        let (jumps_up, jumps_down) = rays::jumps(enemy_knights);
        let pawn_danger = if WHITE {
            pawns_west::<false>(enemy_pawns) | pawns_east::<false>(enemy_pawns)
        } else {
            pawns_west::<true>(enemy_pawns) | pawns_east::<true>(enemy_pawns)
        };
        let danger = union(sliding)
            | union(jumps_up)
            | union(jumps_down)
            | pawn_danger
            | rays::KING[usize::from(board.king(them))];
        let stepping_checkers = rays::KNIGHT[usize::from(king)] & enemy_knights
            | rays::PAWN[us.index()][usize::from(king)] & enemy_pawns;
        let checkers = union(sliding_checkers) | stepping_checkers;
        let mut target = !own;
        if checkers != 0 {
            target = stepping_checkers;
            for ray in king_up.into_iter().chain(king_down).zip(enemy_sliders.into_iter().cycle()) {
                if ray.0 & ray.1 != 0 {
                    target |= ray.0;
                }
            }
            if checkers & (checkers - 1) != 0 {
                target = 0;
            }
        }
        Self { own, enemy, empty, king, danger, checkers, target, pinned: union(pinned_on), pinned_on }
    }

    /// The squares to which a pin restricts the piece on `from`.
    #[inline]
    fn bound(&self, from: u8) -> u64 {
        if self.pinned >> from & 1 == 0 {
            return !0;
        }
        let lines = self.pinned_on.iter().zip(&rays::LINES);
        lines
            .filter(|(pieces, _)| **pieces >> from & 1 == 1)
            .fold(0, |set, (_, line)| set | line[usize::from(from)])
    }

    /// The squares the king may step to.
    #[inline(always)]
    fn king_steps(&self) -> u64 {
        rays::KING[usize::from(self.king)] & !self.own & !self.danger
    }

    /// Where the king may castle to (FIDE 3.8.2.2): not out of, through or into an attack, and with nothing
    /// in between.
    #[inline(always)]
    fn castling<const WHITE: bool>(&self, rights: u8) -> u64 {
        let (rights, shift) = if WHITE { (rights & 3, 0) } else { (rights >> 2, 56) };
        if rights == 0 || self.checkers != 0 {
            return 0;
        }
        let short = 0b0110_0000 << shift;
        let long = 0b0000_1110 << shift;
        let long_walk = 0b0000_1100 << shift;
        let mut squares = 0;
        if rights & 1 != 0 && short & (self.danger | !self.empty) == 0 {
            squares |= 0b0100_0000 << shift;
        }
        if rights & 2 != 0 && long & !self.empty == 0 && long_walk & self.danger == 0 {
            squares |= 0b0000_0100 << shift;
        }
        squares
    }

    /// Pawn moves by direction, as squares of arrival: one step, two steps, captures west, captures east.
    #[inline(always)]
    fn pawns<const WHITE: bool>(&self, board: &Board) -> [u64; 4] {
        let pawns = board.pawns() & self.own;
        let free = pawns & !self.pinned;
        let third = if WHITE { RANK_1 << 16 } else { RANK_1 << 40 };
        let (west_line, east_line) = if WHITE { (FALLING, RISING) } else { (RISING, FALLING) };
        let one = ahead::<WHITE>(free | pawns & self.pinned_on[0]) & self.empty;
        let two = ahead::<WHITE>(one & third) & self.empty;
        let west = pawns_west::<WHITE>(free | pawns & self.pinned_on[west_line]) & self.enemy;
        let east = pawns_east::<WHITE>(free | pawns & self.pinned_on[east_line]) & self.enemy;
        [one & self.target, two & self.target, west & self.target, east & self.target]
    }
}

const fn last_rank<const WHITE: bool>() -> u64 {
    if WHITE { RANK_1 << 56 } else { RANK_1 }
}

impl State {
    #[inline]
    pub(super) fn count_moves(&self) -> u64 {
        match self.turn {
            Color::White => self.count_as::<true>(),
            Color::Black => self.count_as::<false>(),
        }
    }

    /// The target squares of castling, as the move is written.
    #[inline(always)]
    fn castling_moves<const WHITE: bool>(&self, bounds: &Bounds) -> u64 {
        if !self.castling.is_chess960 {
            return bounds.castling::<WHITE>(self.rights);
        }
        if bounds.checkers == 0 { self.castling_rooks(bounds.danger) } else { 0 }
    }

    fn count_as<const WHITE: bool>(&self) -> u64 {
        let board = &self.board;
        let bounds = Bounds::of::<WHITE>(board);
        let mut count = bounds.king_steps().count_ones() + self.castling_moves::<WHITE>(&bounds).count_ones();

        let mut sources = sliders(board, bounds.own);
        for (pieces, pinned_here) in sources.iter_mut().zip(bounds.pinned_on) {
            *pieces &= !bounds.pinned | pinned_here;
        }
        // In one direction no two sliders reach the same square, so counting squares counts moves.
        let (up, down) =
            (rays::slide::<true>(sources, bounds.empty), rays::slide::<false>(sources, bounds.empty));
        let (jumps_up, jumps_down) = rays::jumps(board.knights() & bounds.own & !bounds.pinned);
        for fan in [up, down, jumps_up, jumps_down] {
            for set in fan {
                count += (set & bounds.target).count_ones();
            }
        }
        let pawns = bounds.pawns::<WHITE>(board);
        for set in pawns {
            count += set.count_ones();
        }
        // Each arrival on the last rank is four moves.
        for set in [pawns[0], pawns[2], pawns[3]] {
            count += 3 * (set & last_rank::<WHITE>()).count_ones();
        }
        u64::from(count + self.takers_in_passing().count_ones())
    }

    #[inline]
    pub(super) fn list_moves(&self, wanted: GenType, list: &mut Decisions<Decision>) {
        match self.turn {
            Color::White => self.list_as::<true>(wanted, list),
            Color::Black => self.list_as::<false>(wanted, list),
        }
    }

    fn list_as<const WHITE: bool>(&self, wanted: GenType, list: &mut Decisions<Decision>) {
        let board = &self.board;
        let bounds = Bounds::of::<WHITE>(board);
        // In check every answer counts, quiet moves too.
        let quiet = wanted == GenType::All || bounds.checkers != 0;
        let wish = if quiet { !0 } else { bounds.enemy };

        if bounds.target != 0 {
            let [mut one, mut two, west, east] = bounds.pawns::<WHITE>(board);
            if !quiet {
                one &= last_rank::<WHITE>();
                two = 0;
            }
            let (back, side): (i8, i8) = if WHITE { (-8, 1) } else { (8, 1) };
            list_pawns::<WHITE>(west, back + side, list);
            list_pawns::<WHITE>(east, back - side, list);
            list_pawns::<WHITE>(one, back, list);
            for to in Bits(two) {
                list.push(Decision::step(to.wrapping_add_signed(2 * back), to));
            }
            for from in Bits(self.takers_in_passing()) {
                list.push(Decision::step(from, self.en_passant));
            }
            let (occupied, target) = (!bounds.empty, bounds.target & wish);
            for from in Bits(board.knights() & bounds.own & !bounds.pinned) {
                list_steps(from, rays::KNIGHT[usize::from(from)] & target, list);
            }
            for from in Bits(board.diagonal() & bounds.own) {
                list_steps(from, lines::along_diagonals(from, occupied) & target & bounds.bound(from), list);
            }
            for from in Bits(board.orthogonal() & bounds.own) {
                list_steps(from, lines::orthogonal(from, occupied) & target & bounds.bound(from), list);
            }
        }
        list_steps(bounds.king, bounds.king_steps() & wish, list);
        if quiet {
            list_steps(bounds.king, self.castling_moves::<WHITE>(&bounds), list);
        }
    }
}

#[inline]
fn list_steps(from: u8, to: u64, list: &mut Decisions<Decision>) {
    for to in Bits(to) {
        list.push(Decision::step(from, to));
    }
}

/// Lists the pawn moves to the squares of `to`. Each starts `back` squares further on.
#[inline]
fn list_pawns<const WHITE: bool>(to: u64, back: i8, list: &mut Decisions<Decision>) {
    for to in Bits(to & !last_rank::<WHITE>()) {
        list.push(Decision::step(to.wrapping_add_signed(back), to));
    }
    for to in Bits(to & last_rank::<WHITE>()) {
        for kind in Kind::PROMOTIONS {
            list.push(Decision::promotion(to.wrapping_add_signed(back), to, kind));
        }
    }
}
