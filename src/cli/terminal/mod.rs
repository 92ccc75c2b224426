//! What `carom play`, `analyse` and `replay` share: a screen of text, a line that is typed, a search that an interrupt
//! ends, games in PGN files.

mod input;
mod interrupts;
mod options;
mod pgn;
mod screen;
mod thinking;
mod ways;

pub use input::{Input, Typed};
pub use interrupts::Interrupts;
pub use options::{Level, ScreenOptions};
pub use pgn::{LoadedGame, OnBoard, SavedTo, load_game, play_word, read_text};
pub use screen::{Canvas, Turns, View, cards_hidden, squares_of, wrapped};
pub use thinking::{limits_for, line_text, opinion, speed, think};
pub use ways::{candidates, listing, refusal};
