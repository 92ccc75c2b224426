//! Breakthrough against a second program written from the text of its rules, and what its evaluation sees.

mod evaluation;
mod reference;
