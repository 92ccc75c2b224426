//! What XBoard is shown.

use super::State;
use crate::game::gui::{GuiBoard, XboardView};

pub(super) static VIEW: XboardView = XboardView {
    setup: Some(
        "(..............................................BR..K....P...............................................br..k....p.) 7x7+0_bughouse",
    ),
    pieces: &["R& RmasR", "B& BmasB", "K& K", "P& K"],
    ..XboardView::KNOWN
};

impl GuiBoard for State {}
