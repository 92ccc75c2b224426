//! What tests of the engine and of the front ends share.

pub(crate) mod faulty;
