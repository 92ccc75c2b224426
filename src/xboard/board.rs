//! XBoard's board, which knows nothing but plies, and the plies that make it agree with ours.
//!
//! Plies alternate in colour. A ply moves a piece of its colour from one square to another, whatever stands
//! there, and may change the piece's letter on the way; or it drops a piece on an empty square; or it passes.
//! A piece vanishes when it becomes a letter that no piece has. That is enough for any change of the board:
//! see `protocol-docs/xboard.md`.

use crate::base::Color;
use crate::game::Facts;
use crate::notation::{Cell, Coordinate, Position};
use crate::session::xboard_spelling::Ply;

/// The letter that no piece of any game has. A piece that becomes it vanishes.
pub(super) const VANISH: u8 = b'z';
const EMPTY: u8 = b'.';
const HOLE: u8 = b'*';
/// More plies than any two boards can be apart. It only makes sure that the search for plies ends.
const MOST_PLIES: usize = 600;

/// What XBoard shows: a board, the pieces in hand, and whose ply is next.
#[derive(Clone, Debug)]
pub(super) struct Board {
    files: u8,
    first_rank: u8,
    /// Bottom rank first: XBoard's letter for each piece, `.` for an empty square or `*` for a hole.
    cells: Vec<u8>,
    /// The letters of the pieces in hand, each with their number.
    hand: Vec<(u8, u8)>,
    /// The side whose ply is next.
    pub side: Color,
    /// The file on which XBoard allows an en passant capture at the next ply.
    passed: Option<u8>,
    /// The upper-case letter of an object that belongs to neither side and is shown in either colour (the
    /// ball).
    neutral: Option<u8>,
    /// The piece, if any, that XBoard takes for its pawn: the first of the table.
    pawn: Option<u8>,
}

const fn is_of(cell: u8, color: Color) -> bool {
    match color {
        Color::White => cell.is_ascii_uppercase(),
        Color::Black => cell.is_ascii_lowercase(),
    }
}

impl Board {
    /// The board of a position that is already written in XBoard's letters.
    pub fn new(facts: &Facts, position: &Position, side: Color) -> Self {
        let letter = |cell: &Cell| match cell {
            Cell::Empty => EMPTY,
            Cell::Hole => HOLE,
            Cell::Piece { letter, .. } => *letter,
        };
        let mut hand = position.hand.clone().unwrap_or_default();
        hand.sort_unstable();
        Self {
            files: position.placement.files,
            first_rank: facts.first_rank,
            cells: position.placement.cells.iter().map(letter).collect(),
            hand,
            side,
            passed: None,
            neutral: facts.xboard.steps.as_ref().and_then(|view| view.neutral),
            pawn: facts
                .xboard
                .setup
                .and_then(|table| table.as_bytes().get(1).copied())
                .filter(u8::is_ascii_uppercase),
        }
    }

    fn index(&self, at: Coordinate) -> Option<usize> {
        let row = at.rank.checked_sub(self.first_rank)?;
        let index = usize::from(row) * usize::from(self.files) + usize::from(at.file);
        (at.file < self.files && index < self.cells.len()).then_some(index)
    }

    fn square(&self, index: usize) -> Coordinate {
        let files = usize::from(self.files);
        Coordinate::new((index % files) as u8, (index / files) as u8 + self.first_rank)
    }

    /// The letter on a square; `None` outside the board.
    pub fn at(&self, at: Coordinate) -> Option<u8> {
        Some(self.cells[self.index(at)?])
    }

    /// The colour of the piece on a square.
    pub fn color_at(&self, at: Coordinate) -> Option<Color> {
        let cell = self.at(at)?;
        Color::ALL.into_iter().find(|&color| is_of(cell, color))
    }

