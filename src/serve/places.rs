//! Who may do what in a game: the persons at one screen, two persons who each have a screen of their own, and
//! anybody who looks on.

use crate::base::Color;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a page may do in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// It looks on.
    Watches,
    /// It decides for all the persons in the game.
    Plays,
    /// It decides for one side; the person of the other side has another page.
    Sits(Color),
}

/// The keys with which pages take their places.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Keys {
    /// The key of the page that plays.
    One(String),
    /// The key of each seat, White's first, and what opens the seat that nobody has taken yet.
    Two {
        /// The keys.
        seats: [String; 2],
        /// The seat that is free.
        free: Option<FreeSeat>,
    },
}

/// A seat that nobody has taken yet.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FreeSeat {
    /// 0 for White, 1 for Black.
    seat: usize,
    /// What its link says: the first page that says it takes the seat, and receives a key of its own.
    code: String,
}

/// The keys of a game, which its room and the registry share.
#[derive(Clone, Debug)]
pub struct KeyRing(Arc<Mutex<Keys>>);

impl KeyRing {
    /// A ring with these keys.
    pub fn new(keys: Keys) -> Self {
        Self(Arc::new(Mutex::new(keys)))
    }

    /// The keys for two pages; `word` makes words that nobody can guess. The page that begins the game takes
    /// `side`.
    pub fn for_two(side: Color, mut word: impl FnMut() -> String) -> Self {
        let free = FreeSeat { seat: (!side).index(), code: word() };
        Self::new(Keys::Two { seats: [word(), word()], free: Some(free) })
    }

    fn keys(&self) -> MutexGuard<'_, Keys> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The keys as they are now.
    pub fn copy(&self) -> Keys {
        self.keys().clone()
    }

    /// The place that a page takes with `key`. The code of a free seat opens it once.
    ///
    /// # Errors
    /// When it is no key of this game.
    pub fn place(&self, key: Option<&str>) -> Result<Place, String> {
        let Some(key) = key else { return Ok(Place::Watches) };
        match &mut *self.keys() {
            Keys::One(own) if own == key => return Ok(Place::Plays),
            Keys::Two { seats, .. } if seats.iter().any(|own| own == key) => {
                return Ok(Place::Sits(if seats[0] == key { Color::White } else { Color::Black }));
            }
            Keys::Two { free, .. } => {
                if let Some(seat) = free.take_if(|free| free.code == key) {
                    return Ok(Place::Sits(Color::ALL[seat.seat.min(1)]));
                }
            }
            Keys::One(_) => {}
        }
        Err("that is not the key of the game".to_owned())
    }

    /// The key that gives a page its place back.
    pub fn key_of(&self, place: Place) -> Option<String> {
        match (&*self.keys(), place) {
            (Keys::One(key), Place::Plays) => Some(key.clone()),
            (Keys::Two { seats, .. }, Place::Sits(color)) => Some(seats[color.index()].clone()),
            _ => None,
        }
    }

    /// The code that opens the free seat, for the person who has the other one.
    pub fn invitation(&self, place: Place) -> Option<String> {
        match (&*self.keys(), place) {
            (Keys::Two { free, .. }, Place::Sits(_)) => free.as_ref().map(|free| free.code.clone()),
            _ => None,
        }
    }

    /// True when each person has a page.
    pub fn is_for_two(&self) -> bool {
        matches!(&*self.keys(), Keys::Two { .. })
    }

    /// True while a seat is free.
    pub fn has_free_seat(&self) -> bool {
        matches!(&*self.keys(), Keys::Two { free: Some(_), .. })
    }

    /// Each person takes the other side.
    pub fn exchange(&self) {
        if let Keys::Two { seats, .. } = &mut *self.keys() {
            seats.swap(0, 1);
        }
    }
}

impl Place {
    /// The same person's place after the sides were exchanged.
    pub fn exchanged(self) -> Self {
        match self {
            Self::Sits(color) => Self::Sits(!color),
            other => other,
        }
    }

    /// True for a page that may decide something.
    pub fn plays(self) -> bool {
        self != Self::Watches
    }
}

/// What both persons must agree to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Proposal {
    /// The game is drawn.
    Draw,
    /// The last decision of the person who asks is taken back.
    Undo,
    /// Another game, with the sides exchanged.
    Rematch,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_free_seat_is_taken_once() {
        let mut words = ["code", "white", "black"].into_iter();
        let ring = KeyRing::for_two(Color::Black, || words.next().unwrap().to_owned());
        assert_eq!(ring.place(Some("black")), Ok(Place::Sits(Color::Black)));
        assert_eq!(ring.invitation(Place::Sits(Color::Black)).as_deref(), Some("code"));
        assert_eq!(ring.invitation(Place::Watches), None);
        assert_eq!(ring.place(Some("code")), Ok(Place::Sits(Color::White)));
        assert!(ring.place(Some("code")).is_err(), "the link was used");
        assert_eq!(ring.key_of(Place::Sits(Color::White)).as_deref(), Some("white"));
        assert_eq!(ring.place(None), Ok(Place::Watches));
        ring.exchange();
        assert_eq!(ring.place(Some("white")), Ok(Place::Sits(Color::Black)));
    }
}
