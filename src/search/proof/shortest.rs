//! The shortest win: whether a side wins within so many decisions, with nothing left out.
//!
//! Alpha-beta with two values, deeper by one decision at a time, and a table that says of each position
//! within how many decisions it is won, and within how many it is not. Unlike proof numbers it finds the
//! exact distance. It needs no care for repetition: who wins as soon as possible comes nearer to the end with
//! each decision, so that no position comes up twice. (A rule that *gives* a win for repeating a position is
//! not looked at.)

use super::ProvedStep;
use super::table::{Buckets, Entry};
use crate::base::Color;
use crate::game::winning::{Step, ended, identity};
use crate::game::{Actor, Decisions, Evaluation, GenType, MAX_DECISIONS, Outcome};
use crate::search::TableError;
use arrayvec::ArrayVec;
use std::collections::HashSet;

/// History is halved beyond this, so that it follows what is searched now.
const MOST_HISTORY: i32 = 1 << 20;
/// What a decision earns that decided a position.
const EARNED: i32 = 64;
/// What the worth of what is taken counts beside history.
const WORTH: i32 = 64;

/// What is known of a position.
#[derive(Clone, Copy)]
struct Known {
    position: u64,
    /// The number of the decision that decided it last; [`u32::MAX`] for none.
    decision: u32,
    /// It is won within so many decisions; [`u8::MAX`] where that is not known.
    won: u8,
    /// It is not won within so many.
    not_won: u8,
}

impl Known {
    const fn nothing(position: u64) -> Self {
        Self { position, decision: u32::MAX, won: u8::MAX, not_won: 0 }
    }

    /// What it took to know it.
    fn depth(&self) -> u64 {
        u64::from(if self.won < u8::MAX { self.won.max(self.not_won) } else { self.not_won })
    }
}

impl Entry for Known {
    const EMPTY: Self = Self::nothing(0);

    fn position(&self) -> u64 {
        self.position
    }
}

/// The most decisions within which a win is looked for.
pub const MOST_DECISIONS: u32 = u8::MAX as u32 - 1;

/// Searches for the shortest wins of one side.
pub struct ShortestWin<G: Evaluation> {
    winner: Color,
    table: Buckets<Known>,
    /// By who decides (the winner, the other side) and the decision.
    history: [Box<[i32]>; 2],
    nodes: u64,
    most: u64,
    game: std::marker::PhantomData<G>,
}

