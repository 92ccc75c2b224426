//! Static exchange evaluation in chess.

use super::board::Kind;
use super::evaluation::PRICE;
use super::{Decision, State};
use crate::game::see::exchange_brings;

impl State {
    /// [`crate::game::Evaluation::see_ge`]. Pins are ignored; promotions, castling and captures en passant
    /// count as even.
    pub(super) fn is_exchange_at_least(&self, decision: Decision, threshold: i32) -> bool {
        let (from, to) = (decision.from(), decision.to());
        let board = &self.board;
        let piece = board.code(from);
        let in_passing = piece == Kind::Pawn.code() && to == self.en_passant;
        let castling =
            piece == Kind::King.code() && (from.abs_diff(to) == 2 || self.castles_by(from, to).is_some());
        if in_passing || castling || decision.promotion_code() != 0 {
            return threshold <= 0;
        }
        let mut occupied = board.occupied() & !(1 << from) | 1 << to;
        exchange_brings((PRICE[board.code(to)], PRICE[piece]), threshold, self.turn, |side| {
            let attackers = self.attackers(to, occupied) & occupied;
            let ours = attackers & board.of(side);
            let mut takers = CHEAPEST_FIRST.into_iter().map(|kind| (kind, ours & board.all(kind)));
            let (kind, taker) = takers.find(|(_, taker)| *taker != 0)?;
            // The king captures only what is not guarded.
            if kind == Kind::King && attackers & board.of(!side) != 0 {
                return None;
            }
            occupied &= !(taker & taker.wrapping_neg());
            Some(PRICE[kind.code()])
        })
    }
}

const CHEAPEST_FIRST: [Kind; 6] =
    [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen, Kind::King];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Rng;
    use crate::game::{Decisions, Evaluation, Game, GenType, Notation, Rules, playout};
    use crate::variants::chess::tests::testing::state;

    fn brings(position: &str, from: u8, to: u8) -> i32 {
        let state = state(position);
        (-1500..1500)
            .rev()
            .find(|&least| state.is_exchange_at_least(Decision::step(from, to), least))
            .unwrap()
    }

    #[test]
    fn the_cheapest_takes_first_and_who_stands_behind_joins() {
        // A rook captures an unguarded pawn (e1 on e5).
        assert_eq!(brings("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", 4, 36), 100);
        // A knight captures a pawn guarded by a knight, a bishop and a queen, with a rook and a queen behind.
        assert_eq!(brings("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", 19, 36), 100 - 320);
        // The king cannot recapture a guarded piece: d8 is captured for nothing.
        assert_eq!(brings("3r2k1/8/8/8/8/8/3Q4/3R2K1 w - - 0 1", 11, 59), 500);
        assert_eq!(brings("3rk3/8/8/8/8/8/3Q4/3R2K1 w - - 0 1", 11, 59), 500);
        assert_eq!(brings("3rk3/8/8/8/8/8/3Q4/6K1 w - - 0 1", 11, 59), 500 - 950);
        // A quiet move onto a square that a pawn guards.
        assert_eq!(brings("4k3/8/2p5/8/8/8/8/3RK3 w - - 0 1", 3, 35), -500);
    }

    /// The same by playing it out: each side in turn captures with its cheapest piece or stops, whichever is
    /// better. A pinned piece may capture, illegally; a king never captures into attack.
    fn swap(board: &super::super::board::Board, state: &State, to: u8, side: crate::base::Color) -> i32 {
        let occupied = board.occupied();
        let mut copy = *state;
        copy.board = *board;
        let takers = copy.attackers(to, occupied) & board.of(side);
        let order = [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen, Kind::King];
        let Some(kind) = order.into_iter().find(|&kind| takers & board.all(kind) != 0) else { return 0 };
        let from = (takers & board.all(kind)).trailing_zeros() as u8;
        if kind == Kind::King && copy.attackers(to, occupied & !(1 << from)) & board.of(!side) != 0 {
            return 0;
        }
        let taken = PRICE[board.code(to)];
        let mut next = *board;
        next.carry(from, to, side, kind.code());
        (taken - swap(&next, state, to, !side)).max(0)
    }

    #[test]
    fn it_is_what_taking_in_turn_comes_to() {
        let (mut rng, mut looked) = (Rng::new(11), 0);
        for _ in 0..20 {
            let start = State::start(&Rules::default());
            playout(start, &mut rng, 120, |record, _| {
                let state = record.now();
                let mut list = Decisions::new();
                state.decisions(GenType::All, &mut list);
                for decision in list {
                    let (from, to) = (decision.from(), decision.to());
                    let piece = state.board.code(from);
                    let special = decision.promotion_code() != 0
                        || piece == Kind::Pawn.code() && to == state.en_passant
                        || piece == Kind::King.code();
                    if special {
                        continue;
                    }
                    let mut next = state.board;
                    let taken = PRICE[next.code(to)];
                    next.carry(from, to, state.turn, piece);
                    let value = taken - swap(&next, state, to, !state.turn);
                    assert!(state.see_ge(decision, value), "{state:?} {decision:?} {value}");
                    assert!(!state.see_ge(decision, value + 1), "{state:?} {decision:?} {value}");
                    looked += 1;
                }
            });
        }
        assert!(looked > 10_000);
    }
}
