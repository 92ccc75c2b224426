//! Forced wins, proved by looking at every reply: for ending games early without guessing.
//!
//! The search is plain: no table, no ordering but the game's own, and every position counts against a limit.
//! The game is searched from where it stands, also in the middle of a turn, and with its history: a
//! repetition on the way ends it as it would in play.

use super::{Actor, Decisions, GenType, Hidden, Record, Repetition};
use crate::base::Color;
use std::sync::atomic::{AtomicBool, Ordering};

/// How far to look for a forced win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Horizon {
    /// The number of turns of both players together, including the one that has begun.
    pub turns: u32,
    /// The most positions to search.
    pub positions: u64,
}

/// The longest line that is searched, in decisions: in some games a turn need not end.
const DEEPEST: usize = 256;

/// The player who wins by force within the horizon, whatever the opponent does and however the dice fall.
/// `None` when neither does, when it could not be decided, when something is hidden, or soon after `stop` is
/// set.
pub fn forced_win<G: Hidden + Repetition>(
    mut record: Record<G>,
    horizon: Horizon,
    stop: &AtomicBool,
) -> Option<Color> {
    let state = record.now();
    // What is hidden from a player must not decide.
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
    /// The number of positions that may still be searched.
    left: u64,
    /// The length of the longest record that is searched, in decisions.
    deepest: usize,
    stop: &'a AtomicBool,
}

impl<G: Repetition> Proof<'_, G> {
    /// Whether the winner can force a win from here within `turns` turns; `None` when a limit was reached.
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
        state.decisions(GenType::All, &mut list);
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
