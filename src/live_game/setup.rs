//! How a game begins.

use super::{Refusal, Seat};
use crate::game::{Facts, Rules};
use crate::pgn::Ending;
use crate::session::chance::Chance;
use crate::session::{Session, TimeControl, open};
use std::time::Duration;

/// What a game begins with.
pub struct Setup<'a> {
    /// The game that is played.
    pub facts: &'static Facts,
    /// The settings of its rule switches.
    pub rules: Rules,
    /// The first position, if it is not the usual one.
    pub position: Option<&'a str>,
    /// The seed of dice and cards, not 0.
    pub seed: u64,
    /// True if persons roll the dice and enter the results.
    pub rolls: bool,
    /// The player of each side, White's first.
    pub seats: [Seat; 2],
    /// The time control of both sides.
    pub control: TimeControl,
}

/// Where a game was left that goes on.
pub struct Left<'a> {
    /// The tokens that were played, with the results of dice and cards.
    pub tokens: &'a [String],
    /// The time left on the clocks, White's first; `None` for full ones.
    pub times: Option<[Duration; 2]>,
    /// The ending by resignation, agreement or time.
    pub ending: Option<Ending>,
}

impl Setup<'_> {
    /// The usual game: a person has White, the engine Black, and there is no clock.
    pub fn of(facts: &'static Facts) -> Self {
        let (rules, seats) = (Rules::of(facts), [Seat::Person, Seat::Engine]);
        Self { facts, rules, position: None, seed: 1, rolls: false, seats, control: TimeControl::Untimed }
    }

    /// The game at its first position.
    ///
    /// # Errors
    /// When the position is not legal, or persons would have to deal hidden cards.
    pub(super) fn open(&self) -> Result<Box<dyn Session>, Refusal> {
        if self.rolls && self.facts.hidden {
            return Err(Refusal::Dealt);
        }
        let mut session = open(self.facts, self.rules.clone(), chance(self.rolls, self.seed));
        session.set_up(self.position, &mut std::iter::empty())?;
        Ok(session)
    }
}

/// Who decides for chance.
pub(super) const fn chance(rolls: bool, seed: u64) -> Chance {
    if rolls { Chance::Referee } else { Chance::Own { seed } }
}
