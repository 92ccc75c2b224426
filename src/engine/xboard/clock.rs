//! What XBoard says of time.

use crate::protocol::xboard::Level;
use crate::search::{Budget, Limits};
use std::time::Duration;

/// How long we may think.
#[derive(Default)]
pub(super) struct TimeControl {
    pub level: Option<Level>,
    /// How many tokens had been played when it was said.
    pub level_since: usize,
    pub move_time: Option<Duration>,
    /// `level` or `st` was said under `nps`: its seconds are numbers of nodes.
    pub in_nodes: bool,
    pub depth: Option<u32>,
    pub own_clock: Option<Duration>,
    /// The opponent's, for another program that searches in our place.
    pub other_clock: Option<Duration>,
    /// Time is counted in nodes, so many to the second; 0: in processor time.
    pub node_rate: Option<u64>,
}

impl TimeControl {
    /// True when what is said of time is said in nodes.
    pub fn counts_nodes(&self) -> bool {
        self.node_rate.is_some_and(|rate| rate > 0)
    }

    /// The limits of a search, `plies` having been played.
    pub fn limits(&self, plies: usize) -> Limits {
        let TimeControl { level, level_since, move_time, depth, own_clock, node_rate, .. } = self;
        let budget = match (move_time, level) {
            (Some(time), _) => Budget::Fixed(*time),
            (None, level) => {
                // XBoard's own default where nothing was said.
                let level = level.unwrap_or(Level { moves: 40, base: 300_000, increment: 0 });
                let played = plies.saturating_sub(*level_since) as u32 / 2;
                Budget::Clock {
                    remaining: own_clock.unwrap_or(Duration::from_millis(level.base)),
                    increment: Duration::from_millis(level.increment),
                    turns_to_go: (level.moves > 0).then(|| level.moves - played % level.moves),
                }
            }
        };
        // A depth limit alone means that time does not matter.
        let unlimited = depth.is_some() && level.is_none() && move_time.is_none() && own_clock.is_none();
        let budget = if unlimited { Budget::Unlimited } else { budget };
        let nodes = match (node_rate, budget.deadlines(Duration::ZERO)) {
            (Some(rate), Some(deadlines)) if *rate > 0 => {
                Some((deadlines.soft.as_millis() as u64).saturating_mul(*rate) / 1000)
            }
            _ => None,
        };
        let budget = if nodes.is_some() { Budget::Unlimited } else { budget };
        Limits { depth: *depth, budget, nodes: nodes.map(|nodes| nodes.max(1)), ..Limits::default() }
    }
}