impl<G: Evaluation> ShortestWin<G> {
    /// A search for wins of `winner`, with a table of so many mebibytes, that ends after `most` positions.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn new(winner: Color, megabytes: usize, most: u64) -> Result<Self, TableError> {
        let table = Buckets::new(megabytes)?;
        let history = [0; 2].map(|none| vec![none; G::HISTORY_SIZE].into_boxed_slice());
        let game = std::marker::PhantomData;
        Ok(Self { winner, table, history, nodes: 0, most, game })
    }

    /// How many positions were searched.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the winner wins within `within` decisions of both sides, of which there are at most
    /// [`MOST_DECISIONS`]; `None` when the search has come to its end.
    pub fn wins(&mut self, state: &G, within: u32) -> Option<bool> {
        let mut list = Decisions::new();
        state.decisions(GenType::All, &mut list);
        if let Some(outcome) = ended(state, &list) {
            return Some(self.has_won(Some(outcome)));
        }
        self.search(state, within.min(MOST_DECISIONS) as u8)
    }

    /// The steps of the wins of `states` within so many decisions, which were found before, each after those it
    /// leads to, and with the least distance; `None` when the search has come to its end.
    pub fn steps(&mut self, states: &[G], within: u32) -> Option<Vec<ProvedStep<G>>> {
        let (mut seen, mut steps) = (HashSet::new(), Vec::new());
        let within = within.min(MOST_DECISIONS) as u8;
        states.iter().try_for_each(|state| self.walk(state, within, &mut seen, &mut steps))?;
        Some(steps)
    }

    fn store(&mut self, position: u64, within: u8, won: bool, decision: u32) {
        let entry = self.table.place(position, Known::depth);
        if entry.position != position {
            *entry = Known::nothing(position);
        }
        if decision < u32::MAX {
            entry.decision = decision;
        }
        if won {
            entry.won = entry.won.min(within);
        } else {
            entry.not_won = entry.not_won.max(within);
        }
    }

    /// Whether the winner wins within so many decisions from a position where the game goes on.
    fn search(&mut self, state: &G, within: u8) -> Option<bool> {
        if within == 0 {
            return Some(state.count() == 0 && self.has_won(state.ending(true)));
        }
        if self.nodes >= self.most {
            return None;
        }
        self.nodes += 1;
        let decides = state.actor() == Actor::Player(self.winner);
        // Of its own turns before the last, each is followed by one of the other side.
        let turns = state.turns_to_win(self.winner);
        if 2 * turns > u32::from(within) + u32::from(decides) {
            return Some(false);
        }
        let position = identity(state);
        let known = self.table.get(position);
        if let Some(known) = known {
            if known.won <= within {
                return Some(true);
            }
            if known.not_won >= within {
                return Some(false);
            }
        }
        let mut list = Decisions::new();
        state.decisions(GenType::All, &mut list);
        if list.is_empty() {
            return Some(self.has_won(state.ending(true)));
        }
        let mut open: ArrayVec<(i32, G::Decision), MAX_DECISIONS> = ArrayVec::new();
        for &decision in &list {
            // One that the rules or the table say settles the position; those that they refute are left out.
            let after = state.after(decision);
            let settled = match after.decided() {
                Some(outcome) => Some(self.has_won(Some(outcome))),
                None => self.known(&after, within - 1),
            };
            match settled {
                Some(won) if won == decides => {
                    self.store(position, within, won, decision.into());
                    return Some(won);
                }
                Some(_) => {}
                None => {
                    let first = known.is_some_and(|known| known.decision == decision.into());
                    let history = self.history[usize::from(decides)][state.history_index(decision)];
                    let order = if first { i32::MAX } else { history + WORTH * state.mvv_lva(decision) };
                    open.push((order, decision));
                }
            }
        }
        for tried in 0..open.len() {
            // The best of those that are left: often the first of them ends it.
            let best = (tried..open.len()).max_by_key(|&at| open[at].0).unwrap_or(tried);
            open.swap(tried, best);
            let (_, decision) = open[tried];
            let after = state.after(decision);
            if self.search(&after, within - 1)? == decides {
                self.earn(usize::from(decides), state.history_index(decision));
                self.store(position, within, decides, decision.into());
                return Some(decides);
            }
        }
        self.store(position, within, !decides, u32::MAX);
        Some(!decides)
    }

    /// What the table knows of a position.
    fn known(&self, state: &G, within: u8) -> Option<bool> {
        let known = self.table.get(identity(state))?;
        (known.won <= within || known.not_won >= within).then_some(known.won <= within)
    }

    fn has_won(&self, outcome: Option<Outcome>) -> bool {
        outcome.is_some_and(|outcome| outcome.winner == Some(self.winner))
    }

    fn earn(&mut self, who: usize, index: usize) {
        let history = &mut self.history[who];
        history[index] += EARNED;
        if history[index] > MOST_HISTORY {
            history.iter_mut().for_each(|earned| *earned /= 2);
        }
    }

    /// Within how many decisions a position is won where the winner decides, and not sooner; at most `within`
    /// or one more.
    fn distance(&mut self, state: &G, within: u32) -> Option<u32> {
        // Nearly always the winner ends the game with its own decision.
        for distance in (1..=within + 1).step_by(2) {
            if self.wins(state, distance)? {
                return Some(if self.wins(state, distance - 1)? { distance - 1 } else { distance });
            }
        }
        None
    }

    fn walk(
        &mut self,
        state: &G,
        within: u8,
        seen: &mut HashSet<u64>,
        steps: &mut Vec<ProvedStep<G>>,
    ) -> Option<()> {
        let mut list = Decisions::new();
        state.decisions(GenType::All, &mut list);
        if ended(state, &list).is_some() {
            return Some(());
        }
        if state.actor() != Actor::Player(self.winner) {
            return list
                .iter()
                .try_for_each(|&reply| self.walk(&state.after(reply), within - 1, seen, steps));
        }
        if !seen.insert(identity(state)) {
            return Some(());
        }
        let distance = self.distance(state, within.into())?;
        for &decision in &list {
            let after = state.after(decision);
            if self.wins(&after, distance - 1)? {
                // Where the game ends at once nothing need be written.
                if distance > 1 {
                    self.walk(&after, distance as u8 - 1, seen, steps)?;
                    steps.push(ProvedStep { state: state.clone(), step: Step { decision, distance } });
                }
                break;
            }
        }
        Some(())
    }
}
