//! The clocks of both players, and the time used for a turn that is not complete.

use crate::base::Color;
use crate::session::{PlayerClock, TimeControl};
use std::time::Duration;

/// The clocks of a game.
#[derive(Clone, Copy, Debug)]
pub struct Clocks {
    players: [PlayerClock; 2],
    /// The side that has begun a turn, and the time it has used for it.
    begun: Option<(Color, Duration)>,
}

impl Clocks {
    /// Two clocks that show all their time.
    pub const fn new(control: TimeControl) -> Self {
        Self { players: [PlayerClock::new(control); 2], begun: None }
    }

    /// The same clocks before any turn has taken time.
    pub const fn full(&self) -> Self {
        Self::new(self.control())
    }

    /// The same clocks with so much time on them, White's first.
    pub const fn with_left(&self, [white, black]: [Duration; 2]) -> Self {
        let [first, second] = self.players;
        Self { players: [first.with_left(white), second.with_left(black)], begun: None }
    }

    /// The time control, the same for both players.
    pub const fn control(&self) -> TimeControl {
        self.players[0].control()
    }

    /// The clock of `color`, which does not know of a turn that is not complete.
    pub const fn of(&self, color: Color) -> &PlayerClock {
        &self.players[color.index()]
    }

    /// The time left for `color` after thinking for `spent` since the last token; `None` without a clock.
    pub fn left(&self, color: Color, spent: Duration) -> Option<Duration> {
        self.of(color).flag().map(|left| left.saturating_sub(self.used(color, spent)))
    }

    /// True when `color` has thought for too long with `spent`.
    pub fn falls(&self, color: Color, spent: Duration) -> bool {
        self.of(color).flag().is_some_and(|left| self.used(color, spent) > left)
    }

    /// Notes that `color` has thought for `spent` and gone on with its turn.
    pub fn go_on(&mut self, color: Color, spent: Duration) {
        if self.begun.is_some_and(|(other, _)| other != color) {
            self.stop();
        }
        self.begun = Some((color, self.used(color, spent)));
    }

    /// The turn is complete: its time is taken off the clock.
    pub fn stop(&mut self) {
        if let Some((color, used)) = self.begun.take() {
            self.players[color.index()].spend(used, Duration::ZERO);
            self.players[(!color).index()].opponent_spent(used);
        }
    }

    /// Forgets the time used for a turn that is not complete.
    pub fn forgive(&mut self) {
        self.begun = None;
    }

    /// The time that `color` has used for this turn, after thinking for `spent` since the last token.
    fn used(&self, color: Color, spent: Duration) -> Duration {
        self.begun.filter(|(other, _)| *other == color).map_or(Duration::ZERO, |(_, used)| used) + spent
    }
}
