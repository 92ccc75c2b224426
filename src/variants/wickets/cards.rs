//! Hands, stock and discards of the card games (R60 to R64), with what a viewer may not know of them.
//!
//! A set of cards is a `u64`, one bit for each [`card_number`](super::decision::card_number). Cards that the
//! viewer may not see are only counted: they are some of the **pool**, the cards that are seen nowhere.

use super::decision::{card, card_number};
use crate::base::order::sort_by_cached_key;
use crate::base::{Bits, Color, Rng, key_for};
use crate::game::{Deal, Heap};
use crate::notation::{Card, Suit};
use std::ops::Deref;

/// The number of cards in the pack.
pub const PACK: usize = 40;
/// The number of cards in a hand between turns.
pub const HAND: u32 = 10;
const ALL: u64 = (1 << PACK) - 1;

/// The pack, as far as it is known. It is copied with every state, even in games without cards: it is small
/// and plain data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cards {
    /// The cards known to be in each hand.
    hands: [u64; 2],
    /// The number of further cards in each hand, which the viewer may not see.
    hidden: [u8; 2],
    /// True for hands into which cards are drawn unseen.
    masked: [bool; 2],
    /// The top of the stock, the next card last.
    stock: Stock,
    /// The number of further cards in the stock, below those and in unknown order.
    stock_hidden: u8,
    discards: u64,
    /// The card the attacker has played in this round.
    lead: Option<u8>,
    /// The card the defending side has answered with.
    follow: Option<u8>,
    /// True in a search without a deal: chance decides contests, by the odds of what is known.
    by_chance: bool,
    key: u64,
}

/// The most cards the stock can hold: those that are in no hand.
const STOCK: usize = PACK - 2 * HAND as usize;

/// Cards in order. Like `ArrayVec`, but plain data (`Copy`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Stock {
    /// Entries behind the last card are zero.
    cards: [u8; STOCK],
    count: u8,
}

impl Stock {
    fn pop(&mut self) -> Option<u8> {
        self.count = self.count.checked_sub(1)?;
        Some(std::mem::take(&mut self.cards[usize::from(self.count)]))
    }
}

impl FromIterator<u8> for Stock {
    /// Takes as many of the cards as there is room for.
    fn from_iter<I: IntoIterator<Item = u8>>(numbers: I) -> Self {
        let mut stock = Self::default();
        for (place, number) in stock.cards.iter_mut().zip(numbers) {
            *place = number;
            stock.count += 1;
        }
        stock
    }
}

impl Deref for Stock {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.cards[..usize::from(self.count)]
    }
}

impl Cards {
    /// The pack before anyone has looked at a hand.
    pub fn unseen() -> Self {
        let mut cards = Self {
            hands: [0; 2],
            hidden: [HAND as u8; 2],
            masked: [true; 2],
            stock: Stock::default(),
            stock_hidden: (PACK as u8) - 2 * HAND as u8,
            discards: 0,
            lead: None,
            follow: None,
            by_chance: false,
            key: 0,
        };
        cards.key = cards.key_from_nothing();
        cards
    }

    /// The pack in these places.
    ///
    /// # Errors
    /// With the reason as text, when they are not forty different cards with ten in each hand.
    pub fn dealt(deal: &Deal) -> Result<Self, String> {
        let Deal { hands, stock, discards } = deal;
        let mut cards = Self::unseen();
        let mut seen = 0_u64;
        let names = ["White's hand", "Black's hand", "the stock", "the discards"];
        for (heap, name) in [&hands[0], &hands[1], stock, discards].into_iter().zip(names) {
            for &card in &heap.seen {
                if seen >> card_number(card) & 1 == 1 {
                    return Err(format!("{card} is there twice (in {name})"));
                }
                seen |= 1 << card_number(card);
            }
        }
        for side in [0, 1] {
            let held = hands[side].seen.len() + usize::from(hands[side].hidden);
            if held != HAND as usize {
                return Err(format!("{} has {held} cards, it must have {HAND}", names[side]));
            }
            cards.hands[side] = set(&hands[side].seen);
            cards.hidden[side] = hands[side].hidden;
        }
        if discards.hidden > 0 {
            return Err("discards lie open: each must be named".to_owned());
        }
        let outside = stock.seen.len() + usize::from(stock.hidden) + discards.seen.len();
        if outside != PACK - 2 * HAND as usize {
            return Err(format!("stock and discards have {outside} cards, they must have 20"));
        }
        cards.stock = stock.seen.iter().rev().copied().map(card_number).collect();
        cards.stock_hidden = stock.hidden;
        cards.discards = set(&discards.seen);
        cards.settle_masks();
        Ok(cards)
    }

