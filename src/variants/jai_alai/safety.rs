//! Whether a King is attacked, and which actions could change that (R53, R70, R71).
//!
//! Every attack is a *line*: a piece, squares that must be empty, and for rebounds a wall. A King that is not
//! attacked stays so unless an action moves a lone blocker away, builds a missing wall or moves a Reducer.
//! Only these few actions must be tried out.

use super::board::Board;
use super::decision::Action;
use super::geometry::{
    ADJACENT, BOY_TAKES, CORNERS, DIAGONAL_REBOUNDS, DIRECTION, LAST_RANK, LINES, MAGE_AREA,
    ORTHOGONAL_REBOUNDS, Rebound, SQUARES, between, bit, mage_path, next, turns,
};
use super::piece::Kind;
use crate::base::{Bits, Color};

/// A way in which a piece could capture a King.
struct Line {
    /// The square of the attacking piece.
    by: u8,
    /// Squares that must be empty.
    path: u128,
    /// The squares where its wall may stand; none if it needs no wall.
    wall: u128,
    /// True when it needs no wall, or the wall stands.
    walled: bool,
}

/// What a side must know to keep its own King safe.
pub struct Outlook {
    /// True when the King is attacked.
    pub attacked: bool,
    /// If attacked: the squares of which an action must touch one, unless it changes a Reducer's effect. With
    /// several attacks, the squares of all of them together, as one action may remove the wall of one and
    /// block another.
    pub answers: u128,
    /// The own pieces that alone block a line.
    pub blockers: u128,
    /// The empty squares on which a piece would be the wall that a line lacks.
    pub missing_walls: u128,
    /// True when the own Reducer holds down an enemy that could attack without it.
    pub restrains: bool,
}

/// Calls `see` with every line against the King of `color` on `king` until it returns true; returns whether
/// it did. A line whose missing wall only the enemy could build is left out unless `enemy_builds`.
#[inline]
fn any_line(
    board: &Board,
    color: Color,
    king: u8,
    (at_once, enemy_builds): (bool, bool),
    mut see: impl FnMut(Line) -> bool,
) -> bool {
    let (square, occupied) = (usize::from(king), board.occupied());
    let enemies = board.pieces(!color);
    let plain = |by, path| Line { by, path, wall: 0, walled: true };

    // Pieces one step away: Guard, King and Boy (R70: so Kings never become adjacent).
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
    // R29: a Deer two squares or more away, or exactly two when reduced.
    for by in Bits(LINES[square] & !ADJACENT[square] & board.kind(Kind::Deer) & enemies) {
        let path = between(by, king);
        if (reduced & bit(by) == 0 || path.count_ones() == 1) && see(plain(by, path)) {
            return true;
        }
    }
    // Rebounding pieces. Reduced ones capture nothing; a Superball is never reduced.
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
                let walled = wall & enemies != 0;
                if (walled || enemy_builds && wall != 0) && see(Line { by, path, wall, walled }) {
                    return true;
                }
            }
            if at_once {
                let (path, wall) = (between(by, king), walls_at_once(by, king, family));
                let walled = wall & enemies != 0;
                if (walled || enemy_builds && wall != 0) && see(Line { by, path, wall, walled }) {
                    return true;
                }
            }
        }
    }
    false
}

/// The squares where a wall must stand for a piece on `by` to turn on its own square towards `king`: the two
/// neighbours at right angles to their line. None if no line of the family joins them.
fn walls_at_once(by: u8, king: u8, family: usize) -> u128 {
    let direction = usize::from(DIRECTION[usize::from(by)][usize::from(king)]);
    if direction == 8 || direction & 4 != family {
        return 0;
    }
    turns(direction).into_iter().fold(0, |walls, side| walls | bit(next(by, side)))
}

/// True when an enemy piece could capture the King of `color` if it stood on `king` (R70).
#[inline]
pub fn attacked(board: &Board, color: Color, king: u8, at_once: bool) -> bool {
    let occupied = board.occupied();
    any_line(board, color, king, (at_once, false), |line| line.walled && line.path & occupied == 0)
}

