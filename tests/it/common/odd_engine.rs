//! This binary as an engine with odd habits, for the tests of matches.

#[path = "../../engines/odd.rs"]
mod odd;

pub use odd::GAME;

/// Not a test: what is run when this binary is started as an engine (`common::odd_engine::plays --exact --nocapture`).
#[test]
fn plays() {
    if let Ok(habit) = std::env::var("ODD_HABIT") {
        odd::run(&habit, std::env::var("ODD_ONCE").ok());
    }
}
