//! What XBoard is shown.

use super::State;
use crate::game::gui::{GuiBoard, Origin, Prompt, StepView, XboardView, moves_and_drops};
use crate::notation::Coordinate;

/// A Deer's capture and a Boy's promotion change more on the board than a ply of XBoard's says.
pub(super) static VIEW: XboardView = XboardView {
    setup: Some(
        "(T..............................A.B.M..G.R...S....DK....P.\
         t..............................a.b.m..g.r...s....dk....p.) 9x8+1_bughouse",
    ),
    steps: Some(StepView { together: 1, closing_pass: false, neutral: None }),
    ..XboardView::KNOWN
};

impl GuiBoard for State {
    fn prompt(&self, _: &[Coordinate]) -> Option<Prompt> {
        let drops = moves_and_drops(self).iter().any(|gesture| gesture.from == Origin::Hand);
        drops.then(|| {
            Prompt::Guide(
                "Move a man, or drop a Statue: click it beside the board, then a free square".into(),
            )
        })
    }
}