    /// Where the cards are; between turns none lies on the table. Hands and discards are sorted by value.
    pub fn deal(&self) -> Deal {
        let heap = |cards: u64, hidden: u8| {
            let mut seen: Vec<Card> = Bits(cards).map(card).collect();
            sort_by_cached_key(&mut seen, |card| (card.value, card.suit));
            Heap { seen, hidden }
        };
        let stock = self.stock.iter().rev().copied().map(card).collect();
        Deal {
            hands: [0, 1].map(|side| heap(self.hands[side], self.hidden[side])),
            stock: Heap { seen: stock, hidden: self.stock_hidden },
            discards: heap(self.discards, 0),
        }
    }

    /// The key of everything that is known about the cards.
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// The key computed from scratch, not from changes.
    pub(super) fn key_from_nothing(&self) -> u64 {
        let counts = [self.hidden[0], self.hidden[1], self.masked[0].into(), self.masked[1].into()];
        let first = u64::from(self.by_chance) << 8 | u64::from(self.stock_hidden);
        let counts = counts.iter().fold(first, |sum, &n| sum << 8 | u64::from(n));
        let table = [self.lead, self.follow].map(|played| u64::from(played.unwrap_or(63)));
        let words = [self.hands[0], self.hands[1], self.discards, counts, table[0] << 8 | table[1]];
        let key = words
            .iter()
            .enumerate()
            .fold(0, |key, (index, &word)| key ^ key_for(0x5730 + index as u64, word));
        self.stock
            .iter()
            .enumerate()
            .fold(key, |key, (index, &number)| key ^ key_for(0x5740 + index as u64, u64::from(number)))
    }

    fn update_key(&mut self) {
        self.key = self.key_from_nothing();
    }

    fn settle_masks(&mut self) {
        self.masked = self.hidden.map(|count| count > 0);
        self.update_key();
    }

    /// The cards that are seen nowhere.
    pub fn pool(&self) -> u64 {
        let table =
            [self.lead, self.follow].into_iter().flatten().fold(0, |seen, number| seen | 1_u64 << number);
        let stock = self.stock.iter().fold(0, |seen, number| seen | 1_u64 << number);
        ALL & !(self.hands[0] | self.hands[1] | self.discards | table | stock)
    }

    /// The cards `side` may play: any card, or when answering one of the suit led if it has one (R62). For a
    /// hidden hand, every card it might hold.
    pub fn playable(&self, side: Color) -> u64 {
        let known = self.hands[side.index()];
        let possible = if self.hidden[side.index()] > 0 { self.pool() } else { 0 };
        match self.lead {
            Some(lead) if known & suit_of(lead) != 0 => (known | possible) & suit_of(lead),
            _ => known | possible,
        }
    }

    /// True when `side` surely holds that card.
    pub const fn holds(&self, side: Color, number: u8) -> bool {
        self.hands[side.index()] >> number & 1 == 1
    }

    /// True when the whole hand of `side` is known.
    pub const fn is_known(&self, side: Color) -> bool {
        self.hidden[side.index()] == 0
    }

    /// The cards known to be in the hand of `side`, and the number of further ones.
    pub(super) const fn hand(&self, side: Color) -> (u64, u8) {
        (self.hands[side.index()], self.hidden[side.index()])
    }

    /// The card the attacker has played in this round.
    pub(super) const fn lead(&self) -> Option<u8> {
        self.lead
    }

    /// True in a search in which chance decides contests.
    pub const fn by_chance(&self) -> bool {
        self.by_chance
    }

    /// The same for a search in which chance decides contests.
    pub fn left_to_chance(&self) -> Self {
        let mut cards = Self { by_chance: true, ..*self };
        cards.update_key();
        cards
    }

    /// The suit that `side` must follow, if it surely can.
    pub fn must_follow(&self, side: Color) -> Option<Suit> {
        self.lead.filter(|&lead| self.hands[side.index()] & suit_of(lead) != 0).map(|lead| card(lead).suit)
    }

    /// The cards `side` may draw; the empty set when the card is drawn unseen.
    pub fn drawable(&self, side: Color) -> u64 {
        match self.stock.last() {
            Some(&next) => 1 << next,
            None if self.masked[side.index()] || self.by_chance => 0,
            None => self.pool(),
        }
    }

    /// True when a card drawn by `side` may be named although the viewer need not know it.
    pub fn may_name(&self, side: Color, number: u8) -> bool {
        self.stock.is_empty() && self.masked[side.index()] && self.pool() >> number & 1 == 1
    }

