//! What can be asked of a game in progress, apart from its board.

use super::board::Board;
use super::chance::Chance;
use super::error::SessionError;
use crate::base::Color;
use crate::game::{Actor, Deal, Facts, Horizon, Outcome, Rules};
use crate::notation::Position;
use std::any::Any;
use std::sync::atomic::AtomicBool;

/// A game in progress. The defaults fit a game whose rules are not known here.
pub trait Session: Board + LegalTokens + Views + Any + Send {
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
    /// The player whose turn it is, or would be if the game were not over; while chance decides within a turn,
    /// the player who decided before.
    fn on_turn(&self) -> Color;
    /// Goes on from the present position with White and Black exchanged, without a history.
    ///
    /// # Errors
    /// In the middle of a turn, and when the exchanged position is not legal.
    fn flip(&mut self) -> Result<(), SessionError>;
    /// The token played last, as text.
    fn last_token(&self) -> Option<String>;
    /// The player who wins by force within the horizon, whatever the other side does and however the dice
    /// fall; see [`crate::game::forced_win`]. `None` soon after `stop` is set.
    fn forced_win(&self, _horizon: Horizon, _stop: &AtomicBool) -> Option<Color> {
        None
    }
    /// True unless a turn has begun that is not complete.
    fn between_turns(&self) -> bool;
}

/// What follows from the functions of the trait, and is therefore the same in every session.
impl dyn Session + '_ {
    /// Takes back the last token; false at the start.
    pub fn take_back(&mut self) -> bool {
        let tokens = self.tokens_played();
        self.rewind(tokens.saturating_sub(1));
        tokens > 0
    }
}

/// What may be played next. The defaults fit a game whose rules are not known here.
pub trait LegalTokens {
    /// All that may be played next: see [`super::continuations`].
    fn continuations(&self) -> Vec<String> {
        Vec::new()
    }
    /// What may follow `beginning`, the first legs of a token (`""` for none), sorted; in the form of
    /// [`super::continuations`].
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
    /// The first legal token that is found, complete: what can be played when nothing can be searched.
    fn first_token(&self) -> Option<String> {
        None
    }
    /// Checks that `token` can be played, without playing it.
    ///
    /// # Errors
    /// As for [`Session::play`].
    fn check(&self, token: &str) -> Result<(), SessionError>;
}

/// A game in progress as somebody may know it who does not see all cards. The defaults fit a game without
/// hidden cards.
pub trait Views {
    /// The first position of this game, as `viewer` may know it.
    fn start_for(&self, viewer: Color) -> Position;
    /// The present position as `viewer` may know it.
    fn position_for(&self, viewer: Color) -> Position;
    /// The first position, as a spectator may know it, who is neither of the players.
    fn public_start(&self) -> Position {
        self.start_for(Color::White)
    }
    /// The present position, as a spectator may know it.
    fn public_position(&self) -> Position {
        self.known_to(&Color::ALL).position()
    }
    /// A game that begins with the present position, without what any of these players may not know: whatever
    /// is computed from it may be shown to each of them.
    fn known_to(&self, players: &[Color]) -> Box<dyn Session>;
    /// A copy of the whole game, as `player` may know it. A referee decides for chance in it.
    fn seen_by(&self, player: Color) -> Box<dyn Session>;
    /// Where the cards are, as far as this game knows; `None` where there are none.
    fn deal(&self) -> Option<Deal> {
        None
    }
    /// The same after the first `tokens` tokens.
    fn deal_after(&self, _tokens: usize) -> Option<Deal> {
        None
    }
    /// The game as text, for a program that is to follow it: the first position (`None` for the usual start),
    /// and each token since, with the results of chance.
    fn as_text(&self) -> (Option<String>, Vec<String>);
    /// The same for `viewer`, with what is hidden from that player masked.
    fn as_text_for(&self, _viewer: Color) -> (Option<String>, Vec<String>) {
        self.as_text()
    }
}
