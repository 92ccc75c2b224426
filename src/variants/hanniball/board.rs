//! The pieces, the Ball, and their key.

use super::decision::{Deed, Step};
use super::field::{GOAL, NOWHERE, Squares, bit, has};
use crate::base::{Color, key_table};

/// The four kinds of piece (R5). The lower bit says that it leaps, the upper that it walks. A Monkey does
/// both; its square tells it from a Lion.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub(super) enum Kind {
    Monkey = 0,
    Horse = 1,
    Elephant = 2,
    Lion = 3,
}

impl Kind {
    pub(super) const ALL: [Self; 4] = [Self::Monkey, Self::Horse, Self::Elephant, Self::Lion];

    /// The capital letter of the piece.
    pub(super) const fn letter(self) -> u8 {
        [b'M', b'H', b'E', b'L'][self as usize]
    }

    /// The kind with this capital letter; K, for Keeper, means a Monkey too.
    pub(super) const fn from_letter(letter: u8) -> Option<Self> {
        Some(match letter {
            b'M' | b'K' => Self::Monkey,
            b'H' => Self::Horse,
            b'E' => Self::Elephant,
            b'L' => Self::Lion,
            _ => return None,
        })
    }

    pub(super) const fn name(self) -> &'static str {
        ["Monkey", "Horse", "Elephant", "Lion"][self as usize]
    }

    pub(super) const fn article(self) -> &'static str {
        if matches!(self, Self::Elephant) { "an" } else { "a" }
    }

    /// The number of such pieces each side begins with (R5), and so the most it can have.
    pub(super) const fn most(self) -> u32 {
        [1, 4, 4, 2][self as usize]
    }

    const fn leaps(self) -> bool {
        !matches!(self, Self::Elephant)
    }

    const fn walks(self) -> bool {
        !matches!(self, Self::Horse)
    }
}

static PIECE_KEYS: [u64; 1024] = key_table(1);
static BALL_KEYS: [u64; 128] = key_table(2);

#[inline]
fn piece_key(color: Color, kind: Kind, square: u8) -> u64 {
    PIECE_KEYS[color.index() << 9 | (kind as usize) << 7 | usize::from(square & 127)]
}

/// The pieces and the Ball on their squares. Two boards are equal exactly when R11 calls the positions the
/// same: by kind, colour and square of the pieces, and the square of the Ball (O10).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Board {
    key: u64,
    pieces: [Squares; 2],
    /// Horses, Lions and Monkeys of both sides.
    leapers: Squares,
    /// Elephants, Lions and Monkeys of both sides.
    walkers: Squares,
    monkeys: [u8; 2],
    ball: u8,
}

impl Board {
    /// The board without pieces and without Ball.
    pub(super) const EMPTY: Self =
        Self { key: 0, pieces: [0; 2], leapers: 0, walkers: 0, monkeys: [NOWHERE; 2], ball: NOWHERE };

    /// The key of pieces and Ball.
    #[inline]
    pub(super) const fn key(&self) -> u64 {
        self.key
    }

    #[inline]
    pub(super) const fn pieces(&self, color: Color) -> Squares {
        self.pieces[color.index()]
    }

    #[inline]
    pub(super) const fn occupied(&self) -> Squares {
        self.pieces[0] | self.pieces[1]
    }

    /// The pieces of one kind and colour.
    #[inline]
    pub(super) const fn of_kind(&self, color: Color, kind: Kind) -> Squares {
        let pieces = self.pieces(color);
        match kind {
            Kind::Monkey => self.monkeys() & pieces,
            Kind::Horse => pieces & !self.walkers,
            Kind::Elephant => pieces & !self.leapers,
            Kind::Lion => pieces & self.leapers & self.walkers & !self.monkeys(),
        }
    }

    /// The Monkeys of both sides.
    #[inline]
    pub(super) const fn monkeys(&self) -> Squares {
        // A captured Monkey has the bit of `NOWHERE`, where nothing ever stands.
        (bit(self.monkeys[0]) | bit(self.monkeys[1])) & !bit(NOWHERE)
    }

