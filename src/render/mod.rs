//! Boards drawn as text, for people.

mod board;

pub use board::{Look, Style, board_text, highlighted_board_text};
