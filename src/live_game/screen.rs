//! Who is looking at a game at a table: whose screen it is.

use super::viewer::has_secrets;
use super::{Seat, Table, Viewer};
use crate::base::Color;

impl Table {
    /// The side of the only person who plays.
    pub fn lone_person(&self) -> Option<Color> {
        let mut persons = Color::ALL.into_iter().filter(|color| self.seats()[color.index()] == Seat::Person);
        persons.next().filter(|_| persons.next().is_none())
    }

    /// True when two persons play.
    pub fn two_persons(&self) -> bool {
        self.seats() == [Seat::Person; 2]
    }

    /// True when each player knows something that the other must not see.
    pub fn has_secrets(&self) -> bool {
        has_secrets(self.session())
    }

    /// What is seen on the screen of the person who plays `seat`, or of somebody who only looks on, where
    /// each person has a screen of their own.
    pub fn viewer_at(&self, seat: Option<Color>) -> Viewer {
        match seat {
            _ if self.ending().is_some() || !self.has_secrets() => Viewer::All,
            Some(color) => Viewer::Player(color),
            None => Viewer::Nobody,
        }
    }

    /// True when hidden cards were revealed because the game is over, so that it cannot continue.
    pub fn was_shown(&self) -> bool {
        self.ending().is_some() && self.has_secrets()
    }

    /// Who is looking at the screen. If two persons with secrets share it, that is the side to decide,
    /// provided that this side is trusted to be alone with it.
    pub fn viewer(&self) -> Viewer {
        if self.ending().is_some() || !self.has_secrets() {
            return Viewer::All;
        }
        match (self.lone_person(), self.two_persons()) {
            (Some(person), _) => Viewer::Player(person),
            (None, true) => match self.to_decide().or(self.screen_owner) {
                Some(color) if self.screen_owner == Some(color) => Viewer::Player(color),
                _ => Viewer::Nobody,
            },
            (None, false) => Viewer::All,
        }
    }

    /// The text of the turn that the side to decide has begun, as `viewer` may read it.
    pub fn begun(&self, viewer: Viewer) -> Option<String> {
        let goes_on = self.to_decide().filter(|_| !self.session().between_turns())?;
        // When the opponent answers in the middle of a turn, that turn is not the opponent's.
        self.played().turns(viewer).pop().filter(|turn| turn.owner == goes_on).map(|turn| turn.text)
    }
}
