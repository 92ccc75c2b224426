//! What XBoard is shown.

use super::State;
use crate::game::gui::{GuiBoard, XboardView};

/// Not the Pawn slot: XBoard would ask what the man on the last row becomes.
pub(super) static VIEW: XboardView = XboardView {
    setup: Some(concat!(
        "(......................P.....................................",
        "......................p.....................................) 8x8+0_fairy",
    )),
    ..XboardView::KNOWN
};

impl GuiBoard for State {}
