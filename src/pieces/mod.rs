//! Pictures of the men: one drawing a figure, in SVG by hand, coloured and put together here. They are carried in the
//! program for XBoard (`-pid`), for diagrams and for the documents.

mod figures;
mod xboard;

pub use figures::{figure, fragment};
pub use xboard::xboard_files;
