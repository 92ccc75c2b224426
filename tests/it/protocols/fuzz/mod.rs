//! What is thrown at the program, and what must hold: three functions from any bytes to nothing, which panic when
//! something is wrong. Used by the cargo-fuzz targets in `fuzz`, by the replay of their corpora (`tests/fuzz_replay.rs`)
//! and by the count of lines (`benches/fuzz_lines.rs`).
#![allow(dead_code, clippy::unwrap_used, reason = "nobody uses all of it")]

pub mod mutation;
mod protocols;
pub mod sessions;
mod text;

/// The name of a target, which is also its corpus's, and what it does with an input.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: [Target; 3] =
    [("text", text::text), ("protocols", protocols::protocols), ("sessions", sessions::sessions)];
