//! The board of a game in progress: what is drawn, what the mouse can decide, what each decision does.

use super::successor::{Look, Successor};
use crate::game::Deed;
use crate::game::gui::{Gesture, Prompt};
use crate::notation::{Coordinate, Position};

/// The board of a game in progress, and decisions by their numbers. The defaults fit a game whose rules are
/// not known here.
pub trait Board {
    /// The numbers of the decisions in a token; `None` when it is not legal.
    fn decisions_of(&self, _token: &str) -> Option<Vec<u32>> {
        None
    }
    /// Plays one decision by its number; `tokens_played` counts it as a token. False when it is not legal. A
    /// decision of chance replaces what was rolled.
    fn decide(&mut self, _decision: u32) -> bool {
        false
    }
    /// The results of our own dice and cards after the last token, as numbers of decisions.
    fn rolled(&self) -> Vec<u32> {
        Vec::new()
    }
    /// When chance decides: each outcome as text, and the number of equally likely cases it stands for.
    fn odds(&self) -> Vec<(String, u32)> {
        Vec::new()
    }
    /// Walks through the ways in which the game may go on. `look` gets each path of decisions, chance's
    /// included, with what it leads to, and decides how to go on.
    fn explore(&self, _look: &mut dyn FnMut(&[u32], &dyn Successor) -> Look) {}
    /// The same after the first `tokens` tokens; after all of them, also after the chance results that
    /// followed.
    fn explore_after(&self, _tokens: usize, _look: &mut dyn FnMut(&[u32], &dyn Successor) -> Look) {}
    /// What a decision would do; `None` when it is not legal.
    fn deed(&self, decision: u32) -> Option<Deed> {
        let mut found = None;
        self.explore(&mut |way, successor| {
            if way != [decision] {
                return Look::Skip;
            }
            found = Some(successor.deed());
            Look::End
        });
        found
    }
    /// The board as it would be drawn after a path of decisions; `None` when the path is not legal.
    fn shown_behind(&self, path: &[u32]) -> Option<Position> {
        let mut found = None;
        self.explore(&mut |way, successor| {
            if way == path {
                found = Some(successor.shown());
                return Look::End;
            }
            if path.starts_with(way) { Look::Deeper } else { Look::Skip }
        });
        found
    }
    /// The last decision of the first `tokens` tokens, and what it led to; `None` at the start and beyond the
    /// present.
    fn last_of(&self, tokens: usize) -> Option<Box<dyn Successor + '_>>;
    /// The decisions made after the first `from` tokens and within the first `to`, and what each led to.
    fn made(&self, from: usize, to: usize) -> Vec<Box<dyn Successor + '_>> {
        (from + 1..=to).filter_map(|tokens| self.last_of(tokens)).collect()
    }
    /// The board as it is drawn: see [`crate::game::gui::GuiBoard::shown`].
    fn shown(&self) -> Position;
    /// The board as it was drawn after the first `tokens` tokens; `None` beyond the present.
    fn shown_after(&self, tokens: usize) -> Option<Position>;
    /// See [`crate::game::gui::GuiBoard::read_shown`].
    fn read_shown(&self, _shown: &Position) -> Option<Position> {
        None
    }
    /// See [`crate::game::gui::GuiBoard::gestures`].
    fn gestures(&self, _picked: &[Coordinate]) -> Vec<Gesture> {
        Vec::new()
    }
    /// See [`crate::game::gui::GuiBoard::prompt`].
    fn prompt(&self, _picked: &[Coordinate]) -> Option<Prompt> {
        None
    }
    /// See [`crate::game::gui::GuiBoard::checked_king`].
    fn checked_king(&self) -> Option<Coordinate> {
        None
    }
    /// See [`crate::game::gui::GuiBoard::steps`].
    fn steps(&self) -> Option<(u8, u8)> {
        None
    }
    /// See [`crate::game::gui::GuiBoard::typed`].
    ///
    /// # Errors
    /// Why the text means no decision.
    fn typed(&self, word: &str) -> Result<u32, String>;
}
