//! Static exchange evaluation: the balance when both sides capture on one square in turn, the least valuable
//! piece first.

use crate::base::Color;

/// True when a piece of `side` worth `mover`, which captures a piece worth `taken` (0 for none), gains at
/// least `threshold` after the exchanges that follow (the swap algorithm with a bound, as Stockfish's
/// `see_ge`). All values are centipawns.
///
/// `cheapest` removes from the board the least valuable piece with which a side can capture on the square,
/// and returns its value; `None` when there is none. A piece that stood behind it takes part from then on.
#[inline]
pub fn exchange_brings(
    (taken, mover): (i32, i32),
    threshold: i32,
    mut side: Color,
    mut cheapest: impl FnMut(Color) -> Option<i32>,
) -> bool {
    // What would be missing, or left over, if the exchange ended here.
    let mut balance = taken - threshold;
    if balance < 0 {
        return false;
    }
    balance = mover - balance;
    if balance <= 0 {
        return true;
    }
    let mut good = true;
    loop {
        side = !side;
        let Some(price) = cheapest(side) else { return good };
        good = !good;
        balance = price - balance;
        if balance < i32::from(good) {
            return good;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Rng;

    /// The balance of capturing or stopping, for the side whose pieces come first.
    fn swap(taken: i32, takers: [&[i32]; 2]) -> i32 {
        match takers[0].split_first() {
            Some((&taker, rest)) => (taken - swap(taker, [takers[1], rest])).max(0),
            None => 0,
        }
    }

    #[test]
    fn it_is_what_taking_in_turn_comes_to() {
        let mut rng = Rng::new(3);
        for _ in 0..5000 {
            let mut side = |most| {
                let mut pieces: Vec<i32> = (0..rng.below(most)).map(|_| 1 + rng.below(9) as i32).collect();
                pieces.sort_unstable();
                pieces
            };
            let (ours, theirs) = (side(5), side(5));
            let (taken, mover) = (rng.below(10) as i32, 1 + rng.below(9) as i32);
            let value = taken - swap(mover, [&theirs, &ours]);
            for threshold in -12..12 {
                let mut left = [ours.iter(), theirs.iter()];
                let cheapest = |side: Color| left[side.index()].next().copied();
                assert_eq!(
                    exchange_brings((taken, mover), threshold, Color::White, cheapest),
                    value >= threshold,
                    "{mover} takes {taken}, {ours:?} against {theirs:?}: {value}"
                );
            }
        }
    }
}
