//! The odds of a contest with cards (R62), from what is known of the hands.

use super::cards::{Cards, suit_of};
use super::decision::card;
use crate::base::{Bits, Color};

/// How a round ends that begins with a certain card: the share of the cases in which the attacker wins it, and
/// in which both cards are worth the same, so that another round follows.
#[derive(Clone, Copy, Debug)]
struct Odds {
    won: f64,
    drawn: f64,
}

impl Odds {
    /// The chance of winning in the end, if further rounds are like this one.
    fn in_the_end(self) -> f64 {
        if self.drawn < 1.0 { self.won / (1.0 - self.drawn) } else { 0.5 }
    }
}

impl Cards {
    /// The chance of `attacker`, from 0 to 1, to win the contest that begins, or in which it has led a card.
    /// A hidden hand holds each set of cards of the pool with the same chance, and leads its highest card.
    /// `bonus_doubled` is twice what the other side's card counts more.
    pub fn chance_of_attack(&self, attacker: Color, bonus_doubled: i32) -> f64 {
        if let Some(lead) = self.lead() {
            return self.odds(lead, attacker, bonus_doubled).in_the_end();
        }
        let known = self.best_known_lead(attacker, bonus_doubled).map_or(0.0, |(_, chance)| chance);
        known.max(self.chance_of_highest(attacker, bonus_doubled))
    }

    /// The card that `attacker` is known to hold and leads with the best chance of winning, and that chance.
    pub(super) fn best_known_lead(&self, attacker: Color, bonus_doubled: i32) -> Option<(u8, f64)> {
        Bits(self.hand(attacker).0)
            .map(|number| (number, self.odds(number, attacker, bonus_doubled).in_the_end()))
            .max_by(|one, other| one.1.total_cmp(&other.1))
    }

    /// The chance of winning with the highest card of a hand that is hidden in whole or in part.
    fn chance_of_highest(&self, attacker: Color, bonus_doubled: i32) -> f64 {
        let (known, hidden) = self.hand(attacker);
        let pool = self.pool();
        let mean_of = |leads: u64| {
            let sum: f64 =
                Bits(leads).map(|lead| self.odds(lead, attacker, bonus_doubled).in_the_end()).sum();
            if leads == 0 { 0.0 } else { sum / f64::from(leads.count_ones()) }
        };
        let (mut chance, mut none_higher) = (0.0, 1.0);
        for value in (1..=10).rev() {
            let held = known & with_value(value, value);
            if held != 0 {
                return chance + none_higher * mean_of(held);
            }
            let none_as_high = without(pool & with_value(value, 10), pool, hidden);
            chance += (none_higher - none_as_high) * mean_of(pool & with_value(value, value));
            none_higher = none_as_high;
        }
        chance
    }

    /// How a round ends in which `attacker` leads this card and the other side answers as well as it can.
    fn odds(&self, lead: u8, attacker: Color, bonus_doubled: i32) -> Odds {
        let (known, hidden) = self.hand(attacker.other());
        let pool = self.pool() & !(1 << lead);
        let suit = suit_of(lead);
        // The least card that is worth more than the lead, and the one that is worth the same.
        let doubled = 2 * i32::from(card(lead).value) - bonus_doubled;
        let beating = with_value(doubled.div_euclid(2) + 1, 10);
        let equal = if doubled % 2 == 0 { with_value(doubled / 2, doubled / 2) } else { 0 };
        let never = |cards: u64| without(cards & pool, pool, hidden);
        let in_suit = if known & suit & beating == 0 { never(suit & beating) } else { 0.0 };
        if known & suit != 0 {
            return Odds { won: in_suit, drawn: 0.0 };
        }
        let other_suit = never(suit);
        let (won, not_lost) = match known {
            _ if known & beating != 0 => (0.0, 0.0),
            _ if known & equal != 0 => (0.0, never(suit | beating)),
            _ => (never(suit | beating | equal), never(suit | beating)),
        };
        Odds { won: (in_suit - other_suit).max(0.0) + won, drawn: not_lost - won }
    }
}

/// All cards worth `least` to `most`.
fn with_value(least: i32, most: i32) -> u64 {
    let of_one_suit = (least.max(1)..=most.min(10)).fold(0_u64, |cards, value| cards | 1 << (value - 1));
    (0..4).fold(0, |cards, suit| cards | of_one_suit << (10 * suit))
}

