//! The games, a folder each, and the registry.

pub mod alapo;
pub mod chess;
pub mod jai_alai;
pub mod rollerball;
