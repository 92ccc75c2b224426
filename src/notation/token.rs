//! The syntax tree of a turn's text.

use arrayvec::ArrayVec;

/// Boards have files a to p.
pub const MAX_FILES: u8 = 16;
/// The highest rank number a square may carry.
pub const MAX_RANK: u8 = 16;
/// One player never says more than this at a time.
pub const MAX_LEGS: usize = 32;

/// A square as it is written. What the rank number means (some boards begin at 0) is the game's affair.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Coordinate {
    /// 0 for the a-file, 15 for the p-file.
    pub file: u8,
    /// The number as printed, 0 to 16.
    pub rank: u8,
}

/// What may follow the two squares of a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Suffix {
    /// A promotion letter, `a` to `z`, lower case.
    Letter(u8),
    /// `-`: something the piece had stays behind (HanniBall's ball).
    Leave,
}

/// A suit of cards, in the order cards are listed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Suit {
    /// `c`
    Clubs,
    /// `d`
    Diamonds,
    /// `h`
    Hearts,
    /// `s`
    Spades,
}

/// A playing card: ace to ten of four suits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Card {
    /// 1 (the ace) to 10.
    pub value: u8,
    /// Which of the four suits.
    pub suit: Suit,
}

/// The smallest thing that is said: one leg of a token.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Leg {
    /// `e2e4`, `e7e8q`, `c3d5-`: from a square to a square.
    Move {
        /// Where the piece stands.
        from: Coordinate,
        /// Where it goes.
        to: Coordinate,
        /// A promotion letter or `-`.
        suffix: Option<Suffix>,
    },
    /// `T@f4`: something is put on a square.
    Put {
        /// `A` to `Z`, upper case.
        letter: u8,
        /// Where.
        at: Coordinate,
    },
    /// `=4`: chance speaks through the die, 1 to 6.
    Roll(u8),
    /// `=6h`: a card is played.
    Play(Card),
    /// `+6h`, or `+?` for a card the reader may not see: chance deals.
    Draw(Option<Card>),
    /// `0000`: the speaker declines.
    Pass,
}

/// Legs in the order they are said.
pub type Legs = ArrayVec<Leg, MAX_LEGS>;

/// What one player says without the other in between.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Token {
    /// One leg at least when read from text.
    pub legs: Legs,
    /// True when a comma ends the text: more will follow.
    pub open: bool,
}

impl Coordinate {
    /// The square on file `file` (0 for a) and the rank printed as `rank`.
    pub const fn new(file: u8, rank: u8) -> Self {
        Self { file, rank }
    }
}

impl Token {
    /// The same with the cards face down that chance dealt and `hides` says: by their place among those, from 0 on.
    pub fn with_draws_hidden(mut self, mut hides: impl FnMut(usize) -> bool) -> Self {
        let draws = self.legs.iter_mut().filter(|leg| matches!(leg, Leg::Draw(_)));
        draws.enumerate().filter(|(place, _)| hides(*place)).for_each(|(_, leg)| *leg = Leg::Draw(None));
        self
    }
}

impl Leg {
    /// A plain move without suffix.
    pub const fn step(from: Coordinate, to: Coordinate) -> Self {
        Self::Move { from, to, suffix: None }
    }
}
