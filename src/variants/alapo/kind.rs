//! The eight kinds of piece (R2) and their letters.

use super::PIECES;

/// A kind of piece as four bits: the directions it moves in, and whether it is large. A small piece moves in
/// the same directions as the large one of its shape, but one square only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Kind(pub(super) u8);

/// The bit of the pieces that move along row and file.
pub(super) const ORTHOGONAL: u8 = 1;
/// The bit of the pieces that move along the diagonals, four ways.
pub(super) const DIAGONAL: u8 = 2;
/// The bit of the pieces that move straight forward.
pub(super) const FORWARD: u8 = 4;
/// The bit of the pieces that move any distance.
pub(super) const LARGE: u8 = 8;

const SQUARE: u8 = ORTHOGONAL;
const TRIANGLE: u8 = DIAGONAL;
const CIRCLE: u8 = ORTHOGONAL | DIAGONAL;
const LANCE: u8 = DIAGONAL | FORWARD;

impl Kind {
    /// Every kind, the large ones first, in the order of R2.
    pub(super) const ALL: [Self; 8] = [
        Self(LARGE | SQUARE),
        Self(LARGE | TRIANGLE),
        Self(LARGE | CIRCLE),
        Self(LARGE | LANCE),
        Self(SQUARE),
        Self(TRIANGLE),
        Self(CIRCLE),
        Self(LANCE),
    ];

    /// The kind with this letter, in either case.
    pub(super) fn of_letter(letter: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.letter() == letter.to_ascii_uppercase())
    }

    /// The letter of the kind, in upper case.
    pub(super) const fn letter(self) -> u8 {
        // Indexed by the four bits; `?` where no kind has them.
        b"?WFK??S??RBQ??L?"[(self.0 & 15) as usize]
    }

    pub(super) const fn is_large(self) -> bool {
        self.0 & LARGE != 0
    }

    /// The small piece of the same shape (R20).
    pub(super) const fn small(self) -> Self {
        Self(self.0 & !LARGE)
    }

    /// How the piece moves, as a sentence without a full stop.
    pub(super) const fn rule(self) -> &'static str {
        match self.letter() {
            b'R' => "a large square runs along row or file",
            b'B' => "a large triangle runs diagonally",
            b'Q' => "a large circle runs in the eight directions",
            b'L' => "a large lance runs diagonally or straight forward",
            b'W' => "a small square steps one square along row or file",
            b'F' => "a small triangle steps one square diagonally",
            b'K' => "a small circle steps one square in any direction",
            _ => "a small lance steps one square diagonally or straight forward",
        }
    }

    /// The size and shape as text, such as `large square`.
    pub(super) fn name(self) -> &'static str {
        PIECES.iter().find(|piece| piece.letter == self.letter()).map_or("piece", |piece| piece.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_kinds_belong_together() {
        for (kind, letter) in Kind::ALL.into_iter().zip(*b"RBQLWFKS") {
            assert_eq!(kind.letter(), letter);
            assert_eq!(Kind::of_letter(letter), Some(kind));
            assert_eq!(Kind::of_letter(letter.to_ascii_lowercase()), Some(kind));
            assert!(!kind.small().is_large(), "{}", kind.name());
        }
        assert_eq!(Kind::of_letter(b'P'), None);
        assert_eq!(Kind::of_letter(b'?'), None);
    }
}
