//! Positions as files of openings have them.

use super::Session;

/// Sets up a position of a file: whole, or without the operations of EPD behind its fields. The position as the game reads it.
///
/// # Errors
/// Why it is no legal position.
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
