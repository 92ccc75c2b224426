//! Tests of Dice Chess.

mod community;
mod evaluation;
mod reference;
