//! The lines pieces move on, computed by the compiler from the rules.
//!
//! A set of squares may be spread over **laps**: bit `n + 40` stands for the square `n` as well. On a line
//! that goes with the flow, each square gets the first of its numbers above that of the square before. So the
//! blockers of the line are met in the order of their bits, and its free part ends at the lowest one: three
//! instructions, whatever the rebounds.

use super::square::{ALL, Place, SLOTS, SQUARES, Set, Square, exists, forward, outer, outer_corner};
use crate::base::{const_for, table};

/// A set of squares spread over the laps; never both bits of one square.
pub type Laps = u64;

/// The squares of a set in both laps, as far as 64 bits hold them (they hold every line).
#[inline]
pub const fn both_laps(set: Set) -> Laps {
    set | set << SQUARES
}

/// The set without laps: each square by its own number.
#[inline]
pub const fn fold(laps: Laps) -> Set {
    (laps | laps >> SQUARES) & ALL
}

/// The lines and steps of a rook from one square.
#[derive(Clone, Copy)]
pub struct Rook {
    /// R16-R18: the forward line, round the corners.
    forward: Laps,
    /// R21: the long sideways line that goes with the flow.
    sideways: Laps,
    /// R21, OQ1: the long sideways line that goes against the flow; bits fall along the line.
    against: Laps,
    /// R19, R20: the backward step, and the sideways lines of one square.
    steps: Set,
}

/// The lines and steps of a bishop from one square.
#[derive(Clone, Copy)]
pub struct Bishop {
    /// R23, R24: the forward lines.
    first: Laps,
    second: Laps,
    /// R23, R26: the backward steps.
    steps: Set,
}

/// The part of a line up to and including its first blocker, where bits rise along the line.
#[inline]
const fn rising(line: Laps, occupied: Laps) -> Laps {
    let blockers = line & occupied;
    line & (blockers ^ blockers.wrapping_sub(1))
}

/// The same for a line along which bits fall.
#[inline]
const fn falling(line: Laps, occupied: Laps) -> Laps {
    let highest = 63 - (line & occupied | 1).leading_zeros();
    line & (u64::MAX << highest)
}

impl Rook {
    /// The squares it attacks, own pieces' included, when the squares of `occupied` (in both laps) hold
    /// pieces.
    #[inline]
    pub const fn reach(&self, occupied: Laps) -> Laps {
        rising(self.forward, occupied)
            | rising(self.sideways, occupied)
            | falling(self.against, occupied)
            | self.steps
    }
}

impl Bishop {
    /// The squares it attacks, own pieces' included, when the squares of `occupied` (in both laps) hold
    /// pieces.
    #[inline]
    pub const fn reach(&self, occupied: Laps) -> Laps {
        rising(self.first, occupied) | rising(self.second, occupied) | self.steps
    }
}

/// The tables that depend on the rule switch.
pub struct Lines {
    /// By the rook's square.
    pub rook: [Rook; SLOTS],
    /// By the bishop's square.
    pub bishop: [Bishop; SLOTS],
    /// By target: the squares from which a rook reaches it on an empty board.
    pub rooks_to: [Set; SLOTS],
    /// By target: the squares from which a bishop reaches it on an empty board.
    pub bishops_to: [Set; SLOTS],
    /// By target, then by a rook's square: the squares between that must be empty. At most one line joins the
    /// two (R28).
    pub rook_path: [[Set; SLOTS]; SLOTS],
    /// The same for a bishop.
    pub bishop_path: [[Set; SLOTS]; SLOTS],
}

/// Indexed by the switch `clockwise-sideways`: off (0), on (1).
pub static LINES: [Lines; 2] = [lines(false), lines(true)];

/// R33: one step in every direction.
pub static KING: [Set; SLOTS] = one_step_from(false);
/// R29: straight forward and the two forward diagonals.
pub static PAWN: [Set; SLOTS] = one_step_from(true);
/// By target: the squares from which a pawn attacks it.
pub static PAWNS_TO: [Set; SLOTS] = table!(to => {
    let mut set = 0;
    const_for!(from in 0..SQUARES => { set |= (PAWN[from] >> to & 1) << from; });
    set
});

