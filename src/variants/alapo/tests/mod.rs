//! Alapo: the rules one by one, and a second program written from their text.

mod reference;
mod rules;
