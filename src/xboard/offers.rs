//! Ending a game by consent: agreed draws and resignation. Both depend on the scores of our searches.

use super::{Mode, Xboard};
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

/// The score of a running search is trusted from this depth on.
pub(super) const CREDIBLE_DEPTH: u32 = 6;
/// A score this close to that of a draw counts as even, in centipawns.
const EVEN: Score = 20;
/// How many of our turns in a row must be even before we offer a draw.
const EVEN_TURNS: u32 = 4;
/// The least number of turns, of both sides, between two offers.
const BETWEEN_OFFERS: usize = 20;

impl Xboard {
    /// Handles `draw`: accepts at once if the score of our last search allows it, or later if that of our
    /// next turn does.
    pub(super) fn draw_offered(&mut self) {
        self.game.offers.open = matches!(self.mode, Mode::Plays(_)) && !self.game.over;
        if let Some(score) = self.game.offers.score {
            self.consider_draw(score);
        }
    }

    /// Accepts an offer that stands, if `score`, found by a search for our move, allows it.
    pub(super) fn consider_draw(&mut self, score: Score) {
        let heard = self.game.offers.open && self.engine.settings.draw_offers != DrawOffers::Ignore;
        if heard && self.may_agree() && score <= -self.engine.settings.contempt {
            self.game.offers.open = false;
            self.out.say(Reply::OfferDraw);
        }
    }

    fn may_agree(&self) -> bool {
        self.engine.session().tokens_played() >= self.engine.settings.draw_after
    }

    /// Our search has ended with `score`: resigns (true: no move follows), accepts a draw, or offers one.
    pub(super) fn before_our_move(&mut self, score: Score) -> bool {
        let Settings { resign, resign_score, resign_moves, draw_offers, contempt, .. } = self.engine.settings;
        let count = |so_far: u32, goes_on: bool| if goes_on { so_far.saturating_add(1) } else { 0 };
        self.game.offers.score = Some(score);
        self.game.offers.hopeless = count(self.game.offers.hopeless, score <= -resign_score);
        self.game.offers.even = count(self.game.offers.even, (score + contempt).abs() <= EVEN);
        if resign && self.game.offers.hopeless >= resign_moves {
            self.game.over = true;
            self.out.say(Reply::Resign);
            return true;
        }
        self.consider_draw(score);
        let turns = self.engine.session().tokens_played();
        let long_ago = self.game.offers.offered.is_none_or(|then| turns >= then + BETWEEN_OFFERS);
        let even = self.game.offers.even >= EVEN_TURNS;
        if draw_offers == DrawOffers::Offer && even && long_ago && self.may_agree() {
            self.game.offers.offered = Some(turns);
            self.out.say(Reply::OfferDraw);
        }
        self.game.offers.open = false;
        false
    }
}
