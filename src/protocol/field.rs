//! The values and fields of messages: how they are filled, and how they are written.

use super::bound::Bound;
use super::words::{Moves, OneLine};
use std::fmt::{self, Formatter};

/// A value in a message, which is written with a space in front.
pub(super) trait Value {
    fn write(&self, out: &mut Formatter<'_>) -> fmt::Result;
}

/// Lets values be written as they are displayed.
macro_rules! displayed {
    ($($value:ty),+) => {
        $(impl $crate::protocol::field::Value for $value {
            fn write(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(out, " {self}")
            }
        })+
    };
}

displayed!(u32, u64, i32, i64, Moves<'_>);

/// An empty text is not written at all.
impl Value for &str {
    fn write(&self, out: &mut Formatter<'_>) -> fmt::Result {
        if self.is_empty() { Ok(()) } else { write!(out, " {}", OneLine(self)) }
    }
}

impl<T: Value> Value for Option<T> {
    fn write(&self, out: &mut Formatter<'_>) -> fmt::Result {
        self.as_ref().map_or(Ok(()), |value| value.write(out))
    }
}

/// A field for an argument that may be given or not.
pub(super) trait Field {
    type Value;

    /// Takes the value. False when there is one already.
    fn fill(&mut self, value: Self::Value) -> bool;

    /// Writes the argument with its word, if it was given.
    fn write_named(&self, out: &mut Formatter<'_>, word: &str) -> fmt::Result;
}

impl<T: Value> Field for Option<T> {
    type Value = T;

    fn fill(&mut self, value: T) -> bool {
        let free = self.is_none();
        self.get_or_insert(value);
        free
    }

    fn write_named(&self, out: &mut Formatter<'_>, word: &str) -> fmt::Result {
        let Some(value) = self else { return Ok(()) };
        write!(out, " {word}")?;
        value.write(out)
    }
}

/// A word without a value.
impl Field for bool {
    type Value = ();

    fn fill(&mut self, (): ()) -> bool {
        !std::mem::replace(self, true)
    }

    fn write_named(&self, out: &mut Formatter<'_>, word: &str) -> fmt::Result {
        if *self { write!(out, " {word}") } else { Ok(()) }
    }
}

impl Field for Bound {
    type Value = Self;

    fn fill(&mut self, value: Self) -> bool {
        let free = *self == Self::Exact;
        if free {
            *self = value;
        }
        free
    }

    fn write_named(&self, out: &mut Formatter<'_>, _: &str) -> fmt::Result {
        out.write_str(match self {
            Self::Exact => "",
            Self::Lower => " lowerbound",
            Self::Upper => " upperbound",
        })
    }
}

pub(super) use displayed;
