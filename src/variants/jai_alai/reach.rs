//! Where each man can go and what it can take, the safety of the own King apart (R20-R44, R50-R54).

use super::board::Board;
use super::geometry::{
    ADJACENT, BESIDE, BOY_STEPS, BOY_TAKES, CORNERS, DIRECTION, DOUBLE_STEP, FORWARD, FULL, LINES, OFF, back,
    bit, next, outward, slide, turns,
};
use super::man::Kind;
use crate::base::{Bits, BoardBits, Color};

/// What one man can do.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Reach {
    /// Empty squares it can go to.
    pub quiet: u128,
    /// Men it can take by going to their squares.
    pub takes: u128,
    /// Those of the quiet squares from which a Deer may also take the man ahead (R27, R28).
    pub approach: u128,
}

/// What the man of `color` and `kind` on `from` can do in its present state: `reduced` or not (R52).
/// `at_once` is the switch that lets a first leg have no length.
#[inline]
pub fn reach(board: &Board, color: Color, kind: Kind, from: u8, reduced: bool, at_once: bool) -> Reach {
    let square = usize::from(from);
    let occupied = board.occupied();
    let empty = FULL & !occupied;
    let friends = board.men(color);
    let enemies = board.men(!color);
    // R54: these may be taken by few.
    let reducers = board.kind(Kind::Reducer);
    match kind {
        Kind::King => Reach {
            quiet: ADJACENT[square] & empty,
            // R40, R41: friends too, its own Statues among them, but no Statue of the enemy's.
            takes: ADJACENT[square] & occupied & !(enemies & board.kind(Kind::Statue)),
            approach: 0,
        },
        Kind::Guard => Reach {
            quiet: ADJACENT[square] & empty,
            takes: ADJACENT[square] & occupied & !(friends & board.kind(Kind::King)),
            approach: 0,
        },
        Kind::Superball => {
            let (quiet, ends) = rebounds(from, 0, occupied, occupied, at_once);
            Reach { quiet: quiet | CORNERS[square] & empty, takes: ends & enemies, approach: 0 }
        }
        Kind::Ball if reduced => Reach { quiet: BESIDE[square] & empty, ..Reach::default() },
        Kind::Ball => {
            let (quiet, ends) = rebounds(from, 0, occupied, friends, at_once);
            Reach { quiet, takes: ends & enemies & !reducers, approach: 0 }
        }
        Kind::Diagball if reduced => Reach { quiet: ADJACENT[square] & empty, ..Reach::default() },
        Kind::Diagball => {
            let (quiet, ends) = rebounds(from, 4, occupied, friends, at_once);
            Reach { quiet: quiet | BESIDE[square] & empty, takes: ends & enemies & !reducers, approach: 0 }
        }
        Kind::Deer => {
            let quiet = if reduced { ADJACENT[square] & empty } else { queen_slide(from, occupied) & empty };
            let victims = enemies & !reducers & LINES[square];
            Reach { quiet, takes: 0, approach: approach(from, quiet, victims) }
        }
        Kind::Mage => mage(from, occupied, enemies, reducers, reduced),
        Kind::Reducer => {
            let quiet = if reduced { ADJACENT[square] & empty } else { queen_slide(from, occupied) & empty };
            Reach { quiet, ..Reach::default() }
        }
        Kind::Boy => {
            let side = color.index();
            let mut quiet = BOY_STEPS[side][square] & empty;
            // R22: straight, both squares empty, not when reduced.
            if !reduced && DOUBLE_STEP[side] & bit(from) != 0 {
                let first = next(from, FORWARD[side]);
                if empty & bit(first) != 0 {
                    quiet |= bit(next(first, FORWARD[side])) & empty;
                }
            }
            Reach { quiet, takes: BOY_TAKES[side][square] & enemies & !reducers, approach: 0 }
        }
        Kind::Statue => Reach::default(),
    }
}

#[inline]
fn queen_slide(from: u8, occupied: u128) -> u128 {
    let orthogonal = slide(from, 0, occupied)
        | slide(from, 1, occupied)
        | slide(from, 2, occupied)
        | slide(from, 3, occupied);
    let diagonal = slide(from, 4, occupied)
        | slide(from, 5, occupied)
        | slide(from, 6, occupied)
        | slide(from, 7, occupied);
    orthogonal | diagonal
}

/// R27: the squares of `quiet` behind which, seen from `from`, one of `victims` stands.
#[inline]
fn approach(from: u8, quiet: u128, victims: u128) -> u128 {
    let mut stops = 0;
    for victim in Bits(victims) {
        // The last square before the victim on the line, which must have been reached and so is not the Deer's own.
        let towards = usize::from(DIRECTION[usize::from(victim)][usize::from(from)]);
        stops |= bit(next(victim, towards));
    }
    stops & quiet
}

/// R16, R17: the squares reached by sliding and by rebounding off one of `walls`, and the men that end a second leg.
/// Orthogonal with `family` 0, diagonal with 4.
#[inline]
fn rebounds(from: u8, family: usize, occupied: u128, walls: u128, at_once: bool) -> (u128, u128) {
    let mut reached = 0;
    let mut second_legs = 0;
    for direction in family..family + 4 {
        let line = slide(from, direction, occupied);
        reached |= line;
        let wall = line & occupied & walls;
        // The edge is never a wall.
        if wall == 0 {
            continue;
        }
        let turning = back(wall.lowest(), direction);
        if turning == from && !at_once {
            continue;
        }
        for second in turns(direction) {
            second_legs |= slide(turning, second, occupied);
        }
    }
    ((reached | second_legs) & !occupied, second_legs & occupied)
}

/// R30-R32.
#[inline]
fn mage(from: u8, occupied: u128, enemies: u128, reducers: u128, reduced: bool) -> Reach {
    let mut area = CORNERS[usize::from(from)];
    let near = area;
    if !reduced {
        for diagonal in 4..8 {
            let corner = next(from, diagonal);
            if corner == OFF || occupied & bit(corner) != 0 {
                continue;
            }
            for direction in outward(diagonal) {
                let first = next(corner, direction);
                area |= bit(first);
                if occupied & bit(first) == 0 {
                    area |= bit(next(first, direction));
                }
            }
        }
    }
    Reach { quiet: area & !occupied, takes: area & enemies & !(near & reducers), approach: 0 }
}
