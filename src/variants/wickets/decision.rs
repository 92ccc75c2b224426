//! One atomic choice, packed into a number.

use super::board::Kind;
use super::cells::{self, NOWHERE};
use crate::notation::Card;
use crate::notation::Suit;
use std::fmt;

/// One atomic choice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Choice(u32);

/// The meaning of a [`Choice`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Said {
    /// A piece moves; castling is the king's move of two squares.
    Move {
        /// The cell the piece leaves.
        from: u8,
        /// The cell the piece goes to.
        to: u8,
        /// The kind a pawn promotes to.
        promotion: Option<Kind>,
    },
    /// The ball of a captured carrier is put down on this cell (R25).
    Place(u8),
    /// The piece on this cell becomes the new Defender (R30).
    Call(u8),
    /// The ball is thrown to this cell (R12).
    Throw(u8),
    /// No throw, no sacrifice, no second contest.
    Decline,
    /// The die shows 1 to 6.
    Roll(u8),
    /// Pieces are given up (R54): one to three cells by file and rank, the rest `NOWHERE`.
    Sacrifice([u8; 3]),
    /// A card is played, given by its number (see `card_number`).
    Play(u8),
    /// A card is drawn, given by its number; `None` when it stays hidden.
    Draw(Option<u8>),
}

const TAG: u32 = 28;
const NO_CARD: u32 = 63;

impl Choice {
    /// A move without promotion.
    #[inline]
    pub const fn step(from: u8, to: u8) -> Self {
        Self(from as u32 | (to as u32) << 7)
    }

    /// A pawn's move to the last rank.
    #[inline]
    pub const fn promotion(from: u8, to: u8, kind: Kind) -> Self {
        Self(from as u32 | (to as u32) << 7 | (kind as u32) << 14)
    }

    /// No throw, no sacrifice, no second contest.
    pub const DECLINE: Self = Self(4 << TAG);

    /// The choice with this meaning.
    pub const fn new(said: Said) -> Self {
        Self(match said {
            Said::Move { from, to, promotion: None } => return Self::step(from, to),
            Said::Move { from, to, promotion: Some(kind) } => return Self::promotion(from, to, kind),
            Said::Place(cell) => 1 << TAG | cell as u32,
            Said::Call(cell) => 2 << TAG | cell as u32,
            Said::Throw(cell) => 3 << TAG | cell as u32,
            Said::Decline => return Self::DECLINE,
            Said::Roll(face) => 5 << TAG | face as u32,
            Said::Sacrifice([a, b, c]) => 6 << TAG | a as u32 | (b as u32) << 7 | (c as u32) << 14,
            Said::Play(card) => 7 << TAG | card as u32,
            Said::Draw(Some(card)) => 8 << TAG | card as u32,
            Said::Draw(None) => 8 << TAG | NO_CARD,
        })
    }

    /// The meaning of the choice.
    pub const fn said(self) -> Said {
        let low = (self.0 & 127) as u8;
        let middle = (self.0 >> 7 & 127) as u8;
        let high = (self.0 >> 14 & 127) as u8;
        match self.0 >> TAG {
            0 => Said::Move { from: low, to: middle, promotion: Kind::promoted(high) },
            1 => Said::Place(low),
            2 => Said::Call(low),
            3 => Said::Throw(low),
            5 => Said::Roll(low),
            6 => Said::Sacrifice([low, middle, high]),
            7 => Said::Play(low),
            8 => Said::Draw(if low as u32 == NO_CARD { None } else { Some(low) }),
            _ => Said::Decline,
        }
    }
}

impl From<Choice> for u32 {
    fn from(choice: Choice) -> Self {
        choice.0
    }
}

impl fmt::Debug for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.said().fmt(f)
    }
}

/// The number of a card, 0 to 39: suits in the order c d h s, each ace to ten.
pub const fn card_number(card: Card) -> u8 {
    card.suit as u8 * 10 + card.value - 1
}

/// The card with this number, which must be below 40.
pub const fn card(number: u8) -> Card {
    let suit = match number / 10 {
        0 => Suit::Clubs,
        1 => Suit::Diamonds,
        2 => Suit::Hearts,
        _ => Suit::Spades,
    };
    Card { value: number % 10 + 1, suit }
}

/// Puts sacrificed cells in their order: by file, then rank, empty places last.
pub fn ordered(mut set: [u8; 3]) -> [u8; 3] {
    let place =
        |cell: u8| if cell == NOWHERE { (u8::MAX, 0) } else { (cells::file(cell), cells::rank(cell)) };
    for (one, next) in [(0, 1), (1, 2), (0, 1)] {
        if place(set[next]) < place(set[one]) {
            set.swap(one, next);
        }
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_out_again() {
        let mut all = vec![Said::Decline, Said::Draw(None), Said::Sacrifice([8, NOWHERE, NOWHERE])];
        all.extend([Said::Sacrifice([64, 9, 65]), Said::Place(64), Said::Call(65), Said::Throw(63)]);
        all.extend((1..=6).map(Said::Roll));
        all.extend((0..40).flat_map(|n| [Said::Play(n), Said::Draw(Some(n))]));
        for kind in [None, Some(Kind::Knight), Some(Kind::Bishop), Some(Kind::Rook), Some(Kind::Queen)] {
            all.push(Said::Move { from: 48, to: 65, promotion: kind });
        }
        for said in all {
            assert_eq!(Choice::new(said).said(), said);
        }
        assert!((0..40).all(|n| card_number(card(n)) == n));
    }
}
