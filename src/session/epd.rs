//! Positions as they stand in files of openings.

use super::contract::Session;

/// Sets up a position from a file: the whole line, or its fields without the EPD operations after them, with
/// `0 1` for counters that are missing. Returns the text that was accepted.
///
/// # Errors
/// Why it is not a legal position.
pub fn set_up_epd(text: &str, session: &mut dyn Session) -> Result<String, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let front = |count: usize| words[..count.min(words.len())].join(" ");
    let candidates = [words.join(" "), front(6), format!("{} 0 1", front(4))];
    let mut fault = String::new();
    for candidate in candidates {
        match session.set_up(Some(&candidate), &mut std::iter::empty()) {
            Ok(()) => return Ok(candidate),
            Err(error) if fault.is_empty() => fault = error.to_string(),
            Err(_) => {}
        }
    }
    Err(fault)
}
