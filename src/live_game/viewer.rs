//! Who is looking at the screen of a game, and what is hidden from them.

use crate::base::Color;
use crate::notation::{Leg, Position, Token, parse_token};
use crate::session::Session;

/// Who is looking at the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Viewer {
    /// A viewer who may see everything.
    All,
    /// A player, who must not see the other player's cards.
    Player(Color),
    /// No known player: the next one is not alone with the screen yet.
    Nobody,
}

impl Viewer {
    /// The present position as the viewer may know it, as a game of its own. What is computed from it reveals
    /// nothing else.
    pub fn known(self, session: &dyn Session) -> Box<dyn Session> {
        match self {
            Self::All => session.known_to(&[]),
            Self::Player(color) => session.known_to(&[color]),
            Self::Nobody => session.known_to(&Color::ALL),
        }
    }

    /// The present position as the viewer may know it.
    pub fn position(self, session: &dyn Session) -> Position {
        self.known(session).position()
    }

    /// The token of `owner` as the viewer may read it.
    pub(super) fn reads(self, token: &str, owner: Color) -> String {
        match self {
            Self::Nobody => without_draws(token),
            Self::Player(color) if color != owner => without_draws(token),
            _ => token.to_owned(),
        }
    }
}

/// A token up to the first die or drawn card: the viewer must not learn the result.
pub fn own_words(token: &str) -> String {
    let Ok(parsed) = parse_token(token) else { return token.to_owned() };
    let by_chance = |leg: &Leg| matches!(leg, Leg::Roll(_) | Leg::Draw(_));
    let Some(end) = parsed.legs.iter().position(by_chance) else { return token.to_owned() };
    Token { legs: parsed.legs.into_iter().take(end).collect(), open: false }.to_string()
}

/// A token with the drawn cards masked.
fn without_draws(token: &str) -> String {
    if !token.contains('+') {
        return token.to_owned();
    }
    let hidden = |parsed: Token| parsed.with_draws_hidden(|_| true).to_string();
    parse_token(token).map_or_else(|_| token.to_owned(), hidden)
}

/// True when each player knows something that the other must not see.
pub(super) fn has_secrets(session: &dyn Session) -> bool {
    let [white, black] = Color::ALL.map(|color| session.position_for(color));
    white != black
}
