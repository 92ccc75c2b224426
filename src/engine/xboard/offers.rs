//! Ending a game by consent: draws agreed to, resignation. Both go by what our searches think of the position.

use super::{Mode, Xboard};
use crate::base::score::Score;
use crate::engine::controller::Replies;
use crate::engine::options::DrawOffers;
use crate::protocol::xboard::Reply;

/// What of the game so far bears on it.
#[derive(Default)]
pub(super) struct Offers {
    /// The opponent offers a draw; it holds until our next move.
    open: bool,
    /// What our last search thought of our position.
    score: Option<Score>,
    /// On how many of our last turns we stood badly enough to resign.
    hopeless: u32,
    /// On how many of our last turns neither side stood better.
    even: u32,
    /// How many turns had been played when we offered a draw last.
    offered: Option<usize>,
}

/// A running search is believed from this depth on.
const CREDIBLE_DEPTH: u32 = 6;
/// So near to the worth of a draw a position counts as even, in centipawns.
const EVEN: Score = 20;
/// So many of our turns must have been even before we offer a draw.
const EVEN_TURNS: u32 = 4;
/// So many turns of both sides lie between two offers.
const BETWEEN_OFFERS: usize = 20;

impl Xboard {
    /// `draw`: accepted at once when our last thoughts allow, else when those of our next turn do.
    pub(super) fn draw_offered(&mut self, out: &mut Replies) {
        self.offers.open = matches!(self.mode, Mode::Plays(_)) && !self.over;
        if let Some(score) = self.offers.score {
            self.consider_draw(score, out);
        }
    }

    /// A running search for our move has found a line.
    pub(super) fn think_of_draw(&mut self, depth: u32, score: Score, out: &mut Replies) {
        if depth >= CREDIBLE_DEPTH {
            self.consider_draw(score, out);
        }
    }

    fn consider_draw(&mut self, score: Score, out: &mut Replies) {
        let settings = &self.engine.settings;
        if self.offers.open
            && settings.draw_offers != DrawOffers::Ignore
            && self.may_agree()
            && score <= self.worth_of_draw()
        {
            self.offers.open = false;
            out.say(Reply::OfferDraw);
        }
    }

    fn may_agree(&self) -> bool {
        self.engine.session().tokens_played() >= self.engine.settings.draw_after
    }

    const fn worth_of_draw(&self) -> Score {
        -self.engine.settings.contempt
    }

    /// Our search has ended with `score`: resigns (true: no move follows), accepts a draw or offers one.
    pub(super) fn before_our_move(&mut self, score: Score, out: &mut Replies) -> bool {
        let settings = &self.engine.settings;
        let (resigns, resign_score, resign_moves) =
            (settings.resign, settings.resign_score, settings.resign_moves);
        let offers_draws = settings.draw_offers == DrawOffers::Offer;
        let worth = self.worth_of_draw();
        let count = |so_far: u32, goes_on: bool| if goes_on { so_far.saturating_add(1) } else { 0 };
        self.offers.score = Some(score);
        self.offers.hopeless = count(self.offers.hopeless, score <= -resign_score);
        self.offers.even = count(self.offers.even, (score - worth).abs() <= EVEN);
        if resigns && self.offers.hopeless >= resign_moves {
            self.over = true;
            out.say(Reply::Resign);
            return true;
        }
        self.consider_draw(score, out);
        let turns = self.engine.session().tokens_played();
        let long_ago = self.offers.offered.is_none_or(|then| turns >= then + BETWEEN_OFFERS);
        if offers_draws && self.offers.even >= EVEN_TURNS && long_ago && self.may_agree() {
            self.offers.offered = Some(turns);
            out.say(Reply::OfferDraw);
        }
        self.offers.open = false;
        false
    }
}