    /// All squares, holes included, bottom rank first.
    pub fn squares(&self) -> impl Iterator<Item = Coordinate> + '_ {
        (0..self.cells.len()).map(|index| self.square(index))
    }

    /// The number of squares on which two boards look different.
    pub fn differences(&self, other: &Self) -> usize {
        self.cells.iter().zip(&other.cells).filter(|&(&one, &another)| !self.alike(one, another)).count()
    }

    /// Takes off a piece, which no ply can do.
    pub fn without(mut self, at: Coordinate) -> Self {
        if let Some(index) = self.index(at) {
            self.cells[index] = EMPTY;
        }
        self
    }

    fn alike(&self, one: u8, other: u8) -> bool {
        one == other
            || self.neutral.is_some_and(|n| n == one.to_ascii_uppercase() && n == other.to_ascii_uppercase())
    }

    /// True when the boards look the same, no matter whose ply is next.
    pub fn looks_like(&self, other: &Self) -> bool {
        self.cells.len() == other.cells.len() && self.hand == other.hand && self.differences(other) == 0
    }

    /// The board after the next ply; `None` where XBoard could not carry it out.
    pub fn after(&self, ply: Ply) -> Option<Self> {
        let mut board = Self { side: !self.side, passed: None, ..self.clone() };
        match ply {
            Ply::Pass => {}
            Ply::Drop { letter, at } => {
                let piece = self.side.cased(letter);
                let to = self.index(at).filter(|&to| self.cells[to] == EMPTY)?;
                board.cells[to] = piece;
                if let Some(held) = board.hand.iter_mut().find(|(held, _)| *held == piece) {
                    held.1 -= 1;
                    board.hand.retain(|&(_, count)| count > 0);
                }
            }
            Ply::Move { from, over, to, letter } => {
                let (start, end) = (self.index(from)?, self.index(to)?);
                let piece = self.cells[start];
                if !is_of(piece, self.side) || self.cells[end] == HOLE {
                    return None;
                }
                board.cells[start] = EMPTY;
                if let Some(over) = over {
                    board.cells[self.index(over)?] = EMPTY;
                }
                board.cells[end] = match letter {
                    None => piece,
                    Some(VANISH) => EMPTY,
                    Some(letter) => self.side.cased(letter),
                };
                if self.is_pawn(piece) {
                    self.take_in_passing(&mut board, from, to);
                }
            }
        }
        Some(board)
    }

    /// Follows XBoard's own rule of en passant, which it applies to the piece it takes for its pawn.
    fn take_in_passing(&self, after: &mut Self, from: Coordinate, to: Coordinate) {
        let rows = self.cells.len() / usize::from(self.files);
        let far = usize::from(from.rank - self.first_rank) >= rows / 2;
        let beyond = far == (self.side == Color::White);
        if self.passed == Some(to.file) && from.file != to.file && self.at(to) == Some(EMPTY) && beyond {
            let behind = match self.side {
                Color::White => to.rank.wrapping_sub(1),
                Color::Black => to.rank + 1,
            };
            if let Some(index) = self.index(Coordinate::new(to.file, behind)) {
                after.cells[index] = EMPTY;
            }
        }
        let enemy = self.pawn.map(|pawn| (!self.side).cased(pawn));
        let stands = |file| after.at(Coordinate::new(file, to.rank)) == enemy;
        let doubly = from.file == to.file && from.rank.abs_diff(to.rank) == 2;
        if doubly && [to.file.wrapping_sub(1), to.file + 1].into_iter().any(stands) {
            after.passed = Some(to.file);
        }
    }

    /// The plies after which this board looks like `goal`, with `side` next to make a ply, if that matters.
    pub fn plies_to(&self, goal: &Self, side: Option<Color>) -> Vec<Ply> {
        let mut board = self.clone();
        let mut plies = Vec::new();
        while plies.len() < MOST_PLIES
            && !(board.looks_like(goal) && side.is_none_or(|side| side == board.side))
        {
            let ways = [board.next_towards(goal), Ply::Pass];
            let Some((ply, after)) = ways.into_iter().find_map(|ply| Some((ply, board.after(ply)?))) else {
                break;
            };
            plies.push(ply);
            board = after;
        }
        plies
    }

    /// What the side whose ply is next can do towards `goal`.
    fn next_towards(&self, goal: &Self) -> Ply {
        let side = self.side;
        let wrong: Vec<usize> =
            (0..self.cells.len()).filter(|&at| !self.alike(self.cells[at], goal.cells[at])).collect();
        let wanted = |at: usize| {
            goal.cells[at] != EMPTY && (is_of(goal.cells[at], side) || self.is_neutral(goal.cells[at]))
        };
        let go = |from: usize, to: usize, becomes: u8| {
            let letter = (side.cased(becomes) != self.cells[from]).then_some(becomes.to_ascii_lowercase());
            Ply::Move { from: self.square(from), over: None, to: self.square(to), letter }
        };
        // A piece that is to stand elsewhere goes there. Squares on which another piece of its own side is to
        // change come first.
        let movers = || wrong.iter().copied().filter(|&at| is_of(self.cells[at], side));
        let leaves = |at: usize| !is_of(goal.cells[at], side) || self.is_neutral(goal.cells[at]);
        let rank = |from: usize, to: usize| {
            let same = self.cells[from] == side.cased(goal.cells[to]);
            let goes = leaves(from) || same || self.is_neutral(goal.cells[to]);
            goes.then(|| if is_of(self.cells[to], side) { 0 } else { 1 + u8::from(!same) })
        };
        let targets = |from: usize| wrong.iter().copied().filter(move |&to| to != from && wanted(to));
        let ways = movers().flat_map(|from| targets(from).map(move |to| (from, to)));
        let best = ways.filter_map(|(from, to)| Some((rank(from, to)?, from, to))).min();
        if let Some((_, from, to)) = best {
            // On its way it captures a piece that is to vanish and stands next to its destination.
            let stays_away = |at: usize| !wrong.iter().any(|&to| self.alike(goal.cells[to], self.cells[at]));
            let victim = wrong.iter().copied().find(|&at| {
                is_of(self.cells[at], !side)
                    && goal.cells[at] == EMPTY
                    && stays_away(at)
                    && self.near(at, to)
                    && self.cells[to] == EMPTY
            });
            let by_itself = self.is_pawn(self.cells[from]) && self.passed == Some(self.square(to).file);
            return match victim {
                Some(victim) if !by_itself => go(from, victim, self.cells[from]),
                _ => go(from, to, goal.cells[to]),
            };
        }
        // A piece changes its letter on an empty square, and returns by a move of the kind above.
        if let Some(at) = movers().find(|&at| wanted(at)).or(movers().next())
            && let Some(spare) = self.spare(&wrong, at)
        {
            return go(at, spare, if wanted(at) { goal.cells[at] } else { VANISH });
        }
        // Last come pieces that are to appear on empty squares.
        let fresh = wrong.iter().copied().find(|&at| self.cells[at] == EMPTY && wanted(at));
        match fresh {
            // A neutral object is dropped at once, so that the opponent's ply is not lost.
            Some(at) => Ply::Drop { letter: goal.cells[at].to_ascii_uppercase(), at: self.square(at) },
            None => Ply::Pass,
        }
    }

    fn is_pawn(&self, letter: u8) -> bool {
        self.pawn == Some(letter.to_ascii_uppercase())
    }

    fn is_neutral(&self, letter: u8) -> bool {
        self.neutral == Some(letter.to_ascii_uppercase())
    }

    fn near(&self, one: usize, other: usize) -> bool {
        let (one, other) = (self.square(one), self.square(other));
        one.file.abs_diff(other.file) <= 1 && one.rank.abs_diff(other.rank) <= 1
    }

    /// The nearest empty square to `to` on which nothing is wrong. It is not on the first or last rank, where
    /// XBoard's pawns promote.
    fn spare(&self, wrong: &[usize], to: usize) -> Option<usize> {
        let home = self.square(to);
        let rows = self.cells.len() / usize::from(self.files);
        let inside = usize::from(self.files)..usize::from(self.files) * (rows - 1);
        let distance = |at: &usize| {
            let at = self.square(*at);
            let apart = (at.file.abs_diff(home.file), at.rank.abs_diff(home.rank));
            // Avoid the file on which XBoard would make it an en passant capture.
            let passing = u8::from(self.passed == Some(at.file));
            (passing, apart.0.max(apart.1), apart.0, at.rank, at.file)
        };
        inside.filter(|at| self.cells[*at] == EMPTY && !wrong.contains(at)).min_by_key(distance)
    }
}
