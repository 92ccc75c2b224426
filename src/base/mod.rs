//! What every room stands on: colours, sets of squares, sliding lines, keys, random numbers, scores, text from strangers,
//! threads.
//!
//! Uses nothing else of ours.

mod bits;
mod color;
mod keys;
pub mod lines;
mod rng;
pub mod score;
mod text;
pub mod threads;

pub use bits::{Bits, BoardBits};
pub use color::Color;
pub use keys::{key_for, key_table};
pub use rng::Rng;
pub use text::{is_control, lines_without_controls, similar, without_controls};
