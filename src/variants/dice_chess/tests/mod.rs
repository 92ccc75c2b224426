//! Tests of Dice Chess.

mod community;
mod reference;
