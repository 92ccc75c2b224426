//! What `carom play`, `analyse` and `replay` share: a text screen, line input, a search that an interrupt
//! ends, and files of games.

mod continuations;
mod files;
mod input;
mod interrupts;
mod options;
mod screen;
mod thinking;

pub use continuations::{candidates, listing, refusal};
pub use files::{SavedTo, read_text};
pub use input::{Input, Typed, lines};
pub use interrupts::Interrupts;
pub use options::ScreenOptions;
pub use screen::{Canvas, View, squares_of, wrapped};
pub use thinking::{line_text, speed, think};
