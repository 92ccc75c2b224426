//! Boards and pieces as text, SVG and PNG, and the files of pieces that XBoard and WinBoard use.

mod board;
mod figures;
mod legend;
mod logo;
mod picture;
#[cfg(feature = "png")]
mod png;
mod turn;
#[cfg(any(feature = "png", test))]
mod winboard_pieces;
mod xboard_pieces;

pub use board::{Look, Style, board_text, highlighted_board_text};
pub use figures::{figure, fragment};
pub use legend::legend_svg;
pub use logo::{LOGO_SIZE, logo_svg};
pub use picture::{Picture, board_svg};
#[cfg(feature = "png")]
pub use png::{PngError, png};
pub use turn::{deeds_of_last_turn, text_of_last_turn};
#[cfg(any(feature = "png", test))]
pub use winboard_pieces::winboard_files;
pub use xboard_pieces::xboard_files;
