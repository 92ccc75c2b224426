//! How long to search, and what.

use std::time::Duration;

/// The lowest Elo to which play can be weakened.
pub const LEAST_ELO: u32 = 600;
/// The highest Elo to which play can be weakened: nearly full strength.
pub const MOST_ELO: u32 = 2600;

/// The time a search may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Budget {
    /// Until stopped, or until another limit ends it.
    #[default]
    Unlimited,
    /// Exactly this long (less what finishing takes), thinking to the end of it.
    Fixed(Duration),
    /// A share of what the clock shows.
    Clock {
        /// Left for this player.
        remaining: Duration,
        /// Gained with every turn.
        increment: Duration,
        /// Turns until the next time control; `None` for the rest of the game.
        turns_to_go: Option<u32>,
    },
}

/// What ends a search; whichever comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Full decisions to look ahead.
    pub depth: Option<u32>,
    /// Positions to visit, all threads together; exact with one thread.
    pub nodes: Option<u64>,
    /// Stop when a win in this many turns of the winner is found.
    pub win_in: Option<u32>,
    /// How much time it may take.
    pub budget: Budget,
    /// What is lost between our clock and the arbiter's; taken off every budget.
    pub overhead: Duration,
    /// How many best lines to find; 0 counts as 1.
    pub lines: usize,
    /// Search on when the result cannot change any more (analysis).
    pub infinite: bool,
}

/// Two moments, measured from when the clock began to run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deadlines {
    /// No new iteration is begun after this.
    pub soft: Duration,
    /// The search is broken off here.
    pub hard: Duration,
}

impl Budget {
    /// The deadlines for this budget; `None` when time does not matter.
    ///
    /// The hard deadline is always below what is left less `overhead`, so that the clock is never overstepped
    /// as long as `overhead` covers the way to the arbiter. When nothing is left after it, both are zero: the
    /// first decision that can be had is taken.
    pub fn deadlines(&self, overhead: Duration) -> Option<Deadlines> {
        match *self {
            Self::Unlimited => None,
            Self::Fixed(time) => {
                let time = time.saturating_sub(overhead);
                Some(Deadlines { soft: time, hard: time })
            }
            Self::Clock { remaining, increment, turns_to_go } => {
                // Without a time control ahead, plan for as many turns as most games still have.
                let turns = turns_to_go.unwrap_or(30).clamp(1, 50);
                let usable = remaining.saturating_sub(overhead);
                let share = usable / turns + increment * 3 / 4;
                let hard = (share * 4).min(usable * 4 / 5);
                // With one turn to go the clock is refilled: take nearly all.
                let hard = if turns == 1 { usable * 9 / 10 } else { hard };
                Some(Deadlines { soft: share.min(hard * 2 / 3), hard })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    #[test]
    fn the_hard_deadline_never_reaches_the_flag() {
        for remaining in [0, 1, 5, 10, 30, 50, 100, 1000, 60_000, 7_200_000] {
            for increment in [0, 1, 100, 10_000, 100_000] {
                for turns_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(10_000)] {
                    for overhead in [0, 10, 100, 5000] {
                        let budget =
                            Budget::Clock { remaining: ms(remaining), increment: ms(increment), turns_to_go };
                        let deadlines = budget.deadlines(ms(overhead)).unwrap();
                        assert!(deadlines.hard <= ms(remaining).saturating_sub(ms(overhead)), "{budget:?}");
                        assert!(deadlines.soft <= deadlines.hard, "{budget:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_fixed_time_is_used_to_the_end_less_the_overhead() {
        let deadlines = Budget::Fixed(ms(100)).deadlines(ms(10)).unwrap();
        assert_eq!(deadlines, Deadlines { soft: ms(90), hard: ms(90) });
        assert_eq!(Budget::Unlimited.deadlines(ms(10)), None);
    }

    #[test]
    fn whole_games_are_played_within_the_clock() {
        // Worst case: every search runs to its hard deadline and loses the overhead.
        for (start, increment) in [(1000, 0), (60_000, 0), (10_000, 100), (100, 50)] {
            let mut left = ms(start);
            for _ in 0..200 {
                let budget = Budget::Clock { remaining: left, increment: ms(increment), turns_to_go: None };
                let spent = budget.deadlines(ms(10)).unwrap().hard;
                assert!(spent < left || left <= ms(10));
                left = left - spent + ms(increment);
            }
        }
    }
}
