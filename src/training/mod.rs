//! Learning: games of the engine against itself, and the networks and terms that are made from them.

pub mod datagen;
pub mod fit;
pub mod games;
pub mod ranker;
pub mod sample;
pub mod self_play;
pub mod spsa;
pub mod train;
pub mod tune;
