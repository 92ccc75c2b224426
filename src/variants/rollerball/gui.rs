//! How XBoard shows the game.

use super::decision::Move;
use super::square::Square;
use super::state::{Kind, State};
use crate::base::Bits;
use crate::base::order::sort_by_cached_key;
use crate::game::gui::{GuiBoard, XboardView};
use crate::game::{Deed, Notation};
use crate::notation::{Coordinate, Position};

pub(super) static VIEW: XboardView = XboardView {
    setup: Some(
        "(..............................................BR..K....P...............................................br..k....p.) 7x7+0_bughouse",
    ),
    pieces: &["R& RmasR", "B& BmasB", "K& K", "P& K"],
    ..XboardView::KNOWN
};

impl GuiBoard for State {
    fn deed(&self, decision: Move, _: &Self, shown: [&Position; 2]) -> Deed {
        Deed::of_legs(self.facts(), &self.legs(decision), shown).bending(self.bends(decision))
    }

    fn checked_king(&self) -> Option<Coordinate> {
        self.king_attacked(self.turn).then(|| self.kings[self.turn.index()].name())
    }
}

impl State {
    /// The squares where a piece turns on its way round the ring.
    fn bends(&self, decision: Move) -> Vec<Coordinate> {
        let (from, to) = (decision.from(), decision.to());
        let lines = self.lines();
        let path = match self.kind_of(from) {
            Kind::Rook => &lines.rook_path,
            Kind::Bishop => &lines.bishop_path,
            Kind::King | Kind::Pawn => return Vec::new(),
        };
        let mut way: Vec<Square> = Bits(path[to.index()][from.index()]).map(Square::new).collect();
        sort_by_cached_key(&mut way, |square| path[square.index()][from.index()].count_ones());
        way.insert(0, from);
        way.push(to);
        let step = |a: Square, b: Square| (b.place().0 - a.place().0, b.place().1 - a.place().1);
        let bends = way.windows(3).filter(|three| step(three[0], three[1]) != step(three[1], three[2]));
        bends.map(|three| three[1].name()).collect()
    }
}
