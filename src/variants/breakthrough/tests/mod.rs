//! Breakthrough against a second program written from the text of its rules.

mod reference;