/// The pieces of `side` that attack the square `to`, where a piece of the other side stands (R54 aside).
pub fn takers(board: &Board, side: Color, to: u8, at_once: bool) -> u128 {
    let (occupied, mut takers) = (board.occupied(), 0);
    any_line(board, !side, to, (at_once, false), |line| {
        takers |= if line.walled && line.path & occupied == 0 { bit(line.by) } else { 0 };
        false
    });
    takers
}

/// What must be watched to keep the King of `color` safe.
#[inline]
pub fn outlook(board: &Board, color: Color, at_once: bool) -> Outlook {
    let (occupied, own) = (board.occupied(), board.pieces(color));
    let mut outlook =
        Outlook { attacked: false, answers: 0, blockers: 0, missing_walls: 0, restrains: false };
    any_line(board, color, board.king(color), (at_once, false), |line| {
        let blockers = line.path & occupied;
        if blockers == 0 && line.walled {
            outlook.attacked = true;
            outlook.answers |= bit(line.by) | line.path | line.wall;
        } else if blockers == 0 {
            outlook.missing_walls |= line.wall;
        } else if blockers & (blockers - 1) == 0 {
            // Only a Deer can capture an enemy blocker out of the way, and its captures are tried anyway.
            outlook.blockers |= blockers & own;
        }
        false
    });
    let able =
        board.kind(Kind::Ball) | board.kind(Kind::Diagball) | board.kind(Kind::Deer) | board.kind(Kind::Mage);
    outlook.restrains = board.reduced(!color) & able != 0;
    outlook
}

/// What a side must know to say of most of its actions that they do not attack the enemy King.
pub struct Threats<'a> {
    board: &'a Board,
    side: Color,
    at_once: bool,
    /// The pieces that alone block a line.
    blockers: u128,
    /// The squares on which a piece of that side would be the wall that a line lacks.
    missing_walls: u128,
}

impl<'a> Threats<'a> {
    /// The threats of `side`.
    pub fn of(board: &'a Board, side: Color, at_once: bool) -> Self {
        let occupied = board.occupied();
        let mut threats = Self { board, side, at_once, blockers: 0, missing_walls: 0 };
        any_line(board, !side, board.king(!side), (at_once, true), |line| {
            let blockers = line.path & occupied;
            if blockers & blockers.wrapping_sub(1) == 0 {
                threats.blockers |= blockers;
                if !line.walled {
                    threats.missing_walls |= line.wall;
                }
            }
            false
        });
        threats
    }

    /// `Some(false)` when `action` captures nothing and is sure not to attack the King.
    pub fn denies(&self, action: Action) -> Option<bool> {
        let (board, to) = (self.board, action.to());
        if board.occupied() & bit(to) != 0 || self.missing_walls & bit(to) != 0 {
            return None;
        }
        let Some(from) = action.from() else { return Some(false) };
        if action.victim_ahead().is_some() || self.blockers & bit(from) != 0 {
            return None;
        }
        let king = usize::from(board.king(!self.side));
        let occupied = board.occupied() & !bit(from);
        let rebounds = |table: &[[[Rebound; 2]; SQUARES]; SQUARES], family| {
            table[king][usize::from(to)].iter().any(|line| line.wall != 0 && line.path & occupied == 0)
                || self.at_once && walls_at_once(to, king as u8, family) != 0
        };
        let attacks = match board.kind_at(from)? {
            Kind::King | Kind::Guard => ADJACENT[king] & bit(to) != 0,
            // On its last rank it becomes a Superball.
            Kind::Boy => {
                (BOY_TAKES[(!self.side).index()][king] | LAST_RANK[self.side.index()]) & bit(to) != 0
            }
            Kind::Mage => MAGE_AREA[king] & bit(to) != 0,
            Kind::Deer => LINES[king] & bit(to) != 0,
            Kind::Superball | Kind::Ball => rebounds(&ORTHOGONAL_REBOUNDS, 0),
            Kind::Diagball => rebounds(&DIAGONAL_REBOUNDS, 4),
            Kind::Reducer | Kind::Statue => false,
        };
        (!attacks).then_some(false)
    }
}
