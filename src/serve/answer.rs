//! The answer to a request that cannot be carried out, and how much of a client's text an answer may repeat.

use serde_json::{Value, json};
use std::borrow::Cow;

/// The answer to a request that cannot be carried out.
pub fn error_message(what: &str, why: &str) -> Value {
    json!({"type": "error", "do": what, "text": shortened(why)})
}

/// The longest part of a client's text that is repeated, in characters.
const LONGEST_ECHO: usize = 200;

/// The text, or its beginning.
pub fn shortened(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(LONGEST_ECHO) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}
