//! Ending a game by consent: agreed draws and resignation. Both depend on the scores of our searches.

use super::game::Game;
use crate::base::score::Score;
use crate::engine::options::{DrawOffers, Settings};
use crate::protocol::xboard::Reply;

/// What matters for this in the game so far.
#[derive(Default)]
pub(super) struct Offers {
    /// True while the opponent's offer of a draw stands; our next move ends it.
    open: bool,
    /// The score of our last search.
    score: Option<Score>,
    /// For how many of our last turns in a row our score was bad enough to resign.
    hopeless: u32,
    /// For how many of our last turns in a row neither side stood better.
    even: u32,
    /// How many turns had been played when we last offered a draw.
    offered: Option<usize>,
}

/// A score this close to that of a draw counts as even, in centipawns.
const EVEN: Score = 20;
/// How many of our turns in a row must be even before we offer a draw.
const EVEN_TURNS: u32 = 4;
/// The least number of turns, of both sides, between two offers.
const BETWEEN_OFFERS: usize = 20;

impl Offers {
    /// Handles `draw`: accepts at once if the score of our last search allows it, or later if that of our
    /// next turn does.
    pub fn draw_offered(&mut self, game: &mut Game) {
        self.open = game.own_side().is_some() && !game.over;
        if let Some(score) = self.score {
            self.consider_draw(score, game);
        }
    }

    /// Accepts an offer that stands, if `score`, found by a search for our move, allows it.
    pub fn consider_draw(&mut self, score: Score, game: &mut Game) {
        let Settings { draw_offers, contempt, .. } = game.engine.settings;
        let stands = self.open && draw_offers != DrawOffers::Ignore;
        if stands && may_agree(game) && score <= -contempt {
            self.open = false;
            game.out.say(Reply::OfferDraw);
        }
    }

    /// Our search has ended with `score`: resigns (true: no move follows), accepts a draw, or offers one.
    pub fn before_our_move(&mut self, score: Score, game: &mut Game) -> bool {
        let Settings { resign, resign_score, resign_moves, draw_offers, contempt, .. } = game.engine.settings;
        let count = |so_far: u32, goes_on: bool| if goes_on { so_far.saturating_add(1) } else { 0 };
        self.score = Some(score);
        self.hopeless = count(self.hopeless, score <= -resign_score);
        self.even = count(self.even, (score + contempt).abs() <= EVEN);
        if resign && self.hopeless >= resign_moves {
            game.resign();
            return true;
        }
        self.consider_draw(score, game);
        let turns = game.session().tokens_played();
        let long_ago = self.offered.is_none_or(|then| turns >= then + BETWEEN_OFFERS);
        if draw_offers == DrawOffers::Offer && self.even >= EVEN_TURNS && long_ago && may_agree(game) {
            self.offered = Some(turns);
            game.out.say(Reply::OfferDraw);
        }
        self.open = false;
        false
    }
}

fn may_agree(game: &Game) -> bool {
    game.session().tokens_played() >= game.engine.settings.draw_after
}
