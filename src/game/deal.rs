//! Where the cards of a game are: in the hands, in the stock, played.

use crate::notation::Card;
use std::fmt;

/// The cards of a position, as far as they are known. As text: `W=2d3c/B=?10/S=?20/D=-`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Deal {
    /// White's hand and Black's.
    pub hands: [Heap; 2],
    /// The cards that are left to draw, from the top.
    pub stock: Heap,
    /// The cards that were played.
    pub discards: Heap,
}

/// Cards that are together. As text: `2d3c?8`, `-` for none.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Heap {
    /// The cards that are known.
    pub seen: Vec<Card>,
    /// The number of further cards.
    pub hidden: u8,
}

impl fmt::Display for Deal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [white, black] = &self.hands;
        write!(f, "W={white}/B={black}/S={}/D={}", self.stock, self.discards)
    }
}

impl fmt::Display for Heap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.seen.iter().try_for_each(|card| write!(f, "{card}"))?;
        match (self.seen.as_slice(), self.hidden) {
            ([], 0) => write!(f, "-"),
            (_, 0) => Ok(()),
            (_, hidden) => write!(f, "?{hidden}"),
        }
    }
}
