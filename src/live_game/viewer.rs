//! Who looks at the screen of a game, and what is kept from him.

use crate::base::Color;
use crate::notation::{Leg, Position, Token, parse_token};
use crate::session::Session;

/// Who looks at the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Viewer {
    /// Everybody may see everything.
    All,
    /// A player who must not see the other's cards.
    Player(Color),
    /// Nobody yet: the next player is not alone with it.
    Nobody,
}

impl Viewer {
    /// The present position as he may know it, as a game of its own: whatever is computed from that tells him nothing else.
    pub fn known(self, session: &dyn Session) -> Box<dyn Session> {
        match self {
            Self::All => session.known_to(&[]),
            Self::Player(color) => session.known_to(&[color]),
            Self::Nobody => session.known_to(&Color::ALL),
        }
    }

    /// That position.
    pub fn position(self, session: &dyn Session) -> Position {
        self.known(session).position()
    }

    /// The words of `owner` as he may read them.
    pub(super) fn reads(self, token: &str, owner: Color) -> String {
        match self {
            Self::Nobody => without_draws(token),
            Self::Player(color) if color != owner => without_draws(token),
            _ => token.to_owned(),
        }
    }
}

/// A turn up to where chance speaks: what that would say is nobody's business.
pub fn own_words(token: &str) -> String {
    let Ok(parsed) = parse_token(token) else { return token.to_owned() };
    let by_chance = |leg: &Leg| matches!(leg, Leg::Roll(_) | Leg::Draw(_));
    let Some(end) = parsed.legs.iter().position(by_chance) else { return token.to_owned() };
    Token { legs: parsed.legs.into_iter().take(end).collect(), open: false }.to_string()
}

/// A token with the cards that were drawn face down.
fn without_draws(token: &str) -> String {
    if !token.contains('+') {
        return token.to_owned();
    }
    let hidden = |parsed: Token| parsed.with_draws_hidden(|_| true).to_string();
    parse_token(token).map_or_else(|_| token.to_owned(), hidden)
}
