//! A game in progress, for any game: rules, history, text. Nothing is searched here, and there are no
//! threads.

mod board;
pub mod chance;
mod clock;
mod entered;
mod epd;
mod game_session;
mod history;
mod opaque;
pub mod parts;
mod successor;
mod tokens;
mod views;
pub mod xboard_spelling;

use crate::base::Color;
use crate::game::{Actor, Facts, Horizon, Outcome, Playable, Rules, SetupError};
use crate::notation::{Position, SyntaxError};
use crate::variants::{self, Visitor};
pub use board::Board;
use chance::Chance;
pub use clock::{PlayerClock, TimeControl, TimeControlError, parse_seconds};
pub use entered::{DECLINED, STOP, play_entered, play_recorded};
pub use epd::set_up_epd;
pub use game_session::GameSession;
pub use history::History;
pub use opaque::{Announcement, OpaqueSession};
use std::any::Any;
use std::sync::atomic::AtomicBool;
pub use successor::{Look, Successor};
pub use tokens::{MOST_TOKENS, continuations, tokens, turn_text};
pub use views::Views;

/// A game in progress. The defaults fit a game whose rules are not known here.
pub trait Session: Board + Views + Any + Send {
    /// The game that is played.
    fn facts(&self) -> &'static Facts;
    /// Its rules: the settings of its switches.
    fn rules(&self) -> &Rules;
    /// Sets who decides for chance; it takes effect at the next [`Session::set_up`].
    fn set_chance(&mut self, chance: Chance);
    /// Starts the game again, from `position` or from the usual start, and plays `tokens`; on an error
    /// nothing has changed.
    ///
    /// # Errors
    /// When the text is not a legal position of this game, or a token is not legal.
    fn set_up(
        &mut self,
        position: Option<&str>,
        tokens: &mut dyn Iterator<Item = &str>,
    ) -> Result<(), SessionError>;
    /// Plays a token; on an error nothing has changed.
    ///
    /// # Errors
    /// When it is not legal here.
    fn play(&mut self, token: &str) -> Result<(), SessionError>;
    /// Takes back the last token; false at the start.
    fn take_back(&mut self) -> bool {
        let tokens = self.tokens_played();
        self.rewind(tokens.saturating_sub(1));
        tokens > 0
    }
    /// The number of tokens that have been played.
    fn tokens_played(&self) -> usize;
    /// Goes back to the state after the first `tokens` tokens.
    fn rewind(&mut self, tokens: usize);
    /// Like [`Session::rewind`], for a player who takes back moves. The player has seen what our own dice and
    /// cards gave there, so they give new results.
    fn retract(&mut self, tokens: usize) {
        self.rewind(tokens);
    }
    /// Who decides next.
    fn actor(&self) -> Actor;
    /// How the game ended; `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;
    /// The present position, for drawing and as text.
    fn position(&self) -> Position;
    /// The position where games of this kind usually start, before any cards are dealt.
    fn usual_start(&self) -> Position;
    /// The position after the first `tokens` tokens; `None` beyond the present.
    fn position_after(&self, tokens: usize) -> Option<Position>;
    /// All that may be played next: see [`continuations`].
    fn continuations(&self) -> Vec<String> {
        Vec::new()
    }
    /// What may follow `beginning`, the first legs of a token (`""` for none), sorted; in the form of
    /// [`continuations`].
    ///
    /// # Errors
    /// When no legal token begins like this.
    fn continuations_of(&self, _beginning: &str) -> Result<Vec<String>, SessionError> {
        Ok(Vec::new())
    }
    /// All whole tokens that begin with `beginning` (`""` for all), sorted; each goes up to where another
    /// actor decides. `None` when there are more than `most`.
    ///
    /// # Errors
    /// When no legal token begins like this.
    fn tokens(&self, _beginning: &str, _most: usize) -> Result<Option<Vec<String>>, SessionError> {
        Ok(Some(Vec::new()))
    }
    /// The player whose turn it is, or would be if the game were not over; while chance decides, the player
    /// who decided before.
    fn on_turn(&self) -> Color;
    /// Goes on from the present position with White and Black exchanged, without a history.
    ///
    /// # Errors
    /// In the middle of a turn, and when the exchanged position is not legal.
    fn flip(&mut self) -> Result<(), SessionError>;
    /// The static evaluation of the position, without a search, in centipawns for White.
    fn evaluation(&self) -> i32 {
        0
    }
    /// The token played last, as text.
    fn last_token(&self) -> Option<String>;
    /// The first legal token that is found, complete: what can be played when nothing can be searched.
    fn first_token(&self) -> Option<String> {
        None
    }
    /// The player who wins by force within the horizon, whatever the other side does and however the dice
    /// fall; see [`forced_win`]. `None` soon after `stop` is set.
    fn forced_win(&self, _horizon: Horizon, _stop: &AtomicBool) -> Option<Color> {
        None
    }
    /// True unless a turn has begun that is not complete.
    fn between_turns(&self) -> bool;
    /// Checks that `token` can be played, without playing it.
    ///
    /// # Errors
    /// As for [`Session::play`].
    fn check(&self, token: &str) -> Result<(), SessionError>;
}

/// Why a session refused a position or a token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SessionError {
    /// The text of a position is not in the grammar.
    #[error("position: {0}")]
    PositionText(SyntaxError),
    /// The text of a position is in the grammar, but the position is not legal.
    #[error("position: {0}")]
    Position(#[from] SetupError),
    /// The text of a turn is not in the grammar.
    #[error("{0}")]
    TokenText(SyntaxError),
    /// The text of a turn is in the grammar, but is not legal here.
    #[error("{0}")]
    Illegal(String),
    /// The request is valid, but cannot be carried out.
    #[error("{0}")]
    Unable(String),
    /// One of a list of tokens was refused.
    #[error("Illegal move ({reason}): {token} (number {number} of the list)")]
    InList {
        /// The token, shortened.
        token: String,
        /// Its number in the list, from 1.
        number: usize,
        /// What is wrong with it.
        reason: Box<SessionError>,
    },
}

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
