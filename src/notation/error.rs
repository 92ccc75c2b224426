//! Errors in texts: what is wrong, and where.

/// A text that is not in the grammar.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: expected {expected}, found {found}")]
pub struct SyntaxError {
    /// 1 for the first character of the text given to the parser (counted in bytes; the grammar is ASCII).
    pub column: usize,
    /// What the grammar allows here.
    pub expected: &'static str,
    /// What stands here instead: the rest up to the next blank, quoted and shortened, or `end of text`.
    pub found: String,
}
