//! Men that are taken elsewhere than where the taker goes (en passant): the target is marked as a capture, and when the
//! mouse is over it the victim is, too.

use super::targets::{self, paint};
use super::{Mode, Xboard};
use crate::engine::controller::Replies;
use crate::notation::{Cell, Coordinate, Leg, Placement, parse_coordinate, parse_token};
use crate::protocol::xboard::Reply;

impl Xboard {
    /// The answer to `lift`: the marks for the piece on `square`; `None` when the text is no square.
    pub(super) fn marks(&mut self, square: &str) -> Option<String> {
        let from = parse_coordinate(square).ok()?;
        Some(targets::as_fen(&self.colors(from), self.host.session().facts()))
    }

    /// The answer to `hover`: the marks again, with those who would be taken elsewhere.
    pub(super) fn hover(&mut self, square: &str, out: &mut Replies) {
        let lifted = self.lifted.as_deref().and_then(|square| parse_coordinate(square).ok());
        let (Some(from), Ok(to)) = (lifted, parse_coordinate(square)) else { return };
        let victims = self.victims(from, to);
        if victims.is_empty() {
            return;
        }
        let mut colors = self.colors(from);
        for victim in victims {
            colors[victim] = paint::VICTIM;
        }
        out.say(Reply::Highlight(&targets::as_fen(&colors, self.host.session().facts())));
    }

    fn colors(&mut self, from: Coordinate) -> Vec<u8> {
        let mut colors = targets::marks(self.host.session(), from);
        let facts = self.host.session().facts();
        let quiet: Vec<_> = (0..colors.len()).filter(|&at| colors[at] == paint::QUIET).collect();
        for at in quiet {
            let files = usize::from(facts.files);
            let to = Coordinate::new((at % files) as u8, (at / files) as u8 + facts.first_rank);
            if !self.victims(from, to).is_empty() {
                colors[at] = paint::CAPTURE;
            }
        }
        colors
    }

    /// The places of men who are no more, without being where the piece from `from` went, after the one whole turn that
    /// takes it to the empty square `to`.
    fn victims(&mut self, from: Coordinate, to: Coordinate) -> Vec<usize> {
        // While somebody thinks about the position it stays as it is, and the turn is not the user's.
        let thinking =
            matches!(self.mode, Mode::Plays(side) if self.host.session().actor().player() == Some(side));
        let goes = |token: &String| {
            let token = parse_token(token);
            token.is_ok_and(|token| matches!(token.legs.as_slice(), [Leg::Move { from: start, to: end, suffix: None }] if (*start, *end) == (from, to)))
        };
        let mut tokens = self.host.session().continuations().into_iter().filter(goes);
        let (Some(token), None, false) = (tokens.next(), tokens.next(), thinking) else { return Vec::new() };
        let before = self.host.session().position().placement;
        let session = self.host.session_mut();
        let played = session.tokens_played();
        if session.play(&token).is_err() {
            return Vec::new();
        }
        let after = session.position().placement;
        session.rewind(played);
        let men =
            |board: &Placement| board.cells.iter().filter(|cell| matches!(cell, Cell::Piece { .. })).count();
        if men(&after) >= men(&before) {
            return Vec::new();
        }
        let row = |at: Coordinate| at.rank.wrapping_sub(self.host.session().facts().first_rank);
        let place = |at: Coordinate| usize::from(row(at)) * usize::from(before.files) + usize::from(at.file);
        let vanished =
            |&at: &usize| matches!(before.cells[at], Cell::Piece { .. }) && after.cells[at] == Cell::Empty;
        if before.cells.get(place(to)) != Some(&Cell::Empty) {
            return Vec::new();
        }
        (0..before.cells.len()).filter(vanished).filter(|&at| at != place(from)).collect()
    }
}
