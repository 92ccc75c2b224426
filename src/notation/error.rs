//! What went wrong in a text, and where.

/// A text that is not in the grammar.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: expected {expected}, found {found}")]
pub struct SyntaxError {
    /// 1 for the first character of the text given to the parser (counted in bytes; the grammar is ASCII).
    pub column: usize,
    /// What would have been right here.
    pub expected: &'static str,
    /// What stands there instead: the rest of the word, quoted and shortened, or `end of text`.
    pub found: String,
}
