//! Chess with Wickets: the rules one by one, whole games, and a second program written from their text.

mod games;
mod reference;
mod rules;
