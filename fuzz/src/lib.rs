//! Carom under a fuzzer: `cargo +nightly fuzz run TARGET -- -dict=fuzz/words.dict`. The bodies are those that the stable
//! replay runs.

#[path = "../../tests/it/protocols/fuzz/mod.rs"]
mod bodies;

pub use bodies::TARGETS;
