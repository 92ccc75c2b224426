//! A game in progress, for any game: rules, history, text. Nothing is searched here, and there are no
//! threads.

mod board;
pub mod chance;
mod clock;
mod contract;
mod entered;
mod epd;
mod error;
mod game_session;
mod history;
mod opaque;
mod outcomes;
pub mod parts;
mod successor;
mod tokens;
pub mod xboard_spelling;

use crate::game::{Facts, Playable, Rules};
use crate::variants::{self, Visitor};
pub use board::Board;
use chance::Chance;
pub use clock::{PlayerClock, TimeControl, TimeControlError, parse_seconds};
pub use contract::{LegalTokens, Session, Views};
pub use entered::{DECLINED, STOP, play_entered, play_recorded};
pub use epd::set_up_epd;
pub use error::SessionError;
pub use game_session::GameSession;
pub use history::History;
pub use opaque::{Announcement, Judge, OpaqueSession, Verdict};
pub use outcomes::{ChanceOutcome, decisions_and_outcomes};
pub use successor::{Look, Successor};
pub use tokens::{MOST_TOKENS, continuations, tokens, turn_text};

/// Begins a session of the game that `facts` describes, at its start.
pub fn open(facts: &Facts, rules: Rules, chance: Chance) -> Box<dyn Session> {
    struct Open(Rules, Chance);
    impl Visitor for Open {
        type Output = Box<dyn Session>;
        fn visit<G: Playable>(self, _: &'static Facts) -> Self::Output {
            Box::new(GameSession::<G>::new(self.0, self.1))
        }
    }
    // The facts come from the registry; if these should not, chess is better than nothing.
    variants::visit(facts.name, Open(rules.clone(), chance))
        .unwrap_or_else(|_| Box::new(GameSession::<variants::chess::State>::new(rules, chance)))
}
