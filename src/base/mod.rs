//! The foundation of all other modules: colours, sets of squares, sliding lines, keys, random numbers,
//! scores, text from outside and its width, what grammars share, sorting, files, threads.
//!
//! It uses no other module of this crate.

/// A `for` loop for constant evaluation, where there are no iterators:
/// `const_for!(square in 0..64 => { … })`.
macro_rules! const_for {
    ($index:ident in $begin:tt .. $end:expr => $body:block) => {
        let mut $index = $begin;
        while $index < $end {
            $body
            $index += 1;
        }
    };
}

/// A table computed at compile time, as long as its type says: `table!(square => 1 << square)`.
macro_rules! table {
    ($index:ident => $entry:expr) => {{
        let $index = 0;
        let mut table = [$entry; _];
        $crate::base::const_for!($index in 0..table.len() => { table[$index] = $entry; });
        table
    }};
}

mod bits;
mod color;
#[cfg(feature = "cli")]
pub mod columns;
pub mod files;
pub mod grammar;
mod keys;
pub mod lines;
pub mod order;
mod rng;
pub mod score;
mod text;
pub mod threads;

pub use bits::{Bits, BoardBits};
pub use color::Color;
pub(crate) use const_for;
pub use keys::{MIX, fnv1a, key_for, key_table, mixed};
pub use rng::Rng;
pub(crate) use table;
pub use text::{is_control, lines_without_controls, similar, without_controls};
