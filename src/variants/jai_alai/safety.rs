//! Whether a King is attacked, and which actions could change that (R53, R70, R71).
//!
//! Every attack is a *line*: a man, squares that must be empty, and for rebounds a wall. An action that empties no
//! lone blocker, builds no missing wall and moves no Reducer away leaves a King that is not attacked so; only the few
//! others must be tried out.

use super::board::Board;
use super::geometry::{
    ADJACENT, BOY_TAKES, CORNERS, DIAGONAL_REBOUNDS, DIRECTION, LINES, MAGE_AREA, ORTHOGONAL_REBOUNDS,
    Rebound, between, bit, mage_path, next, turns,
};
use super::man::Kind;
use crate::base::{Bits, Color};

/// A way in which a man could take a King.
struct Line {
    /// The man.
    by: u8,
    /// Squares that must be empty.
    path: u128,
    /// The square or squares of the wall it needs, none if it needs no wall.
    wall: u128,
    /// It needs no wall, or the wall stands.
    walled: bool,
}

/// What there is to know before one's own King can be kept safe.
pub struct Outlook {
    /// The King is attacked.
    pub attacked: bool,
    /// When it is: the squares one of which an action must touch (or else it must change a Reducer's effect). With
    /// several attacks those of all together, as one action may leave the wall of one and block another.
    pub answers: u128,
    /// Own men that alone stand in a line.
    pub blockers: u128,
    /// Empty squares on which a man would be the wall that a line lacks.
    pub missing_walls: u128,
    /// The own Reducer holds down an enemy that could attack without it.
    pub restrains: bool,
}

/// Calls `see` with every line against the King of `color` on `king` until it says true, and says whether it did.
/// Lines with a missing wall are left out where only the enemy could build it.
#[inline]
fn any_line(board: &Board, color: Color, king: u8, at_once: bool, mut see: impl FnMut(Line) -> bool) -> bool {
    let (square, occupied) = (usize::from(king), board.occupied());
    let enemies = board.men(!color);
    let plain = |by, path| Line { by, path, wall: 0, walled: true };

    // A step away: Guard, King and Boy (R70: so Kings never become adjacent).
    let steppers = ADJACENT[square] & (board.kind(Kind::Guard) | board.kind(Kind::King))
        | BOY_TAKES[color.index()][square] & board.kind(Kind::Boy);
    for by in Bits(steppers & enemies) {
        if see(plain(by, 0)) {
            return true;
        }
    }
    let reduced = board.reduced(!color);
    for by in Bits(MAGE_AREA[square] & board.kind(Kind::Mage) & enemies) {
        if reduced & bit(by) != 0 {
            if CORNERS[square] & bit(by) != 0 && see(plain(by, 0)) {
                return true;
            }
        } else if see(plain(by, mage_path(by, king))) {
            return true;
        }
    }
    // R29: at two squares or more, exactly two when reduced.
    for by in Bits(LINES[square] & !ADJACENT[square] & board.kind(Kind::Deer) & enemies) {
        let path = between(by, king);
        if (reduced & bit(by) == 0 || path.count_ones() == 1) && see(plain(by, path)) {
            return true;
        }
    }
    // Rebounders. The reduced ones take nothing; a Superball never is one of them.
    for by in Bits(board.kind(Kind::Superball) & enemies) {
        for &Rebound { path, wall } in &ORTHOGONAL_REBOUNDS[square][usize::from(by)] {
            if wall != 0 && see(Line { by, path, wall, walled: wall & occupied != 0 }) {
                return true;
            }
        }
        if at_once {
            let wall = walls_at_once(by, king, 0);
            if wall != 0 && see(Line { by, path: between(by, king), wall, walled: wall & occupied != 0 }) {
                return true;
            }
        }
    }
    for (kind, family, table) in
        [(Kind::Ball, 0, &ORTHOGONAL_REBOUNDS), (Kind::Diagball, 4, &DIAGONAL_REBOUNDS)]
    {
        for by in Bits(board.kind(kind) & enemies & !reduced) {
            for &Rebound { path, wall } in &table[square][usize::from(by)] {
                if wall & enemies != 0 && see(Line { by, path, wall, walled: true }) {
                    return true;
                }
            }
            if at_once {
                let wall = walls_at_once(by, king, family);
                if wall & enemies != 0 && see(Line { by, path: between(by, king), wall, walled: true }) {
                    return true;
                }
            }
        }
    }
    false
}

/// Where a wall must stand for a man on `by` to turn on its own square towards `king`: the two neighbours at right
/// angles to their line; none if no line of the family joins them.
fn walls_at_once(by: u8, king: u8, family: usize) -> u128 {
    let direction = usize::from(DIRECTION[usize::from(by)][usize::from(king)]);
    if direction == 8 || direction & 4 != family {
        return 0;
    }
    turns(direction).into_iter().fold(0, |walls, side| walls | bit(next(by, side)))
}

/// True when an enemy man could take the King of `color` if it stood on `king` (R70).
#[inline]
pub fn attacked(board: &Board, color: Color, king: u8, at_once: bool) -> bool {
    let occupied = board.occupied();
    any_line(board, color, king, at_once, |line| line.walled && line.path & occupied == 0)
}

/// What must be watched to keep the King of `color` safe.
#[inline]
pub fn outlook(board: &Board, color: Color, at_once: bool) -> Outlook {
    let (occupied, own) = (board.occupied(), board.men(color));
    let mut outlook =
        Outlook { attacked: false, answers: 0, blockers: 0, missing_walls: 0, restrains: false };
    any_line(board, color, board.king(color), at_once, |line| {
        let blockers = line.path & occupied;
        if blockers == 0 && line.walled {
            outlook.attacked = true;
            outlook.answers |= bit(line.by) | line.path | line.wall;
        } else if blockers == 0 {
            outlook.missing_walls |= line.wall;
        } else if blockers & (blockers - 1) == 0 {
            // An enemy's man can be taken out of the way by a Deer only; those captures are tried anyway.
            outlook.blockers |= blockers & own;
        }
        false
    });
    let able =
        board.kind(Kind::Ball) | board.kind(Kind::Diagball) | board.kind(Kind::Deer) | board.kind(Kind::Mage);
    outlook.restrains = board.reduced(!color) & able != 0;
    outlook
}
