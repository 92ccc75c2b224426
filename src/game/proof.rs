//! Wins that can be forced, proved by looking at every reply: for ending games early without guessing.
//!
//! Plain: no table, no ordering but the game's own, every position looked at counts against a limit. The game is looked at
//! as it stands, in the middle of a turn as well, with its past: a repetition on the way ends it as it would in play.

use super::{Actor, Decisions, Hidden, Record, Repetition, Wanted};
use crate::base::Color;
use std::sync::atomic::{AtomicBool, Ordering};

/// How far to look for a forced win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Horizon {
    /// Turns of both players together; the one that has begun is one of them.
    pub turns: u32,
    /// Positions to look at, at most.
    pub positions: u64,
}

/// Longer lines are not looked at, in decisions: in some games a turn need not end.
const DEEPEST: usize = 256;

/// Who wins the game by force within the horizon, whatever the opponent does and however the dice fall. `None` when
/// nobody, or when it cannot be told, or when something is hidden, or soon after `stop` is set.
pub fn forced_win<G: Hidden + Repetition>(
    mut record: Record<G>,
    horizon: Horizon,
    stop: &AtomicBool,
) -> Option<Color> {
    let state = record.now();
    // What one side may not see must not decide.
    if !Color::ALL.into_iter().all(|color| state.view(color).key() == state.key()) {
        return None;
    }
    let attacker = state.actor().player()?;
    let deepest = record.len() + DEEPEST;
    let mut proof = Proof { record: &mut record, winner: attacker, left: horizon.positions, deepest, stop };
    [attacker, !attacker].into_iter().find(|&winner| {
        proof.winner = winner;
        (1..=horizon.turns).any(|turns| proof.wins(turns) == Some(true))
    })
}

struct Proof<'a, G: Repetition> {
    record: &'a mut Record<G>,
    winner: Color,
    /// Positions that may still be looked at.
    left: u64,
    /// The longest record.
    deepest: usize,
    stop: &'a AtomicBool,
}

impl<G: Repetition> Proof<'_, G> {
    /// Whether the winner can force it from here within `turns` turns. `None` when a limit was reached.
    fn wins(&mut self, turns: u32) -> Option<bool> {
        self.left = self.left.checked_sub(1)?;
        if self.stop.load(Ordering::Relaxed) {
            self.left = 0;
        }
        if let Some(outcome) = self.record.outcome() {
            return Some(outcome.winner == Some(self.winner));
        }
        if turns == 0 {
            return Some(false);
        }
        if self.record.len() >= self.deepest {
            return None;
        }
        let mut list = Decisions::new();
        let state = self.record.now();
        state.decisions(Wanted::All, &mut list);
        let chooses = state.actor() == Actor::Player(self.winner);
        for &decision in &list {
            self.record.play(decision);
            let fewer = u32::from(self.record.now().between_turns());
            let wins = self.wins(turns - fewer);
            self.record.undo();
            if wins? == chooses {
                return Some(chooses);
            }
        }
        Some(!chooses && !list.is_empty())
    }
}