    /// Plays a card, and shuffles the discards into a new stock if the stock is empty (R63).
    pub fn play(&mut self, side: Color, number: u8) {
        let at = side.index();
        if self.holds(side, number) {
            self.hands[at] &= !(1 << number);
        } else {
            self.hidden[at] = self.hidden[at].saturating_sub(1);
        }
        if self.lead.is_none() {
            self.lead = Some(number);
        } else {
            self.follow = Some(number);
        }
        if self.stock.is_empty() && self.stock_hidden == 0 {
            self.stock_hidden = self.discards.count_ones() as u8;
            self.discards = 0;
        }
        self.update_key();
    }

    /// Draws the next card: a known one, or with `None` one that stays hidden.
    pub fn draw(&mut self, side: Color, number: Option<u8>) {
        let at = side.index();
        match number {
            Some(number) => self.hands[at] |= 1 << number,
            None => self.hidden[at] += 1,
        }
        if self.stock.pop().is_none() {
            self.stock_hidden = self.stock_hidden.saturating_sub(1);
        }
        self.update_key();
    }

    /// The two cards of a round that lie on the table, the attacker's first.
    pub fn played(&self) -> Option<[u8; 2]> {
        Some([self.lead?, self.follow?])
    }

    /// Twice the attacker's value minus twice the other's, without the bonus of a Defender who sees. Moves
    /// both cards to the discards (R62, R63).
    pub fn compare(&mut self) -> i32 {
        let (Some(lead), Some(follow)) = (self.lead.take(), self.follow.take()) else { return 0 };
        self.discards |= 1 << lead | 1 << follow;
        self.update_key();
        2 * (i32::from(card(lead).value) - i32::from(card(follow).value))
    }

    /// Ends a contest that chance has decided: the card of `attacker` lies with the discards, the one it would
    /// have led where none was. What the other side has answered is not known.
    pub fn end_contest(&mut self, attacker: Color, bonus_doubled: i32) {
        if self.lead.is_none()
            && let Some((number, _)) = self.best_known_lead(attacker, bonus_doubled)
        {
            self.play(attacker, number);
            self.draw(attacker, None);
        }
        self.discards |= self.lead.take().map_or(0, |number| 1 << number);
        self.update_key();
    }

    /// Updates which hands are hidden; must be called when a turn ends.
    pub fn end_turn(&mut self) {
        if self.masked != self.hidden.map(|count| count > 0) {
            self.settle_masks();
        }
    }

    /// The cards as `viewer` may know them: without the other hand and the order of the stock (R61).
    pub fn view(&self, viewer: Color) -> Self {
        let mut seen = *self;
        let other = viewer.other().index();
        seen.hidden[other] += seen.hands[other].count_ones() as u8;
        seen.hands[other] = 0;
        seen.masked[other] = true;
        seen.stock_hidden += seen.stock.len() as u8;
        seen.stock = Stock::default();
        seen.update_key();
        seen
    }

    /// The same with a new random order of the cards at the bottom of the stock that are still there in
    /// `left`, a later state of the game.
    pub fn reshuffled(&self, left: &Self, rng: &mut Rng) -> Self {
        let mut shuffled = *self;
        let bottom = &mut shuffled.stock.cards[..left.stock.len().min(self.stock.len())];
        for last in (1..bottom.len()).rev() {
            bottom.swap(last, rng.below(last + 1));
        }
        shuffled.update_key();
        shuffled
    }

    /// Deals the pool at random to all hidden places: hands first, then the stock in random order.
    pub fn sample(&self, rng: &mut Rng) -> Self {
        let mut full = *self;
        let mut pool: Vec<u8> = Bits(self.pool()).collect();
        for last in (1..pool.len()).rev() {
            pool.swap(last, rng.below(last + 1));
        }
        for side in [0, 1] {
            for _ in 0..self.hidden[side] {
                full.hands[side] |= pool.pop().map_or(0, |number| 1_u64 << number);
            }
            full.hidden[side] = 0;
            full.masked[side] = false;
        }
        // The rest goes below the cards whose order is known.
        pool.truncate(usize::from(self.stock_hidden));
        pool.extend(&*self.stock);
        full.stock = pool.into_iter().collect();
        full.stock_hidden = 0;
        full.update_key();
        full
    }
}

fn set(cards: &[Card]) -> u64 {
    cards.iter().fold(0, |set, &card| set | 1 << card_number(card))
}

/// The ten cards of a card's suit.
pub(super) const fn suit_of(number: u8) -> u64 {
    ((1 << 10) - 1) << (number / 10 * 10)
}
