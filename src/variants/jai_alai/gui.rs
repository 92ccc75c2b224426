//! How XBoard shows the game.

use super::decision::Action;
use super::geometry::{CORNERS, bit, mage_path};
use super::movegen::turning_square;
use super::notation::coordinate;
use super::piece::Kind;
use super::state::State;
use crate::base::Bits;
use crate::game::gui::{GuiBoard, Prompt, StepView, XboardView, all_decisions};
use crate::game::{Deed, Notation};
use crate::notation::{Coordinate, Position};

/// How XBoard shows the game. A Deer's capture and a Boy's promotion change more on the board than one ply of
/// XBoard expresses.
pub(super) static VIEW: XboardView = XboardView {
    setup: Some(
        "(T..............................A.B.M..G.R...S....DK....P.\
         t..............................a.b.m..g.r...s....dk....p.) 9x8+1_bughouse",
    ),
    steps: Some(StepView { together: 1, closing_pass: false, neutral: None }),
    ..XboardView::KNOWN
};

impl GuiBoard for State {
    fn deed(&self, action: Action, _: &Self, shown: [&Position; 2]) -> Deed {
        Deed::of_legs(self.facts(), &self.legs(action), shown).bending(self.bend(action))
    }

    fn checked_king(&self) -> Option<Coordinate> {
        self.attacked(self.side).then(|| coordinate(self.board.king(self.side)))
    }

    fn prompt(&self, _: &[Coordinate]) -> Option<Prompt> {
        let can_drop = all_decisions(self).iter().any(|action| action.from().is_none());
        can_drop.then(|| {
            Prompt::guide(
                "Move a piece, or drop a Statue from your hand.",
                "Move a piece, or drop a Statue: click it beside the board, then a free square",
            )
        })
    }
}

impl State {
    /// The square where a ball or the Mage turns on its way. Of two paths of a ball to the same square one is
    /// shown (R15).
    fn bend(&self, action: Action) -> Option<Coordinate> {
        let from = action.from()?;
        let piece = self.board.color_at(from).zip(self.board.kind_at(from));
        let bend = match piece {
            Some((_, Kind::Mage)) => {
                // From the diagonal square on it goes straight (R30).
                let passed = Bits(mage_path(from, action.to()));
                passed.into_iter().find(|&at| bit(at) & CORNERS[usize::from(from)] != 0)
            }
            Some(piece) => turning_square(&self.board, piece, from, action.to(), self.at_once),
            None => None,
        };
        bend.map(coordinate)
    }
}
