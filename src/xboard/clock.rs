//! The clock, as XBoard sets it.

use crate::protocol::xboard::Level;
use crate::search::{Budget, Limits};
use std::time::Duration;

/// The clock and the limits of a search, as the commands have set them.
#[derive(Clone, Copy, Default)]
pub(super) struct Clock {
    level: Option<Level>,
    /// How many plies had been counted when `level` was read.
    level_since: usize,
    move_time: Option<Duration>,
    /// True if `level` or `st` was read under `nps`, so that its seconds count nodes.
    in_nodes: bool,
    pub depth: Option<u32>,
    pub own_clock: Option<Duration>,
    /// The opponent's clock, for another program that searches in our place.
    pub other_clock: Option<Duration>,
    /// Nodes that count as one second; 0 for processor time.
    pub node_rate: Option<u64>,
}

impl Clock {
    /// Nodes that count as one second, if time is counted in nodes.
    fn nodes_per_second(&self) -> Option<u64> {
        self.node_rate.filter(|&rate| rate > 0)
    }

    /// Sets `level`, after `plies` plies.
    pub fn begin_session(&mut self, level: Level, plies: usize) {
        let (depth, node_rate) = (self.depth, self.node_rate);
        *self = Self { level: Some(level), level_since: plies, depth, node_rate, ..Self::default() };
        self.in_nodes = self.nodes_per_second().is_some();
    }

    /// Sets `st`.
    pub fn limit_moves(&mut self, time: Duration) {
        self.level = None;
        self.move_time = Some(time);
        self.in_nodes = self.nodes_per_second().is_some();
    }

    /// What remains for the next game. `nps` does not, and a time that was meant in nodes must not become
    /// seconds.
    pub fn renewed(self) -> Self {
        let Self { level, move_time, in_nodes, .. } = self;
        if in_nodes { Self::default() } else { Self { level, move_time, ..Self::default() } }
    }

    /// The limits of a search after `plies` plies.
    pub fn limits(&self, plies: usize) -> Limits {
        let budget = match (self.move_time, self.level) {
            (Some(time), _) => Budget::Fixed(time),
            // A depth limit alone means that time does not matter.
            (None, None) if self.depth.is_some() && self.own_clock.is_none() => Budget::Unlimited,
            (None, level) => {
                // This is XBoard's own default where no time control was sent.
                let level = level.unwrap_or(Level { moves: 40, base: 300_000, increment: 0 });
                let played = plies.saturating_sub(self.level_since) as u32 / 2;
                Budget::Clock {
                    remaining: self.own_clock.unwrap_or(Duration::from_millis(level.base)),
                    increment: Duration::from_millis(level.increment),
                    turns_to_go: (level.moves > 0).then(|| level.moves - played % level.moves),
                }
            }
        };
        let in_nodes = |rate| {
            let soft = budget.deadlines(Duration::ZERO)?.soft.as_millis() as u64;
            Some((soft.saturating_mul(rate) / 1000).max(1))
        };
        let nodes = self.nodes_per_second().and_then(in_nodes);
        let budget = if nodes.is_some() { Budget::Unlimited } else { budget };
        Limits { depth: self.depth, budget, nodes, ..Limits::default() }
    }
}

/// Reads a clock, in hundredths of a second; a negative time counts as 0.
pub(super) fn reading(centiseconds: i64) -> Option<Duration> {
    Some(Duration::from_millis((centiseconds.max(0) as u64).saturating_mul(10)))
}