    /// The square of the Ball.
    #[inline]
    pub(super) const fn ball(&self) -> u8 {
        self.ball
    }

    /// True when a piece of `color` has the Ball (R8).
    #[inline]
    pub(super) const fn controls(&self, color: Color) -> bool {
        has(self.pieces(color), self.ball)
    }

    /// The kind of the piece of `color` on `square`. One must stand there.
    #[inline]
    pub(super) const fn kind_of(&self, color: Color, square: u8) -> Kind {
        if self.monkeys[color.index()] == square {
            Kind::Monkey
        } else if !has(self.walkers, square) {
            Kind::Horse
        } else if !has(self.leapers, square) {
            Kind::Elephant
        } else {
            Kind::Lion
        }
    }

    /// The colour and kind of the piece on `square`, if any.
    pub(super) const fn piece_at(&self, square: u8) -> Option<(Color, Kind)> {
        let color = if has(self.pieces[0], square) {
            Color::White
        } else if has(self.pieces[1], square) {
            Color::Black
        } else {
            return None;
        };
        Some((color, self.kind_of(color, square)))
    }

    /// Puts a piece on an empty square.
    pub(super) fn put(&mut self, color: Color, kind: Kind, square: u8) {
        self.toggle(color, kind, square);
        if kind == Kind::Monkey {
            self.monkeys[color.index()] = square;
        }
    }

    /// Puts the Ball on `square`.
    #[inline]
    pub(super) fn set_ball(&mut self, square: u8) {
        if self.ball != NOWHERE {
            self.key ^= BALL_KEYS[usize::from(self.ball & 127)];
        }
        self.key ^= BALL_KEYS[usize::from(square & 127)];
        self.ball = square;
    }

    /// Carries out a step of `color` on pieces and Ball (R12). Returns true when a piece was captured.
    #[inline]
    pub(super) fn carry_out(&mut self, color: Color, step: Step) -> bool {
        match step.deed() {
            Deed::Go { from, to } => {
                let captures = has(self.pieces(!color), to);
                if captures {
                    self.remove(!color, to);
                }
                let carries = self.ball == from;
                self.relocate(color, from, to);
                if carries {
                    self.set_ball(to);
                }
                captures
            }
            Deed::Leave { from, to } => {
                self.relocate(color, from, to);
                false
            }
            Deed::Shoot { to, .. } => {
                self.set_ball(to);
                false
            }
            Deed::SendOff(at) => {
                self.remove(!color, at);
                false
            }
            Deed::Stop => false,
        }
    }

    /// The winner when the Ball is in a goal: the owner of the other goal (R26).
    #[inline]
    pub(super) const fn winner(&self) -> Option<Color> {
        if has(GOAL[0] | GOAL[1], self.ball) {
            Some(if has(GOAL[0], self.ball) { Color::Black } else { Color::White })
        } else {
            None
        }
    }

    #[inline]
    fn relocate(&mut self, color: Color, from: u8, to: u8) {
        let kind = self.kind_of(color, from);
        self.toggle(color, kind, from);
        self.toggle(color, kind, to);
        if kind == Kind::Monkey {
            self.monkeys[color.index()] = to;
        }
    }

    #[inline]
    fn remove(&mut self, color: Color, square: u8) {
        let kind = self.kind_of(color, square);
        self.toggle(color, kind, square);
        if kind == Kind::Monkey {
            self.monkeys[color.index()] = NOWHERE;
        }
    }

    #[inline]
    fn toggle(&mut self, color: Color, kind: Kind, square: u8) {
        let set = bit(square);
        self.pieces[color.index()] ^= set;
        if kind.leaps() {
            self.leapers ^= set;
        }
        if kind.walks() {
            self.walkers ^= set;
        }
        self.key ^= piece_key(color, kind, square);
    }
}
