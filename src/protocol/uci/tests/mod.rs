//! What is read of lines as they should be and as they should not be, and what is printed is read again.

mod odd_commands;
mod odd_replies;
mod round_trip;