/// The chance that a hand of `hidden` cards out of `pool` holds none of `cards`, which are some of the pool.
fn without(cards: u64, pool: u64, hidden: u8) -> f64 {
    let (all, bad) = (pool.count_ones(), cards.count_ones());
    (0..u32::from(hidden).min(all))
        .map(|drawn| f64::from((all - bad).saturating_sub(drawn)) / f64::from(all - drawn))
        .product()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Rng;
    use crate::game::{Deal, Heap};

    /// White's ten cards are known; of Black's hand the first `seen` of its cards; the pool is what is left.
    fn dealt(rng: &mut Rng, seen: usize, unknown_in_stock: usize) -> Cards {
        let mut pack: Vec<u8> = (0..40).collect();
        for last in (1..pack.len()).rev() {
            pack.swap(last, rng.below(last + 1));
        }
        let mut take = |count: usize, hidden: usize| Heap {
            seen: pack.split_off(pack.len() - count).into_iter().map(card).collect(),
            hidden: hidden as u8,
        };
        let hands = [take(10, 0), take(seen, 10 - seen)];
        let discards = take(20 - unknown_in_stock, 0);
        let stock = Heap { seen: Vec::new(), hidden: unknown_in_stock as u8 };
        Cards::dealt(&Deal { hands, stock, discards }).unwrap()
    }

    /// Every hand that Black may hold.
    fn possible_hands(cards: &Cards) -> Vec<u64> {
        let (known, hidden) = cards.hand(Color::Black);
        let pool: Vec<u8> = Bits(cards.pool()).collect();
        (0_u32..1 << pool.len())
            .filter(|chosen| chosen.count_ones() == u32::from(hidden))
            .map(|chosen| Bits(u64::from(chosen)).fold(known, |hand, n| hand | 1 << pool[usize::from(n)]))
            .collect()
    }

    /// R62, as it is written: 1 when the attacker wins, 0 when the round is drawn, -1 when it loses.
    fn round(lead: u8, hand: u64, bonus_doubled: i32) -> i32 {
        let suit = |number: u8| card(number).suit;
        let follows = Bits(hand).any(|number| suit(number) == suit(lead));
        Bits(hand)
            .filter(|&number| !follows || suit(number) == suit(lead))
            .map(|answer| {
                let worth = 2 * i32::from(card(answer).value) + bonus_doubled;
                (2 * i32::from(card(lead).value) - worth).signum()
            })
            .min()
            .unwrap()
    }

    /// The share of wins among rounds that are not drawn; one half when all are.
    fn share(rounds: &[i32]) -> f64 {
        let count = |result| rounds.iter().filter(|&&round| round == result).count() as f64;
        if count(0) == rounds.len() as f64 { 0.5 } else { count(1) / (count(1) + count(-1)) }
    }

    #[test]
    fn the_odds_of_an_attack_are_those_of_all_hands_that_may_answer() {
        let mut rng = Rng::new(62);
        let mut between = 0;
        for (seen, in_stock) in [(0, 2), (0, 1), (5, 3), (8, 4), (9, 6), (10, 0)] {
            for bonus in [0, 5].repeat(6) {
                let cards = dealt(&mut rng, seen, in_stock);
                let hands = possible_hands(&cards);
                let chance =
                    |lead| share(&hands.iter().map(|&hand| round(lead, hand, bonus)).collect::<Vec<_>>());
                let best = Bits(cards.hand(Color::White).0).map(chance).fold(0.0, f64::max);
                let found = cards.chance_of_attack(Color::White, bonus);
                assert!((found - best).abs() < 1e-9, "{cards:?} {bonus}: {found} is not {best}");
                between += usize::from(best > 0.01 && best < 0.99);
            }
        }
        assert!(between > 10, "{between}");
    }

    #[test]
    fn a_hidden_hand_attacks_with_its_highest_card() {
        let mut rng = Rng::new(63);
        for (seen, in_stock) in [(0, 2), (0, 1), (0, 3)] {
            for bonus in [0, 5, 0, 5] {
                let cards = dealt(&mut rng, seen, in_stock);
                let own = cards.hand(Color::White).0;
                let hands = possible_hands(&cards);
                let mean = hands.iter().map(|&hand| {
                    let highest = Bits(hand).map(|number| card(number).value).max();
                    let leads: Vec<u8> =
                        Bits(hand).filter(|&number| Some(card(number).value) == highest).collect();
                    leads.iter().map(|&lead| share(&[round(lead, own, bonus)])).sum::<f64>()
                        / leads.len() as f64
                });
                let wanted = mean.sum::<f64>() / hands.len() as f64;
                let found = cards.chance_of_attack(Color::Black, bonus);
                assert!((found - wanted).abs() < 1e-9, "{cards:?} {bonus}: {found} is not {wanted}");
            }
        }
    }
}
