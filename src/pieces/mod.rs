//! Pictures of the men: one drawing a figure, in SVG by hand, coloured and put together here. They are carried in the
//! program for XBoard and WinBoard (`-pid`), for diagrams and for the documents.

mod figures;
#[cfg(any(feature = "png", test))]
mod winboard;
mod xboard;

pub use figures::{figure, fragment};
#[cfg(any(feature = "png", test))]
pub use winboard::winboard_files;
pub use xboard::xboard_files;
