//! What went wrong in a line, and where.

/// A line that begins like a known message and then says something its grammar does not allow.
///
/// One type for all four parsers, because the faults are the same; `parameter` tells them apart. Columns count bytes
/// from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// The line ends too early.
    #[error("column {column}: {parameter}: expected {expected}, found the end of the line")]
    Missing {
        /// The protocol's own word for what is missing, such as `wtime`.
        parameter: &'static str,
        /// What would have been right here.
        expected: &'static str,
        /// One past the end of the line.
        column: usize,
    },
    /// A word that cannot be what is wanted here.
    #[error("column {column}: {parameter}: expected {expected}, found {found}")]
    Malformed {
        /// The protocol's own word for what is wrong.
        parameter: &'static str,
        /// What would have been right here.
        expected: &'static str,
        /// What stands there: quoted, shortened, unprintable characters escaped.
        found: String,
        /// Where it begins.
        column: usize,
    },
    /// A number that is too large or too small.
    #[error("column {column}: {parameter}: {found} is out of range, expected {expected}")]
    OutOfRange {
        /// The protocol's own word for the number.
        parameter: &'static str,
        /// The range.
        expected: &'static str,
        /// The number as written: quoted, shortened.
        found: String,
        /// Where it begins.
        column: usize,
    },
}

impl ParseError {
    /// The protocol's own word for what is wrong.
    #[must_use]
    pub const fn parameter(&self) -> &'static str {
        match self {
            Self::Missing { parameter, .. }
            | Self::Malformed { parameter, .. }
            | Self::OutOfRange { parameter, .. } => parameter,
        }
    }

    /// What would have been right.
    #[must_use]
    pub const fn expected(&self) -> &'static str {
        match self {
            Self::Missing { expected, .. }
            | Self::Malformed { expected, .. }
            | Self::OutOfRange { expected, .. } => expected,
        }
    }

    /// Where, in bytes from 1.
    #[must_use]
    pub const fn column(&self) -> usize {
        match self {
            Self::Missing { column, .. }
            | Self::Malformed { column, .. }
            | Self::OutOfRange { column, .. } => *column,
        }
    }
}
