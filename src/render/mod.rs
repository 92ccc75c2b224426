//! Boards drawn as text and as pictures, for people.

mod board;
mod legend;
mod picture;
#[cfg(feature = "png")]
mod png;
mod turn;

pub use board::{Look, Style, board_text, highlighted_board_text};
pub use legend::legend_svg;
pub use picture::{Picture, board_svg};
#[cfg(feature = "png")]
pub use png::{PngError, png};
pub use turn::{Deed, deeds_of, deeds_of_last_turn, text_of_last_turn};
