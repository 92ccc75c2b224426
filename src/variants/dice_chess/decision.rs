//! What is decided: a move, by a player, or a roll of the dice, by chance. And the dice that are left.

use crate::variants::chessboard::board::Kind;

/// The kind of piece that each face of a die names (R2), from 1 on.
pub(super) const FACES: [Kind; 6] =
    [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen, Kind::King];
/// How many dice are rolled.
pub(super) const DICE: u8 = 3;
const ROLL: u16 = 1 << 15;

/// A move, or a roll, in sixteen bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Decision(u16);

impl Decision {
    /// A move without promotion; castling is the king's move of two squares.
    #[inline]
    pub(super) const fn step(from: u8, to: u8) -> Self {
        Self(from as u16 & 63 | (to as u16 & 63) << 6)
    }

    /// No die can be used: the turn passes (R7).
    pub(super) const PASS: Self = Self(0);

    /// A pawn's move to the last rank, where it becomes `kind`.
    #[inline]
    pub(super) const fn promotion(from: u8, to: u8, kind: Kind) -> Self {
        Self(Self::step(from, to).0 | (kind as u16) << 12)
    }

    /// The dice show `number`, a digit for each die in ascending order.
    pub(super) const fn roll(number: u16) -> Self {
        Self(ROLL | number)
    }

    /// The number that the dice show; `None` for a move.
    #[inline]
    pub const fn rolled(self) -> Option<u16> {
        if self.0 & ROLL != 0 { Some(self.0 & !ROLL) } else { None }
    }

    /// The square that a move leaves.
    #[inline]
    pub const fn from(self) -> u8 {
        self.0 as u8 & 63
    }

    /// The square that a move goes to.
    #[inline]
    pub const fn to(self) -> u8 {
        (self.0 >> 6) as u8 & 63
    }

    /// The kind that a pawn promotes to.
    #[inline]
    pub const fn promoted(self) -> Option<Kind> {
        Kind::with_code((self.0 >> 12) as usize & 7)
    }
}

impl From<Decision> for u32 {
    fn from(decision: Decision) -> Self {
        decision.0.into()
    }
}

/// Dice that are still to be used: two bits for each face, how many show it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Dice(pub(super) u16);

impl Dice {
    /// The dice that the digits of `number` show.
    pub(super) fn of_number(mut number: u16) -> Self {
        let mut dice = Self::default();
        while number > 0 {
            dice.add(FACES[usize::from((number % 10 + 5) % 6)]);
            number /= 10;
        }
        dice
    }

    /// The place of a kind's two bits.
    #[inline]
    const fn place(kind: Kind) -> u16 {
        2 * match kind {
            Kind::Pawn => 0,
            Kind::Knight => 1,
            Kind::Bishop => 2,
            Kind::Rook => 3,
            Kind::Queen => 4,
            Kind::King => 5,
        }
    }

    /// How many dice show this kind.
    #[inline]
    pub(super) const fn count(self, kind: Kind) -> u8 {
        (self.0 >> Self::place(kind) & 3) as u8
    }

    /// True when a die shows this kind.
    #[inline]
    pub(super) const fn shows(self, kind: Kind) -> bool {
        self.count(kind) > 0
    }

    /// One die more, of three at most.
    pub(super) const fn add(&mut self, kind: Kind) {
        self.0 += 1 << Self::place(kind);
    }

    /// One die less, which shows this kind.
    #[inline]
    pub(super) const fn take(&mut self, kind: Kind) {
        if self.shows(kind) {
            self.0 -= 1 << Self::place(kind);
        }
    }

    /// The number of dice.
    #[inline]
    pub(super) const fn total(self) -> u8 {
        // Ones and twos are counted apart.
        ((self.0 & 0x555).count_ones() + 2 * (self.0 & 0xAAA).count_ones()) as u8
    }

    /// The kinds shown, one for each die, in the order of the faces.
    pub(super) fn kinds(self) -> impl Iterator<Item = Kind> {
        FACES.into_iter().flat_map(move |kind| (0..self.count(kind)).map(move |_| kind))
    }
}

/// Every roll of three dice, with the number of ways in which it falls (R2).
pub(super) fn rolls() -> impl Iterator<Item = (Decision, u32)> {
    let ordered = (1..=6).flat_map(|a| (a..=6).flat_map(move |b| (b..=6).map(move |c| (a, b, c))));
    ordered.map(|(a, b, c)| {
        let ways = if a == c {
            1
        } else if a == b || b == c {
            3
        } else {
            6
        };
        (Decision::roll(100 * a + 10 * b + c), ways)
    })
}
