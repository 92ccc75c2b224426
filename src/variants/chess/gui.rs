//! XBoard knows chess by itself.

use super::State;
use crate::game::gui::{GuiBoard, XboardView};

pub(super) static VIEW: XboardView = XboardView::KNOWN;

impl GuiBoard for State {}
