//! What players and spectators may know of a game in progress.

use super::Session;
use crate::base::Color;
use crate::game::Deal;
use crate::notation::Position;

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
    fn told(&self) -> (Option<String>, Vec<String>);
    /// The same for `viewer`, with what is hidden from that player masked.
    fn told_to(&self, _viewer: Color) -> (Option<String>, Vec<String>) {
        self.told()
    }
}