/// By square: the squares one step away, in every direction or only in directions with a forward part.
const fn one_step_from(forward_only: bool) -> [Set; SLOTS] {
    let mut table = [0; SLOTS];
    const_for!(from in 0..SQUARES => {
        let place = Square::new(from as u8).place();
        const_for!(index in 0..8 => {
            let to = step(place, DIRECTIONS[index]);
            if exists(to) && (!forward_only || along(DIRECTIONS[index], forward(place)) > 0) {
                table[from] |= Square::at(to).bit();
            }
        });
    });
    table
}

const fn step((file, rank): Place, (over, up): Place) -> Place {
    (file + over, rank + up)
}

/// The eight directions, clockwise, 45 degrees apart; the odd ones are diagonal.
const DIRECTIONS: [Place; 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// Positive when the direction has a forward part, negative when it has a backward part.
const fn along(direction: Place, forward: Place) -> i8 {
    direction.0 * forward.0 + direction.1 * forward.1
}

/// The squares of a line, in order.
#[derive(Clone, Copy)]
struct Line {
    squares: [Square; 12],
    length: usize,
}

impl Line {
    const NONE: Self = Self { squares: [Square::new(0); 12], length: 0 };

    const fn push(&mut self, place: Place) {
        self.squares[self.length] = Square::at(place);
        self.length += 1;
    }

    /// Adds the squares straight on from `place` (not included) to the end of the board. Returns the last
    /// square.
    const fn slide(&mut self, place: Place, direction: Place) -> Place {
        let mut at = place;
        while exists(step(at, direction)) {
            at = step(at, direction);
            self.push(at);
        }
        at
    }

    const fn set(&self) -> Set {
        let mut set = 0;
        const_for!(index in 0..self.length => { set |= self.squares[index].bit(); });
        set
    }

    /// The squares with rising bits, the first above `from`.
    const fn with_flow(&self, from: Square) -> Laps {
        let mut laps = 0;
        let mut last = from.index();
        const_for!(index in 0..self.length => {
            let mut bit = self.squares[index].index();
            while bit <= last {
                bit += SQUARES;
            }
            laps |= 1 << bit;
            last = bit;
        });
        assert!(fold(laps) == self.set());
        laps
    }

    /// The squares with falling bits, starting in the second lap where the first is too short.
    const fn against_flow(&self, from: Square) -> Laps {
        let mut laps = 0;
        let mut last = if from.index() < 20 { from.index() + SQUARES } else { from.index() };
        const_for!(index in 0..self.length => {
            let number = self.squares[index].index();
            let bit = if number + SQUARES < last { number + SQUARES } else { number };
            assert!(bit < last);
            laps |= 1 << bit;
            last = bit;
        });
        assert!(fold(laps) == self.set());
        laps
    }

    /// Enters the line of a piece on `from` into the tables by target.
    const fn enter(&self, from: Square, to: &mut [Set; SLOTS], path: &mut [[Set; SLOTS]; SLOTS]) {
        let mut between = 0;
        const_for!(index in 0..self.length => {
            let target = self.squares[index].index();
            // R28: no square is reached twice.
            assert!(to[target] & from.bit() == 0);
            to[target] |= from.bit();
            path[target][from.index()] = between;
            between |= self.squares[index].bit();
        });
    }
}

/// R16-R18: the forward line, round the corners.
const fn rook_forward(from: Place) -> Line {
    let mut line = Line::NONE;
    let last = line.slide(from, forward(from));
    if outer(from) {
        // The slide ended on the next corner, where forward is along the next side.
        assert!(outer_corner(last));
        line.slide(last, forward(last));
    }
    line
}

/// R19: the neighbour on the ring from which forward leads here.
const fn rook_backward(from: Place) -> Place {
    const_for!(quarter in 0..4 => {
        let direction = DIRECTIONS[2 * quarter];
        let back = step(from, direction);
        if exists(back) && outer(back) == outer(from) {
            let (over, up) = forward(back);
            if over == -direction.0 && up == -direction.1 {
                return back;
            }
        }
    });
    panic!("a ring has no beginning")
}

/// R20, R21: the sideways line in one direction, if its first step leaves the ring.
const fn rook_sideways(from: Place, direction: Place) -> Line {
    let mut line = Line::NONE;
    let first = step(from, direction);
    if exists(first) && outer(first) != outer(from) {
        line.slide(from, direction);
    }
    line
}

/// True when a sideways line of several squares goes with the flow: forward on its second square points along
/// it.
const fn goes_with_flow(line: &Line, direction: Place) -> bool {
    along(direction, forward(line.squares[1].place())) > 0
}

/// R23, R24: a forward line of a bishop, with its rebound.
const fn bishop_forward(from: Place, direction: Place) -> Line {
    let mut line = Line::NONE;
    let corner = line.slide(from, direction);
    if line.length == 0 {
        return line;
    }
    let (over, up) = direction;
    let beside = exists(step(corner, (over, 0)));
    let above = exists(step(corner, (0, up)));
    // R24: the edge it touches makes it turn. OQ2: at the corner point of the hole it turns to the forward
    // side. R25: in an outer corner it ends.
    let turns_up = beside && (!above || along((over, -up), forward(corner)) > 0);
    let turns_over = above && (!beside || along((-over, up), forward(corner)) > 0);
    if turns_up {
        line.slide(corner, (over, -up));
    } else if turns_over {
        line.slide(corner, (-over, up));
    }
    line
}

const fn one_step(to: Place) -> Line {
    let mut line = Line::NONE;
    if exists(to) {
        line.push(to);
    }
    line
}

/// The lines of a rook, which are also entered into `lines`.
const fn rook(from: Place, clockwise: bool, lines: &mut Lines) -> Rook {
    let square = Square::at(from);
    let ahead = rook_forward(from);
    let back = one_step(rook_backward(from));
    ahead.enter(square, &mut lines.rooks_to, &mut lines.rook_path);
    back.enter(square, &mut lines.rooks_to, &mut lines.rook_path);
    let mut rook = Rook { forward: ahead.with_flow(square), sideways: 0, against: 0, steps: back.set() };
    const_for!(quarter in 0..4 => {
        let direction = DIRECTIONS[2 * quarter];
        let mut line = rook_sideways(from, direction);
        if line.length > 1 && goes_with_flow(&line, direction) {
            rook.sideways = line.with_flow(square);
        } else if line.length > 1 && !clockwise {
            rook.against = line.against_flow(square);
        } else if line.length > 0 {
            line.length = 1;
            rook.steps |= line.set();
        }
        line.enter(square, &mut lines.rooks_to, &mut lines.rook_path);
    });
    rook
}

/// The same for a bishop.
const fn bishop(from: Place, lines: &mut Lines) -> Bishop {
    let square = Square::at(from);
    let mut bishop = Bishop { first: 0, second: 0, steps: 0 };
    const_for!(quarter in 0..4 => {
        let direction = DIRECTIONS[2 * quarter + 1];
        let mut line = bishop_forward(from, direction);
        if along(direction, forward(from)) <= 0 {
            line = one_step(step(from, direction));
            bishop.steps |= line.set();
        } else if bishop.first == 0 {
            bishop.first = line.with_flow(square);
        } else {
            bishop.second = line.with_flow(square);
        }
        line.enter(square, &mut lines.bishops_to, &mut lines.bishop_path);
    });
    bishop
}

const fn lines(clockwise: bool) -> Lines {
    let mut lines = Lines {
        rook: [Rook { forward: 0, sideways: 0, against: 0, steps: 0 }; SLOTS],
        bishop: [Bishop { first: 0, second: 0, steps: 0 }; SLOTS],
        rooks_to: [0; SLOTS],
        bishops_to: [0; SLOTS],
        rook_path: [[0; SLOTS]; SLOTS],
        bishop_path: [[0; SLOTS]; SLOTS],
    };
    const_for!(from in 0..SQUARES => {
        let place = Square::new(from as u8).place();
        lines.rook[from] = rook(place, clockwise, &mut lines);
        lines.bishop[from] = bishop(place, &mut lines);
    });
    lines
}
