//! The syntax tree of a turn.

use arrayvec::ArrayVec;

/// The most files a board may have: a to p.
pub const MAX_FILES: u8 = 16;
/// The highest rank number that a square may have.
pub const MAX_RANK: u8 = 16;
/// The most legs in one token; no player can make more without the opponent in between.
pub const MAX_LEGS: usize = 32;

/// A square as it is written. What the rank number means is up to the game (some boards begin at 0).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Coordinate {
    /// The file: 0 for the a-file, 15 for the p-file.
    pub file: u8,
    /// The rank number as printed, 0 to 16.
    pub rank: u8,
}

/// The suffix that may follow the two squares of a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Suffix {
    /// A promotion letter, `a` to `z`, lower case.
    Letter(u8),
    /// `-`: something the piece had stays behind (HanniBall's ball).
    Leave,
}

/// A suit, in the order in which cards are listed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Suit {
    /// Clubs, written `c`.
    Clubs,
    /// Diamonds, written `d`.
    Diamonds,
    /// Hearts, written `h`.
    Hearts,
    /// Spades, written `s`.
    Spades,
}

/// A playing card: ace to ten in four suits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Card {
    /// The value: 1 (the ace) to 10.
    pub value: u8,
    /// The suit of the card.
    pub suit: Suit,
}

/// One leg of a token, the smallest unit of the notation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Leg {
    /// `e2e4`, `e7e8q`, `c3d5-`: from a square to a square.
    Move {
        /// The square the piece leaves.
        from: Coordinate,
        /// The square the piece reaches.
        to: Coordinate,
        /// A promotion letter, `-`, or nothing.
        suffix: Option<Suffix>,
    },
    /// `T@f4`: something is put on a square.
    Put {
        /// The letter of what is put, `A` to `Z`, upper case.
        letter: u8,
        /// The square it is put on.
        at: Coordinate,
    },
    /// `=4`: the die shows 1 to 6; `=125`: several dice, a digit each.
    Roll(u16),
    /// `=6h`: a card is played.
    Play(Card),
    /// `+6h`: chance deals a card; `+?` (`None`) for a card the reader may not see.
    Draw(Option<Card>),
    /// `0000`: the player declines.
    Pass,
}

/// Legs in the order in which they are made.
pub type Legs = ArrayVec<Leg, MAX_LEGS>;

/// What one player does without the opponent in between.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Token {
    /// The legs; at least one when read from text.
    pub legs: Legs,
    /// True when the text ends with a comma: more will follow.
    pub open: bool,
}

impl Coordinate {
    /// The square on file `file` (0 for a) and the rank printed as `rank`.
    pub const fn new(file: u8, rank: u8) -> Self {
        Self { file, rank }
    }
}

impl Token {
    /// The same token with some of the cards that chance dealt turned face down: those for which `hides` is
    /// true. It gets the place of the card among the cards dealt in this token, from 0 on.
    pub fn with_draws_hidden(mut self, mut hides: impl FnMut(usize) -> bool) -> Self {
        let draws = self.legs.iter_mut().filter(|leg| matches!(leg, Leg::Draw(_)));
        draws.enumerate().filter(|(place, _)| hides(*place)).for_each(|(_, leg)| *leg = Leg::Draw(None));
        self
    }
}

impl Leg {
    /// A move without a suffix.
    pub const fn step(from: Coordinate, to: Coordinate) -> Self {
        Self::Move { from, to, suffix: None }
    }
}
