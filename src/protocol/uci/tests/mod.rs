//! Tests of reading valid and invalid lines, and of reading back what was written.

mod odd_commands;
mod odd_replies;
mod round_trip;
mod translation;
