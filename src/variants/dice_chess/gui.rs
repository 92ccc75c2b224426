//! What a board shows besides the pieces: the dice.

use super::decision::{DICE, Dice};
use super::{Decision, FACTS, State};
use crate::game::gui::{GuiBoard, Prompt, PromptKind, StepView, XboardView, as_at_start, decision_said};
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
        if self.must_pass() {
            let question = format!("The dice show {dice}: none of these can move. Your turn passes.");
            let how = format!("Dice: {dice}. None can move: press OK to pass");
            return Some(Prompt { kind: PromptKind::Ask, question, how });
        }
        let (left, which) = if self.dice.total() > 1 {
            ("Dice left", "one of these pieces")
        } else {
            ("Die left", "this piece")
        };
        let question = format!("{left}: {dice}. Move {which}.");
        Some(Prompt::guide(question, format!("{left}: {dice}; move {which}")))
    }

    /// Where the turn passes, whatever is typed says so.
    fn typed(&self, word: &str) -> Result<Decision, String> {
        if self.must_pass() { Ok(Decision::PASS) } else { decision_said(self, word) }
    }

    fn deed(&self, decision: Decision, after: &Self, shown: [&Position; 2]) -> Deed {
        let Some(number) = decision.rolled() else {
            if decision == Decision::PASS {
                return Deed::new(DeedKind::Stop, "Pass").reported("passes: no die can be used");
            }
            return Deed::of_legs(&FACTS, &self.legs(decision), shown);
        };
        let passes = if after.must_pass() { "; none of them can move" } else { "" };
        let text = format!("{}{passes}", names(Dice::of_number(number)));
        Deed::new(DeedKind::Roll, &*text).reported(format!("Dice: {text}"))
    }

    /// Counted in dice, so that castling is two.
    fn steps(&self) -> Option<(u8, u8)> {
        let used = DICE.saturating_sub(self.dice.total());
        (!self.is_unrolled() && !self.must_pass()).then_some((used, used + self.need))
    }
}
