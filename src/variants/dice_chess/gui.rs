//! What a board shows besides the pieces: the dice.

use super::decision::{DICE, Dice};
use super::{Decision, FACTS, State};
use crate::game::gui::{GuiBoard, Prompt, StepView, XboardView, as_at_start};
use crate::game::{Deed, DeedKind, Notation};
use crate::notation::{Coordinate, Position, parse_position};
use crate::variants::chessboard::castling_at_home;

/// How XBoard shows the game: each move is a ply, and the other side passes in between.
pub(super) static VIEW: XboardView = XboardView {
    setup: Some(concat!(
        "(P.................................N...........BR..KQ..............",
        "p.................................n...........br..kq..............) 8x8+0_bughouse",
    )),
    steps: Some(StepView { together: 1, closing_pass: false, neutral: None }),
    ..XboardView::KNOWN
};

/// The kinds that dice show, as a list: `pawn, pawn, queen`.
fn names(dice: Dice) -> String {
    dice.kinds().map(|kind| kind.name()).collect::<Vec<_>>().join(", ")
}

impl GuiBoard for State {
    /// Castling is allowed where kings and rooks are at home.
    fn read_shown(&self, shown: &Position) -> Option<Position> {
        let mut position = as_at_start(&FACTS, shown)?;
        let start = parse_position(FACTS.start).ok()?;
        *position.fields.get_mut(1)? = castling_at_home(&position.placement, &start.placement);
        Some(position)
    }

    fn prompt(&self, _: &[Coordinate]) -> Option<Prompt> {
        if self.is_unrolled() {
            return None;
        }
        let dice = names(self.dice);
        let question = if self.dice.total() > 1 {
            format!("Dice left: {dice}. Move one of these pieces.")
        } else {
            format!("Die left: {dice}. Move this piece.")
        };
        Some(Prompt::guide(question, format!("Dice: {dice}. Move one of these")))
    }

    fn deed(&self, decision: Decision, after: &Self, shown: [&Position; 2]) -> Deed {
        let Some(number) = decision.rolled() else {
            return Deed::of_legs(&FACTS, &self.legs(decision), shown);
        };
        let passes = if after.is_unrolled() { "; no move is possible, the turn passes" } else { "" };
        let text = format!("{}{passes}", names(Dice::of_number(number)));
        Deed::new(DeedKind::Roll, &*text).reported(format!("Dice: {text}"))
    }

    /// Counted in dice, so that castling is two.
    fn steps(&self) -> Option<(u8, u8)> {
        let used = DICE.saturating_sub(self.dice.total());
        (!self.is_unrolled()).then_some((used, used + self.need))
    }
}
